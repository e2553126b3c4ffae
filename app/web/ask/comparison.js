// Two names that a question compares, side by side: where each is named first, facts by relation, passages that name both.

import { entityLink, sentenceLink } from "../base/links.js";
import { get } from "../base/api.js";
import { aside, bdi, el, failure, foreign, oneLine, replace, waitingLine } from "../base/dom.js";
import { dated, number, placed, t } from "../base/words.js";

const RELATIONS = 15;
const FACTS = 4; // of each with one relation
const PASSAGES = 5;

/** The section for two entities, by id. It fills when their comparison is there. */
export function comparisonView(context, names) {
  const section = el("section", { class: "sides", "aria-label": t("sideBySide"), "aria-live": "polite" }, waitingLine(t("looking")));
  get(context.path("comparison"), { name: names, count: PASSAGES }).then(
    (found) => replace(section, el("h3", t("sideBySide")), columns(found), together(found)),
    (error) => replace(section, failure(error)),
  );
  return section;

  function columns(found) {
    const both = (one) => [one(found.first, "first"), one(found.other, "other")];
    const row = (label, cells) => el("tr", el("th", { scope: "row" }, label), cells.map((cell) => el("td", cell)));
    const rows = found.relations.slice(0, RELATIONS);
    return el(
      "table",
      el("thead", el("tr", el("td"), both((side) => el("th", { scope: "col" }, entityLink(context, side.id, side.name))))),
      el(
        "tbody",
        row(t("namedFirst"), both(({ first, chunks }) => [first.slice(0, 1).map(said), aside(t("inPassages", number(chunks), chunks))])),
        rows.map((one) => row(foreign("span", oneLine(one.predicate, 60)), both((side, name) => facts(one[name], side.id)))),
      ),
    );
  }

  /** What is said of one side: the other end of each fact, with its time. */
  function facts(rows, id) {
    if (!rows.length) return aside("–");
    const shown = rows.slice(0, FACTS).map((fact) => {
      const end = fact.subject_id === id ? ["", fact.object_id, fact.object] : ["← ", fact.subject_id, fact.subject];
      const notes = [fact.denied && t("denied"), ...fact.dates.slice(0, 2).map(dated)].filter(Boolean);
      return el("li", end[0], entityLink(context, end[1], end[2]), aside(notes.map((note) => ` · ${note}`)));
    });
    return el("ul", shown, rows.length > FACTS && el("li", aside(t("more", number(rows.length - FACTS)))));
  }

  function said(place) {
    return el("p", sentenceLink(place), " ", aside(bdi(place.source, 60), place.place && ` · ${placed(place.place)}`));
  }

  function together(found) {
    const sentences = found.together.flatMap((passage) => passage.sentences.map((one) => ({ ...passage, ...one, sentence: one.text })));
    return [el("p", found.passages ? t("namedTogether", number(found.passages), found.passages) : t("neverTogether")), sentences.slice(0, PASSAGES).map(said)];
  }
}
