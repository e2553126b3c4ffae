// The time line of a workspace or a part of it: dated facts and documents in order, within a range that the reader chooses.

import { el, pushButton, replace, waitingLine } from "../base/dom.js";
import { timeLine } from "../graph/entity.js";
import { number, t } from "../base/words.js";
import { pageHead } from "./pages.js";

const DATE = "\\d{4}(-\\d{2}(-\\d{2})?)?";

export function showTimeline(main, context, { asked }) {
  const range = { from: asked.get("from") ?? "", to: asked.get("to") ?? "" };
  const years = el("div", { class: "years", role: "group", "aria-label": t("yearsOf") });
  const said = el("p", { class: "quiet", role: "status" });
  const body = el("div", waitingLine(t("looking")));
  const fields = ["from", "to"].map((name) => el("input", { type: "text", inputmode: "numeric", name, value: range[name], pattern: DATE, maxlength: 10, size: 10, placeholder: "1904-05", title: t("dateHint"), autocomplete: "off" }));
  const labelled = fields.map((field) => el("label", t(`scope.${field.name}`), " ", field));
  const form = el("form", { class: "range", onsubmit: pick }, labelled, el("button", { class: "small" }, t("showIt")), pushButton({ class: "small quiet", onclick: () => open({}) }, t("wholeTime")));
  main.append(...pageHead(context, "/timeline"), el("div", { class: "people-page" }, form, years, said, body));
  document.title = `${t("page/timeline")} · Filigraph`;
  replace(body, timeLine(context, null, range, tell));

  function tell(found) {
    said.textContent = found.total ? t("datedFacts", number(found.total), found.total) : t("nothingDated");
    if (years.childElementCount || found.years.length < 2) return;
    const most = Math.max(...found.years.map((one) => one.facts));
    replace(years, found.years.map((one) => bar(one, most)));
  }

  /** A bar with the number of a year's facts; a press selects it, with shift the range up to it. */
  function bar({ year, facts }, most) {
    const inside = (range.from || range.to) && (!range.from || year >= range.from.slice(0, 4)) && (!range.to || year <= range.to.slice(0, 4));
    const choose = (event) => open(event.shiftKey && range.from ? { from: [range.from, year].sort()[0], to: [range.from.slice(0, 4), year].sort()[1] } : { from: year, to: year });
    const height = Math.round((8 * facts) / most);
    const button = pushButton({ class: "year-bar", "aria-pressed": String(Boolean(inside)), title: t("yearFacts", year, number(facts), facts), "aria-label": t("yearFacts", year, number(facts), facts), onclick: choose }, year);
    button.style.setProperty("--high", height > 1 ? height : 0);
    return button;
  }

  function pick(event) {
    event.preventDefault();
    open(Object.fromEntries(fields.map((field) => [field.name, field.value.trim()])));
  }

  function open(picked) {
    context.go(context.link("/timeline", Object.fromEntries(Object.entries(picked).filter(([, value]) => value))));
  }
}
