// The only part of a document that is shown: from one part, chapter or page to another.

import { el, oneLine, pushButton } from "../base/dom.js";
import { partOf, showPart } from "../base/marker.js";
import { placed, t } from "../base/words.js";

/** Two choices, from where to where. `places` are the document's chapters and pages; calls `changed` afterwards. */
export function partView(workspace, source, places, changed) {
  const rows = rowsOf(places);
  if (!rows.length) return false;
  const now = partOf(workspace);
  const mine = now?.source === source ? now : null;
  const from = choice("partFrom", mine?.from);
  const to = choice("partTo", mine?.to);
  from.addEventListener("change", () => choose(from));
  to.addEventListener("change", () => choose(to));
  const show = pushButton({ class: "small", onclick: apply }, t("partShow"));
  return el("div", { class: "part" }, el("label", t("partFrom"), " ", from), el("label", t("partTo"), " ", to), show);

  function choice(name, chosen) {
    const option = (row, n) => el("option", { value: n, selected: row.label === chosen }, "\u2003".repeat(row.depth), oneLine(placed(row.own), 80));
    return el("select", el("option", { value: "" }, t(`${name}All`)), rows.map(option));
  }

  /** The other end follows if it would be before the beginning, or is open. */
  function choose(moved) {
    const [first, last] = [from, to].map((one) => rows[one.value]);
    if (moved === from && first && (!last || last.end <= first.begin)) to.value = from.value;
    if (moved === to && last && first && last.end <= first.begin) from.value = to.value;
    if (moved === from && !first) to.value = "";
  }

  function apply() {
    const [begins, ends] = [from, to].map((one) => rows[one.value]);
    const whole = !begins && !ends;
    const names = [...new Set([begins?.label ?? t("partFromAll"), ends?.label ?? t("partToAll")])];
    showPart(workspace, whole ? null : { source, place: `${begins?.begin ?? 0}-${ends?.end ?? 100} %`, label: names.join(" – "), from: begins?.label, to: ends?.label });
    changed();
  }
}

/** The parts, each followed by its chapters; pages if there are no chapters. */
function rowsOf(places) {
  const chapters = places.filter((one) => one.kind !== "page");
  const rows = [];
  let above = [];
  for (const one of chapters.length ? chapters : places) {
    const same = one.parts.findIndex((part, n) => part !== above[n]);
    const known = same < 0 ? one.parts.length : same;
    for (let depth = known; depth < one.parts.length; depth += 1) {
      const path = one.parts.slice(0, depth + 1);
      const within = chapters.filter((row) => path.every((part, n) => row.parts[n] === part));
      rows.push({ label: path.join(", "), own: path[depth], depth, begin: one.begin, end: within.at(-1).end });
    }
    const label = one.kind === "section" ? one.label : `${one.kind} ${one.label}`;
    const own = one.parts.length ? label.slice(one.parts.join(", ").length + 2) : label;
    rows.push({ label, own, depth: one.parts.length, begin: one.begin, end: one.end });
    above = one.parts;
  }
  return rows;
}
