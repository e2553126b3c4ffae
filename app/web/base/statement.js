// What different voices say of one matter: sentences with who says them and where, the two most direct side by side.

import { documentName, el, foreign, oneLine, quiet } from "./dom.js";
import { sentenceLink } from "./links.js";
import { number, placed, t } from "./words.js";

const SIDES = [1, 2, 3]; // 3: against both

/** The two sentences that are most directly against each other; the others of their matter in a fold, by side. */
export function matterView(lead, further) {
  const others = bySide(further);
  const fold = others.length > 0 && el("details", el("summary", t("alsoSaid", number(further.length))), others.map(([side, said]) => [quiet(t(`side.${side}`)), said.map(statementView)]));
  return [el("div", { class: "pair" }, lead.map(statementView)), fold];
}

/** Statements by side, as [side, statements]; sides without one are left out. */
export const bySide = (statements) => SIDES.map((side) => [side, statements.filter((said) => Math.min(said.side, 3) === side)]).filter(([, said]) => said.length);

/** How many statements of a matter are what was asked for; nothing where all are. */
export function meant(statements) {
  const asked = statements.filter((one) => one.asked).length;
  return asked < statements.length && quiet(t("meantOf", number(asked), number(statements.length)));
}

function statementView(said) {
  const notes = [said.place && placed(said.place), said.date].filter(Boolean);
  return el(
    "blockquote",
    el("p", foreign("b", oneLine(said.voice, 80))),
    el("p", sentenceLink(said)),
    el("p", { class: "from" }, documentName(said), notes.map((part) => ` · ${part}`)),
  );
}
