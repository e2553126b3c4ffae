// Families: each drawn by generations, and its ties as a list, each with its sentences.

import { get } from "../base/api.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, quiet, replace, svg, waitingLine } from "../base/dom.js";
import { growing } from "../base/growing.js";
import { entityLink, sentenceLink } from "../base/links.js";
import { nothingRead } from "../base/nothing-read.js";
import { number, placed, t } from "../base/words.js";
import { pageHead } from "./pages.js";

const ROWS = 5; // families at once
const BOX = { width: 150, height: 44, gap: 26, below: 64 };
const LETTERS = 20; // of a name in a box

export function showFamily(main, context, { asked }) {
  const name = asked.get("name") ?? "";
  const field = el("input", { type: "search", name: "name", value: name, maxlength: 200, autocomplete: "off", dir: "auto", "aria-label": t("oneName"), placeholder: t("oneName") });
  const pick = (event) => (event.preventDefault(), context.go(context.link("/family", field.value.trim() ? { name: field.value.trim() } : {})));
  const body = el("div", { class: "people-page" }, waitingLine(t("looking")));
  main.append(...pageHead(context, "/family"), el("form", { class: "range", role: "search", onsubmit: pick }, field, el("button", { class: "small" }, t("showIt"))), body);
  document.title = `${t("page/family")} · Filigraph`;
  load();

  async function load() {
    const list = el("ol", { class: "families" });
    const alleged = el("div");
    const read = async (first) => {
      const found = await get(context.path("family"), { name, first, count: ROWS });
      if (!first && found.alleged.length) replace(alleged, el("h2", t("allegedKin")), el("ul", { class: "ties" }, found.alleged.map((fact) => el("li", said(fact), sentenceOf(fact)))));
      return { rows: found.families, total: found.total };
    };
    try {
      const { total } = await growing(list, read, family);
      replace(body, quiet(total ? t("familyCount", number(total), total) : t("noKin")), list, alleged);
      context.tell(total ? t("familyCount", number(total), total) : t("noKin"));
    } catch (error) {
      replace(body, error.code === "not_found" && !name ? nothingRead(context) : failure(error));
    }
  }

  function family(one) {
    const names = new Map(one.members.map((member) => [member.id, member]));
    const title = oneLine(one.members.map((member) => member.name).join(", "), 160);
    return el("li", el("div", { class: "tree", tabindex: 0, role: "group", "aria-label": t("drawnFamily") }, draw(one, title)), el("ul", { class: "ties" }, one.ties.map((tie) => row(tie, names))));
  }

  function row(tie, names) {
    const end = (id, label) => [entityLink(context, id, label), names.get(id)?.maiden_name && aside(` (${t("born")} `, bdi(names.get(id).maiden_name, 40), ")")];
    const notes = ["open", "denied"].filter((note) => tie[note]).map((note) => [" · ", el("strong", t(`tie.${note}`))]);
    return el("li", el("p", end(tie.first_id, tie.first), ` – ${t(`tie.${tie.kind}`)} – `, end(tie.other_id, tie.other), notes), tie.facts.map(sentenceOf));
  }

  function said(fact) {
    return el("p", entityLink(context, fact.subject_id, fact.subject), " ", foreign("span", oneLine(fact.predicate, 80), { class: "predicate" }), " ", entityLink(context, fact.object_id, fact.object), fact.according_to && aside(` · ${t("accordingTo", oneLine(fact.according_to, 40))}`));
  }
}

const sentenceOf = (fact) => el("p", sentenceLink(fact), " ", aside(documentName(fact), fact.place && ` · ${placed(fact.place)}`, fact.own && ` · ${t("ownFact")}`));

/** The tree: a row for each generation, members in the server's order. Lines go from parents down, and between spouses. */
function draw({ members, ties }, title) {
  const rows = [...new Set(members.map((member) => member.generation))].map((generation) => members.filter((member) => member.generation === generation));
  const widest = Math.max(...rows.map((row) => row.length));
  const [across, down] = [BOX.width + BOX.gap, BOX.height + BOX.below];
  const places = new Map();
  for (const [y, row] of rows.entries()) {
    const left = ((widest - row.length) * across) / 2;
    for (const [x, member] of row.entries()) places.set(member.id, { x: left + x * across, y: y * down, row: y });
  }
  const [width, height] = [widest * across, rows.length * down - BOX.below + 20];
  const lines = ties.filter((tie) => tie.kind !== "relative").map((tie) => svg("path", { class: `tie ${tie.kind}${tie.open ? " open" : ""}`, d: line(tie, places) }));
  return svg("svg", { width, height, viewBox: `-2 -2 ${width + 4} ${height + 4}`, role: "img", "aria-label": title }, lines, members.map((member) => box(member, places.get(member.id))));
}

function line(tie, places) {
  const [one, other] = [places.get(tie.first_id), places.get(tie.other_id)];
  const middle = (place) => place.x + BOX.width / 2;
  if (one.row !== other.row) {
    const [upper, lower] = one.row < other.row ? [one, other] : [other, one];
    const between = lower.y - BOX.below / 2;
    return `M${middle(upper)} ${upper.y + BOX.height} V${between} H${middle(lower)} V${lower.y}`;
  }
  const [left, right] = one.x < other.x ? [one, other] : [other, one];
  const beside = right.x - left.x <= BOX.width + BOX.gap;
  const y = left.y + BOX.height / 2;
  if (tie.kind === "spouse" && beside) return `M${left.x + BOX.width} ${y - 3} H${right.x} M${left.x + BOX.width} ${y + 3} H${right.x}`;
  if (beside) return `M${left.x + BOX.width} ${y} H${right.x}`;
  const under = left.y + BOX.height + 10;
  return `M${middle(left)} ${left.y + BOX.height} V${under} H${middle(right)} V${right.y + BOX.height}`;
}

function box(member, { x, y }) {
  const second = member.maiden_name ? `${t("born")} ${oneLine(member.maiden_name, LETTERS)}` : "";
  const name = svg("text", { x: x + BOX.width / 2, y: y + (second ? 19 : 27), "text-anchor": "middle" }, oneLine(member.name, LETTERS));
  return svg("g", {}, svg("title", {}, oneLine(member.name, 200)), svg("rect", { x, y, width: BOX.width, height: BOX.height, rx: 4 }), name, second && svg("text", { class: "maiden", x: x + BOX.width / 2, y: y + 35, "text-anchor": "middle" }, second));
}
