// Jobs: the list of a workspace's jobs, each with its progress and its actions.

import { Failure, events, get, newestOnly, post, remove } from "../base/api.js";
import { aside, el, failure, foreign, oneLine, pushButton, quiet, remark, renew, replace } from "../base/dom.js";
import { reportView } from "./ingest-summary.js";
import { duration, number, t, when } from "../base/words.js";

export const ACTIVE = ["queued", "running", "waiting"];
const AGAIN = ["partial", "failed", "cancelled"];
const LISTED = 20;
const LOOK = 2000; // milliseconds between two looks while a job runs

const of = (job) => `/v1/jobs/${encodeURIComponent(job.id)}`;

/** A fold with the jobs of a workspace. It looks again while one of them runs, until `signal` says to stop. Nothing for
 * a limited key. */
export function jobsView(context, signal) {
  if (context.state.session.limited) return { element: null, refresh: () => {} };
  const said = el("div");
  const trouble = el("div", { "aria-live": "polite" }); // about the last action: the next look leaves it
  const list = el("ul");
  const body = el("div", said, trouble, list);
  const count = el("span");
  const newest = newestOnly();
  const fold = el("details", { class: "jobs", ontoggle: () => fold.open && refresh() }, el("summary", t("jobs"), " ", count), body);
  let next = 0;
  signal.addEventListener("abort", () => (clearTimeout(next), newest()));
  refresh();
  return { element: fold, refresh };

  async function refresh() {
    if (signal.aborted) return;
    clearTimeout(next);
    try {
      const { jobs, total } = await get("/v1/jobs", { workspace: context.state.workspace, count: LISTED }, newest());
      count.textContent = total ? `(${number(total)})` : "";
      replace(said, !jobs.length && quiet(t("noJobs")));
      renew(list, jobs.map(row));
      if (fold.open && jobs.some((job) => ACTIVE.includes(job.state))) next = setTimeout(refresh, LOOK);
    } catch (error) {
      if (error.name !== "AbortError") replace(said, failure(error));
    }
  }

  function row(job) {
    const act = (label, work) =>
      pushButton({ class: "onward writes", onclick: async (event) => {
        event.target.disabled = true;
        replace(trouble);
        try {
          await work();
          refresh();
        } catch (error) {
          event.target.disabled = false;
          replace(trouble, failure(error));
        }
      } }, label);
    return el(
      "li",
      { "data-job": job.id },
      el("span", t(`job.${job.kind}`, number(job.items), job.items), " · ", t(`state.${job.state}`)),
      aside(" · ", el("time", { datetime: job.created }, when(job.created)), job.llm && ` · ${job.llm}`, job.failed > 0 && ` · ${t("failedCount", number(job.failed))}`),
      job.names?.length > 0 && quiet(foreign("bdi", job.names.map((name) => oneLine(name, 60)).join(", ")), job.items > job.names.length && ` ${t("andMore", number(job.items - job.names.length))}`),
      ACTIVE.includes(job.state) && job.progress && quiet(progressText(job.progress)),
      job.error && el("p", { class: "quiet", lang: "en" }, job.error.cause, " ", job.error.cure),
      el(
        "p",
        { class: "choices" },
        ACTIVE.includes(job.state) && !job.cancelling && act(t("stop"), () => post(`${of(job)}/cancel`)),
        job.kind === "ingest" && !ACTIVE.includes(job.state) && el("a", { class: "onward", href: context.link("/library", { since: job.id }) }, t("whatIsNew")),
        AGAIN.includes(job.state) && act(t("jobAgain"), () => post(`${of(job)}/retry`)),
        !ACTIVE.includes(job.state) && act(t("jobForget"), () => remove(of(job))),
      ),
    );
  }
}

/** The progress of a job, in a line. */
export function progressText({ stage, chunks, chunks_total, documents, documents_total, facts, rate, seconds_left, message }) {
  return [
    message || t(`reading.${stage}`, stage),
    t("documentsOf", number(documents), number(documents_total)),
    chunks_total > 0 && t("passagesRead", number(chunks), number(chunks_total)),
    facts > 0 && t("factsRead", number(facts)),
    rate > 0 && t("aSecond", number(rate, 1)),
    seconds_left !== null && t("timeLeft", duration(seconds_left)),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Watch jobs in a place, one after the other, then say what they did. Who leaves ends the watching, not the jobs.
 * `settled` is awaited before the outcome is shown: who clicks on what is told must not find it redrawn. */
export async function followJobs(place, jobs, { signal, settled, again }) {
  const bar = el("progress", { "aria-label": t("progress") });
  const label = quiet(t("waitsItsTurn"));
  const stop = pushButton({ class: "onward writes", onclick: () => cancel() }, t("stop"));
  replace(place, el("h2", t("readingIn")), bar, label, quiet(t("goesOn")), el("p", stop));
  stop.focus();
  const ended = [];
  let failed = null;
  try {
    for (const job of jobs) {
      for await (const event of events(`${of(job)}/events`, null, signal)) {
        if (event.event === "progress") step(event.job);
        else if (event.event === "job") ended.push(event.job);
      }
    }
  } catch (error) {
    if (error.name === "AbortError") return false;
    failed = failure(error);
  }
  await settled();
  replace(place, failed, outcome(place, ended, again));
  return !failed && ended.every((job) => job.state === "done");

  function step({ progress, state }) {
    if (state === "queued" || !progress) return replace(label, t("waitsItsTurn"));
    replace(label, progressText(progress));
    if (progress.chunks_total) Object.assign(bar, { max: progress.chunks_total, value: progress.chunks });
    else bar.removeAttribute("value");
  }

  async function cancel() {
    stop.disabled = true;
    replace(label, t("stopping"));
    try {
      for (const job of jobs) await post(`${of(job)}/cancel`);
    } catch (error) {
      replace(place, failure(error));
    }
  }
}

/** The results of jobs, and actions for unfinished work. `again` follows those that are retried. */
export function outcome(place, jobs, again) {
  const undone = jobs.filter((job) => AGAIN.includes(job.state));
  return [
    reportView(jobs.map((job) => job.report).filter(Boolean)),
    jobs.some((job) => job.state === "cancelled") && remark(t("readStopped")),
    jobs.filter((job) => job.error).map((job) => failure(new Failure(job.error))),
    undone.length > 0 &&
      el(
        "p",
        { class: "choices" },
        pushButton({ class: "onward writes", onclick: () => act(true) }, t("jobAgain")),
        pushButton({ class: "quiet writes", onclick: () => act(false) }, t("jobForget")),
      ),
  ];

  async function act(retry) {
    try {
      for (const job of undone) await (retry ? post(`${of(job)}/retry`) : remove(of(job)));
    } catch (error) {
      return replace(place, failure(error));
    }
    if (retry) again(undone);
    else replace(place);
  }
}
