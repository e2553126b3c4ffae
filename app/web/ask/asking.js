// A question, from sending to its answer; and the thread of questions that it continues.

import { events, get, post, root } from "../base/api.js";
import { el, failure, pushButton, replace, waitingLine } from "../base/dom.js";
import { viewOf } from "../base/marker.js";
import { t } from "../base/words.js";
import { asSources } from "../scope/scope.js";
import { saveReport } from "./answer-export.js";
import { answerView } from "./answer.js";
import { dependencyButton } from "./dependency.js";
import { pathsView } from "./paths.js";
import { questionForm } from "./question-form.js";
import { stepsView } from "./steps.js";
import { folded, threadBar } from "./thread.js";

const STOPPING = 5000; // milliseconds in which the server returns what was read so far

/** Stop what runs: an answer with what was read so far; at once where nothing was found yet, the second time, and
 * where the server takes long. */
export function stop(view) {
  const mine = view.running;
  if (!mine.trace || mine.stopping) return mine.abort();
  mine.stopping = true;
  setTimeout(() => mine.abort(), STOPPING);
  post(`${view.context.path("ask", mine.trace)}/cancel`).catch(() => mine.abort());
}

/** Ask a question; one that `follows` the thread on the page is understood from it. */
export async function ask(view, asked, follows = false) {
  view.running?.abort();
  const mine = (view.running = /** @type {AbortController & { trace?: string, stopping?: boolean }} */ (new AbortController()));
  view.top.busy(true);
  view.context.tell(t("looking"));
  const before = follows ? await view.thread : null;
  if (view.running !== mine) return;
  view.thread = null;
  view.beginning = false;
  view.newest();
  clear(view, asked, before);
  const turn = { view, mine, before, asked, found: null, ...layout(view, view.result, asked) };
  try {
    await follow(turn);
  } catch (error) {
    if (error.name === "AbortError") turn.answer.stopped();
    else if (turn.found) turn.answer.fail(error, () => ask(view, asked, follows));
    else replace(view.result, failure(error));
    view.thread ??= before;
  }
  if (view.running === mine) {
    view.running = null;
    view.top.busy(false);
  }
}

/** Remove the last answer from the page; it stays in the thread that continues. */
function clear(view, asked, before) {
  replace(view.steps);
  replace(view.next);
  if (before) {
    view.earlier.before(view.head);
    replace(view.earlier, before.turns.map((turn) => foldedTurn(view, turn)));
    view.top.fill(asked);
  } else {
    replace(view.head);
    view.next.after(view.head);
    replace(view.earlier);
  }
}

/** Send the question of a turn, and show each event that comes. */
async function follow(turn) {
  const { view, mine, before, asked } = turn;
  await view.context.known;
  const body = { question: asked, stream: true, ...(view.quick.checked && { rounds: 1 }), ...(before && { thread: before.id }), ...(await limited(view)) };
  for await (const event of events(view.context.path("ask"), body, mine.signal)) await SHOW[event.event]?.(turn, event);
}

/** What happens at each event of an answer. `turn.found` is the evidence so far. */
const SHOW = {
  retrieved(turn, event) {
    turn.found = event.evidence;
    turn.mine.trace = event.trace_id;
    turn.paths.show(event.paths, event.evidence);
    turn.answer.begin();
    turn.view.context.tell(t("pathsFound", event.paths.length));
  },
  token: (turn, event) => turn.answer.add(event.text),
  round(turn, event) {
    turn.answer.looks(event);
    turn.view.context.tell(t("looksFurther", event.looks.length));
  },
  found(turn, event) {
    turn.found = [...turn.found, ...event.evidence];
    turn.answer.found(event);
  },
  answer: (turn, event) => answered(turn, event.answer),
};

async function answered(turn, answer) {
  const { view, mine, before } = turn;
  const { context } = view;
  const uncited = turn.found.filter((piece) => !answer.citations.some((cited) => cited.id === piece.id));
  if (answer.generated) turn.paths.show(answer.paths, [...answer.citations, ...uncited]);
  turn.answer.finish(answer);
  context.rename(context.link(`/explain/${answer.trace.id}`));
  finished(view, turn, { ...answer, uncited });
  finish(view, { ...answer, uncited });
  context.tell(t("answered"));
  const path = context.path("threads", before?.id ?? answer.trace.id);
  view.thread = get(path).catch(() => null); // it may not be stored
  const known = await view.thread;
  if (view.running !== mine) return;
  view.thread = known;
  if (known) frame(view, answer.trace.id);
}

// ---- the thread of an answer on the page: opened again at one of its questions, the others folded around it

/** A thread at its last question, or at the one that the address names. */
export async function reopen(view, id) {
  const { context } = view;
  const signal = view.newest();
  replace(view.result, waitingLine(t("looking")));
  try {
    await context.known;
    const whole = location.pathname.includes("/thread/");
    const first = whole ? null : await keptAnswer(view, id, signal);
    const thread = await get(context.path("threads", first?.thread ?? id), {}, signal);
    const at = whole ? thread.turns.at(-1).id : id;
    const kept = first ?? (await keptAnswer(view, at, signal));
    view.thread = thread;
    view.top.fill(kept.asked);
    frame(view, at);
    fill(view, layout(view, view.result, kept.asked), kept);
    finish(view, kept);
  } catch (error) {
    if (error.name !== "AbortError") replace(view.result, failure(error));
  }
}

function keptAnswer(view, trace, signal = undefined) {
  return get(view.context.path("traces", trace, "answer"), {}, signal);
}

