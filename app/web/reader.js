// A document, opened at a sentence.

import { address, get } from "./api.js";
import { el, foreign, plain, replace, slice } from "./dom.js";
import { failure } from "./failure.js";
import { outlineOf } from "./outline.js";
import { placed, t } from "./words.js";

const PIECES = 12; // at once

let dialog = null;

/** Open the document that the address names after #, or close the one that is open. */
export function openReader(context, asked) {
  dialog?.remove();
  dialog = null;
  if (!asked) return;
  const body = el("div", { class: "text", tabindex: "0", role: "document" });
  const title = el("h2", { id: "reader-title" });
  const note = el("p", { class: "quiet" });
  dialog = el(
    "dialog",
    { class: "reader", "aria-labelledby": "reader-title", onclose: close, onclick: (event) => event.target === dialog && dialog.close() },
    el(
      "div",
      { class: "sheet" },
      el("header", {}, el("div", {}, title, note), el("button", { type: "button", class: "close", onclick: () => dialog.close() }, t("close"))),
      outlineOf(context.state.workspace, asked.get("document")),
      body,
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  show(context, asked, { body, title, note });

  function close() {
    history.pushState(null, "", location.pathname + location.search);
    dialog?.remove();
    dialog = null;
  }
}

async function show({ state }, asked, { body, title, note }) {
  const path = address(state.workspace, "documents", asked.get("document"), "text");
  const pieces = [];
  let total = 0;
  let mark = null;
  try {
    const found = await get(path, { chunk: asked.get("chunk") ?? "", count: PIECES });
    total = found.chunks;
    replace(title, foreign("bdi", found.title || found.source));
    replace(note, foreign("bdi", found.source));
    if (found.language) body.lang = found.language;
    pieces.push(...found.pieces);
    const chunk = pieces.find((piece) => piece.id === asked.get("chunk"));
    if (chunk && asked.get("end")) mark = [chunk.start + Number(asked.get("start")), chunk.start + Number(asked.get("end"))];
    else if (chunk) mark = [chunk.start, chunk.start + [...chunk.text].length];
    if (chunk?.place) note.append(` · ${placed(chunk.place)}`);
    draw();
    body.querySelector("mark")?.scrollIntoView({ block: "center" });
  } catch (error) {
    replace(title, t("document"));
    replace(body, failure(error));
  }

  function draw() {
    const earlier = pieces[0]?.index > 0 && el("button", { type: "button", class: "more", onclick: () => more(true) }, t("earlier"));
    const later = pieces.at(-1)?.index < total - 1 && el("button", { type: "button", class: "more", onclick: () => more(false) }, t("later"));
    replace(body, earlier, paragraphs(pieces, mark), later);
  }

  async function more(before) {
    const first = before ? Math.max(pieces[0].index - PIECES, 0) : pieces.at(-1).index + 1;
    const count = before ? pieces[0].index - first : PIECES;
    const found = await get(path, { first, count });
    const fromEnd = body.scrollHeight - body.scrollTop;
    if (before) pieces.unshift(...found.pieces);
    else pieces.push(...found.pieces);
    draw();
    if (before) body.scrollTop = body.scrollHeight - fromEnd; // what was read stays where it is
  }
}

/** The text of pieces that follow each other: what two share is shown once, a new page or chapter is named. */
function paragraphs(pieces, mark) {
  const parts = [];
  let end = pieces[0]?.start ?? 0;
  let place = null;
  let block = null;
  for (const piece of pieces) {
    if (piece.place !== place && piece.place) {
      parts.push(el("h3", {}, placed(piece.place)));
      block = null;
    }
    place = piece.place;
    const blank = piece.start - end;
    if (!block || blank > 1) {
      block = el("p", { dir: "auto" });
      parts.push(block);
    } else if (blank === 1) block.append(" ");
    const characters = [...piece.text];
    const from = Math.max(end, piece.start);
    marked(block, unwrapped(characters.slice(from - piece.start).join("")), from, mark);
    end = Math.max(end, piece.start + characters.length);
  }
  return parts;
}

/** Add a text that begins at `from` of the document; what of it lies in `mark` is marked. */
function marked(block, text, from, mark) {
  const length = [...text].length;
  const [start, end] = (mark ?? [0, 0]).map((at) => Math.min(Math.max(at - from, 0), length));
  if (start >= end) {
    block.append(plain(text));
    return;
  }
  block.append(plain(slice(text, 0, start)), el("mark", {}, slice(text, start, end)), plain(slice(text, end, length)));
}

/** A line that was broken because it was full goes on, but not a row of a table. The length of the text stays. */
const unwrapped = (text) => text.replace(/([^\n]{50,}[^\n|])\n(?=[\p{L}«“"'(])/gu, "$1 ");
