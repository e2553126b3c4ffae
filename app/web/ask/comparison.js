// Names that a question compares, side by side: where each is named first, facts by relation, passages that name two.

import { entityLink, sentenceLink } from "../base/links.js";
import { get } from "../base/api.js";
import { aside, bdi, el, failure, foreign, oneLine, replace, waitingLine } from "../base/dom.js";
import { dated, number, placed, placeOf, t } from "../base/words.js";

const RELATIONS = 15;
const FACTS = 4; // of each with one relation
const PASSAGES = 5;

/** The section for two entities or more, by id: the first is compared with each other one. It fills when that is there. */
export function comparisonView(context, names) {
  const section = el("section", { class: "sides", "aria-label": t("sideBySide"), "aria-live": "polite" }, waitingLine(t("looking")));
  const pair = (other) => get(context.path("comparison"), { name: [names[0], other], count: PASSAGES });
  Promise.all(names.slice(1).map(pair)).then(
    (pairs) => replace(section, el("h3", t("sideBySide")), columns(pairs), pairs.map((found) => together(found, pairs.length > 1))),
    (error) => replace(section, failure(error)),
  );
  return section;

  function columns(pairs) {
    const sides = [pairs[0].first, ...pairs.map((found) => found.other)];
    const row = (label, cells) => el("tr", el("th", { scope: "row" }, label), cells.map((cell) => el("td", cell)));
    const relations = byPredicate(pairs);
    return el(
      "table",
      el("thead", el("tr", el("td"), sides.map((side) => el("th", { scope: "col" }, entityLink(context, side.id, side.name))))),
      el(
        "tbody",
        row(t("namedFirst"), sides.map(({ first, chunks }) => [first.slice(0, 1).map(said), aside(t("inPassages", number(chunks), chunks))])),
        relations.map(([predicate, said]) => row(foreign("span", oneLine(predicate, 60)), sides.map((side, at) => facts(said[at], side.id)))),
      ),
    );
  }

  /** What is said by each relation, of each side: relations of most sides first. */
  function byPredicate(pairs) {
    const found = new Map();
    const of = (predicate) => found.get(predicate) ?? found.set(predicate, names.map(() => [])).get(predicate);
    for (const [at, { relations }] of pairs.entries()) {
      for (const one of relations) {
        const said = of(one.predicate);
        said[at + 1] = one.other;
        if (one.first.length > said[0].length) said[0] = one.first;
      }
    }
    const filled = (said) => said.filter((facts) => facts.length).length;
    return [...found].sort(([, one], [, two]) => filled(two) - filled(one)).slice(0, RELATIONS);
  }

  /** What is said of one side: the other end of each fact, with its time, and a link to the sentence. */
  function facts(rows, id) {
    if (!rows.length) return aside("–");
    const shown = rows.slice(0, FACTS).map((fact) => {
      const end = fact.subject_id === id ? ["", fact.object_id, fact.object] : ["← ", fact.subject_id, fact.subject];
      const notes = [fact.denied && t("denied"), ...fact.dates.slice(0, 2).map(dated)].filter(Boolean);
      return el("li", end[0], entityLink(context, end[1], end[2]), aside(notes.map((note) => ` · ${note}`)), fact.said && [" ", quotation(fact.said)]);
    });
    return el("ul", shown, rows.length > FACTS && el("li", aside(t("more", number(rows.length - FACTS)))));
  }

  function said(place) {
    return el("p", sentenceLink(place), " ", aside(bdi(place.source, 60), place.place && ` · ${placed(place.place)}`));
  }

  /** A mark that leads to the sentence, which shows when it is pointed at. */
  function quotation(said) {
    const words = oneLine(said.sentence, 300);
    return el("a", { class: "quotation", href: placeOf(said.document_id, said.chunk_id, said.start, said.end), title: words, "aria-label": t("sentenceOf", words) }, "“…”");
  }

  function together(found, several) {
    const sentences = found.together.flatMap((passage) => passage.sentences.map((one) => ({ ...passage, ...one, sentence: one.text })));
    return [several && el("h4", bdi(found.first.name, 60), " – ", bdi(found.other.name, 60)), el("p", found.passages ? t("namedTogether", number(found.passages), found.passages) : t("neverTogether")), sentences.slice(0, PASSAGES).map(said)];
  }
}
