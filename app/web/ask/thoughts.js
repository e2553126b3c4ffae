// What a model does before it answers: its notes, what it looks for, what that brings. Folded once it has answered.

import { aside, bdi, el, foreign, plain, quiet, replace } from "../base/dom.js";
import { t } from "../base/words.js";

const LOOK = 160; // characters that are shown of what it looks for

export function thoughtsView() {
  const element = el("div", { class: "thoughts", hidden: true });
  let looks = []; // those that run: {look, item}

  return {
    element,

    /** It read, and looks for more. */
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

    /** It answered: all of it in a fold. */
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

/** What it looks for; once it is done, what that brought. */
function lookOf({ kind, text, extracts, repeated }, done = false) {
  const brought = extracts.length ? extracts.map((n) => `[${n}]`).join(" ") : t("nothing");
  return el("li", t(`look.${kind}`), " ", bdi(text, LOOK), (done || repeated) && aside(` ${repeated ? t("askedThat") : brought}`));
}
