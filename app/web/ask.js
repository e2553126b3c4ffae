// Ask: the question, the answer as it comes, the paths beside it.

import { address, events, get } from "./api.js";
import { answerView } from "./answer.js";
import { el, foreign, replace } from "./dom.js";
import { failure } from "./failure.js";
import { pathsView } from "./paths.js";
import { saveReport } from "./report.js";
import { stepsView } from "./steps.js";
import { language, number, t, when } from "./words.js";

const ASKED_BEFORE = 8; // questions

export function showAsk(main, context, { id }) {
  const { state, link } = context;
  const controller = { running: null };
  const question = el("textarea", {
    id: "question",
    rows: 1,
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto",
    placeholder: t("questionHint"),
    "aria-label": t("question"),
    oninput: () => grow(question),
    onkeydown: (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        ask();
      }
    },
  });
  const button = el("button", { class: "go" }, t("ask"));
  const form = el(
    "form",
    {
      class: "question",
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        if (controller.running) stop();
        else ask();
      },
    },
    question,
    button,
  );
  const result = el("div", { class: "result" });
  main.append(el("h1", { class: "spoken" }, t("view/")), form, result);
  const slash = (event) => {
    if (event.key === "/" && !/^(TEXTAREA|INPUT|SELECT)$/.test(event.target.tagName)) {
      event.preventDefault();
      question.focus();
    }
  };
  document.addEventListener("keydown", slash);
  if (id) reopen();
  else blank();
  return () => {
    stop();
    document.removeEventListener("keydown", slash);
  };

  function stop() {
    controller.running?.abort();
  }

  function busy(on) {
    button.textContent = t(on ? "stop" : "ask");
    form.classList.toggle("busy", on);
    if (!on) controller.running = null;
  }

  // ---- nothing asked yet

  async function blank() {
    question.focus({ preventScroll: true });
    try {
      await context.known;
      if (!state.workspaces.some((row) => row.name === state.workspace)) {
        replace(result, nothingRead(context));
        return;
      }
      const [{ stats }, { traces }] = await Promise.all([
        get(address(state.workspace, "stats")),
        get(address(state.workspace, "traces"), { count: 100 }),
      ]);
      if (!question.value && !controller.running) replace(result, beginning(stats, traces));
    } catch (error) {
      replace(result, failure(error));
    }
  }

  function beginning(stats, traces) {
    if (!stats.documents) return nothingRead(context);
    const answers = traces.filter((row) => row.answered && row.method === "filigraph");
    const before = [...new Map(answers.reverse().map((row) => [row.question, row])).values()].reverse();
    return el(
      "div",
      { class: "beginning" },
      el(
        "p",
        { class: "holds" },
        t("holds", number(stats.documents), number(stats.entities), number(stats.facts)),
      ),
      before.length > 0 && [
        el("h2", {}, t("askedBefore")),
        el(
          "ul",
          { class: "before" },
          before
            .slice(0, ASKED_BEFORE)
            .map((row) =>
              el(
                "li",
                {},
                foreign("a", row.question, { href: link(`/explain/${row.id}`) }),
                el("time", { datetime: row.at }, when(row.at)),
              ),
            ),
        ),
      ],
    );
  }

  // ---- an answer that was given before

  async function reopen() {
    try {
      await context.known;
      const kept = await get(address(state.workspace, "traces", id, "answer"));
      question.value = kept.question;
      grow(question);
      const view = layout();
      if (kept.answered) view.paths.show(kept.paths, [...kept.citations, ...kept.uncited]);
      view.answer.finish(kept);
      if (kept.vector_only) view.answer.without(kept.vector_only);
      finish(view, kept);
    } catch (error) {
      replace(result, failure(error));
    }
  }

  // ---- ask

  async function ask() {
    const asked = question.value.trim();
    if (!asked) {
      question.focus();
      return;
    }
    stop();
    const running = new AbortController();
    controller.running = running;
    busy(true);
    context.tell(t("looking"));
    const view = layout();
    let found = null;
    try {
      await context.known;
      const body = { question: asked, stream: true };
      for await (const event of events(address(state.workspace, "ask"), body, running.signal)) {
        if (event.event === "retrieved") {
          found = event;
          view.paths.show(event.paths, event.evidence);
          view.answer.begin();
          context.tell(t("pathsFound", event.paths.length));
        } else if (event.event === "token") {
          view.answer.add(event.text);
        } else if (event.event === "answer") {
          const answer = event.answer;
          const uncited = found.evidence.filter((piece) => !answer.citations.some((cited) => cited.id === piece.id));
          view.answer.finish(answer);
          finish(view, { ...answer, uncited });
          context.rename(link(`/explain/${answer.trace.id}`));
          context.tell(t("answered"));
        }
      }
    } catch (error) {
      if (error.name === "AbortError") view.answer.stopped();
      else if (found) view.answer.fail(error);
      else replace(result, failure(error));
    }
    if (controller.running === running) busy(false);
  }

  /** The places of an answer, empty: what comes later fills them and moves nothing. */
  function layout() {
    const paths = pathsView(context);
    const answer = answerView(context, { onwithout: without, paths });
    const steps = el("div");
    replace(result, el("div", { class: "spread" }, answer.element, paths.element), steps);

    async function without() {
      const running = new AbortController();
      const body = { question: question.value.trim(), method: "dense", stream: true };
      for await (const event of events(address(state.workspace, "ask"), body, running.signal)) {
        if (event.event === "answer") answer.without(event.answer);
      }
    }
    return { paths, answer, steps };
  }

  function finish(view, answer) {
    if (!answer.answered) view.paths.show([], [], t("unanswered"));
    view.paths.number(answer);
    const pieces = [...answer.citations, ...answer.uncited];
    replace(view.steps, stepsView(answer.trace, pieces, answer.paths));
    view.answer.offer(
      el("a", { href: link(`/explain/${answer.trace.id}`), class: "keep" }, t("linkToAnswer")),
      el("button", { type: "button", class: "keep", onclick: () => saveReport(context, answer.trace.id) }, t("report")),
    );
  }
}

/** What to do where nothing was read yet. */
export function nothingRead({ link }) {
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, t("nothingRead")),
    el("p", {}, t("nothingReadCure")),
    el("p", {}, el("a", { class: "onward", href: link("/library") }, t("toLibrary"))),
    el("p", { class: "quiet" }, t("orDemo"), " ", el("code", {}, "filigraph demo")),
  );
}

/** A field as high as its text. */
function grow(field) {
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight}px`;
}
