// The answer: its words as they come, its citations, its sources, and the results of vector search alone.

import { bdi, el, failure, foreign, plain, pushButton, quiet, remark, replace, spoken, waitingLine } from "../base/dom.js";
import { contradictedView } from "./contradicted.js";
import { excerpts, marked } from "./excerpt.js";
import { notesFold } from "../notes/notes.js";
import { preview } from "./preview.js";
import { treeOf, unsupportedOf } from "./unsupported.js";
import { thoughtsView } from "./thoughts.js";
import { number, placeOf, placeOfPart, placed, t, when } from "../base/words.js";

const PASSAGES = 3; // shown if no model writes an answer; as many summaries, the others folded
const SOURCES = 4; // shown; the others folded
const FORCED = new Set(["rounds", "tokens", "seconds", "repeats", "cancelled"]); // ends of an investigation that the model did not choose
const CITATION = /\[(P?)(\d{1,4})\]/g;

export function answerView(context, { onwithout, paths }) {
  const words = el("div", { class: "words" });
  const thoughts = thoughtsView();
  const sources = el("div", { class: "sources" });
  const offers = el("p", { class: "offers" });
  const noted = el("div");
  const alone = el("div", { class: "alone", hidden: true });
  const graph = el("div", { class: "graph" }, thoughts.element, words, sources);
  const title = el("h2", t("answer"));
  const dated = el("p", { class: "quiet", hidden: true });
  const choice = switcher();
  const element = el("section", { class: "answer", "aria-busy": "true" }, el("div", { class: "bar" }, title, choice.element), dated, graph, alone, noted, offers);
  replace(words, waitingLine(t("looking")));
  let text = "";

  return { element, begin, add, looks, found, finish, given, without, fail, stopped, offer, point };

  function begin() {
    replace(words, waitingLine(t("reading")));
  }

  function add(piece) {
    text += piece;
    replace(words, el("div", { class: "growing" }, rendered({ text })));
  }

  /** The model looks for more: its text so far was a thought. */
  function looks(round) {
    text = "";
    thoughts.looks(round);
    begin();
  }

  function found(event) {
    thoughts.found(event);
  }

  function finish(answer) {
    element.setAttribute("aria-busy", "false");
    title.textContent = t(answer.generated ? "answer" : answer.citations.length ? "fileSays" : "answer");
    if (answer.generated && answer.model) title.append(el("small", ` ${t("by")} ${plain(answer.model)}`));
    const broken = answer.cut_short && remark(t("cutShortAnswer"), " ", foreign("bdi", answer.cut_short));
    thoughts.finish(answer);
    replace(words, answerWords(answer), broken, remarks(answer), contradictedView(answer));
    replace(sources, sourcesOf(answer));
    const trace = answer.trace.id;
    replace(noted, notesFold(context, { asked: { trace }, at: () => ({ trace }), eager: true }));
    choice.element.hidden = answer.trace.settings.method !== "filigraph";
  }

  /** Show that the answer is old: its date, and newer documents. */
  function given(kept, again) {
    const newer = kept.newer_documents > 0 && [" ", t("newerDocuments", number(kept.newer_documents), kept.newer_documents), " ", pushButton({ class: "small", onclick: again }, t("askAgain"))];
    dated.hidden = false;
    replace(dated, el("time", { datetime: kept.at }, t("answeredOn", when(kept.at))), newer);
  }

  function stopped() {
    element.setAttribute("aria-busy", "false");
    words.append(quiet(t("stopped")));
  }

  /** The stream broke: the text so far stays. */
  function fail(error, again) {
    element.setAttribute("aria-busy", "false");
    words.querySelector(".waiting")?.remove();
    words.append(failure(error), el("p", pushButton({ class: "onward", onclick: again }, t("askAgain"))));
  }

  /** A button to something below that answers better. */
  function point(label, go) {
    offers.prepend(pushButton({ class: "keep", onclick: go }, label));
  }

  function offer(...links) {
    replace(offers, links);
  }

  // ---- without the graph

  function without(answer) {
    replace(
      alone,
      quiet(t("aloneIs")),
      answer.generated && answerWords(answer),
      el("ol", { class: "ranked" }, told(answer, answer.citations).map(([piece, said]) => el("li", el("p", { dir: "auto" }, said), el("p", { class: "from" }, where(piece))))),
    );
    paths.compare(answer.citations);
    choice.loaded = true;
  }

  function switcher() {
    const made = { loaded: false };
    const buttons = ["withGraph", "withoutGraph"].map((name, number) =>
      pushButton({ "aria-pressed": String(!number), onclick: () => pick(number) }, t(name)),
    );
    made.element = el("div", { class: "switch", role: "group", "aria-label": t("compare"), hidden: true }, buttons);
    return made;

    async function pick(number) {
      buttons.forEach((button, n) => button.setAttribute("aria-pressed", String(n === number)));
      graph.hidden = number === 1;
      alone.hidden = number === 0;
      if (number === 0 || made.loaded) return;
      replace(alone, waitingLine(t("looking")));
      try {
        await onwithout();
      } catch (error) {
        replace(alone, failure(error));
      }
    }
  }
}

