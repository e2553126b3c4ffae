// As of a day, and views that have a name: chosen, kept, compared with everything, deleted.

import { address, get, put, remove } from "../base/api.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { dayOf, namedOf, showDay, showNamed, viewOf } from "../base/marker.js";
import { t } from "../base/words.js";

const CHANGES = 10; // of each kind

/** The day as of which the documents are shown. Calls `changed` afterwards. */
export function dayView(workspace, changed) {
  const now = dayOf(workspace);
  const day = el("input", { type: "date", value: now?.day ?? "", onchange: choose });
  const undated = el("input", { type: "checkbox", checked: now?.undated !== "out", onchange: choose });
  return el("div", { class: "part" }, el("label", t("asOf"), " ", day), el("label", undated, " ", t("withUndated")));

  function choose() {
    showDay(workspace, day.value && { day: day.value, undated: undated.checked ? "in" : "out" });
    changed();
  }
}

/** The views of the workspace that have a name. Calls `changed` with whether another view is shown now. */
export async function namedViews(context, changed) {
  const { workspace } = context.state;
  const { views } = await get(address(workspace, "views"));
  const now = namedOf(workspace);
  const found = el("div", { "aria-live": "polite" });
  const option = ({ name }) => el("option", { value: name, selected: name === now }, oneLine(name, 64));
  const which = el("select", { onchange: () => choose(which.value) }, el("option", { value: "" }, t("noView")), views.map(option));
  const name = el("input", { type: "text", maxlength: 64, pattern: "[\\p{L}\\p{N}_.\\-]+", "aria-label": t("viewName"), placeholder: t("viewName"), required: true });
  const keep = el("form", { class: "part writes", onsubmit: (event) => (event.preventDefault(), tried(save)) }, name, el("button", { class: "small" }, t("keepView")));
  return el(
    "div",
    (views.length > 0 || now) && el("label", t("savedView"), " ", which),
    now && [pushButton({ class: "small", onclick: () => tried(compare) }, t("viewDiffers")), " ", pushButton({ class: "small writes", onclick: () => tried(forget) }, t("deleteView"))],
    !now && keep,
    found,
  );

  function choose(chosen) {
    showNamed(workspace, chosen);
    changed();
  }

  async function tried(work) {
    replace(found, waitingLine(t("looking")));
    try {
      await work();
    } catch (error) {
      replace(found, failure(error));
    }
  }

  async function save() {
    await put(address(workspace, "views", name.value), viewOf(workspace) ?? {});
    choose(name.value);
  }

  async function forget() {
    await remove(address(workspace, "views", now));
    choose("");
  }

  async function compare() {
    const [{ changesView }, changes] = await Promise.all([import("../library/changes.js"), get(address(workspace, "views", "diff"), { before: now, count: CHANGES })]);
    const others = changes.answers.filter((one) => one.changed);
    replace(found, quiet(t("viewDiffersHow")), changesView(changes), others.length > 0 && [el("h3", t("changedAnswersOf")), el("ul", others.map(answer))]);
  }

  function answer({ question, trace_id, path_before, path_after, source_before, source_after }) {
    const path = (label, text, source) => el("p", aside(t(label), " "), text ? bdi(text, 200) : [t("noPathThen"), source && [": ", documentName({ source }, 60)]]);
    return el("li", el("p", el("a", { href: context.link(`/explain/${trace_id}`) }, foreign("b", oneLine(question, 200)))), path("inTheView", path_before, source_before), path("withAll", path_after, source_after));
  }
}
