// A sentence with who says it and where, as one side of a contradiction.

import { bdi, el, foreign, oneLine } from "./dom.js";
import { sentenceLink } from "./links.js";
import { placed } from "./words.js";

export function statementView(said) {
  const notes = [said.place && placed(said.place), said.date].filter(Boolean);
  return el(
    "blockquote",
    el("p", foreign("b", oneLine(said.voice, 80))),
    el("p", sentenceLink(said)),
    el("p", { class: "from" }, bdi(said.source, 60), notes.map((part) => ` · ${part}`)),
  );
}
