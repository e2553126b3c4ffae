// Phrases: every place in all documents that says some words, in the order of reading.

import { address, get } from "./api.js";
import { el, foreign, oneLine, replace } from "./dom.js";
import { failure } from "./failure.js";
import { number, placeOf, placed, t } from "./words.js";

const ROWS = 50;

export function phraseSearch(context) {
  const path = address(context.state.workspace, "find");
  const words = el("input", { type: "search", maxlength: 200, required: true, "aria-label": t("findPhrase"), placeholder: t("findPhrase") });
  const count = el("p", { class: "quiet", "aria-live": "polite" });
  const rows = el("ol", { class: "places" });
  let source = "";
  const search = (event) => {
    event.preventDefault();
    source = "";
    replace(rows);
    if (words.value.trim()) read(words.value.trim(), 0);
  };
  return el("section", { class: "phrases" }, el("form", { onsubmit: search }, words, " ", el("button", { class: "small" }, t("find"))), count, rows);

  async function read(text, first) {
    try {
      const found = await get(path, { text, first, count: ROWS });
      count.textContent = found.total ? t("phraseFound", number(found.total), number(found.documents), found.total) : t("phraseNowhere");
      rows.append(...found.places.map(place));
      const shown = first + found.places.length;
      if (shown < found.total) {
        const more = el("li", {}, el("button", { type: "button", class: "more", onclick: () => (more.remove(), read(text, shown)) }, t("more", number(found.total - shown))));
        rows.append(more);
      }
    } catch (error) {
      replace(count, failure(error));
    }
  }

  function place(row) {
    const from = row.source !== source && el("p", { class: "from" }, foreign("bdi", oneLine(row.source, 80)));
    source = row.source;
    const said = el("a", { class: "sentence", href: placeOf(row.document_id, row.chunk_id, row.start, row.end) }, foreign("q", `… ${oneLine(row.text)} …`));
    return el("li", {}, from, el("p", {}, said, row.place && el("span", { class: "quiet" }, ` ${placed(row.place)}`)));
  }
}
