// Ask: the question, the answer as it comes, the paths beside it; questions that follow it, in one thread.

import { address, events, get, post, root } from "./api.js";
import { answerView } from "./answer.js";
import { el, foreign, replace } from "./dom.js";
import { failure } from "./failure.js";
import { viewOf } from "./marker.js";
import { markingView } from "./marking.js";
import { pathsView } from "./paths.js";
import { saveReport } from "./report.js";
import { asSources, documentsOf, scopeOf, scopeView } from "./scope.js";
import { stepsView } from "./steps.js";
import { folded, threadBar } from "./thread.js";
import { number, t, when } from "./words.js";

const ASKED_BEFORE = 8; // threads
const STOPPING = 5000; // milliseconds in which the server tells what was read so far

export function showAsk(main, context, { id, asked: parameters }) {
  const { state, link } = context;
  let running = null; // what can be stopped
  let thread = null; // the one on the page, once its first question is answered; a promise while it is fetched
  let scope = scopeOf(parameters);
  const top = questionForm({ id: "question", label: t("question"), hint: t("questionHint"), ask: (asked) => ask(asked) });
  const limits = scopeView(scope, () => documentsOf(state.workspace), (chosen) => (scope = chosen));
  const marking = markingView(context, () => result.querySelector(".beginning") && begin());
  const quick = el("input", { type: "checkbox", checked: localStorage.getItem("quick") === "yes", onchange: () => localStorage.setItem("quick", quick.checked ? "yes" : "no") });
  const once = el("label", { class: "quick" }, quick, " ", t("quick"));
  const head = el("div");
  const earlier = el("div", { class: "turns" });
  const result = el("div", { class: "result" });
  const next = el("div");
  const steps = el("div");
  main.append(el("h1", { class: "spoken" }, t("view/")), top.element, marking, limits, earlier, result, next, head, steps);
  if (id) reopen();
  else blank();
  if (!id && quick.checked) replace(next, once);
  return () => running?.abort();

  /** A field for a question, with its button: that stops while something runs. */
  function questionForm({ id, label, hint, ask }) {
    const send = () => {
      const asked = field.value.trim();
      if (asked) ask(asked);
      else field.focus();
    };
    const field = el("textarea", {
      id,
      rows: 1,
      autocomplete: "off",
      spellcheck: "false",
      dir: "auto",
      placeholder: hint,
      "aria-label": label,
      oninput: () => grow(field),
      onkeydown: (event) => {
        if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
          event.preventDefault();
          send();
        }
      },
    });
    const button = el("button", { class: "go" }, t("ask"));
    const element = el(
      "form",
      { class: "question", role: "search", "aria-label": label, onsubmit: (event) => (event.preventDefault(), running ? stop() : send()) },
      field,
      button,
    );
    return { element, field, button };
  }

  /** Stop what runs: an answer with what was read so far; at once where nothing was found yet, the second time, and
   * where the server takes long. */
  function stop() {
    const mine = running;
    if (!mine.trace || mine.stopping) return mine.abort();
    mine.stopping = true;
    setTimeout(() => mine.abort(), STOPPING);
    post(`${address(state.workspace, "ask", mine.trace)}/cancel`).catch(() => mine.abort());
  }

  function busy(on) {
    top.button.textContent = t(on ? "stop" : "ask");
    top.element.classList.toggle("busy", on);
  }

  // ---- nothing asked yet

  function blank() {
    top.field.focus({ preventScroll: true });
    return begin();
  }

  async function begin() {
    try {
      await context.known;
      if (!state.workspaces.some((row) => row.name === state.workspace)) {
        limits.hidden = marking.hidden = true;
        replace(result, nothingRead(context));
        return;
      }
      const [{ stats }, { threads }] = await Promise.all([
        get(address(state.workspace, "stats")),
        get(address(state.workspace, "threads"), { count: 100 }),
      ]);
      if (top.field.value || running) return;
      replace(result, beginning(stats, threads));
      if (stats.facts) suggest(result.querySelector(".suggested"));
    } catch (error) {
      replace(result, failure(error));
    }
  }

  function beginning(stats, threads) {
    limits.hidden = marking.hidden = !stats.documents;
    if (!stats.documents) return nothingRead(context);
    return el(
      "div",
      { class: "beginning" },
      el(
        "p",
        { class: "holds" },
        t("holds", number(stats.documents), number(stats.entities), number(stats.facts)),
      ),
      el("div", { class: "suggested" }),
      threads.length > 0 && [
        el("h2", {}, t("askedBefore")),
        el(
          "ul",
          { class: "before" },
          latest(threads).map((row) =>
            el(
              "li",
              {},
              foreign("a", row.title, { href: link(`/thread/${row.id}`) }),
              el("span", { class: "quiet" }, row.questions > 1 && [t("threadQuestions", row.questions), " · "], el("time", { datetime: row.at }, when(row.at)), row.newer_documents > 0 && [" · ", t("newerDocuments", number(row.newer_documents), row.newer_documents)]),
            ),
          ),
        ),
      ],
    );
  }

  /** Questions that this graph answers by a path; they are tried meanwhile, so they come later. */
  async function suggest(place) {
    const { questions } = await get(address(state.workspace, "suggestions")).catch(() => ({ questions: [] }));
    if (!questions.length) return;
    const press = (asked) => {
      top.field.value = asked;
      grow(top.field);
      ask(asked);
    };
    replace(place, el("h2", {}, t("suggested")), el("ul", { class: "before" }, questions.map((asked) => el("li", {}, foreign("button", asked, { type: "button", onclick: () => press(asked) })))));
  }

  // ---- what was asked before

  /** A thread at its last question, or at the one that the address names. */
  async function reopen() {
    replace(result, el("p", { class: "waiting" }, t("looking")));
    try {
      await context.known;
      const whole = location.pathname.includes("/thread/");
      const first = whole ? null : await keptAnswer(id);
      thread = await get(address(state.workspace, "threads", first?.thread ?? id));
      const at = whole ? thread.turns.at(-1).id : id;
      const kept = first ?? (await keptAnswer(at));
      top.field.value = kept.asked;
      grow(top.field);
      frame(at);
      const view = layout(result, kept.asked);
      fill(view, kept);
      finish(view, kept);
    } catch (error) {
      replace(result, failure(error));
    }
  }

  function keptAnswer(trace) {
    return get(address(state.workspace, "traces", trace, "answer"));
  }

  /** What of the thread stands around the answer with this id: its head, its other questions. */
  function frame(at) {
    const many = thread.turns.length > 1; // its head stands above them; below a single answer it moves nothing
    const others = thread.turns.filter((turn) => turn.id !== at).map((turn) => folded(turn, (place) => showTurn(turn, place)));
    replace(head, threadBar(context, thread, { gone: () => context.go(link("/")), unfold: () => Promise.all(others.map((one) => one.load())) }));
    head.firstChild.classList.toggle("alone", !many);
    if (many) earlier.before(head);
    replace(earlier, others);
  }

  /** The answer to another question of the thread, in its fold. */
  async function showTurn(turn, place) {
    replace(place, el("p", { class: "waiting" }, t("looking")));
    const kept = await keptAnswer(turn.id);
    fill(layout(place, kept.asked, t("pathsOf", kept.asked)), kept);
  }

  function fill(view, kept) {
    if (kept.answered || kept.ended === "cancelled") view.paths.show(kept.paths, [...kept.citations, ...kept.uncited]);
    view.answer.finish(kept);
    view.answer.given(kept, () => ask(kept.asked));
    if (kept.vector_only) view.answer.without(kept.vector_only);
    finished(view, kept);
  }

  // ---- ask

  /** What a question is asked with beside its words: the documents that are meant, and how far they were read. */
  async function limited() {
    const view = viewOf(state.workspace);
    return { ...(view && { view }), ...(await asSources(state.workspace, scope)) };
  }

  /** Ask a question; one that `follows` the thread on the page is understood from it. */
  async function ask(asked, follows = false) {
    running?.abort();
    const mine = (running = /** @type {AbortController & { trace?: string, stopping?: boolean }} */ (new AbortController()));
    busy(true);
    context.tell(t("looking"));
    const before = follows ? await thread : null;
    if (running !== mine) return;
    thread = null;
    replace(steps);
    replace(next);
    if (before) {
      earlier.before(head);
      replace(earlier, before.turns.map((turn) => folded(turn, (place) => showTurn(turn, place))));
      top.field.value = asked;
      grow(top.field);
    } else {
      replace(head);
      next.after(head);
      replace(earlier);
    }
    const view = layout(result, asked);
    let found = null; // the evidence so far
    try {
      await context.known;
      const body = { question: asked, stream: true, ...(quick.checked && { rounds: 1 }), ...(before && { thread: before.id }), ...(await limited()) };
      for await (const event of events(address(state.workspace, "ask"), body, mine.signal)) {
        if (event.event === "retrieved") {
          found = event.evidence;
          mine.trace = event.trace_id;
          view.paths.show(event.paths, event.evidence);
          view.answer.begin();
          context.tell(t("pathsFound", event.paths.length));
        } else if (event.event === "token") {
          view.answer.add(event.text);
        } else if (event.event === "round") {
          view.answer.looks(event);
          context.tell(t("looksFurther", event.looks.length));
        } else if (event.event === "found") {
          found = [...found, ...event.evidence];
          view.answer.found(event);
        } else if (event.event === "answer") {
          const answer = event.answer;
          const uncited = found.filter((piece) => !answer.citations.some((cited) => cited.id === piece.id));
          if (answer.generated) view.paths.show(answer.paths, [...answer.citations, ...uncited]);
          view.answer.finish(answer);
          context.rename(link(`/explain/${answer.trace.id}`));
          finished(view, { ...answer, uncited });
          finish(view, { ...answer, uncited });
          context.tell(t("answered"));
          thread = get(address(state.workspace, "threads", before?.id ?? answer.trace.id)).catch(() => null); // it may not be stored
          const known = await thread;
          if (running === mine) thread = known;
          if (known && running === mine) frame(answer.trace.id);
        }
      }
    } catch (error) {
      if (error.name === "AbortError") view.answer.stopped();
      else if (found) view.answer.fail(error, () => ask(asked, follows));
      else replace(result, failure(error));
      thread ??= before;
    }
    if (running === mine) {
      running = null;
      busy(false);
    }
  }

  /** The places of an answer, empty: what comes later fills them and moves nothing. */
  function layout(place, asked, name) {
    const paths = pathsView(context, name);
    const answer = answerView(context, { onwithout: without, paths });
    replace(place, el("div", { class: "spread" }, answer.element, paths.element));

    async function without() {
      const body = { question: asked, method: "dense", stream: true, ...(await limited()) };
      for await (const event of events(address(state.workspace, "ask"), body)) {
        if (event.event === "answer") answer.without(event.answer);
      }
    }
    return { paths, answer };
  }

  /** What an answer is told beside itself: its sources at the hops, what can be taken away. */
  function finished(view, answer) {
    if (!answer.answered && answer.ended !== "cancelled") view.paths.show([], [], t("unanswered"));
    view.paths.number(answer);
    view.answer.offer(
      el("a", { href: link(`/explain/${answer.trace.id}`), class: "keep" }, t("linkToAnswer")),
      el("button", { type: "button", class: "keep", onclick: () => saveReport(context, answer.trace.id) }, t("report")),
      el("a", { href: root + address(state.workspace, "traces", answer.trace.id, "report"), class: "keep", download: "" }, t("reportWord")),
      el("a", { href: `${root}${address(state.workspace, "traces", answer.trace.id, "report")}?format=pdf`, class: "keep", download: "" }, t("reportPdf")),
      el("a", { href: root + address(state.workspace, "traces", answer.trace.id, "receipt"), class: "keep", download: `receipt-${answer.trace.id.slice(0, 8)}.json` }, t("receipt")),
      answer.thread && answer.thread !== answer.trace.id && el("a", { href: root + address(state.workspace, "threads", answer.thread, "report"), class: "keep", download: "" }, t("reportThread")),
    );
  }

  /** Below the answer that is on the page: a field for the next question, and how the answer came about. */
  function finish(view, answer) {
    const form = questionForm({ id: "follow-up", label: t("followUp"), hint: t("followUpHint"), ask: (asked) => ask(asked, true) });
    form.element.classList.add("follows");
    replace(next, form.element, (answer.generated || quick.checked) && once); // without a model nothing reads
    replace(steps, stepsView(answer.trace, [...answer.citations, ...answer.uncited]));
  }
}

/** The threads that are shown: of one question that was asked again and again the last one. */
function latest(threads) {
  const kept = new Map();
  for (const row of threads) {
    const key = row.questions > 1 ? row.id : row.title;
    if (!kept.has(key)) kept.set(key, row);
  }
  return [...kept.values()].slice(0, ASKED_BEFORE);
}

/** What to do where nothing was read yet. */
export function nothingRead(context) {
  const { link } = context;
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, t("nothingRead")),
    el("p", {}, t("nothingReadCure")),
    el("p", {}, el("a", { class: "onward", href: link("/library") }, t("toLibrary"))),
    el("p", { class: "writes" }, t("orDemo"), " ", demoButton(context)),
  );
}

/** A press reads the demo's case file into a workspace of its own; the library shows how far it is. */
export function demoButton(context) {
  const button = el("button", { type: "button", class: "onward", onclick: load }, t("loadDemo"));
  return button;

  async function load() {
    button.disabled = true;
    try {
      await post(address("demo", "demo"));
      context.go(context.link("/library", { workspace: "demo" }));
    } catch (error) {
      button.after(failure(error));
    }
  }
}

/** A field as high as its text. */
function grow(field) {
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight}px`;
}
