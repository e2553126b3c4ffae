// Names that a question compares, side by side: where each is named first, facts by relation, facts about two and passages that name two.

import { entityLink, sentenceLink } from "../base/links.js";
import { get } from "../base/api.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, replace, waitingLine } from "../base/dom.js";
import { dated, number, placed, placeOf, t } from "../base/words.js";

const RELATIONS = 15;
const FACTS = 4; // of each with one relation
const PASSAGES = 5;

/** The section for two to four entities, by id, in a view if there is one. It fills when the data arrives. */
export function comparisonView(context, names, view = null) {
  const section = el("section", { class: "sides", "aria-label": t("sideBySide"), "aria-live": "polite" }, waitingLine(t("looking")));
  get(context.path("comparison"), { name: names, count: PASSAGES, ...(view && { view: JSON.stringify(view) }) }).then(
    (found) => replace(section, el("h3", t("sideBySide")), columns(found), found.pairs.map((pair) => together(pair, found.entities))),
    (error) => replace(section, failure(error)),
  );
  return section;

  function columns({ entities, relations }) {
    const row = (label, cells) => el("tr", el("th", { scope: "row" }, label), cells.map((cell) => el("td", cell)));
    return el(
      "table",
      el("thead", el("tr", el("td"), entities.map((one) => el("th", { scope: "col" }, entityLink(context, one.id, one.name))))),
      el(
        "tbody",
        row(t("namedFirst"), entities.map(({ first, chunks }) => [first.slice(0, 1).map(said), aside(t("inPassages", number(chunks), chunks))])),
        relations.slice(0, RELATIONS).map((one) => row(foreign("span", oneLine(one.predicate, 60)), entities.map(({ id }, at) => facts(one.facts[at], id)))),
      ),
    );
  }

  /** The facts of one side: the other end of each fact, with its time, and a link to the sentence. */
  function facts(rows, id) {
    if (!rows.length) return aside("–");
    const shown = rows.slice(0, FACTS).map((fact) => {
      const end = fact.subject_id === id ? ["", fact.object_id, fact.object] : ["← ", fact.subject_id, fact.subject];
      const notes = [fact.denied && t("denied"), fact.own && t("ownFact"), ...fact.dates.slice(0, 2).map(dated)].filter(Boolean);
      return el("li", end[0], entityLink(context, end[1], end[2]), aside(notes.map((note) => ` · ${note}`)), fact.said && [" ", quotation(fact.said)]);
    });
    return el("ul", shown, rows.length > FACTS && el("li", aside(t("more", number(rows.length - FACTS)))));
  }

  function said(place) {
    return el("p", sentenceLink(place), " ", aside(documentName(place), place.place && ` · ${placed(place.place)}`));
  }

  /** A link to the sentence, which shows the sentence under the pointer. */
  function quotation(said) {
    const words = oneLine(said.sentence, 300);
    return el("a", { class: "quotation", href: placeOf(said.document_id, said.chunk_id, said.start, said.end), title: words, "aria-label": t("sentenceOf", words) }, "“…”");
  }

  /** A fact about both, with its sentence. */
  function joins(fact) {
    const ends = [entityLink(context, fact.subject_id, fact.subject), " ", foreign("span", oneLine(fact.predicate, 80), { class: "predicate" }), " ", entityLink(context, fact.object_id, fact.object)];
    const notes = [fact.denied && t("denied"), fact.according_to && t("accordingTo", oneLine(fact.according_to, 40)), fact.own && t("ownFact")].filter(Boolean);
    return el("li", el("p", ends, aside(notes.map((note) => ` · ${note}`))), said(fact));
  }

  function together(pair, entities) {
    const several = entities.length > 2 && el("h4", bdi(entities[pair.first].name, 60), " – ", bdi(entities[pair.other].name, 60));
    const sentences = pair.together.flatMap((passage) => passage.sentences.map((one) => ({ ...passage, ...one, sentence: one.text })));
    return [several, pair.between.length > 0 && el("ul", { class: "between" }, pair.between.map(joins)), el("p", pair.passages ? t("namedTogether", number(pair.passages), pair.passages) : t("neverTogether")), sentences.slice(0, PASSAGES).map(said)];
  }
}
