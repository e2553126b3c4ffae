// Library: documents in, with what it will cost said first; what is there and what was found in it; its jobs.

import { address, events, get, post } from "../base/api.js";
import { demoButton } from "../base/nothing-read.js";
import { el, foreign, oneLine, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { batches, dropped, form, picked } from "./files.js";
import { failure } from "../base/failure.js";
import { foundView } from "./type-summary.js";
import { ACTIVE, followJobs, jobsView, outcome } from "./jobs.js";
import { markingView } from "../scope/marking.js";
import { notesFold } from "../notes/notes.js";
import { phraseSearch } from "./phrases.js";
import { estimateText, reportView, skippedList, sum } from "./ingest-summary.js";
import { documentsOf, isWhole, named, scopeOf, scopeView, within } from "../scope/scope.js";
import { documentsTable, gapsView } from "./document-list.js";
import { number, size, t } from "../base/words.js";

const SHOWN = 12; // files named before "and n more"

export function showLibrary(main, context, { asked }) {
  const { state } = context;
  const left = new AbortController(); // the view is left
  let running = new AbortController();
  let scope = scopeOf(asked);
  const staging = el("div", { class: "staging", "aria-live": "polite" });
  const found = el("div");
  const shelf = el("div", { class: "documents" }, waitingLine(t("looking")));
  const jobs = jobsView(context, left.signal);
  const marking = markingView(context, () => refresh());
  main.append(el("h1", { class: "spoken" }, t("view/library")), dropZone(), staging, marking, found, shelf, jobs.element);
  refresh();
  resume();
  return () => {
    left.abort();
    running.abort();
  };

  /** Where files are dropped, or chosen. */
  function dropZone() {
    const picker = (folder) =>
      el("input", { type: "file", multiple: true, hidden: true, webkitdirectory: folder, onchange: (event) => stage(picked(event.target)) });
    const [files, folder] = [picker(false), picker(true)];
    const demo = el("span", { class: "demo", hidden: true }, demoButton(context));
    context.known.then(() => (demo.hidden = state.workspaces.some((row) => row.name === state.workspace)));
    const zone = el(
      "div",
      {
        class: "drop writes",
        ondragover: (event) => (event.preventDefault(), zone.classList.add("over")),
        ondragleave: () => zone.classList.remove("over"),
        ondrop: async (event) => {
          event.preventDefault();
          zone.classList.remove("over");
          stage(await dropped(event.dataTransfer));
        },
      },
      el("p", { class: "invite" }, t("dropHere")),
      el(
        "p",
        pushButton({ class: "onward", onclick: () => files.click() }, t("chooseFiles")),
        pushButton({ class: "onward", onclick: () => folder.click() }, t("chooseFolder")),
        demo,
        el("span", { class: "quiet" }, t("kinds")),
      ),
      files,
      folder,
    );
    return zone;
  }

  // ---- what is there

  async function refresh() {
    await context.known;
    try {
      const there = state.workspaces.some((row) => row.name === state.workspace);
      const documents = there ? await documentsOf(state.workspace) : [];
      if (documents.length) main.querySelector(".drop .demo").hidden = true; // it invites where nothing is
      const rows = el("div");
      const count = el("h2");
      draw();
      replace(
        shelf,
        documents.length ? [count, phraseSearch(context), scopeView(scope, async () => documents, narrow), rows, notesFold(context, { eager: true, filtered: true }), gapsView(context)] : quiet(t("libraryEmpty")),
      );
      replace(found, documents.length > 0 && (await foundView(context)));

      function narrow(chosen) {
        scope = chosen;
        history.replaceState(null, "", context.link("/library", named(scope)));
        draw();
      }

      function draw() {
        const shown = within(documents, scope);
        const retry = () => read(() => events(address(state.workspace, "retry"), {}, running.signal));
        replace(
          count,
          t("documentCount", number(shown.length), shown.length),
          !isWhole(scope) && [el("small", ` ${t("ofAll", number(documents.length))} `), el("a", { class: "onward", href: context.link("/", named(scope)) }, t("askThese"))],
        );
        replace(rows, documentsTable(context, shown, { retry, changed: refresh, fail: (error) => replace(staging, failure(error)) }));
      }
    } catch (error) {
      replace(shelf, failure(error));
    }
  }

  // ---- what is to be read: its cost first

  async function stage(chosen) {
    if (!chosen.length) return;
    await context.known;
    running.abort();
    running = new AbortController();
    const limit = state.health.max_upload_bytes ?? Infinity;
    const large = chosen.filter((one) => one.file.size > limit);
    const fits = chosen.filter((one) => one.file.size <= limit);
    const who = el("select", ["auto", "local", "llm"].map((kind) => el("option", { value: kind }, t(`extractor.${kind}`))));
    const into = el("input", { value: state.workspace, size: 16, maxlength: 64, spellcheck: "false", autocomplete: "off" });
    const cost = waitingLine(t("estimating"));
    const start = pushButton({ class: "onward", onclick: () => begin(fits, who.value, into.value.trim()) }, t("read"));
    who.addEventListener("change", () => price());
    replace(
      staging,
      el("h2", t("fileCount", number(chosen.length), chosen.length), el("small", ` ${size(fits.reduce((sum, one) => sum + one.file.size, 0))}`)),
      el("ul", { class: "chosen" }, fits.slice(0, SHOWN).map((one) => foreign("li", oneLine(one.name, 120))), fits.length > SHOWN && el("li", { class: "quiet" }, t("andMore", fits.length - SHOWN))),
      skippedList(large.map((one) => ({ source: one.name, cause: t("tooLarge", size(one.file.size), size(limit)), cure: t("tooLargeCure") }))),
      cost,
      el("p", { class: "choices" }, el("label", t("whoReads"), " ", who), el("label", t("into"), " ", into)),
      el("p", { class: "choices" }, start, pushButton({ class: "quiet", onclick: () => (running.abort(), replace(staging)) }, t("discard"))),
    );
    start.focus();
    price();

    async function price() {
      replace(cost, t("estimating"));
      try {
        const estimates = [];
        for (const batch of batches(fits, limit)) {
          for await (const event of events(address(state.workspace, "estimate"), form(batch, who.value), running.signal)) {
            if (event.event === "waiting") replace(cost, event.message);
            if (event.event === "estimate") estimates.push(event.estimate);
          }
        }
        const told = sum(estimates);
        cost.className = "estimate";
        replace(cost, estimateText(told), skippedList(told.skipped));
      } catch (error) {
        if (error.name !== "AbortError") replace(cost, failure(error));
      }
    }
  }

  function begin(chosen, kind, workspace) {
    if (!/^[\p{L}\p{N}_.-]{1,64}$/u.test(workspace)) {
      context.tell(t("workspaceName"));
      staging.querySelector("input").setCustomValidity(t("workspaceName"));
      staging.querySelector("input").reportValidity();
      return;
    }
    submit(chosen, kind, workspace);
  }

  /** Hand the files to the server; it reads them whether or not anybody watches. */
  async function submit(chosen, kind, workspace) {
    running.abort();
    running = new AbortController();
    replace(staging, el("h2", t("readingIn")), quiet(t("sending")));
    const sent = [];
    try {
      for (const batch of batches(chosen, state.health.max_upload_bytes ?? Infinity)) {
        sent.push(await post(address(workspace, "jobs"), form(batch, kind), running.signal));
      }
    } catch (error) {
      replace(staging, failure(error));
      if (!sent.length) return;
    }
    watch(sent, workspace);
  }

  /** What goes on here since before this page was opened; and the last one, where it did not end well. */
  async function resume() {
    await context.known;
    const { jobs } = await get("/v1/jobs", { workspace: state.workspace, count: 20 }, running.signal).catch(() => ({ jobs: [] }));
    if (staging.childElementCount || !jobs.length) return;
    const active = jobs.filter((job) => ACTIVE.includes(job.state)).reverse();
    if (active.length) watch(active, state.workspace);
    else if (jobs[0].state !== "done") replace(staging, outcome(staging, [jobs[0]], (again) => watch(again, state.workspace)));
  }

  async function watch(followed, workspace) {
    running = new AbortController();
    jobs.refresh();
    const again = (some) => watch(some, workspace);
    const well = await followJobs(staging, followed, { signal: running.signal, settled: () => settle(workspace), again });
    jobs.refresh();
    if (well) context.tell(t("readDone"));
  }

  /** Know anew which workspaces there are, and show what is in this one. */
  async function settle(workspace) {
    const { workspaces } = await get("/v1/workspaces").catch(() => ({ workspaces: state.workspaces }));
    state.workspaces = workspaces;
    if (workspace !== state.workspace) context.settle(workspace);
    await refresh();
  }

  /** Watch the reading of what could not be read before: its stages as they go, then what it did. */
  async function read(follow) {
    running = new AbortController();
    const bar = el("progress", { "aria-label": t("progress") });
    const label = quiet(t("sending"));
    replace(staging, el("h2", t("readingIn")), bar, label, el("p", pushButton({ class: "onward", onclick: () => running.abort() }, t("stop"))));
    staging.querySelector("button").focus();
    const reports = [];
    let failed = null;
    try {
      for await (const event of follow()) {
        if (event.event === "waiting") replace(label, event.message);
        else if (event.event === "progress") step(event);
        else if (event.event === "report") reports.push(event.report);
      }
    } catch (error) {
      failed = error.name === "AbortError" ? el("p", { class: "remark" }, t("readStopped")) : failure(error);
    }
    await settle(state.workspace);
    replace(staging, failed, reportView(reports));
    if (!failed) context.tell(t("readDone"));

    function step({ stage, done, total }) {
      const name = t(`reading.${stage}`, stage);
      replace(label, total ? `${name} · ${number(done)} / ${number(total)}` : name);
      if (total) Object.assign(bar, { max: total, value: done });
      else bar.removeAttribute("value");
    }
  }
}
