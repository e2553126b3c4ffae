// The cost of reading and its results, in words.

import { aside, bdi, el, foreign, oneLine, quiet } from "../base/dom.js";
import { duration, number, t } from "../base/words.js";

/** The sum of estimates: files may be sent in several parts. */
export function sum(estimates) {
  const told = { documents: 0, unchanged: 0, chunks: 0, kept: 0, seconds: 0, cost: null, calls: 0, skipped: [] };
  for (const found of estimates) {
    for (const key of ["documents", "unchanged", "chunks", "kept", "seconds"]) told[key] += found[key] ?? 0;
    if (found.cost !== null) told.cost = (told.cost ?? 0) + found.cost;
    told.calls += found.usage.calls;
    told.skipped.push(...found.skipped);
    told.extractor = found.extractor;
  }
  return told;
}

/** "local", "llm:mistral": the extractor, in words. */
const reader = (extractor) => (extractor.startsWith("llm:") ? oneLine(extractor.slice(4), 60) : t("extractor.local"));

/** The cost, in a sentence. */
export function estimateText(told) {
  return [
    t("willRead", number(told.documents), told.documents, number(told.chunks)),
    told.unchanged && t("unchangedCount", number(told.unchanged), told.unchanged),
    told.kept && t("keptCount", number(told.kept)),
    told.documents && t("willTake", duration(told.seconds), reader(told.extractor)),
    told.calls && t("willCall", number(told.calls)),
    told.cost !== null && t("willCost", number(told.cost, 2)),
  ]
    .filter(Boolean)
    .join(" ");
}

/** The results of runs: counts, and what they could not read. */
export function reportView(reports) {
  if (!reports.length) return null;
  const all = (key) => reports.flatMap((report) => report[key]);
  const last = reports.at(-1);
  const counts = ["added", "updated", "unchanged", "skipped"].map((key) => [key, all(key).length]).filter(([, count]) => count);
  return [
    el("h2", t("readDone")),
    el("p", counts.map(([key, count]) => t(`did.${key}`, number(count))).join(", ") || t("did.nothing")),
    quiet(t("nowHolds", number(last.entities), number(last.facts))),
    skippedList(all("skipped")),
    all("remarks").length > 0 && [el("h3", t("worthKnowing")), el("ul", { class: "skipped" }, all("remarks").map((line) => foreign("li", oneLine(line, 240))))],
    all("problems").length > 0 && [el("h3", t("readInPart")), el("ul", { class: "skipped" }, all("problems").map((line) => foreign("li", oneLine(line, 240))))],
  ];
}

/** What could not be used, each with its cause and cure. */
export function skippedList(skipped) {
  if (!skipped.length) return null;
  return [
    el("h3", t("skipped", number(skipped.length))),
    el("ul", { class: "skipped" }, skipped.map((one) => el("li", bdi(one.source, 120), aside(" ", bdi(one.cause, 240), " ", bdi(one.cure, 240))))),
  ];
}
