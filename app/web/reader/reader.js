// A document, opened at a sentence: its text in parts, with tables and mail heads; the names in it; a search.

import { documentButton } from "../ask/dependency.js";
import { address, get, newestOnly } from "../base/api.js";
import { aside, documentName, el, failure, foreign, oneLine, plain, pushButton, quiet, replace, slice, waitingLine } from "../base/dom.js";
import { copyWith } from "../base/copy.js";
import { marksOf } from "../base/marker.js";
import { notesFold } from "../notes/notes.js";
import { ownFactFold } from "../corrections/corrections.js";
import { outlineOf } from "./outline.js";
import { blocks } from "../base/structure.js";
import { number, placeOf, placed, t } from "../base/words.js";

const PIECES = 12; // at once

let dialog = null;

/** Open the document that the address names after #, or close the open one. */
export function openReader(context, asked) {
  dialog?.remove();
  dialog = null;
  if (!asked) return;
  const body = el("div", { class: "text", tabindex: "0", role: "document" });
  const title = el("h2", { id: "reader-title" });
  const note = el("p", { class: "quiet" });
  const named = el("div", { class: "named" });
  const mails = el("div");
  const hanging = el("div");
  const details = get(address(context.state.workspace, "documents", asked.get("document"))).catch(() => ({ thread: [], metadata: {} }));
  const cite = pushButton({ class: "small", hidden: true }, t("copyCitation"));
  dialog = el(
    "dialog",
    { class: "reader", "aria-labelledby": "reader-title", onclose: close, onclick: (event) => event.target === dialog && dialog.close() },
    el(
      "div",
      { class: "sheet" },
      el("header", el("div", title, note), cite, pushButton({ class: "close", onclick: () => dialog.close() }, t("close"))),
      searchIn(context.state.workspace, asked.get("document")),
      outlineOf(context.state.workspace, asked.get("document")),
      el("p", { class: "cast-link" }, el("a", { href: context.link("/cast", { document: asked.get("document") }), onclick: () => dialog.close() }, t("page/cast"))),
      mails,
      el("p", documentButton(context, asked.get("document"), hanging)),
      hanging,
      notedIn(context, asked, body),
      el("details", { class: "people", open: matchMedia("(min-width: 68rem)").matches }, el("summary", t("namedHere")), named),
      body,
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  show(context, asked, { body, title, note, named, cite, details });
  showThread(details, asked.get("document"), mails);

  function close() {
    history.pushState(null, "", location.pathname + location.search);
    dialog?.remove();
    dialog = null;
  }
}

/** The notes of the document, and a form for a fact of one's own; both are at the selected text, else at the marked
 * sentence. */
function notedIn(context, asked, body) {
  const [document_, chunk, start, end] = ["document", "chunk", "start", "end"].map((name) => asked.get(name) ?? "");
  let selected = "";
  const place = () => {
    if (selected) return { document: document_, sentence: selected };
    if (!chunk) return { document: document_ };
    return end ? { chunk, start: Number(start), end: Number(end) } : { chunk };
  };
  const fold = notesFold(context, { asked: { document: document_ }, at: place, eager: true });
  const sentence = () => {
    const at = place();
    if (at.sentence) return get(context.path("documents", document_, "find"), { text: at.sentence.slice(0, 2000), count: 1 });
    const places = at.end ? [{ chunk_id: at.chunk, start: at.start, end: at.end }] : [];
    return { places, total: places.length };
  };
  const chosen = () => {
    const now = getSelection();
    if (now && !now.isCollapsed && body.contains(now.anchorNode)) selected = now.toString().trim().slice(0, 5000);
  };
  body.addEventListener("pointerdown", () => (selected = ""));
  const left = new AbortController(); // the reader is closed
  document.addEventListener("selectionchange", () => (fold?.isConnected ? chosen() : left.abort()), { signal: left.signal });
  return [fold, ownFactFold(context, sentence)];
}

/** A field to search words in the whole document; each place is a link to its text. */
function searchIn(workspace, id) {
  const results = el("div", { class: "hits", "aria-live": "polite" });
  const field = el("input", { type: "search", maxlength: 200, placeholder: t("findHere"), "aria-label": t("findHere"), dir: "auto" });
  const newest = newestOnly();
  return el("form", { class: "find", role: "search", onsubmit: find }, field, results);

  async function find(event) {
    event.preventDefault();
    const text = field.value.trim();
    const signal = newest();
    if (!text) return replace(results);
    replace(results, waitingLine(t("looking")));
    try {
      const { places, total } = await get(address(workspace, "documents", id, "find"), { text }, signal);
      replace(
        results,
        quiet(total ? t("placesFound", number(total), total) : t("notThereAtAll", text), total > places.length && ` ${t("firstShown", number(places.length))}`),
        el("ol", places.map((one) => el("li", foreign("a", `… ${oneLine(one.text)} …`, { href: placeOf(id, one.chunk_id, one.start, one.end) }), one.place && aside(` ${placed(one.place)}`)))),
      );
    } catch (error) {
      if (error.name !== "AbortError") replace(results, failure(error));
    }
  }
}

/** The mails of this mail's thread, by date, each with a link to its text. */
async function showThread(details, id, place) {
  const { thread } = await details;
  if (thread.length < 2) return;
  const rows = thread.map((one) => {
    const who = [one.date, one.sender.replace(/\s*<.*/, "")].filter(Boolean).join(" · ") || one.source;
    return el("li", one.id === id ? foreign("strong", who, { "aria-current": "true" }) : foreign("a", who, { href: placeOf(one.id, ""), title: one.source }));
  });
  replace(place, el("details", { class: "outline", open: true }, el("summary", t("mailThread", thread.length)), el("ol", rows)));
}

/** Make a button copy what is selected, or else marked, with its document and place. */
function citing(button, context, body, document_, place) {
  let selected = null;
  button.hidden = false;
  button.addEventListener("pointerdown", () => (selected = chosenIn(body))); // a press may end the selection
  button.addEventListener("click", () => {
    const { text, near } = selected ?? chosenIn(body) ?? { text: [...body.querySelectorAll("mark")].map((one) => sentenceAround(one, body.lang)).join(" "), near: place };
    selected = null;
    const where = [document_.metadata.author, document_.title || document_.source, document_.metadata.date, near].filter(Boolean).join(", ");
    copyWith(button, text ? t("citation", oneLine(text), oneLine(where)) : oneLine(where), context.tell);
  });
}

const ABBREVIATED = /(?:^|[\s'’(])(?:\p{Lu}|M[MmrRs]e?s?|Dr|St|Mlle|No)\.\s*$/u;

/** What is marked; of a part of one sentence the whole sentence. */
function sentenceAround(mark, language) {
  const text = mark.parentElement.textContent;
  const range = document.createRange();
  range.setStart(mark.parentElement, 0);
  range.setEndBefore(mark);
  const [begin, end] = [range.toString().length, range.toString().length + mark.textContent.trimEnd().length];
  let start = 0;
  for (const { segment, index } of new Intl.Segmenter(language || undefined, { granularity: "sentence" }).segment(text)) {
    const until = index + segment.length;
    if (ABBREVIATED.test(segment)) continue; // "M. Lecoq" is no end
    if (start <= begin && end <= until) return text.slice(start, until).trim();
    start = until;
  }
  return mark.textContent;
}

/** The text that is selected in the document, below which page or chapter. */
function chosenIn(body) {
  const now = getSelection();
  if (!now || now.isCollapsed || !body.contains(now.anchorNode)) return null;
  const { startContainer } = now.getRangeAt(0);
  const before = [...body.querySelectorAll("h3")].filter((head) => head.compareDocumentPosition(startContainer) & Node.DOCUMENT_POSITION_FOLLOWING);
  return { text: now.toString(), near: before.at(-1)?.textContent ?? "" };
}

async function show(context, asked, { body, title, note, named, cite, details }) {
  const { state, link } = context;
  const id = asked.get("document");
  const path = address(state.workspace, "documents", id, "text");
  const pieces = [];
  let total = 0;
  let source = "";
  let mark = null;
  replace(body, waitingLine(t("reading")));
  try {
    const found = await get(path, { chunk: asked.get("chunk") ?? "", count: PIECES });
    total = found.chunks;
    source = found.source;
    replace(title, foreign("bdi", found.title || found.source));
    replace(note, documentName({ source: found.source }));
    if (found.language) body.lang = found.language;
    pieces.push(...found.pieces);
    const chunk = pieces.find((piece) => piece.id === asked.get("chunk"));
    if (chunk && asked.get("end")) mark = [chunk.start + Number(asked.get("start")), chunk.start + Number(asked.get("end"))];
    else if (chunk) mark = [chunk.start, chunk.start + [...chunk.text].length];
    const said = asked.get("end") && chunk?.places?.findLast(([at]) => at <= Number(asked.get("start")));
    const place = placed(said ? said[1] : (chunk?.place ?? ""));
    if (place) note.append(` · ${place}`);
    draw();
    details.then(({ metadata }) => citing(cite, context, body, { ...found, metadata }, place));
    body.querySelector("mark")?.scrollIntoView({ block: "center" });
    tellNames();
  } catch (error) {
    replace(title, t("document"));
    replace(body, failure(error));
  }

  function draw() {
    const earlier = pieces[0]?.index > 0 && pushButton({ class: "more", onclick: () => more(true) }, t("earlier"));
    const hidden = marksOf(state.workspace).find((one) => one.source === source);
    const end = hidden && quiet(t("readHidden", placed(hidden.label ?? hidden.place)));
    const later = !(pieces.at(-1)?.index < total - 1) ? end : pushButton({ class: "more", onclick: () => more(false) }, t("later"));
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
    if (before) body.scrollTop = body.scrollHeight - fromEnd; // the text that was read stays in place
    tellNames();
  }

  /** The names in the part that is shown. */
  async function tellNames() {
    if (!pieces.length) return;
    const part = { first: pieces[0].index, count: Math.min(pieces.length, 100) };
    const { entities } = await get(address(state.workspace, "documents", id, "entities"), part).catch(() => ({ entities: [] }));
    replace(named, entities.length ? el("ul", entities.map((one) => el("li", foreign("a", oneLine(one.name, 60), { href: link("/graph", { entity: one.id }) })))) : quiet(t("nobodyNamed")));
  }
}

/** A piece, cut where another page or chapter begins. */
function sectionsOf(piece) {
  const characters = [...piece.text];
  const marks = (piece.places ?? []).map(([at, place]) => [at, place.replace(/(?:^|, )paragraph \d+$/, "")]);
  const cuts = marks.filter(([, place], n) => n && place !== marks[n - 1][1]);
  const ends = [...cuts.map(([at]) => at), characters.length];
  return [[0, piece.place], ...cuts].map(([at, place], n) => ({ text: characters.slice(at, ends[n]).join(""), start: piece.start + at, place }));
}

/** The text of consecutive pieces: shared text is shown once, and each new page or chapter is named. */
function paragraphs(pieces, mark) {
  const parts = [];
  let end = pieces[0]?.start ?? 0;
  let place = null;
  let run = null; // of pieces without a blank line between them
  const flush = () => {
    if (run) parts.push(...shaped(run.text, run.start, mark));
    run = null;
  };
  for (const piece of pieces.flatMap(sectionsOf)) {
    if (piece.start + [...piece.text].length <= end && end > piece.start) continue; // already shown
    if (piece.place !== place && piece.place) {
      flush();
      parts.push(el("h3", placed(piece.place)));
    }
    place = piece.place;
    const blank = piece.start - end;
    if (run && blank > 1) flush();
    else if (run && blank === 1) run.text += " ";
    const characters = [...piece.text];
    const from = Math.max(end, piece.start);
    run ??= { text: "", start: from };
    run.text += characters.slice(from - piece.start).join("");
    end = Math.max(end, piece.start + characters.length);
  }
  flush();
  return parts;
}

/** A text that begins at `from` of the document as paragraphs, tables and mail heads; the part in `mark` is marked. */
function shaped(text, from, mark) {
  let at = 0; // in code points, up to `units`
  let units = 0;
  const place = (unit) => {
    at += [...text.slice(units, unit)].length;
    units = unit;
    return from + at;
  };
  const fill = (element, { start, end }) => {
    marked(element, text.slice(start, end), place(start), mark);
    return element;
  };
  return blocks(text).map((block) => {
    if (block.kind === "heading") return fill(el("p", { class: "heading", dir: "auto" }), block);
    if (block.kind === "text") {
      const paragraph = el("p", { dir: "auto" });
      marked(paragraph, unwrapped(text.slice(block.start, block.end)), place(block.start), mark);
      return paragraph;
    }
    const tag = (row, n) => ((block.kind === "fields" ? n === 0 : block.headed && row === 0) ? "th" : "td");
    const rows = block.rows.map((row, at) => el("tr", row.map((cell, n) => fill(el(tag(at, n), { dir: "auto" }), cell))));
    return el("table", { class: `given ${block.kind}` }, el("tbody", rows));
  });
}

/** Add a text that begins at `from` of the document; the part in `mark` is marked. */
function marked(block, text, from, mark) {
  const length = [...text].length;
  const [start, end] = (mark ?? [0, 0]).map((at) => Math.min(Math.max(at - from, 0), length));
  if (start >= end) {
    block.append(plain(text));
    return;
  }
  block.append(plain(slice(text, 0, start)), el("mark", slice(text, start, end)), plain(slice(text, end, length)));
}

/** Joins a line that was broken for its length with the next, but not a row of a table. The length of the text stays. */
const unwrapped = (text) => text.replace(/([^\n]{50,}[^\n|])\n(?=[\p{L}«“"'(])/gu, "$1 ");
