// Forms: each field with its value, the sentence that supports it and the facts in it; empty fields first, corrections by hand.

import { Failure, get, newestOnly, post, put, remove, root } from "../base/api.js";
import { aside, el, failure, foreign, oneLine, pushButton, quiet, remark, replace, waitingLine } from "../base/dom.js";
import { jobProgress } from "../base/job-progress.js";
import { nothingRead } from "../base/nothing-read.js";
import { language, number, placed, placeOf, t } from "../base/words.js";

const FORMATS = { markdown: "Markdown", docx: "DOCX", csv: "CSV", json: "JSON" };
const EMPTY = ["open", "not_found", "passages"]; // states without a value

export function showForms(main, context, { asked }) {
  const view = {
    context,
    chooser: el("div", { class: "chooser" }),
    status: el("div", { class: "staging", "aria-live": "polite" }),
    sheet: el("div", { class: "sheet" }),
    running: null, // what is being filled
    forms: [],
    name: asked.get("form") ?? "",
    about: asked.get("about") ?? "",
    path: (...parts) => context.path("forms", ...parts),
    newest: newestOnly(),
    show: () => show(view),
  };
  main.append(el("h1", { class: "spoken" }, t("view/forms")), view.chooser, view.status, view.sheet);
  load(view);
  return () => view.running?.abort();
}

const formOf = ({ forms, name }) => forms.find((one) => one.name === name);
const ready = (view) => !formOf(view).about_one || view.about;

async function load(view) {
  const { context, sheet } = view;
  const { state } = context;
  await context.known;
  if (!state.workspaces.some((row) => row.name === state.workspace)) return replace(sheet, nothingRead(context));
  try {
    ({ forms: view.forms } = await get(view.path(), { language: language() }));
  } catch (error) {
    return replace(sheet, failure(error));
  }
  if (!formOf(view)) [view.name, view.about] = [view.forms[0].name, ""];
  choose(view);
}

/** Which form, and about which entity. */
function choose(view) {
  const { about_one: aboutOne, fills } = formOf(view);
  const subject = el("input", { type: "text", id: "about", maxlength: 200, value: view.about, list: "abouts", autocomplete: "off" });
  const filling = (event) => (event.preventDefault(), open(view, subject.value), ready(view) && fill(view));
  const change = (event) => ([view.name, view.about] = [event.target.value, ""], choose(view));
  const option = (one) => el("option", { value: one.name, selected: one.name === view.name }, oneLine(one.title, 60));
  replace(
    view.chooser,
    el(
      "form",
      { class: "form-choice", onsubmit: filling },
      el("label", t("form"), el("select", { id: "form", onchange: change }, view.forms.map(option))),
      aboutOne && [
        el("label", t("about"), subject),
        el("datalist", { id: "abouts" }, fills.map((one) => el("option", { value: one.about }))),
        pushButton({ class: "small", onclick: () => (open(view, subject.value), view.show()) }, t("showIt")),
      ],
      el("button", { type: "submit", class: "onward writes" }, t("fillIt")),
    ),
  );
  replace(view.status);
  view.show();
}

function open(view, subject) {
  view.about = formOf(view).about_one ? subject.trim() : "";
  view.context.rename(view.context.link("/forms", { form: view.name, ...(view.about && { about: view.about }) }));
}

/** The form as it is now. */
async function show(view) {
  const { sheet, name, about } = view;
  const signal = view.newest();
  if (!ready(view)) return replace(sheet, quiet(t("aboutWhom")));
  replace(sheet, waitingLine(t("looking")));
  try {
    drawForm(view, await get(view.path(name), { about, language: language() }, signal));
  } catch (error) {
    if (error.name !== "AbortError") replace(sheet, failure(error));
  }
}

// ---- a form that is being filled: the progress of the job, and its result

async function fill(view) {
  const { context, status } = view;
  view.running?.abort();
  view.running = new AbortController();
  const { signal } = view.running;
  const progress = jobProgress("batchesOf");
  replace(status, progress.parts);
  try {
    const job = await post(view.path(view.name, "fill"), { about: view.about }, signal);
    const last = await progress.follow(job, signal);
    replace(status, last.error && failure(new Failure(last.error)), last.failed > 0 && remark(t("fillFailed", number(last.failed))));
    if (last.state === "done") context.tell(t("fillDone"));
    await view.show();
  } catch (error) {
    if (error.name !== "AbortError") replace(status, failure(error));
  }
}

// ---- a filled form: its fields with their sentences and facts, and corrections of a field

