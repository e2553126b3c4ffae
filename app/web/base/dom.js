// Elements. Text of documents and models is inserted only as text, and cannot change the direction of other text.

import { Failure } from "./api.js";
import { language, t } from "./words.js";

// The messages of browsers if a module of the page was not loaded.
const NOT_LOADED = /dynamically imported module|Importing a module|error loading|Failed to fetch|Load failed|NetworkError/i;
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const ADDRESS = /^(\/(?!\/)|#|https?:\/\/|blob:)/;
const SVG = "http://www.w3.org/2000/svg";

/** Text as it is shown: a character that would control the display becomes a visible one. The length stays. */
export const plain = (text) => String(text ?? "").replace(INVISIBLE, "\ufffd");

/** Text on one line, cut to `limit` characters if that is not 0. */
export function oneLine(text, limit = 0) {
  const line = plain(text).replace(/\s+/g, " ").trim();
  const characters = [...line];
  return !limit || characters.length <= limit ? line : `${characters.slice(0, limit - 1).join("").trimEnd()}…`;
}

/** An element: `on…` are listeners, `false`, `null` and `undefined` are left out, strings become text. Without attributes
 * its children follow the tag. */
export function el(tag, attributes = {}, ...children) {
  const given = attributes?.constructor === Object;
  return fill(document.createElement(tag), given ? attributes : {}, given ? children : [attributes, children]);
}

/** The same for drawings. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "href" && !ADDRESS.test(value)) throw new TypeError(`no address of ours: ${value}`);
    else element.setAttribute(name, value === true ? "" : plain(value));
  }
  put(element, children);
  return element;
}

/** Add children: nodes, strings, lists of them; nothing for null and false. */
function put(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : plain(child));
  }
}

/** Replace the content of an element. */
export function replace(element, ...children) {
  element.replaceChildren();
  put(element, children);
  return element;
}

/** Replace the content of an element, except for equal children in the same place, so that a reader does not lose a button. */
export function renew(element, ...children) {
  const made = [...el("div", children).childNodes];
  const held = [...element.childNodes];
  for (const [place, node] of made.entries()) {
    if (!held[place]) element.append(node);
    else if (!held[place].isEqualNode(node)) held[place].replaceWith(node);
  }
  for (const node of held.slice(made.length)) node.remove();
  return element;
}

/** Words of a document or a model, separate from ours, with their own direction and language. */
export function foreign(tag, text, attributes = {}) {
  return el(tag, { dir: "auto", ...attributes }, text);
}

/** The same on one line, of at most `limit` characters. */
export const bdi = (text, limit = 0) => foreign("bdi", oneLine(text, limit));

/** The document of something: its title, or else its source, without the first folders if it is long; the whole on hover. */
export function documentName(row, limit = 60) {
  const whole = oneLine(row.source);
  let shown = row.title ? oneLine(row.title, limit) : whole;
  while (!row.title && shown.length > limit && /\/./u.test(shown)) shown = shown.slice(shown.indexOf("/") + 1);
  return foreign("bdi", row.title || shown === whole ? oneLine(shown, limit) : `…/${oneLine(shown, limit)}`, { title: whole });
}

/** A paragraph of ours beside the content. */
export const quiet = (...children) => el("p", { class: "quiet" }, children);

/** Shown until an answer comes. */
export const waitingLine = (words) => el("p", { class: "waiting" }, words);

/** A button that submits no form. */
export const pushButton = (attributes, ...children) => el("button", { type: "button", ...attributes }, children);

/** A button that asks on the first press and acts on the second. */
export function confirmed(attributes, label, question, act) {
  const button = pushButton({ ...attributes, onclick: press, onblur: reset }, label);
  return button;

  function press() {
    if (button.classList.contains("sure")) {
      button.disabled = true;
      Promise.resolve(act()).finally(() => ((button.disabled = false), reset()));
      return;
    }
    button.classList.add("sure");
    button.textContent = question;
  }

  function reset() {
    button.classList.remove("sure");
    button.textContent = label;
  }
}

/** Text for screen readers only. */
export const spoken = (text) => el("span", { class: "spoken" }, text);

/** Save a file on the reader's disk. */
export function save(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Save rows as a table for spreadsheets. Text that one would take for a formula begins with an apostrophe, as in
 * `graph/text/formats/cells.py`. */
export function saveTable(name, rows) {
  const cell = (value) => `"${String(value).replace(/^(?=\s*[=+\-@＝＋－＠]|[\t\r\n])/, "'").replaceAll('"', '""')}"`;
  save(name, "text/csv;charset=utf-8", `\ufeff${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`);
}

/** Part of a text by code points, which the server counts. */
export const slice = (text, start, end) => [...text].slice(start, end).join("");

/** An error in words: what is wrong, and what to do about it. */
export function failure(error) {
  if (error instanceof TypeError && NOT_LOADED.test(error.message)) error = new Failure({ code: "server_unavailable", cause: t("noServer"), cure: t("noServerCure") });
  const ours = error instanceof RangeError; // raised by the page, in its language
  const told = error instanceof Failure ? error : new Failure({ code: ours ? "bad_input" : "internal", cause: ours ? error.message : String(error), cure: "" });
  if (!(error instanceof Failure || ours)) console.error(error);
  const english = language() === "en" ? {} : { lang: "en" };
  const gone = told.code === "server_unavailable";
  if (gone) setTimeout(sayOnce);
  return el(
    "div",
    { class: gone ? "failure gone" : "failure", role: "alert" },
    el("h2", t(`error.${told.code}`, t("error.internal"))),
    el("p", english, told.cause),
    told.cure && el("p", { class: "cure", ...english }, told.cure),
  );
}

/** Each part of a view notices by itself that the server does not answer: the page says so once. */
function sayOnce() {
  const said = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#main .failure.gone"));
  for (const [number, one] of said.entries()) one.hidden = number > 0;
}

/** Something that a reader must know about the content. */
export const remark = (...children) => el("p", { class: "remark" }, children);

/** Beside the text that it explains. */
export const aside = (...children) => el("span", { class: "quiet" }, children);
