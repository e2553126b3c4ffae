// The words of the interface, and the form of numbers, times and places. Each language has a separate file.

import en from "./words-en.js";

const OTHERS = { fr: () => import("./words-fr.js") }; // loaded when needed

export const LANGUAGES = ["en", ...Object.keys(OTHERS)];

let spoken = localStorage.getItem("language");
if (!LANGUAGES.includes(spoken)) spoken = navigator.languages.map((tag) => tag.slice(0, 2)).find((code) => LANGUAGES.includes(code)) ?? "en";
let words = await load(spoken);

/** The language of the interface. */
export const language = () => spoken;

export async function setLanguage(code) {
  words = code === "en" ? en : (await OTHERS[code]()).default;
  spoken = code;
  localStorage.setItem("language", code);
  document.documentElement.lang = code;
}

/** The words of a language; English if its file cannot be loaded. */
async function load(code) {
  return code === "en" ? en : await OTHERS[code]().then((file) => file.default, () => en);
}

/** The words for `key`, in English where the language lacks them; those that count take what they count. Where there are
 * none: `values[0]`, or the key. */
export function t(key, ...values) {
  const found = words[key] ?? en[key] ?? values[0] ?? key;
  return typeof found === "function" ? found(...values) : found;
}

const TYPES = { __proto__: null, name: "name", person: "person", place: "place", organization: "organization", object: "thing", event: "event", thing: "thing", location: "place", organisation: "organization" };

/** A type of names in our words, if we know it; as the workspace calls it, if not. */
export function typeWord(type, count = 1) {
  const known = TYPES[type.toLowerCase()];
  return known ? t(`type.${known}`, count) : type;
}

/** The type, of those of the workspace, that a reader names by its name or in our words. */
export function typeMeant(word, types) {
  const asked = word.toLowerCase();
  const inOurs = (type) => [1, 2].some((count) => typeWord(type, count).toLowerCase() === asked);
  return types.find((type) => type.toLowerCase() === asked) ?? types.find(inOurs) ?? word;
}

/** The server's message by its code, in the reader's language; in the server's English if there are no words for it. */
export function told(code, text, params = {}) {
  const found = words.server?.[code] ?? text;
  return typeof found === "function" ? found(params) : found;
}

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(spoken, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

export const when = (iso) => new Intl.DateTimeFormat(spoken, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

/** "12 March 1912", "March 1912", "1912": as much of a date as ISO 8601 gives. */
export function dated(iso) {
  const [year, month, day] = iso.split("-").map(Number);
  if (!month) return iso;
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { timeZone: "UTC", year: "numeric", month: "long", ...(day ? { day: "numeric" } : {}) };
  return new Intl.DateTimeFormat(spoken === "en" ? "en-GB" : spoken, options).format(new Date(Date.UTC(year, month - 1, day || 1)));
}

/** Seconds, minutes or hours, whichever fits best. */
export function duration(seconds) {
  const [value, unit] = seconds < 100 ? [seconds, "second"] : seconds < 6000 ? [seconds / 60, "minute"] : [seconds / 3600, "hour"];
  return new Intl.NumberFormat(spoken, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: unit === "hour" ? 1 : 0 }).format(value);
}

/** Bytes in a readable form. */
export function size(bytes) {
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, "kilobyte"] : [bytes / 1e6, "megabyte"];
  return new Intl.NumberFormat(spoken, { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
}

/** "page 3", "chapter IV": the server's kind of place, in our words. */
export function placed(place) {
  const ends = place.split(" – ");
  if (ends.length === 2 && ends.every((end) => PLACE.test(end))) return ends.map(placed).join(" – ");
  const [, page, above, chapter, comments, section, line, at, entry] = PLACE.exec(place) ?? [];
  return [page && t("page", page), above, chapter && t("chapter", chapter), comments && t("comments"), section, line && t(line, at), entry && t("entry", entry)].filter(Boolean).join(", ") || place;
}

// "page 3", "chapter II, paragraph 7", "Second Period, First Narrative, chapter III", "Act II, Scene 1", "time 09/05/2023 23:47"
const PLACE =
  /^(?=.)(?:page ([^,]+))?(?:(?:^|, )(?:(?:((?!page ).+?), )?chapter (.*?)|(Comments)|((?!(?:entry|paragraph|row|time|page) ).+?)))?(?:(?:^|, )(paragraph|row|time) ([\d:./ -]+)|^entry ([^,]+))?$/s;

/** The place of a passage: that of a text in it, or of the whole passage if the text is not found. */
export function placeOfPart(piece, text) {
  const marks = piece.places ?? [];
  if (!marks.length) return piece.place;
  const words = text.split(/\s+/).filter((word) => word && word !== "…").slice(0, 8);
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = words.length ? piece.text.search(new RegExp(escaped.join("\\s+"))) : -1;
  if (found < 0) return piece.place;
  const at = [...piece.text.slice(0, found)].length;
  return marks.findLast(([start]) => start <= at)?.[1] ?? marks[0][1];
}

/** The place of the whole passage. */
export function placeOfWhole(piece) {
  const marks = piece.places ?? [];
  const [first, last] = [marks[0]?.[1], marks.at(-1)?.[1]];
  return !marks.length ? piece.place : first === last ? first : `${first} – ${last}`;
}

/** The address of a place in a document: the part after #. `start` and `end` are the sentence in the chunk. */
export function placeOf(document, chunk, start = "", end = "") {
  const place = new URLSearchParams({ document, chunk });
  if (end) for (const [name, value] of Object.entries({ start, end })) place.set(name, value);
  return `#${place}`;
}
