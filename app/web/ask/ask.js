// Ask: the question, the answer as it comes, the paths beside it; follow-up questions in one thread.

import { address, get, newestOnly } from "../base/api.js";
import { el, failure, foreign, replace } from "../base/dom.js";
import { nothingRead } from "../base/nothing-read.js";
import { number, t, when } from "../base/words.js";
import { markingView } from "../scope/marking.js";
import { documentsOf, scopeOf, scopeView } from "../scope/scope.js";
import { ask, reopen, stop } from "./asking.js";
import { questionForm } from "./question-form.js";

const ASKED_BEFORE = 8; // threads


export function showAsk(main, context, { id, asked: parameters }) {
  const view = viewOf(context, parameters);
  const { top, limits, marking, earlier, result, next, head, steps } = view;
  main.append(el("h1", { class: "spoken" }, t("view/")), top.element, marking, limits, earlier, result, next, head, steps);
  if (id) reopen(view, id);
  else {
    top.field.focus({ preventScroll: true });
    if (context.asking) askAtOnce(view);
    else begin(view);
    if (view.quick.checked) replace(next, view.once);
  }
  return () => {
    view.running?.abort();
    view.newest();
  };
}

/** Ask a question for another view of the page. */
function askAtOnce(view) {
  const asked = view.context.asking;
  view.context.asking = "";
  view.top.fill(asked);
  view.ask(asked);
}

/** Shared by the view's parts: its places, and their content. */
function viewOf(context, parameters) {
  const scope = scopeOf(parameters);
  const quick = quickBox();
  const view = {
    context,
    ask: (asked, follows = false) => ask(view, asked, follows),
    stop: () => stop(view),
    scope, // the selected documents
    beginning: false, // whether nothing was asked yet
    newest: newestOnly(), // for what is shown before the first question
    running: null, // what can be stopped
    thread: null, // the one on the page, once its first question is answered; a promise while it is fetched
    quick,
    once: el("label", { class: "quick" }, quick, " ", t("quick")),
    top: null,
    limits: scopeView(scope, () => documentsOf(context.state.workspace), (chosen) => (view.scope = chosen)),
    marking: markingView(context, () => view.beginning && begin(view)),
    head: el("div"),
    earlier: el("div", { class: "turns" }),
    result: el("div", { class: "result" }),
    next: el("div"),
    steps: el("div"),
  };
  view.top = questionForm(view, { id: "question", label: t("question"), hint: t("questionHint"), ask: view.ask });
  return view;
}

/** Whether an LLM reads only once; kept in this browser. */
function quickBox() {
  const keep = () => localStorage.setItem("quick", box.checked ? "yes" : "no");
  const box = el("input", { type: "checkbox", checked: localStorage.getItem("quick") === "yes", onchange: keep });
  return box;
}

// ---- before the first question: the content of the workspace, questions that it answers, and earlier questions

/** Show the start page in place of the answer. */
export async function begin(view) {
  const { state } = view.context;
  const signal = view.newest();
  view.beginning = true;
  try {
    await view.context.known;
    if (signal.aborted) return;
    if (!state.workspaces.some((row) => row.name === state.workspace)) {
      hideLimits(view, true);
      replace(view.result, nothingRead(view.context));
      return;
    }
    const [{ stats }, { threads }] = await Promise.all([
      get(address(state.workspace, "stats"), {}, signal),
      get(address(state.workspace, "threads"), { count: 100 }, signal),
    ]);
    if (view.top.field.value) return;
    hideLimits(view, !stats.documents);
    replace(view.result, stats.documents ? beginning(view.context, stats, threads) : nothingRead(view.context));
    if (stats.facts) suggest(view, view.result.querySelector(".suggested"));
  } catch (error) {
    if (error.name !== "AbortError") replace(view.result, failure(error));
  }
}

function hideLimits(view, hidden) {
  view.limits.hidden = view.marking.hidden = hidden;
}

function beginning(context, stats, threads) {
  return el(
    "div",
    { class: "beginning" },
    el("p", { class: "holds" }, t("holds", number(stats.documents), number(stats.entities), number(stats.facts))),
    threads.length > 0 && [el("h2", t("askedBefore")), el("ul", { class: "before" }, latest(threads).map((row) => threadRow(context, row)))],
    el("div", { class: "suggested" }), // comes later: below, it moves nothing
  );
}

function threadRow({ link }, row) {
  return el(
    "li",
    foreign("a", row.title, { href: link(`/thread/${row.id}`) }),
    el(
      "span",
      { class: "quiet" },
      row.questions > 1 && [t("threadQuestions", row.questions), " · "],
      el("time", { datetime: row.at }, when(row.at)),
      row.newer_documents > 0 && [" · ", t("newerDocuments", number(row.newer_documents), row.newer_documents)],
    ),
  );
}

/** Questions that this graph answers by a path; the server tries them first, so they come later. */
async function suggest(view, place) {
  const { questions } = await get(view.context.path("suggestions")).catch(() => ({ questions: [] }));
  if (!questions.length) return;
  const press = (asked) => {
    view.top.fill(asked);
    view.ask(asked);
  };
  const row = (asked) => el("li", foreign("button", asked, { type: "button", onclick: () => press(asked) }));
  replace(place, el("h2", t("suggested")), el("ul", { class: "before" }, questions.map(row)));
}

/** The threads that are shown: for a question that was asked repeatedly, only the last. */
function latest(threads) {
  const kept = new Map();
  for (const row of threads) {
    const key = row.questions > 1 ? row.id : row.title;
    if (!kept.has(key)) kept.set(key, row);
  }
  return [...kept.values()].slice(0, ASKED_BEFORE);
}
