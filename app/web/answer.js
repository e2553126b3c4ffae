// The answer: its words as they come, its citations, its sources, and what vector search alone would have said.

import { el, foreign, oneLine, plain, replace, spoken } from "./dom.js";
import { failure } from "./failure.js";
import { paragraphsOf, unsupportedOf } from "./unsupported.js";
import { placeOf, placed, t } from "./words.js";

const PASSAGES = 3; // shown where no model words an answer
const EXCERPT = 190; // characters of each
const CITATION = /\[(P?)(\d{1,4})\]/g;

export function answerView(context, { onwithout, paths }) {
  const words = el("div", { class: "words" });
  const sources = el("div", { class: "sources" });
  const offers = el("p", { class: "offers" });
  const alone = el("div", { class: "alone", hidden: true });
  const graph = el("div", { class: "graph" }, words, sources);
  const title = el("h2", {}, t("answer"));
  const choice = switcher();
  const element = el("section", { class: "answer", "aria-busy": "true" }, el("div", { class: "bar" }, title, choice.element), graph, alone, offers);
  replace(words, el("p", { class: "waiting" }, t("looking")));
  let text = "";

  return { element, begin, add, finish, without, fail, stopped, offer };

  function begin() {
    replace(words, el("p", { class: "waiting" }, t("reading")));
  }

  function add(piece) {
    text += piece;
    worded();
    replace(words, foreign("p", text, { class: "prose growing" }));
  }

  function finish(answer) {
    element.setAttribute("aria-busy", "false");
    title.textContent = t(answer.generated ? "answer" : answer.citations.length ? "passages" : "answer");
    if (answer.generated) worded();
    if (answer.generated && answer.model) title.append(el("small", {}, ` ${t("by")} ${plain(answer.model)}`));
    const broken = answer.cut_short && el("p", { class: "remark" }, t("cutShortAnswer"), " ", foreign("bdi", answer.cut_short));
    replace(words, answerWords(answer), broken, remarks(answer));
    replace(sources, sourcesOf(answer));
    choice.element.hidden = answer.trace.settings.method !== "filigraph";
  }

  /** Where a model words the answer, it comes before the paths on small screens too. */
  function worded() {
    element.classList.add("worded");
  }

  function stopped() {
    element.setAttribute("aria-busy", "false");
    words.append(el("p", { class: "quiet" }, t("stopped")));
  }

  function fail(error) {
    element.setAttribute("aria-busy", "false");
    words.append(failure(error));
  }

  function offer(...links) {
    replace(offers, links);
  }

  // ---- without the graph

  function without(answer) {
    replace(
      alone,
      el("p", { class: "quiet" }, t("aloneIs")),
      answer.generated && answerWords(answer, "alone-"),
      el("ol", { class: "ranked" }, answer.citations.map((piece) => el("li", {}, passage(piece, answer.question)))),
    );
    paths.compare(answer.citations);
    choice.loaded = true;
  }

  function switcher() {
    const made = { loaded: false };
    const buttons = ["withGraph", "withoutGraph"].map((name, number) =>
      el("button", { type: "button", "aria-pressed": String(!number), onclick: () => pick(number) }, t(name)),
    );
    made.element = el("div", { class: "switch", role: "group", "aria-label": t("compare"), hidden: true }, buttons);
    return made;

    async function pick(number) {
      buttons.forEach((button, n) => button.setAttribute("aria-pressed", String(n === number)));
      graph.hidden = number === 1;
      alone.hidden = number === 0;
      if (number === 0 || made.loaded) return;
      replace(alone, el("p", { class: "waiting" }, t("looking")));
      try {
        await onwithout();
      } catch (error) {
        replace(alone, failure(error));
      }
    }
  }
}

