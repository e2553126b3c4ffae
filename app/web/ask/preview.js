// The cited passage, shown beside its citation under the pointer or the focus.

import { el, foreign } from "../base/dom.js";
import { marked } from "./excerpt.js";
import { placeOfPart, placed } from "../base/words.js";

const LONGEST = 420; // characters
let count = 0; // previews so far: each has its own id

/** Give a citation its preview: the part of the passage that supports the citing sentence. `piece` is the cited evidence. */
export function preview(anchor, piece) {
  const said = cut(piece.text);
  const place = placeOfPart(piece, said);
  const id = `preview-${++count}`;
  let card = null;
  const show = () => {
    if (card) return;
    card = el(
      "div",
      { class: "preview", role: "tooltip", id },
      el("p", { class: "from" }, foreign("bdi", piece.title || piece.source), place && `, ${placed(place)}`, ": "),
      el("p", { dir: "auto" }, marked(said, anchor.closest("p, li, td")?.textContent ?? "")),
    );
    document.body.append(card);
    anchor.setAttribute("aria-describedby", id);
    document.addEventListener("keydown", escape);
    put(card, anchor.getBoundingClientRect());
  };
  const hide = () => {
    card?.remove();
    card = null;
    anchor.removeAttribute("aria-describedby");
    document.removeEventListener("keydown", escape);
  };
  const escape = (event) => event.key === "Escape" && hide(); // wherever the focus is, because the pointer may have opened it
  for (const event of ["pointerenter", "focus"]) anchor.addEventListener(event, show);
  for (const event of ["pointerleave", "blur", "click"]) anchor.addEventListener(event, hide);
  return anchor;
}

const cut = (text) => (text.length > LONGEST ? `${text.slice(0, text.lastIndexOf(" ", LONGEST))} …` : text);

/** Below the citation, or above it if there is no room; never outside the page. */
function put(card, at) {
  const { width, height } = card.getBoundingClientRect();
  const below = at.bottom + 6 + height < innerHeight;
  card.style.insetInlineStart = `${Math.max(8, Math.min(at.left - 16, document.documentElement.clientWidth - width - 8)) + scrollX}px`;
  card.style.insetBlockStart = `${(below ? at.bottom + 6 : Math.max(8, at.top - height - 6)) + scrollY}px`;
}
