// Notes of persons: a text, tags, a star. A separate fold and our own words distinguish them from the texts.

import { get, newestOnly, post, put, remove } from "../base/api.js";
import { confirmed, documentName, el, failure, foreign, oneLine, plain, pushButton, quiet, remark, replace } from "../base/dom.js";
import { number, placeOf, placed, t, told, when } from "../base/words.js";

const ROWS = 20;

/** A fold with the notes that `asked` names, and a form for a new one where `at` says what that is at (or gives null).
 * `eager`: how many there are is said before it is opened. Nothing for a limited key: notes may speak of what it hides. */
export function notesFold(context, { asked = {}, at = null, eager = false, filtered = false }) {
  if (context.state.session.limited) return null;
  const path = context.path("notes");
  const title = el("summary", t("notes"));
  const list = el("ul", { class: "note-list" });
  const news = el("p", { class: "quiet", "aria-live": "polite" });
  const field = el("input", { type: "search", maxlength: 200, placeholder: t("noteFilter"), "aria-label": t("noteFilter"), dir: "auto", oninput: () => read(0) });
  const starred = el("input", { type: "checkbox", onchange: () => read(0) });
  const filter = filtered && el("p", field, el("label", starred, ` ${t("noteStarred")}`));
  const fold = el("details", { class: "fold notes" }, title, filter, list, news, at && form({ save: add, label: t("noteAdd") }));
  const newest = newestOnly();
  let known = false;
  fold.addEventListener("toggle", () => fold.open && !known && read(0));
  if (eager) read(0);
  return fold;

  async function read(first) {
    const signal = newest();
    known = true;
    const words = field.value.split(/\s+/).filter(Boolean);
    const tag = words.filter((word) => word.startsWith("#") && word.length > 1).map((word) => word.slice(1));
    const text = words.filter((word) => !word.startsWith("#")).join(" ");
    try {
      const found = await get(path, { ...asked, text, tag, starred: starred.checked ? "true" : "", first, count: ROWS }, signal);
      title.textContent = found.total ? `${t("notes")} (${number(found.total)})` : t("notes");
      news.textContent = found.total ? t("notesAre") : t("noNotes");
      if (!first) list.replaceChildren();
      list.append(...found.notes.map(row));
      const left = found.total - first - found.notes.length;
      if (left > 0) {
        const more = el("li", pushButton({ class: "more", onclick: () => (more.remove(), read(first + ROWS)) }, t("more", number(left))));
        list.append(more);
      }
    } catch (error) {
      if (error.name !== "AbortError" && fold.open) replace(news, failure(error));
    }
  }

  async function add(said) {
    await post(path, { at: await at(), ...said });
    context.tell(t("noteKept"));
    await read(0);
  }

  function row(note) {
    const item = el("li");
    const own = context.path("notes", note.id);
    show();
    return item;

    async function change(said) {
      note = await put(own, said);
      show();
    }

    function show() {
      const turnStar = () => change({ starred: !note.starred }).catch((error) => replace(news, failure(error)));
      const edit = () => replace(item, form({ note, save: change, label: t("noteSave"), cancel: show }));
      const drop = () => remove(own).then(() => read(0), (error) => void replace(news, failure(error)));
      replace(
        item,
        pushButton({ class: "small star", "aria-pressed": String(note.starred), "aria-label": t("noteStar"), onclick: turnStar }, note.starred ? "★" : "☆"),
        " ",
        note.text && foreign("span", plain(note.text), { class: "note-text" }),
        note.tags.map((tag) => foreign("span", ` #${oneLine(tag, 60)}`, { class: "tag" })),
        quiet(what(context, note)),
        note.lost && remark(told(`lost.${note.lost_code}`, note.lost)),
        el(
          "p",
          { class: "from" },
          [note.by, when(note.changed)].filter(Boolean).join(" · "),
          " ",
          pushButton({ class: "small writes", onclick: edit }, t("noteEdit")),
          " ",
          confirmed({ class: "small writes" }, t("noteDelete"), t("noteDeleteSure"), drop),
        ),
      );
    }
  }
}

/** A form for a text, tags and a star. */
function form({ note = null, save, label, cancel = null }) {
  const text = el("textarea", { rows: 2, maxlength: 20000, "aria-label": t("noteText"), placeholder: t("noteText"), dir: "auto" });
  text.value = note?.text ?? "";
  const tags = el("input", { type: "text", maxlength: 400, "aria-label": t("noteTags"), placeholder: t("noteTags"), dir: "auto", value: (note?.tags ?? []).join(", ") });
  const star = el("input", { type: "checkbox", checked: note?.starred });
  const trouble = el("p", { class: "trouble", "aria-live": "polite" });
  const button = el("button", { class: "small" }, label);
  const box = el(
    "form",
    { class: "note-form writes", onsubmit: send },
    text,
    tags,
    el("label", star, ` ${t("noteStar")}`),
    " ",
    button,
    cancel && [" ", pushButton({ class: "small", onclick: cancel }, t("cancel"))],
    trouble,
  );
  return box;

  async function send(event) {
    event.preventDefault();
    button.disabled = true;
    replace(trouble);
    try {
      await save({ text: text.value.trim(), tags: tags.value.split(",").map((tag) => tag.trim()).filter(Boolean), starred: star.checked });
      if (!note) box.reset();
    } catch (error) {
      replace(trouble, failure(error));
    }
    button.disabled = false;
  }
}

/** A link to the subject of a note. */
function what(context, note) {
  const there = note.chunk_id && placeOf(note.document_id, note.chunk_id, note.start, note.end);
  const where = note.source && [" · ", documentName(note), note.place && `, ${placed(note.place)}`];
  const link = (label, href) => (href ? foreign("a", oneLine(label, 160), { href }) : foreign("span", oneLine(label, 160)));
  if (note.kind === "entity") return link(note.entity, note.entity_id && context.link("/graph", { entity: note.entity_id }));
  if (note.kind === "answer") return link(note.question, !note.lost && context.link(`/explain/${encodeURIComponent(note.trace_id)}`));
  if (note.kind === "document") return link(note.source, !note.lost && placeOf(note.document_id));
  if (note.kind === "fact") return [link(`${note.entity} ${note.predicate} ${note.other}`, there), where];
  return [link(`“${note.sentence}”`, there), where];
}