/** The words of a model with their citations; without a model the best passages, in brief. */
function answerWords(answer, prefix = "") {
  if (answer.generated) {
    const paragraphs = paragraphsOf(answer);
    return paragraphs.map((parts) =>
      el("p", { class: "prose", dir: "auto" }, parts.map(({ text, kind }) => (kind ? doubtful(text, kind) : cite(text, prefix)))),
    );
  }
  const blocks = plain(answer.text).trim().split("\n\n");
  return [
    answer.citations.length > 0 && el("p", { class: "quiet" }, t(answer.missing ? "modelFailed" : "notAnAnswer")),
    answer.citations
      .map((piece, n) => [piece, n])
      .filter(([piece], place) => piece.kind === "summary" || place < summariesIn(answer) + PASSAGES)
      .map(([piece, n]) =>
        el("div", { class: "excerpt" }, foreign("p", piece.kind === "summary" ? plain(piece.text) : excerpt(piece.text, answer.question)), el("p", { class: "from" }, mark(n + 1, prefix), " ", where(piece))),
      ),
    !answer.citations.length && foreign("p", blocks[0], { class: "prose" }),
  ];
}

const summariesIn = (answer) => answer.citations.filter((piece) => piece.kind === "summary").length;

/** The part of a passage that shares most words with the question: it begins with a sentence. */
function excerpt(text, question) {
  const wanted = new Set(wordsOf(question));
  const sentences = plain(text).split(/(?<=[.!?…:;»”]\s)|\n{2,}/);
  const shared = sentences.map((sentence) => wordsOf(sentence).filter((word) => wanted.has(word)).length);
  const best = shared.indexOf(Math.max(...shared));
  return `${best ? "… " : ""}${oneLine(sentences.slice(best).join(" "), EXCERPT)}`;
}

/** The longer words of a text, without case and accents. */
const wordsOf = (text) =>
  (text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3);

/** A text with each [n] as a link to its source, each [P1] as one to its path. */
function cite(text, prefix = "") {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(CITATION)) {
    parts.push(text.slice(end, found.index), found[1] ? pathMark(Number(found[2])) : mark(Number(found[2]), prefix));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

/** What the evidence does not hold: marked for the eye, said for the ear. */
const doubtful = (text, kind) =>
  el("mark", { class: "unsupported", title: t(`unsupported.${kind}`) }, text, spoken(` (${t(`unsupported.${kind}`)})`));

const mark = (number, prefix = "") =>
  el("a", { class: "mark-n", href: `#${prefix}source-${number}`, onclick: jump }, spoken(t("source")), String(number));

const pathMark = (number) =>
  el("a", { class: "mark-n", href: `#path-${number}`, onclick: jump, "aria-label": t("path", number) }, `P${number}`);

/** Go to a source without a new address: the one there is reopens the answer. */
function jump(event) {
  event.preventDefault();
  const target = document.getElementById(event.currentTarget.getAttribute("href").slice(1));
  target?.scrollIntoView({ block: "nearest" });
  target?.querySelector("a")?.focus();
}

/** What is uncertain about an answer. */
function remarks(answer) {
  return [
    answer.unsupported.length > 0 &&
      el("p", { class: "remark" }, t("unsupported"), " ", unsupportedOf(answer).map((text, n) => [n ? ", " : "", foreign("bdi", text)])),
    answer.missing && el("p", { class: "remark" }, answer.generated ? [t("missing"), " "] : null, foreign("bdi", answer.missing)),
  ];
}

function sourcesOf(answer) {
  if (!answer.citations.length) return null;
  return [
    el("h3", {}, t("sources")),
    el(
      "ol",
      {},
      answer.citations.map((piece, n) =>
        el("li", { id: `source-${n + 1}`, "data-chunk": piece.id }, el("span", { class: "n" }, String(n + 1)), el("span", {}, where(piece), kept(piece))),
      ),
    ),
  ];
}

/** A link that opens a piece of evidence in its document. */
export function where(piece) {
  const named = [foreign("bdi", oneLine(piece.title || piece.source, 80)), piece.place && `, ${placed(piece.place)}`];
  if (piece.kind === "summary" && !piece.document_id) return el("span", { class: "where" }, t("summaryOf"), " ", named);
  const href = placeOf(piece.document_id, piece.kind === "summary" ? "" : piece.id);
  return el("a", { href, class: "where", title: plain(piece.source) }, piece.kind === "summary" && [t("summaryOf"), " "], named);
}

/** Why a piece stayed, where that was not its rank. */
const kept = (piece) =>
  piece.kept_by !== "rank" && el("span", { class: `kept ${piece.kept_by}` }, t(`kept.${piece.kept_by}`));

const passage = (piece, question) => [foreign("p", excerpt(piece.text, question)), el("p", { class: "from" }, where(piece))];