/** The words of a model with their citations; without a model the best passages, in brief. */
function answerWords(answer) {
  if (answer.generated) {
    return [rendered(answer), answer.basis && el("p", { class: "quiet", dir: "auto" }, cite(plain(answer.basis), answer))];
  }
  const summaries = summariesIn(answer);
  const best = answer.excerpts.map(({ number, text }) => [answer.citations[number - 1], marked(plain(text), answer.question)]);
  const shown = (best.length && !summaries ? best : told(answer, answer.citations))
    .filter(([piece], place) => place < summaries + PASSAGES && (piece.kind !== "summary" || summaries))
    .map(([piece, said]) =>
      el("div", { class: "excerpt" }, el("p", { dir: "auto" }, said), el("p", { class: "from" }, mark(answer.citations.indexOf(piece) + 1, answer), " ", where({ ...piece, place: placeOfPart(piece, words(said)) }))),
    );
  return [
    shown.slice(0, PASSAGES),
    furtherOf(shown.slice(PASSAGES)),
    shown.length > 0 && quiet(t(answer.missing ? "modelFailed" : "notAnAnswer")),
    !answer.citations.length && foreign("p", plain(answer.text).trim().split("\n\n")[0], { class: "prose" }),
  ];
}

/** Text from a mix of strings and elements. */
const words = (parts) => [parts].flat(Infinity).map((part) => part?.textContent ?? part).join("");

/** The rest after the first ones, folded. */
const furtherOf = (rest, count = rest.length) => count > 0 && el("details", { class: "rest" }, el("summary", t("more", number(count))), rest);

/** The number of summaries at the head of the evidence; those after passages only show what these belong to. */
export const summariesIn = (answer) => (answer.citations[0]?.kind === "summary" ? answer.citations.filter((piece) => piece.kind === "summary").length : 0);

/** Each piece with the part that is shown. */
function told(answer, pieces) {
  const cut = excerpts(pieces.map((piece) => (piece.kind === "summary" ? "" : plain(piece.text))), answer.question);
  return pieces.map((piece, n) => [piece, piece.kind === "summary" ? plain(piece.text) : cut[n]]);
}

/** The Markdown of a model as elements. */
function rendered(answer) {
  const element = (node) => {
    if (!node.tag) return node.kind ? doubtful(node.text, node.kind) : cite(node.text, answer);
    const { tag, children, inner, first } = node;
    const attributes = { ul: {}, ol: { start: first > 1 && first }, li: { class: inner && "inner" }, table: { class: "given" } }[tag] ?? {};
    return el(tag, attributes, children.map(element));
  };
  return treeOf(answer).map((node) => el("div", { class: "prose", dir: "auto" }, element(node)));
}

/** A text with each [n] as a link to the cited place, each [P1] as one to its path. */
function cite(text, answer) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(CITATION)) {
    parts.push(text.slice(end, found.index), found[1] ? pathMark(Number(found[2])) : mark(Number(found[2]), answer));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

/** Text that the evidence does not support: marked visually, and announced by screen readers. */
const doubtful = (text, kind) =>
  el("mark", { class: "unsupported", title: t(`unsupported.${kind}`) }, text, spoken(` (${t(`unsupported.${kind}`)})`));

/** A citation: a link to its place, with a preview; only its number while the answer is being written. */
function mark(number, answer) {
  const piece = answer.citations?.[number - 1];
  if (!piece) return el("span", { class: "mark-n" }, `[${number}]`);
  const attributes = { class: "mark-n", "data-chunk": piece.id };
  if (!piece.document_id) return preview(el("span", { ...attributes, tabindex: "0" }, spoken(t("source")), String(number)), piece);
  const href = placeOf(piece.document_id, piece.kind === "summary" ? "" : piece.id);
  return preview(el("a", { ...attributes, href }, spoken(t("source")), String(number)), piece);
}

const pathMark = (number) =>
  el("a", { class: "mark-n", href: `#path-${number}`, onclick: jump, "aria-label": t("path", number) }, `P${number}`);

/** Go to a path without changing the address, which reopens the answer. */
function jump(event) {
  event.preventDefault();
  const target = document.getElementById(event.currentTarget.getAttribute("href").slice(1));
  const fold = target?.closest("details");
  if (fold) fold.open = true;
  target?.scrollIntoView({ block: "nearest" });
  target?.querySelector("a")?.focus();
}

/** The uncertain parts of an answer. */
function remarks(answer) {
  return [
    answer.remark && foreign("p", answer.remark, { class: "remark" }),
    answer.nowhere?.length > 0 &&
      remark(t("nowhere"), " ", answer.nowhere.map((text, n) => [n ? ", " : "", foreign("bdi", text)])),
    answer.unsupported.length > 0 &&
      remark(t("unsupported"), " ", unsupportedOf(answer).map((text, n) => [n ? ", " : "", foreign("bdi", text)])),
    FORCED.has(answer.ended) && remark(t(`ended.${answer.ended}`)),
    answer.missing && remark(answer.generated ? [t("missing"), " "] : null, foreign("bdi", answer.missing)),
  ];
}

function sourcesOf(answer) {
  if (!answer.citations.length) return null;
  const items = answer.citations.map((piece, n) =>
    el("li", { "data-chunk": piece.id }, el("span", { class: "n" }, String(n + 1)), el("span", where(piece), kept(piece))),
  );
  const first = items.length > SOURCES + 1 ? SOURCES : items.length; // a fold for one would save nothing
  return [el("h3", t("sources")), el("ol", items.slice(0, first)), first < items.length && furtherOf(el("ol", items.slice(first)), items.length - first)];
}

/** A link that opens a piece of evidence in its document. */
export function where(piece) {
  const named = [bdi(piece.title || piece.source, 80), piece.place && `, ${placed(piece.place)}`];
  if (piece.kind === "summary" && !piece.document_id) return el("span", { class: "where" }, t("summaryOf"), " ", named);
  const href = placeOf(piece.document_id, piece.kind === "summary" ? "" : piece.id);
  return el("a", { href, class: "where", title: plain(piece.source) }, piece.kind === "summary" && [t("summaryOf"), " "], named);
}

/** Why a piece was kept, if not for its rank. */
const kept = (piece) =>
  piece.kept_by !== "rank" && el("span", { class: `kept ${piece.kept_by}` }, t(`kept.${piece.kept_by}`));
