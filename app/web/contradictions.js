// What may disagree: pairs of statements by different voices, both sentences side by side; read when it is opened.

import { address, get } from "./api.js";
import { el, foreign, oneLine, replace } from "./dom.js";
import { failure } from "./failure.js";
import { unmarked } from "./structure.js";
import { number, placeOf, placed, t } from "./words.js";

const ROWS = 10;

/** A fold with what may disagree about an entity, or in the whole workspace. */
export function contradictionsView(context, entity = null) {
  const path = address(context.state.workspace, "contradictions");
  const rows = el("ol", { class: "contradictions" });
  const note = el("p", { class: "quiet", "aria-live": "polite" });
  const fold = el("details", { class: "where" }, el("summary", {}, t("mayDisagree")), note, rows);
  fold.addEventListener("toggle", () => fold.open && !rows.childElementCount && read(0));
  return fold;

  async function read(first) {
    note.textContent = first ? note.textContent : t("looking");
    try {
      const found = await get(path, { first, count: ROWS, entity: entity?.id ?? "" });
      note.textContent = found.total ? t("mayDisagreeNote") : t("noneDisagrees");
      rows.append(...found.contradictions.map(pair));
      const left = found.total - first - found.contradictions.length;
      if (left > 0) {
        const more = el("li", {}, el("button", { type: "button", class: "more", onclick: () => (more.remove(), read(first + ROWS)) }, t("more", number(left))));
        rows.append(more);
      }
    } catch (error) {
      replace(note, failure(error));
    }
  }

  function pair(one) {
    return el("li", {}, el("p", { class: "quiet" }, t(`disagree.${one.kind}`)), el("div", { class: "pair" }, side(one.first), side(one.other)));
  }

  function side(said) {
    const link = el("a", { class: "sentence", href: placeOf(said.document_id, said.chunk_id, said.start, said.end) }, foreign("q", unmarked(oneLine(said.sentence))));
    const notes = [said.place && placed(said.place), said.date].filter(Boolean);
    return el(
      "blockquote",
      {},
      el("p", {}, foreign("b", oneLine(said.voice, 80))),
      el("p", {}, link),
      el("p", { class: "from" }, foreign("bdi", oneLine(said.source, 60)), notes.map((part) => ` · ${part}`)),
    );
  }
}
