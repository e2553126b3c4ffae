// Forms: each field with its value, the sentence that says it and the facts in it; empty ones first, corrected by hand.

import { Failure, address, events, get, post, put, remove, root } from "../base/api.js";
import { nothingRead } from "../base/nothing-read.js";
import { el, foreign, oneLine, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { failure } from "../base/failure.js";
import { language, number, placeOf, placed, t } from "../base/words.js";

const FORMATS = { markdown: "Markdown", docx: "DOCX", csv: "CSV", json: "JSON" };
const EMPTY = ["open", "not_found", "passages"]; // states without a value

export function showForms(main, context, { asked }) {
  const { state } = context;
  const chooser = el("div", { class: "chooser" });
  const status = el("div", { class: "staging", "aria-live": "polite" });
  const sheet = el("div", { class: "sheet" });
  let running = null;
  let forms = [];
  let name = asked.get("form") ?? "";
  let about = asked.get("about") ?? "";
  const path = (...parts) => address(state.workspace, "forms", ...parts);
  const form = () => forms.find((one) => one.name === name);
  const ready = () => !form().about_one || about;
  const end = (entity, label) => foreign("a", oneLine(label, 60), { href: context.link("/graph", { entity }) });
  /** A sentence, where it stands, and the facts that it states. */
  const placeView = (place) =>
    el(
      "blockquote",
      el("a", { class: "sentence", href: placeOf(place.document_id, place.chunk_id, place.start, place.end) }, foreign("q", oneLine(place.text, 500))),
      el("footer", foreign("cite", oneLine(place.title || place.source, 80)), place.place && `, ${placed(place.place)}`),
      place.facts.length > 0 &&
        el(
          "ul",
          { class: "fact-path", "aria-label": t("factsInIt") },
          place.facts.slice(0, 3).map((fact) => el("li", end(fact.subject_id, fact.subject), " ", foreign("i", oneLine(fact.predicate, 60)), " ", end(fact.object_id, fact.object))),
        ),
    );

  main.append(el("h1", { class: "spoken" }, t("view/forms")), chooser, status, sheet);
  load();
  return () => running?.abort();

  async function load() {
    await context.known;
    if (!state.workspaces.some((row) => row.name === state.workspace)) return replace(sheet, nothingRead(context));
    try {
      ({ forms } = await get(path(), { language: language() }));
    } catch (error) {
      return replace(sheet, failure(error));
    }
    if (!forms.some((form) => form.name === name)) [name, about] = [forms[0].name, ""];
    choose();
  }

  /** Which form, and about whom. */
  function choose() {
    const { about_one: aboutOne, fills } = form();
    const subject = el("input", { type: "text", id: "about", maxlength: 200, value: about, list: "abouts", autocomplete: "off" });
    const filling = (event) => (event.preventDefault(), open(subject.value), ready() && fill());
    replace(
      chooser,
      el(
        "form",
        { class: "form-choice", onsubmit: filling },
        el(
          "label",
          t("form"),
          el(
            "select",
            { id: "form", onchange: (event) => ([name, about] = [event.target.value, ""], choose()) },
            forms.map((one) => el("option", { value: one.name, selected: one.name === name }, oneLine(one.title, 60))),
          ),
        ),
        aboutOne && [
          el("label", t("about"), subject),
          el("datalist", { id: "abouts" }, fills.map((one) => el("option", { value: one.about }))),
          pushButton({ class: "small", onclick: () => (open(subject.value), show()) }, t("showIt")),
        ],
        el("button", { type: "submit", class: "onward writes" }, t("fillIt")),
      ),
    );
    replace(status);
    show();
  }

  function open(subject) {
    about = form().about_one ? subject.trim() : "";
    context.rename(context.link("/forms", { form: name, ...(about && { about }) }));
  }

  /** The form as it is now. */
  async function show() {
    if (!ready()) return replace(sheet, quiet(t("aboutWhom")));
    replace(sheet, waitingLine(t("looking")));
    try {
      draw(await get(path(name), { about, language: language() }));
    } catch (error) {
      replace(sheet, failure(error));
    }
  }

  function draw(found) {
    const have = found.fields.filter((field) => !EMPTY.includes(field.state)).length;
    const empty = found.fields.filter((field) => EMPTY.includes(field.state));
    const full = found.fields.filter((field) => !EMPTY.includes(field.state));
    replace(
      sheet,
      foreign("h2", found.about ? `${oneLine(found.title, 80)}: ${oneLine(found.about, 80)}` : oneLine(found.title, 80)),
      quiet(t("fieldsFilled", number(have), number(found.fields.length))),
      have > 0 && el("p", { class: "exports" }, t("saveForm"), Object.entries(FORMATS).map(([format, label]) => [" ", exported(format, label)])),
      el("ul", { class: "fields" }, [...empty, ...full].map((field) => el("li", { class: `field ${field.state}` }, fieldView(field)))),
    );
  }

  function exported(format, label) {
    const asked = new URLSearchParams({ format, about, language: language() });
    return el("a", { href: `${root}${path(name, "export")}?${asked}`, download: true }, label);
  }

  /** A field; its button opens what corrects it. */
  function fieldView(field) {
    const box = el("div", { class: "held" });
    const edit = pushButton({ class: "small writes", "aria-label": t("correctField", oneLine(field.question, 80)), onclick: () => editor(field, box) }, t("correctIt"));
    const undo = field.state === "corrected" && pushButton({ class: "small writes", onclick: () => change(field, () => remove(`${path(name, "fields", field.id)}?${new URLSearchParams({ about })}`)) }, t("undo"));
    replace(
      box,
      el("p", { class: "value" }, field.values.map((value) => foreign("span", oneLine(value, 600))), field.normalized && !field.values.includes(field.normalized) && el("span", { class: "quiet" }, ` (${field.normalized})`), !field.values.length && el("span", { class: "quiet" }, "—")),
      field.original.length > 0 && quiet(t("itHeld"), " ", field.original.map((value) => [foreign("span", oneLine(value, 200)), " "])),
      el("p", { class: "actions" }, edit, undo),
    );
    return [
      el("h3", foreign("span", oneLine(field.question, 300)), field.required && [" ", el("abbr", { title: t("required") }, "*")]),
      el("p", { class: "state" }, t(`state.${field.state}`), field.group && [" · ", foreign("span", oneLine(field.group, 60))]),
      field.help && foreign("p", oneLine(field.help, 400), { class: "quiet" }),
      box,
      field.note && foreign("p", oneLine(field.note, 300), { class: "remark" }),
      field.evidence.map(placeView),
    ];
  }

  function editor(field, box) {
    const id = `value-${field.id}`;
    const said = field.values.join("\n");
    const input =
      field.type === "enum"
        ? el("select", { id }, ["", ...field.options].map((one) => el("option", { value: one, selected: one === said }, one || "—")))
        : el("textarea", { id, rows: field.type === "list" ? 4 : 2, dir: "auto" });
    if (field.type !== "enum") input.value = said;
    const kept = (event) => {
      event.preventDefault();
      const lines = field.type === "list" ? input.value.split("\n") : [input.value];
      const values = lines.map((line) => line.trim()).filter(Boolean);
      change(field, () => put(path(name, "fields", field.id), { values, about }));
    };
    replace(
      box,
      el(
        "form",
        { class: "editor", onsubmit: kept, onkeydown: (event) => event.key === "Escape" && show() },
        el("label", { for: id }, field.type === "list" ? t("yourValues") : t("yourValue")),
        input,
        el("p", { class: "actions" }, el("button", { type: "submit", class: "small" }, t("keep")), pushButton({ class: "small", onclick: show }, t("cancel"))),
      ),
    );
    input.focus();
  }

  async function change(field, work) {
    try {
      await work();
      context.tell(t("saved"));
      await show();
      sheet.querySelector(`[aria-label="${CSS.escape(t("correctField", oneLine(field.question, 80)))}"]`)?.focus();
    } catch (error) {
      replace(status, failure(error));
    }
  }

  // ---- filling

  async function fill() {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const bar = el("progress", { "aria-label": t("progress") });
    const label = quiet(t("waitsItsTurn"));
    const stop = pushButton({ class: "onward writes" }, t("stop"));
    replace(status, bar, label, el("p", stop));
    try {
      const job = await post(path(name, "fill"), { about }, signal);
      const at = `/v1/jobs/${encodeURIComponent(job.id)}`;
      stop.addEventListener("click", () => ((stop.disabled = true), post(`${at}/cancel`).catch(() => {})));
      let last = job;
      for await (const event of events(`${at}/events`, null, signal)) {
        last = event.job ?? last;
        if (event.event === "progress" && last.progress) {
          const { documents, documents_total: total, message } = last.progress;
          replace(label, message || t("batchesOf", number(documents), number(total)));
          Object.assign(bar, { max: total, value: documents });
        }
      }
      replace(status, last.error && failure(new Failure(last.error)), last.failed > 0 && el("p", { class: "remark" }, t("fillFailed", number(last.failed))));
      if (last.state === "done") context.tell(t("fillDone"));
      await show();
    } catch (error) {
      if (error.name !== "AbortError") replace(status, failure(error));
    }
  }
}
