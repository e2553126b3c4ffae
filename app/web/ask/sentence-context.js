// The sentence behind a hop, opened in place, with the sentences before and after it in the document.

import { address, get } from "../base/api.js";
import { el, failure, plain, replace, slice, waitingLine } from "../base/dom.js";
import { sentencesOf } from "./excerpt.js";
import { unmarked } from "../base/structure.js";
import { t } from "../base/words.js";

/** A fold that shows the text around a hop's sentence. `piece` is the evidence that contains it. */
export function aroundOf(workspace, hop, piece) {
  const body = el("div", { class: "around-it" });
  const fold = el("details", { class: "context", ontoggle: load }, el("summary", t("context")), body);
  return fold;

  async function load() {
    fold.removeEventListener("toggle", load);
    replace(body, waitingLine(t("reading")));
    try {
      const { pieces } = await get(address(workspace, "documents", piece.document_id, "text"), { chunk: hop.chunk_id, count: 4 });
      replace(body, el("p", { dir: "auto" }, contextOf(pieces, hop)));
    } catch (error) {
      replace(body, failure(error));
    }
  }
}

/** The sentence before, the hop's own, marked, and the one after; across the borders of chunks. */
function contextOf(pieces, hop) {
  const at = pieces.findIndex((one) => one.id === hop.chunk_id);
  const chunk = pieces[at];
  const own = slice(chunk.text, hop.start, hop.end);
  const outside = (text) => sentencesOf(plain(text));
  const before = outside(slice(chunk.text, 0, hop.start)).at(-1) ?? outside(apart(pieces[at - 1], chunk)).at(-1);
  const after = outside(slice(chunk.text, hop.end))[0] ?? outside(apart(pieces[at + 1], chunk))[0];
  return [before && `${before} `, el("mark", unmarked(own)), after && ` ${after}`];
}

/** The part of a neighbour that the chunk itself does not contain, because chunks overlap. */
function apart(neighbour, chunk) {
  if (!neighbour) return "";
  const end = chunk.start + [...chunk.text].length;
  if (neighbour.start < chunk.start) return slice(neighbour.text, 0, chunk.start - neighbour.start);
  return slice(neighbour.text, Math.max(0, end - neighbour.start));
}
