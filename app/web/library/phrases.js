// Phrases: every place in all documents that contains some words, names some people or things, or states some fact, in reading order.

import { get, newestOnly } from "../base/api.js";
import { aside, documentName, el, failure, foreign, oneLine, pushButton, replace } from "../base/dom.js";
import { number, placed, placeOf, t, typeMeant, when } from "../base/words.js";
import { runSearch, savedSearches } from "./searches.js";

const ROWS = 50;

export function phraseSearch(context) {
  const words = input(t("findPhrase"), t("findWordsHint"), 1000);
  const names = input(t("findNames"), t("findNamesHint"), 600);
  const kinds = input(t("findTypes"), t("findTypesHint"));
  const predicate = input(t("findPredicate"), t("findPredicateHint"));
  const spread = el("input", { type: "checkbox" });
  const count = el("p", { class: "quiet", "aria-live": "polite" });
  const rows = el("ol", { class: "places" });
  const saved = savedSearches(context, (name) => show(() => readSaved(name, 0)));
  const newest = newestOnly();
  let signal = newest(); // of the search that is shown
  let source = "";
  const search = async (event) => {
    event.preventDefault();
    const listed = (field) => field.value.split(",").map((one) => one.trim()).filter(Boolean);
    const asked = { text: words.value.trim(), name: listed(names), type: await typesMeant(listed(kinds)), predicate: predicate.value.trim() };
    const naming = asked.name.length || asked.type.length || asked.predicate;
    if (!naming && !asked.text) return void words.focus();
    if (naming) asked.within = spread.checked ? "document" : "passage";
    show(() => (naming ? readNaming(asked, 0) : read(asked.text, 0)));
    saved.offer(asked);
  };
  return el("section", { class: "phrases" }, el("form", { class: "finder", onsubmit: search }, field("findWords", words), field("findNamed", names), field("findTyped", kinds), field("findRelated", predicate), el("label", spread, " ", t("findInDocument")), el("button", { class: "small" }, t("find"))), saved.element, count, rows);

  /** Types as the workspace calls them; as written, if these are not to be had. */
  async function typesMeant(written) {
    if (!written.length) return written;
    const { types } = await get(context.path("types")).catch(() => ({ types: [] }));
    return written.map((word) => typeMeant(word, types.map((row) => row.type)));
  }

  async function show(work) {
    signal = newest();
    source = "";
    replace(rows);
    saved.offer(null);
    await work();
  }

  async function read(text, first) {
    try {
      const found = await get(context.path("find"), { text, first, count: ROWS }, signal);
      count.textContent = found.total ? t("phraseFound", number(found.total), number(found.documents), found.total) : t("phraseNowhere");
      rows.append(...found.places.map(place));
      goOn(first + found.places.length, found.total, (next) => read(text, next));
    } catch (error) {
      told(error);
    }
  }

  async function readNaming(asked, first) {
    try {
      const found = await get(context.path("passages"), { ...asked, first, count: ROWS }, signal);
      const taken = found.names.filter((row) => row.entities.some((one) => one.name !== row.name)).map((row) => ` ${oneLine(row.name, 60)}: ${row.entities.map((one) => oneLine(one.name, 60)).join(", ")}.`);
      count.textContent = `${found.total ? t("namingFound", number(found.total), number(found.documents), found.total) : t("namingNowhere")}${taken.join("")}`;
      rows.append(...found.passages.map((row) => naming(row)));
      goOn(first + found.passages.length, found.total, (next) => readNaming(asked, next));
    } catch (error) {
      told(error);
    }
  }

  /** The results of a saved search, new passages first. */
  async function readSaved(name, first) {
    try {
      const found = await runSearch(context, name, { first, count: ROWS }, signal);
      if (!first) count.textContent = `${oneLine(name)}: ${t("searchNews", number(found.new), number(found.total), when(found.since))}${found.gone ? t("searchGone", number(found.gone), found.gone) : ""}`;
      rows.append(...found.passages.map((row, at) => naming(row, first + at < found.new)));
      goOn(first + found.passages.length, found.total, (next) => readSaved(name, next));
    } catch (error) {
      told(error);
    }
  }

  function told(error) {
    if (error.name !== "AbortError") replace(count, failure(error));
  }

  function goOn(shown, total, next) {
    if (shown >= total) return;
    const more = el("li", pushButton({ class: "more", onclick: () => (more.remove(), next(shown)) }, t("more", number(total - shown))));
    rows.append(more);
  }

  /** A passage with the sentences that name the requested entities. */
  function naming(row, isNew = false) {
    const from = row.source !== source && el("p", { class: "from" }, documentName(row, 80), row.date && aside(` ${row.date}`));
    source = row.source;
    const said = row.sentences.map((one) => sentence(row, one, foreign("q", oneLine(one.text))));
    return el("li", from, isNew && el("strong", { class: "new" }, t("searchNew")), said);
  }

  function place(row) {
    const from = row.source !== source && el("p", { class: "from" }, documentName(row, 80));
    source = row.source;
    return el("li", from, sentence(row, row, foreign("q", `… ${oneLine(row.text)} …`)));
  }
}

const input = (label, hint, longest = 200) => el("input", { type: "search", maxlength: longest, "aria-label": label, placeholder: hint });

/** An input under its short label. */
const field = (label, control) => el("label", el("span", t(label)), control);

/** A sentence of a passage, with a link to its text. */
const sentence = (row, said, text) => el("p", el("a", { class: "sentence", href: placeOf(row.document_id, row.chunk_id, said.start, said.end) }, text), said.place && aside(` ${placed(said.place)}`));
