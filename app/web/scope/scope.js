// Selected documents: by folder, words of the name, date and metadata. They limit the library, and a question.

import { address, get } from "../base/api.js";
import { el, failure, oneLine, pushButton, replace, waitingLine } from "../base/dom.js";
import { number, t } from "../base/words.js";

const NAMES = ["folder", "words", "from", "to", "field"];
const MOST = 1000; // documents that a question can name
const OPTIONS = 300; // of a choice

/** The scope in an address. */
export const scopeOf = (asked) => Object.fromEntries(NAMES.map((name) => [name, asked.get(name) ?? ""]));

/** The parameters of an address for a scope. */
export const named = (scope) => Object.fromEntries(Object.entries(scope).filter(([, value]) => value));

export const isWhole = (scope) => !Object.keys(named(scope)).length;

/** All documents of a workspace, with their metadata. */
export const documentsOf = async (workspace) => (await documentList(workspace)).documents;

/** The same, with the threads of their mails. */
export const documentList = (workspace) => get(address(workspace, "documents"), { count: 10000 });

/** The documents of a scope. */
export function within(documents, scope) {
  const words = fold(scope.words).split(/\s+/).filter(Boolean);
  return documents.filter(
    (row) =>
      row.source.startsWith(scope.folder) &&
      words.every((word) => fold(`${row.title} ${row.source}`).includes(word)) &&
      (!scope.field || fieldsOf(row).includes(scope.field)) &&
      inTime(row.metadata.date, scope),
  );
}

/** The parameters of a question that is limited to a scope. Throws if the scope is empty, or too large to name. */
export async function asSources(workspace, scope) {
  if (isWhole(scope)) return {};
  if (scope.folder && !scope.words && !scope.field && !scope.from && !scope.to) return { sources: [scope.folder] };
  const sources = within(await documentsOf(workspace), scope).map((row) => row.source);
  if (!sources.length || sources.length > MOST) throw new RangeError(t(sources.length ? "scopeTooMany" : "scopeEmpty", number(MOST)));
  return { sources };
}

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const fieldsOf = (row) => Object.entries(row.metadata).filter(([key]) => key !== "date").map(([key, value]) => `${key}=${value}`);

/** Whether a date, of a document or in the head of a mail, is in a scope's time; whole days count. */
function inTime(date, { from, to }) {
  if (!from && !to) return true;
  const at = Date.parse(date ?? "");
  return !Number.isNaN(at) && (!from || at >= Date.parse(from)) && (!to || at < Date.parse(to) + 86_400_000);
}

/** Every folder that contains documents. */
function foldersOf(documents) {
  const folders = documents.flatMap(({ source }) => [...source.matchAll(/\//g)].map((found) => source.slice(0, found.index + 1)));
  return [...new Set(folders)].filter((folder) => folder !== "/").sort();
}

/** A fold to choose a scope. `documents` loads the documents when it is opened; `changed` receives the new scope. */
export function scopeView(scope, documents, changed) {
  const now = { ...scope };
  const body = el("div", { class: "choices" });
  const said = el("span", { class: "quiet" });
  const fold = el("details", { class: "scope", open: !isWhole(scope), ontoggle: () => fold.open && fill() }, el("summary", t("scope"), " ", said), body);
  tell();
  return fold;

  function tell() {
    replace(said, Object.entries(named(now)).map(([name, value], n) => [n ? " · " : "", ["from", "to"].includes(name) ? `${t(`scope.${name}`)} ${value}` : oneLine(value, 60)]));
  }

  async function fill() {
    if (body.childElementCount) return;
    replace(body, waitingLine(t("looking")));
    try {
      const rows = await documents();
      const fields = [...new Set(rows.flatMap(fieldsOf))].sort();
      const dated = rows.some((row) => row.metadata.date);
      replace(
        body,
        choice("folder", foldersOf(rows)),
        el("label", t("scope.words"), " ", el("input", { type: "search", value: now.words, oninput: (event) => set("words", event.target.value) })),
        dated && ["from", "to"].map((name) => el("label", t(`scope.${name}`), " ", el("input", { type: "date", value: now[name], onchange: (event) => set(name, event.target.value) }))),
        fields.length > 0 && choice("field", fields),
        pushButton({ class: "quiet", onclick: clear }, t("scopeClear")),
      );
    } catch (error) {
      replace(body, failure(error));
    }
  }

  function choice(name, values) {
    const shown = values.slice(0, OPTIONS).map((value) => el("option", { value, selected: value === now[name] }, oneLine(value, 80)));
    return el("label", t(`scope.${name}`), " ", el("select", { onchange: (event) => set(name, event.target.value) }, el("option", { value: "" }, t("scope.any")), shown));
  }

  function set(name, value) {
    now[name] = value;
    tell();
    changed({ ...now });
  }

  function clear() {
    for (const name of NAMES) now[name] = "";
    replace(body);
    tell();
    fill();
    changed({ ...now });
  }
}
