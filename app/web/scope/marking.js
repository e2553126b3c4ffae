// "Read up to: chapter 12", beside the question: shown, moved and cleared there. Later text is hidden.
// "Only: chapter 1 – chapter 10" beside it: only a part of a document.

import { address, get, newestOnly } from "../base/api.js";
import { aside, el, failure, oneLine, pushButton, replace, waitingLine } from "../base/dom.js";
import { clear, dayOf, mark, marksOf, namedOf, partOf } from "../base/marker.js";
import { documentsOf } from "./scope.js";
import { placed, t } from "../base/words.js";

/** The mark of a workspace, with a fold to choose it. Calls `changed` when it was moved. */
export function markingView(context, changed) {
  const { state } = context;
  const said = el("strong");
  const hint = aside();
  const body = el("div", { class: "choices" });
  const newest = newestOnly();
  const away = pushButton({ class: "quiet", onclick: everything }, t("readClear"));
  const fold = el("details", { class: "scope", ontoggle: () => fold.open && !body.childElementCount && fill() }, el("summary", t("readUpTo"), " ", said, hint), body);
  tell();
  return el("div", { class: "marking" }, fold, away);

  function tell() {
    const marks = marksOf(state.workspace);
    const named = (one) => [marks.length > 1 && `${oneLine(one.source, 60)}, `, el("bdi", placed(oneLine(one.label ?? one.place, 80)))];
    const part = partOf(state.workspace);
    const only = part && [" · ", t("partOnly"), " ", el("bdi", placed(oneLine(part.label, 80)))];
    const [day, view] = [dayOf(state.workspace), namedOf(state.workspace)];
    const also = view ? ` · ${t("savedView")} ${view}` : day && ` · ${t("asOf")} ${day.day}`;
    replace(said, marks.length ? marks.map((one, n) => [n > 0 && " · ", named(one)]) : t("readAll"), only, also);
    away.hidden = !marks.length && !part && !day && !view;
    fold.classList.toggle("set", !away.hidden);
    hint.textContent = away.hidden ? `, ${t("partHint")}` : "";
  }

  function moved() {
    tell();
    context.tell(`${t("readUpTo")} ${said.textContent}`);
    changed();
  }

  function everything() {
    clear(state.workspace);
    replace(body);
    fold.open = false;
    fold.querySelector("summary").focus();
    moved();
  }

  /** What was chosen there is chosen anew. */
  async function again() {
    moved();
    await fill();
  }

  async function fill() {
    replace(body, waitingLine(t("looking")));
    try {
      const documents = await documentsOf(state.workspace);
      const marked = [...marksOf(state.workspace), partOf(state.workspace)].map((one) => one?.source);
      const first = documents.find((row) => marked.includes(row.source)) ?? documents[0];
      const place = el("div", { class: "choices" });
      const { dayView, namedViews } = await import("./views.js");
      const named = state.session.limited ? false : await namedViews(context, again);
      const options = documents.map((row) => el("option", { value: row.id, selected: row === first }, oneLine(!row.title || row.title === row.source ? row.source : `${row.title} · ${row.source}`, 80)));
      const which = el("select", { onchange: () => choosePlace(documents.find((row) => row.id === which.value), place) }, options);
      replace(body, documents.length > 1 && el("label", t("document"), " ", which), place, dayView(state.workspace, moved), named);
      if (first) await choosePlace(first, place);
    } catch (error) {
      replace(body, failure(error));
    }
  }

  /** The chapters and pages of a document, and a share of any. */
  async function choosePlace(document, at) {
    replace(at, waitingLine(t("looking")));
    try {
      const [{ source, places }, { partView }] = await Promise.all([get(address(state.workspace, "documents", document.id), {}, newest()), import("./part.js")]);
      const now = () => marksOf(state.workspace).find((one) => one.source === source);
      const move = (until, label) => (mark(state.workspace, source, until, label), moved());
      const name = (one) => (one.kind === "section" ? one.label : `${one.kind} ${one.label}`);
      const option = (one) => el("option", { value: one.until, selected: one.until === now()?.place }, oneLine(placed(name(one)), 80));
      const group = (label, of) => of.length > 0 && el("optgroup", { label }, of.map(option));
      const pages = places.filter((one) => one.kind === "page");
      const chapters = places.filter((one) => one.kind !== "page");
      const chosen = (event) => {
        const one = places.find((row) => row.until === event.target.value);
        share.value = "";
        move(one?.until, one && name(one));
      };
      const which = el("select", { onchange: chosen }, el("option", { value: "" }, t("readAll")), group(t("chaptersOf"), chapters), group(t("pagesOf"), pages));
      const percent = now()?.place.match(/^([\d.]+) %$/)?.[1] ?? "";
      const share = el("input", { type: "number", min: 0, max: 100, step: "any", inputmode: "decimal", value: which.selectedIndex ? "" : percent, onchange: () => typed() });
      const typed = () => {
        if (!share.reportValidity()) return;
        which.value = "";
        move(share.value && `${share.value} %`);
      };
      replace(at, places.length > 0 && el("label", t("placeRead"), " ", which), el("label", t("shareRead"), " ", share), partView(state.workspace, source, places, moved));
    } catch (error) {
      if (error.name !== "AbortError") replace(at, failure(error));
    }
  }
}
