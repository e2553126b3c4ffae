// Files to read: first the cost, then the progress.

import { address, events, get, post } from "../base/api.js";
import { el, failure, foreign, oneLine, pushButton, quiet, remark, replace, waitingLine } from "../base/dom.js";
import { number, size, t } from "../base/words.js";
import { batches, form } from "./files.js";
import { estimateText, reportView, skippedList, sum } from "./ingest-summary.js";
import { ACTIVE, followJobs, outcome } from "./jobs.js";

const SHOWN = 12; // files named before "and n more"

/** The jobs that have run here since before this page was opened; and the last one if it did not end well. */
export async function resume(view) {
  const { context, staging } = view;
  const { state } = context;
  await context.known;
  if (state.session.limited) return;
  const asked = { workspace: state.workspace, count: 20 };
  const { jobs } = await get("/v1/jobs", asked, view.running.signal).catch(() => ({ jobs: [] }));
  if (staging.childElementCount || !jobs.length) return;
  const active = jobs.filter((job) => ACTIVE.includes(job.state)).reverse();
  if (active.length) watch(view, active, state.workspace);
  else if (jobs[0].state !== "done") replace(staging, outcome(staging, [jobs[0]], (again) => watch(view, again, state.workspace)));
}

/** Follow jobs to their end. */
export async function watch(view, followed, workspace) {
  view.running = new AbortController();
  view.jobs.refresh();
  const again = (some) => watch(view, some, workspace);
  const well = await followJobs(view.staging, followed, { signal: view.running.signal, settled: () => settle(view, workspace), again });
  view.jobs.refresh();
  if (well) view.context.tell(t("readDone"));
}

/** Load the list of workspaces again, and show the content of this one. */
async function settle(view, workspace) {
  const { state, settle: goOn } = view.context;
  const { workspaces } = await get("/v1/workspaces").catch(() => ({ workspaces: state.workspaces }));
  state.workspaces = workspaces;
  if (workspace !== state.workspace) goOn(workspace);
  await view.refresh();
}

/** Follow another reading of what could not be read before: its stages, then its results. */
export async function readAgain(view, follow) {
  const { context, staging } = view;
  view.running = new AbortController();
  const bar = el("progress", { "aria-label": t("progress") });
  const label = quiet(t("sending"));
  const stop = pushButton({ class: "onward", onclick: () => view.running.abort() }, t("stop"));
  replace(staging, el("h2", t("readingIn")), bar, label, el("p", stop));
  stop.focus();
  const reports = [];
  let failed = null;
  try {
    for await (const event of follow()) {
      if (event.event === "waiting") replace(label, event.message);
      else if (event.event === "progress") step(bar, label, event);
      else if (event.event === "report") reports.push(event.report);
    }
  } catch (error) {
    failed = error.name === "AbortError" ? remark(t("readStopped")) : failure(error);
  }
  await settle(view, context.state.workspace);
  replace(staging, failed, reportView(reports));
  if (!failed) context.tell(t("readDone"));
}

function step(bar, label, { stage, done, total }) {
  const name = t(`reading.${stage}`, stage);
  replace(label, total ? `${name} · ${number(done)} / ${number(total)}` : name);
  if (total) Object.assign(bar, { max: total, value: done });
  else bar.removeAttribute("value");
}

// ---- files to read: first the cost, then the files go to the server

const limitOf = ({ context }) => context.state.health.max_upload_bytes ?? Infinity;

/** Show the chosen files, with the cost of reading them. */
export async function stage(view, chosen) {
  if (!chosen.length) return;
  const { context, staging } = view;
  await context.known;
  const limit = limitOf(view);
  const large = chosen.filter((one) => one.file.size > limit);
  const fits = chosen.filter((one) => one.file.size <= limit);
  const who = el("select", ["auto", "local", "llm"].map((kind) => el("option", { value: kind }, t(`extractor.${kind}`))));
  const into = el("input", { value: context.state.workspace, size: 16, maxlength: 64, spellcheck: "false", autocomplete: "off" });
  const cost = waitingLine(t("estimating"));
  const start = pushButton({ class: "onward", onclick: () => begin(view, fits, who.value, into.value.trim()) }, t("read"));
  who.addEventListener("change", () => price(view, fits, who.value, cost));
  replace(
    staging,
    el("h2", t("fileCount", number(chosen.length), chosen.length), el("small", ` ${size(fits.reduce((total, one) => total + one.file.size, 0))}`)),
    namesOf(fits),
    skippedList(large.map((one) => ({ source: one.name, cause: t("tooLarge", size(one.file.size), size(limit)), cure: t("tooLargeCure") }))),
    cost,
    el("p", { class: "choices" }, el("label", t("whoReads"), " ", who), el("label", t("into"), " ", into)),
    el("p", { class: "choices" }, start, pushButton({ class: "quiet", onclick: () => (view.running.abort(), replace(staging)) }, t("discard"))),
  );
  start.focus();
  price(view, fits, who.value, cost);
}

function namesOf(files) {
  const more = files.length > SHOWN && el("li", { class: "quiet" }, t("andMore", files.length - SHOWN));
  return el("ul", { class: "chosen" }, files.slice(0, SHOWN).map((one) => foreign("li", oneLine(one.name, 120))), more);
}

/** Show the cost of reading, replacing earlier text. */
async function price(view, files, kind, cost) {
  view.running.abort();
  view.running = new AbortController();
  const { signal } = view.running;
  replace(cost, t("estimating"));
  try {
    const estimates = [];
    const path = view.context.path("estimate");
    for (const batch of batches(files, limitOf(view))) {
      for await (const event of events(path, form(batch, kind), signal)) {
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

function begin(view, chosen, kind, workspace) {
  if (!/^[\p{L}\p{N}_.-]{1,64}$/u.test(workspace)) {
    const field = view.staging.querySelector("input");
    view.context.tell(t("workspaceName"));
    field.setCustomValidity(t("workspaceName"));
    field.reportValidity();
    return;
  }
  submit(view, chosen, kind, workspace);
}

/** Send the files to the server; it reads them even if nobody watches. */
async function submit(view, chosen, kind, workspace) {
  const { staging } = view;
  view.running.abort();
  view.running = new AbortController();
  replace(staging, el("h2", t("readingIn")), quiet(t("sending")));
  const sent = [];
  try {
    for (const batch of batches(chosen, limitOf(view))) {
      sent.push(await post(address(workspace, "jobs"), form(batch, kind), view.running.signal));
    }
  } catch (error) {
    if (error.name === "AbortError") return; // other files are chosen; the jobs of those already sent are listed
    replace(staging, failure(error));
    if (!sent.length) return;
  }
  watch(view, sent, workspace);
}
