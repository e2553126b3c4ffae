// The work of a model before it answers: its notes, its searches, their results. Folded once it has answered.

import { aside, bdi, el, foreign, plain, quiet, replace } from "../base/dom.js";
import { t } from "../base/words.js";

const LOOK = 160; // characters of a search that are shown

export function thoughtsView() {
  const element = el("div", { class: "thoughts", hidden: true });
  let looks = []; // running ones: {look, item}

  return {
    element,

    /** A reading has ended, and the model looks for more. */
    looks(round) {
      element.hidden = false;
      looks = round.looks.map((look) => ({ look, item: lookOf(look) }));
      element.append(roundOf(round, looks.map(({ item }) => item)));
    },

    /** One look is done. */
    found({ look, evidence }) {
      const one = looks.find(({ look: { kind, text } }) => kind === look.kind && text === look.text);
      const titles = [...new Set(evidence.map((piece) => piece.title || piece.source))];
      one?.item.append(aside(` ${t("newPassages", evidence.length)}`, titles.map((title, n) => [n ? ", " : ": ", bdi(title, 50)])));
    },

    /** The model has answered: fold everything. */
    finish({ rounds }) {
      element.hidden = !rounds.length;
      const told = rounds.map((round) => roundOf(round, round.looks.map((look) => lookOf(look, true))));
      replace(element, el("details", el("summary", t("foundInRounds", rounds.length)), told));
    },
  };
}

function roundOf({ number, notes, kept }, looks) {
  return el(
    "section",
    el("h3", t("reading.n", number)),
    notes && foreign("p", plain(notes), { class: "notes" }),
    kept.length > 0 && quiet(t("keptExtracts"), " ", kept.map((n) => `[${n}]`).join(" ")),
    el("ul", looks),
  );
}

/** A search, and once it is done, its result. */
function lookOf({ kind, text, extracts, repeated }, done = false) {
  const brought = extracts.length ? extracts.map((n) => `[${n}]`).join(" ") : t("nothing");
  return el("li", t(`look.${kind}`), " ", bdi(text, LOOK), (done || repeated) && aside(` ${repeated ? t("askedThat") : brought}`));
}
