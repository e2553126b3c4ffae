// A thread: consecutive questions. Its title, its actions, and its earlier questions, folded.

import { get, put, remove } from "../base/api.js";
import { bdi, confirmed, el, failure, oneLine, pushButton, quiet, replace, save } from "../base/dom.js";
import { citesOf } from "./path-layout.js";
import { placed, t, when } from "../base/words.js";

/** The head of a thread. Calls `renamed` and `gone` afterwards; `unfold` opens every question. */
export function threadBar(context, thread, { gone, unfold }) {
  const path = context.path("threads", thread.id);
  const title = el("h2", bdi(thread.title, 160));
  const said = el("div");
  const field = el("input", { value: thread.title, maxlength: 300, "aria-label": t("threadTitle"), dir: "auto" });
  const form = el("form", { class: "choices", hidden: true, onsubmit: (event) => (event.preventDefault(), rename()) }, field, el("button", { class: "onward" }, t("rename")));
  const edit = pushButton({ class: "writes", onclick: () => ((form.hidden = false), field.select()) }, t("rename"));
  return el(
    "header",
    { class: "thread" },
    title,
    quiet(t("threadQuestions", thread.turns.length), " · ", thread.expires.startsWith("9999") ? t("keptAlways") : t("keptUntil", when(thread.expires))),
    el(
      "p",
      { class: "offers" },
      edit,
      pushButton({ onclick: () => attempt(exportMarkdown) }, t("exportMarkdown")),
      pushButton({ onclick: () => attempt(print) }, t("print")),
      confirmed({ class: "delete writes" }, t("delete"), t("deleteSure"), () => attempt(erase)),
    ),
    form,
    said,
  );

  async function attempt(act) {
    replace(said);
    try {
      await act();
    } catch (error) {
      replace(said, failure(error));
    }
  }

  function rename() {
    return attempt(async () => {
      const told = await put(path, { title: field.value });
      thread.title = told.title;
      replace(title, bdi(told.title, 160));
      form.hidden = true;
      edit.focus();
    });
  }

  async function erase() {
    await remove(path);
    gone();
  }

  async function print() {
    await unfold();
    window.print();
  }

  async function exportMarkdown() {
    const turns = [];
    for (const { id } of thread.turns) turns.push(await get(context.path("traces", id, "answer")));
    save(`filigraph-${thread.id.slice(0, 8)}.md`, "text/markdown", markdownOf(thread.title, turns));
  }
}

/** A thread as Markdown: each question with its answer, its best path and its sources. */
export function markdownOf(title, turns) {
  return [`# ${oneLine(title)}`, ...turns.flatMap(turnOf)].join("\n\n") + "\n";
}

function turnOf(turn) {
  const names = new Map([...turn.citations, ...turn.uncited].map((piece) => [piece.id, (place) => sourceOf({ ...piece, place: place || piece.place })]));
  const [path] = turn.paths;
  return [
    `## ${oneLine(turn.asked)}`,
    turn.text.trim(),
    path && `### ${t("path", 1)}`,
    path && path.hops.map((hop) => `- ${oneLine(hop.subject)} — *${oneLine(hop.predicate)}* → ${oneLine(hop.object)}: ${saidOf(hop)} (${names.get(hop.chunk_id)?.(hop.place) ?? ""})`).join("\n"),
    turn.citations.length > 0 && `### ${t("sources")}`,
    turn.citations.length > 0 && turn.citations.map((piece, n) => `${n + 1}. ${sourceOf(piece)}`).join("\n"),
  ].filter(Boolean);
}

const saidOf = (hop) => (hop.sentence ? `“${oneLine(hop.sentence)}”` : [t(`how.${hop.kind}`, ""), citesOf(hop)].filter(Boolean).join("; "));

const sourceOf = (piece) => oneLine([piece.title, piece.place && placed(piece.place), piece.source].filter(Boolean).join(", "));

/** A question of a thread, folded until it is opened; `show` fills the given place with its answer. */
export function folded(turn, show) {
  const body = el("div", { class: "turn-body" });
  const fold = el(
    "details",
    { class: "turn", ontoggle: () => fold.open && load() },
    el("summary", bdi(turn.question, 200), " ", el("time", { class: "quiet", datetime: turn.at }, when(turn.at))),
    body,
  );
  let loading = null;
  fold.load = load;
  return fold;

  function load() {
    fold.open = true;
    loading ??= show(body).catch((error) => replace(body, failure(error)));
    return loading;
  }
}