function drawForm(view, found) {
  const empty = found.fields.filter((field) => EMPTY.includes(field.state));
  const full = found.fields.filter((field) => !EMPTY.includes(field.state));
  const saved = Object.entries(FORMATS).map(([format, label]) => [" ", exported(view, format, label)]);
  replace(
    view.sheet,
    foreign("h2", found.about ? `${oneLine(found.title, 80)}: ${oneLine(found.about, 80)}` : oneLine(found.title, 80)),
    quiet(t("fieldsFilled", number(full.length), number(found.fields.length))),
    full.length > 0 && el("p", { class: "exports" }, t("saveForm"), saved),
    el("ul", { class: "fields" }, [...empty, ...full].map((field) => el("li", { class: `field ${field.state}` }, fieldView(view, field)))),
  );
}

function exported({ path, name, about }, format, label) {
  const asked = new URLSearchParams({ format, about, language: language() });
  return el("a", { href: `${root}${path(name, "export")}?${asked}`, download: true }, label);
}

function fieldView(view, field) {
  const box = el("div", { class: "held" });
  replace(box, held(view, field, box));
  return [
    el("h3", foreign("span", oneLine(field.question, 300)), field.required && [" ", el("abbr", { title: t("required") }, "*")]),
    el("p", { class: "state" }, t(`state.${field.state}`), field.group && [" · ", foreign("span", oneLine(field.group, 60))]),
    field.help && foreign("p", oneLine(field.help, 400), { class: "quiet" }),
    box,
    field.note && foreign("p", oneLine(field.note, 300), { class: "remark" }),
    field.evidence.map((place) => placeView(view.context, place)),
  ];
}

/** The value of a field; its button opens the correction. */
function held(view, field, box) {
  const label = t("correctField", oneLine(field.question, 80));
  const edit = pushButton({ class: "small writes", "aria-label": label, onclick: () => editor(view, field, box) }, t("correctIt"));
  const path = `${view.path(view.name, "fields", field.id)}?${new URLSearchParams({ about: view.about })}`;
  const undo = field.state === "corrected" && pushButton({ class: "small writes", onclick: () => change(view, field, () => remove(path)) }, t("undo"));
  return [
    el(
      "p",
      { class: "value" },
      field.values.map((value) => foreign("span", oneLine(value, 600))),
      field.normalized && !field.values.includes(field.normalized) && aside(` (${field.normalized})`),
      !field.values.length && aside("—"),
    ),
    field.original.length > 0 && quiet(t("itHeld"), " ", field.original.map((value) => [foreign("span", oneLine(value, 200)), " "])),
    el("p", { class: "actions" }, edit, undo),
  ];
}

/** A sentence, its place, and the facts that it states. */
function placeView(context, place) {
  const href = placeOf(place.document_id, place.chunk_id, place.start, place.end);
  const end = (entity, label) => foreign("a", oneLine(label, 60), { href: context.link("/graph", { entity }) });
  const fact = (one) => el("li", end(one.subject_id, one.subject), " ", foreign("i", oneLine(one.predicate, 60)), " ", end(one.object_id, one.object));
  return el(
    "blockquote",
    el("a", { class: "sentence", href }, foreign("q", oneLine(place.text, 500))),
    el("footer", foreign("cite", oneLine(place.title || place.source, 80)), place.place && `, ${placed(place.place)}`),
    place.facts.length > 0 && el("ul", { class: "fact-path", "aria-label": t("factsInIt") }, place.facts.slice(0, 3).map(fact)),
  );
}

function editor(view, field, box) {
  const id = `value-${field.id}`;
  const input = inputOf(field, id);
  const keep = (event) => {
    event.preventDefault();
    const lines = field.type === "list" ? input.value.split("\n") : [input.value];
    const values = lines.map((line) => line.trim()).filter(Boolean);
    change(view, field, () => put(view.path(view.name, "fields", field.id), { values, about: view.about }));
  };
  replace(
    box,
    el(
      "form",
      { class: "editor", onsubmit: keep, onkeydown: (event) => event.key === "Escape" && view.show() },
      el("label", { for: id }, field.type === "list" ? t("yourValues") : t("yourValue")),
      input,
      el("p", { class: "actions" }, el("button", { type: "submit", class: "small" }, t("keep")), pushButton({ class: "small", onclick: view.show }, t("cancel"))),
    ),
  );
  input.focus();
}

function inputOf(field, id) {
  const said = field.values.join("\n");
  if (field.type === "enum") {
    return el("select", { id }, ["", ...field.options].map((one) => el("option", { value: one, selected: one === said }, one || "—")));
  }
  const input = el("textarea", { id, rows: field.type === "list" ? 4 : 2, dir: "auto" });
  input.value = said;
  return input;
}

async function change(view, field, work) {
  try {
    await work();
    view.context.tell(t("saved"));
    await view.show();
    view.sheet.querySelector(`[aria-label="${CSS.escape(t("correctField", oneLine(field.question, 80)))}"]`)?.focus();
  } catch (error) {
    replace(view.status, failure(error));
  }
}
