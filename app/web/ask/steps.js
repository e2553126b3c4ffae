// The trace of an answer: its stages below each other on one time axis.

import { bdi, el, foreign, oneLine } from "../base/dom.js";
import { citesOf } from "./path-layout.js";
import { number, t } from "../base/words.js";

/** The trace of an answer. `pieces` are its evidence: they give the chunks their titles. */
export function stepsView(trace, pieces) {
  const titles = new Map(pieces.map((piece) => [piece.id, piece.title || piece.source]));
  const name = (id) => foreign("bdi", titles.has(id) ? oneLine(titles.get(id), 60) : id.slice(0, 8));
  const total = trace.steps.reduce((sum, step) => sum + step.milliseconds, 0);
  let begin = 0;
  const rows = trace.steps.map((step) => {
    const row = stage(step, begin / total, step.milliseconds / total, name);
    begin += step.milliseconds;
    return row;
  });
  return el(
    "section",
    { class: "steps" },
    el("h2", t("howItCame"), el("small", ` ${milliseconds(total)}`)),
    el("ol", rows),
  );
}

function stage(step, start, share, name) {
  const bar = el("span", { class: "bar" });
  bar.style.setProperty("--start", `${start * 100}%`);
  bar.style.setProperty("--share", `${share * 100}%`);
  const more = details(step, name).filter(([, value]) => value.length);
  const line = [
    el("span", { class: "stage" }, t(`stage.${step.name}`)),
    el("span", { class: "time" }, bar),
    el("span", { class: "ms" }, milliseconds(step.milliseconds)),
    el("span", { class: "brought" }, summary(step)),
  ];
  if (!more.length) return el("li", el("div", { class: "line-of" }, line));
  return el(
    "li",
    el(
      "details",
      el("summary", { class: "line-of" }, line),
      el("dl", more.map(([term, value]) => [el("dt", term), el("dd", value.map((one) => el("span", one)))])),
    ),
  );
}

const milliseconds = (value) => (value < 10_000 ? `${number(value)} ms` : `${number(value / 1000, 1)} s`);

/** A stage in one line: its result. */
function summary({ name, inputs, outputs }) {
  if (name === "search" && inputs.method) return t("did.plain", inputs.method);
  if (name === "search") {
    const counts = ["vector", "keyword", "facts", "link"].map((branch) => `${t(`branch.${branch}`)} ${number((outputs[branch] ?? []).length)}`);
    return counts.join(" · ");
  }
  if (name === "rewrite") return foreign("bdi", outputs.question);
  if (name === "embed") return outputs.segments?.length ? t("did.embed", outputs.segments.length) : "";
  if (name === "levels") return t("did.levels", Object.entries(outputs.searched ?? {}));
  if (name === "summaries") {
    const rejected = [outputs.overview, outputs.windows].flatMap((group) => group?.rejected ?? []);
    return [t("did.levels", Object.entries(outputs.levels ?? {})), rejected.length && t("did.leftOut", rejected.length)].filter(Boolean).join(" · ");
  }
  if (name === "walk") return t("did.walk", number(outputs.pool), number(outputs.reached), inputs.depth);
  if (name === "rank") return t(outputs.by?.endsWith("learned weights") ? "did.learned" : "did.byHand");
  if (name === "rerank") return [t("did.rerank", outputs.kept.length, forced(outputs.kept)), reranker(inputs.reranker)].join(" · ");
  if (name === "compose") return t("did.compose", number(outputs.tokens), (outputs.left_out ?? []).length);
  if (name === "read") return outputs.failed || (outputs.looks_for.length ? t("did.looks", outputs.looks_for.length) : inputs.model || t("did.noModel"));
  if (name === "look up") return outputs.failed || [t(`look.${inputs.kind}`), " ", bdi(inputs.text, 90)];
  if (name === "check the path") return outputs.hops.length ? t("stepsFound", outputs.hops.filter((hop) => hop.kind !== "unfound").length, outputs.hops.length) : t("did.noPath");
  return "";
}

/** The name of the reranker, or that there is none. */
export const reranker = (name) => (name.startsWith("none") ? t("did.noReranker") : name);

const forced = (kept) => kept.filter((piece) => piece.kept_by === "graph").length;

/** The details of a stage: terms, each with its values. */
function details({ name, outputs }, title) {
  const scored = (list) => (list ?? []).map(([id, score]) => [title(id), ` ${number(score, 2)}`]);
  const facts = (list) => (list ?? []).map(([text, score]) => [bdi(text, 90), ` ${number(score, 2)}`]);
  if (name === "search") {
    return [
      [t("branch.vector"), scored(outputs.vector)],
      [t("branch.keyword"), scored(outputs.keyword)],
      [t("branch.facts"), facts(outputs.facts)],
      [t("branch.link"), (outputs.link ?? []).map(([name]) => [foreign("bdi", name)])],
    ];
  }
  const summaries = (list) =>
    (list ?? []).map(([level, title, score, why]) => [
      t("levels.level", level),
      " ",
      bdi(title, 60),
      score === undefined ? "" : ` ${number(score, 2)}`,
      why ? ` · ${t(`why.${why}`)}` : "",
    ]);
  if (name === "levels") return [[t("levels.opened"), summaries(outputs.opened)]];
  if (name === "summaries") {
    const groups = [outputs.overview, outputs.windows].filter(Boolean);
    return ["opened", "chosen", "rejected"].map((kind) => [t(`levels.${kind}`), summaries(groups.flatMap((group) => group[kind] ?? []))]);
  }
  if (name === "rank") return [[t("best"), scored(outputs.best)]];
  if (name === "rerank") {
    const brought = Object.entries(outputs.tally ?? {}).map(([branch, count]) => `${t(`branch.${branch}`)} ${number(count)}`);
    return [
      [t("kept"), outputs.kept.map((piece) => [title(piece.id), ` ${number(piece.score, 2)}`, piece.kept_by === "rank" ? "" : ` · ${t(`kept.${piece.kept_by}`)}`])],
      [t("broughtBy"), brought],
    ];
  }
  if (name === "read") return [[t("lookedFor"), (outputs.looks_for ?? []).map((text) => bdi(text, 120))]];
  if (name === "check the path") return [[t("steps"), outputs.hops.map((hop) => [bdi(hop.text, 120), " ", t(`how.${hop.kind}`, ""), citesOf(hop) && [", ", citesOf(hop), " ", title(hop.chunk_id)]])]];
  if (name === "compose") return [[t("dropped"), (outputs.left_out ?? []).map((line) => dropped(line, title))]];
  return [];
}

/** "chunk 0123…: no room", with the title in place of the id. */
function dropped(line, title) {
  const [, id, why] = /^(?:chunk|path|summary) (\S+): (.*)$/.exec(line) ?? [null, line, ""];
  const short = /^shortened by (\d+) sentences$/.exec(why);
  return [title(id), ": ", short ? t("shortened", Number(short[1])) : why === "no room" ? t("noRoom") : why];
}
