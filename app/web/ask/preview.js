// What a citation cites, shown beside it while the pointer or the focus is there.

import { el, foreign } from "../base/dom.js";
import { marked } from "./excerpt.js";
import { placeOfPart, placed } from "../base/words.js";

const LONGEST = 420; // characters
let count = 0; // previews so far: each has an id of its own

/** Give a citation its preview: the passage around what the sentence that cites it says. `piece` is what it cites. */
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
  const escape = (event) => event.key === "Escape" && hide(); // wherever the focus is: the pointer alone may have opened it
  for (const event of ["pointerenter", "focus"]) anchor.addEventListener(event, show);
  for (const event of ["pointerleave", "blur", "click"]) anchor.addEventListener(event, hide);
  return anchor;
}

const cut = (text) => (text.length > LONGEST ? `${text.slice(0, text.lastIndexOf(" ", LONGEST))} …` : text);

/** Below the citation, or above it where there is no room; never beside the page. */
function put(card, at) {
  const { width, height } = card.getBoundingClientRect();
  const below = at.bottom + 6 + height < innerHeight;
  card.style.insetInlineStart = `${Math.max(8, Math.min(at.left - 16, document.documentElement.clientWidth - width - 8)) + scrollX}px`;
  card.style.insetBlockStart = `${(below ? at.bottom + 6 : Math.max(8, at.top - height - 6)) + scrollY}px`;
}