/** The rest of the thread around the answer with this id: its head, its other questions. */
export function frame(view, at) {
  const { context, thread, head, earlier } = view;
  const many = thread.turns.length > 1; // its head is above them; below a single answer it moves nothing
  const others = thread.turns.filter((turn) => turn.id !== at).map((turn) => foldedTurn(view, turn));
  replace(head, threadBar(context, thread, { gone: () => context.go(context.link("/")), unfold: () => Promise.all(others.map((one) => one.load())) }));
  head.firstChild.classList.toggle("alone", !many);
  if (many) earlier.before(head);
  replace(earlier, others);
}

/** Another question of the thread, in a fold that shows its answer. */
export function foldedTurn(view, turn) {
  return folded(turn, async (place) => {
    replace(place, waitingLine(t("looking")));
    const kept = await keptAnswer(view, turn.id);
    fill(view, layout(view, place, kept.asked, t("pathsOf", kept.asked)), kept);
  });
}

// ---- the places of an answer and its paths, and what is shown around an answer once it is complete

/** The parameters of a question: the selected documents, and how far they were read. */
export async function limited(view) {
  const { workspace } = view.context.state;
  const seen = viewOf(workspace);
  return { ...(seen && { view: seen }), ...(await asSources(workspace, view.scope)) };
}

/** The places of an answer, empty: later data fills them and moves nothing. */
export function layout(view, place, asked, name = undefined) {
  const { context } = view;
  const paths = pathsView(context, name);
  const answer = answerView(context, { onwithout: without, paths });
  const below = el("div");
  replace(place, el("div", { class: "spread" }, answer.element, paths.element), below);
  return { paths, answer, below };

  async function without() {
    const body = { question: asked, method: "dense", stream: true, ...(await limited(view)) };
    for await (const event of events(context.path("ask"), body)) {
      if (event.event === "answer") answer.without(event.answer);
    }
  }
}

/** A stored answer, in its places. */
export function fill(view, places, kept) {
  if (kept.answered || kept.ended === "cancelled") places.paths.show(kept.paths, [...kept.citations, ...kept.uncited]);
  places.answer.finish(kept);
  places.answer.given(kept, () => view.ask(kept.asked));
  if (kept.vector_only) places.answer.without(kept.vector_only);
  finished(view, places, kept);
}

/** What is shown around an answer: its sources at the hops, and exports. */
export function finished(view, places, answer) {
  const { context } = view;
  if (!answer.answered && answer.ended !== "cancelled") places.paths.show([], [], t("unanswered"));
  places.paths.number(answer);
  if (answer.asks_for_list) listed(context, places, answer);
  else if (!answer.generated && outputOf(answer.trace, "connected").length) connected(context, places.below, answer.trace);
  else sides(context, places.below, answer.trace);
  const id = answer.trace.id;
  const path = (...parts) => root + context.path(...parts);
  const download = (label, href, name = "") => el("a", { href, class: "keep", download: name }, t(label));
  places.answer.offer(
    el("a", { href: context.link(`/explain/${id}`), class: "keep" }, t("linkToAnswer")),
    pushButton({ class: "keep", onclick: () => saveReport(context, id) }, t("report")),
    download("reportWord", path("traces", id, "report")),
    download("reportPdf", `${path("traces", id, "report")}?format=pdf`),
    download("receipt", path("traces", id, "receipt"), `receipt-${id.slice(0, 8)}.json`),
    dependencyButton(context, answer, places.answer.element),
    answer.thread && answer.thread !== id && download("reportThread", path("threads", answer.thread, "report")),
  );
}

/** The list that the question asks for. */
async function listed(context, { below, answer: shown }, { question, trace }) {
  try {
    const { listView } = await import("./list.js");
    const list = listView(context, question, trace);
    replace(below, list.section);
    shown.point(t("seeList"), list.go);
  } catch (error) {
    replace(below, failure(error));
  }
}

/** The names that the question compares, side by side, as the answer saw them; nothing where it was limited to some
 * documents, for a comparison reads all. */
async function sides(context, below, trace) {
  const names = outputOf(trace, "compared");
  if (names.length < 2 || isLimited(trace)) return;
  try {
    const { comparisonView } = await import("./comparison.js");
    replace(below, comparisonView(context, names, viewOfTrace(trace)));
  } catch (error) {
    replace(below, failure(error));
  }
}

/** How the two names of the question are connected, where no model reads: chains over all documents. */
async function connected(context, below, trace) {
  if (isLimited(trace)) return;
  try {
    const { connectionsOf } = await import("../graph/connections.js");
    replace(below, connectionsOf(context, outputOf(trace, "connected"), viewOfTrace(trace)));
  } catch (error) {
    replace(below, failure(error));
  }
}

const outputOf = (trace, name) => trace.steps.map((step) => step.outputs[name] ?? []).find((ids) => ids.length > 1) ?? [];
const viewOfTrace = (trace) => trace.steps.find((step) => step.name === "view")?.inputs;
const isLimited = ({ settings: { sources = [], where = {} } }) => sources.length > 0 || Object.keys(where).length > 0;

/** Below the answer on the page: a field for the next question, and the trace of the answer. */
export function finish(view, answer) {
  const form = questionForm(view, { id: "follow-up", label: t("followUp"), hint: t("followUpHint"), ask: (asked) => view.ask(asked, true) });
  form.element.classList.add("follows");
  replace(view.next, form.element, (answer.generated || view.quick.checked) && view.once); // without a model nothing reads
  replace(view.steps, stepsView(answer.trace, [...answer.citations, ...answer.uncited]));
}
