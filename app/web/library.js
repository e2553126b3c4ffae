// Library: documents in, with what it will cost said first; what is there; what could not be read.

import { Failure, address, events, get, post, remove } from "./api.js";
import { el, foreign, oneLine, replace } from "./dom.js";
import { dropped } from "./files.js";
import { failure } from "./failure.js";
import { duration, number, placeOf, placed, size, t } from "./words.js";

const SHOWN = 12; // files named before "and n more"
const FILES = 900; // in one job
const ACTIVE = ["queued", "running"];
const GAPS = 200; // passages without facts that are listed

export function showLibrary(main, context) {
  const { state } = context;
  const staging = el("div", { class: "staging", "aria-live": "polite" });
  const shelf = el("div", { class: "documents" });
  const picker = (folder) =>
    el("input", { type: "file", multiple: true, hidden: true, webkitdirectory: folder, onchange: (event) => stage(picked(event.target)) });
  const [files, folder] = [picker(false), picker(true)];
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
      {},
      el("button", { type: "button", class: "onward", onclick: () => files.click() }, t("chooseFiles")),
      el("button", { type: "button", class: "onward", onclick: () => folder.click() }, t("chooseFolder")),
      el("span", { class: "quiet" }, t("kinds")),
    ),
    files,
    folder,
  );
  let running = null;
  main.append(el("h1", { class: "spoken" }, t("view/library")), zone, staging, shelf);
  refresh();
  resume();
  return () => running?.abort();

  // ---- what is there

  async function refresh() {
    await context.known;
    try {
      const there = state.workspaces.some((row) => row.name === state.workspace);
      const { documents } = there ? await get(address(state.workspace, "documents"), { count: 10000 }) : { documents: [] };
      replace(shelf, documents.length ? table(documents) : el("p", { class: "quiet" }, t("libraryEmpty")), documents.length > 0 && gapsView());
    } catch (error) {
      replace(shelf, failure(error));
    }
  }

  function table(documents) {
    const unread = documents.reduce((sum, row) => sum + row.unread, 0);
    return [
      el("h2", {}, t("documentCount", number(documents.length), documents.length)),
      unread > 0 &&
        el("p", { class: "remark" }, t("unread", number(unread), unread), " ", el("button", { type: "button", class: "onward writes", onclick: () => read(() => events(address(state.workspace, "retry"), {}, running.signal)) }, t("retry"))),
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ["document", "languageOf", "passagesOf", "factsOf", "version"].map((key) => el("th", { scope: "col" }, t(key))), el("th", {}, el("span", { class: "spoken" }, t("delete"))))),
        el("tbody", {}, documents.map(rowOf)),
      ),
    ];
  }

  function rowOf(row) {
    const sure = el("button", { type: "button", class: "delete writes", "aria-label": t("deleteThis", row.title || row.source), onclick: () => erase(row, sure) }, t("delete"));
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el("a", { href: placeOf(row.id, ""), class: "where" }, foreign("bdi", oneLine(row.title || row.source, 90))),
        el("span", { class: "quiet" }, foreign("bdi", oneLine(row.source, 90)), row.status === "partial" && [" · ", el("span", { class: "partial" }, t("partial"))]),
        row.warnings.map((warning) => el("span", { class: "quiet" }, oneLine(warning, 160))),
      ),
      el("td", {}, row.language),
      el("td", { class: "number" }, number(row.chunks)),
      el("td", { class: "number" }, number(row.facts)),
      el("td", {}, el("code", { title: row.sha256 }, row.sha256.slice(0, 8))),
      el("td", {}, sure),
    );
  }

  /** The first press asks, the second deletes. */
  async function erase(row, button) {
    if (!button.classList.contains("sure")) {
      button.classList.add("sure");
      button.textContent = t("deleteSure");
      button.addEventListener("blur", () => (button.classList.remove("sure"), (button.textContent = t("delete"))), { once: true });
      return;
    }
    button.disabled = true;
    try {
      await remove(address(state.workspace, "documents", row.id));
      context.tell(t("deleted", row.title || row.source));
    } catch (error) {
      replace(staging, failure(error));
    }
    refresh();
  }

  function gapsView() {
    const list = el("div");
    return el("details", { class: "gaps", ontoggle: (event) => event.target.open && !list.childElementCount && fillGaps(list) }, el("summary", {}, t("gaps")), list);
  }

  async function fillGaps(list) {
    try {
      const { gaps, total } = await get(address(state.workspace, "gaps"), { count: GAPS });
      replace(
        list,
        total > gaps.length && el("p", { class: "quiet" }, t("ofWhich", number(total), number(gaps.length))),
        gaps.length
          ? el(
              "ul",
              {},
              gaps.map((gap) =>
                el(
                  "li",
                  {},
                  el("a", { href: placeOf(gap.document_id, gap.chunk_id) }, foreign("bdi", oneLine(gap.excerpt || gap.source, 90))),
                  el("span", { class: "quiet" }, " ", foreign("bdi", oneLine(gap.source, 60)), gap.place && `, ${placed(gap.place)}`, " · ", foreign("bdi", oneLine(gap.reason, 120))),
                ),
              ),
            )
          : el("p", { class: "quiet" }, t("noGaps")),
      );
    } catch (error) {
      replace(list, failure(error));
    }
  }

  // ---- what is to be read: its cost first

  async function stage(chosen) {
    if (!chosen.length) return;
    await context.known;
    running?.abort();
    running = new AbortController();
    const limit = state.health.max_upload_bytes ?? Infinity;
    const large = chosen.filter((one) => one.file.size > limit);
    const fits = chosen.filter((one) => one.file.size <= limit);
    const who = el("select", {}, ["auto", "local", "llm"].map((kind) => el("option", { value: kind }, t(`extractor.${kind}`))));
    const into = el("input", { value: state.workspace, size: 16, maxlength: 64, spellcheck: "false", autocomplete: "off" });
    const cost = el("p", { class: "waiting" }, t("estimating"));
    const start = el("button", { type: "button", class: "onward", onclick: () => begin(fits, who.value, into.value.trim()) }, t("read"));
    who.addEventListener("change", () => price());
    replace(
      staging,
      el("h2", {}, t("fileCount", number(chosen.length), chosen.length), el("small", {}, ` ${size(fits.reduce((sum, one) => sum + one.file.size, 0))}`)),
      el("ul", { class: "chosen" }, fits.slice(0, SHOWN).map((one) => foreign("li", oneLine(one.name, 120))), fits.length > SHOWN && el("li", { class: "quiet" }, t("andMore", fits.length - SHOWN))),
      skippedList(large.map((one) => ({ source: one.name, cause: t("tooLarge", size(one.file.size), size(limit)), cure: t("tooLargeCure") }))),
      cost,
      el("p", { class: "choices" }, el("label", {}, t("whoReads"), " ", who), el("label", {}, t("into"), " ", into)),
      el("p", { class: "choices" }, start, el("button", { type: "button", class: "quiet", onclick: () => (running.abort(), replace(staging)) }, t("discard"))),
    );
    start.focus();
    price();

    async function price() {
      replace(cost, t("estimating"));
      try {
        const told = { documents: 0, unchanged: 0, chunks: 0, kept: 0, seconds: 0, cost: null, calls: 0, skipped: [] };
        for (const batch of batches(fits, limit)) {
          for await (const event of events(address(state.workspace, "estimate"), form(batch, who.value), running.signal)) {
            if (event.event === "waiting") replace(cost, event.message);
            if (event.event === "estimate") add(told, event.estimate);
          }
        }
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
    replace(staging, el("h2", {}, t("readingIn")), el("p", { class: "quiet" }, t("sending")));
    const jobs = [];
    try {
      for (const batch of batches(chosen, state.health.max_upload_bytes ?? Infinity)) {
        jobs.push(await post(address(workspace, "jobs"), form(batch, kind), running.signal));
      }
    } catch (error) {
      replace(staging, failure(error));
      if (!jobs.length) return;
    }
    follow(jobs, workspace);
  }

  /** What goes on here since before this page was opened; and the last one, where it did not end well. */
  async function resume() {
    await context.known;
    running = new AbortController();
    const { jobs } = await get("/v1/jobs", { workspace: state.workspace, count: 20 }, running.signal).catch(() => ({ jobs: [] }));
    if (staging.childElementCount || !jobs.length) return;
    const active = jobs.filter((job) => ACTIVE.includes(job.state)).reverse();
    if (active.length) follow(active, state.workspace);
    else if (jobs[0].state !== "done") replace(staging, outcome([jobs[0]], state.workspace));
  }

  /** Watch jobs, one after the other, then say what they did. Who leaves ends the watching, not the jobs. */
  async function follow(jobs, workspace) {
    running = new AbortController();
    const { signal } = running;
    const bar = el("progress", { "aria-label": t("progress") });
    const label = el("p", { class: "quiet" }, t("waitsItsTurn"));
    const stop = el("button", { type: "button", class: "onward writes", onclick: () => cancel() }, t("stop"));
    replace(staging, el("h2", {}, t("readingIn")), bar, label, el("p", { class: "quiet" }, t("goesOn")), el("p", {}, stop));
    stop.focus();
    const ended = [];
    let failed = null;
    try {
      for (const job of jobs) {
        for await (const event of events(`/v1/jobs/${encodeURIComponent(job.id)}/events`, null, signal)) {
          if (event.event === "progress") step(event.job);
          else if (event.event === "job") ended.push(event.job);
        }
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      failed = failure(error);
    }
    await settle(workspace); // first: who clicks on what is told to be there must not find it redrawn
    replace(staging, failed, outcome(ended, workspace));
    if (!failed && ended.every((job) => job.state === "done")) context.tell(t("readDone"));

    function step({ progress, state: at }) {
      if (at === "queued" || !progress) return replace(label, t("waitsItsTurn"));
      const { stage, chunks, chunks_total, documents, documents_total, facts, seconds_left, message } = progress;
      replace(
        label,
        [
          message || t(`reading.${stage}`, stage),
          t("documentsOf", number(documents), number(documents_total)),
          chunks_total > 0 && t("passagesRead", number(chunks), number(chunks_total)),
          facts > 0 && t("factsRead", number(facts)),
          seconds_left !== null && t("timeLeft", duration(seconds_left)),
        ]
          .filter(Boolean)
          .join(" · "),
      );
      if (chunks_total) Object.assign(bar, { max: chunks_total, value: chunks });
      else bar.removeAttribute("value");
    }

    async function cancel() {
      stop.disabled = true;
      replace(label, t("stopping"));
      try {
        for (const job of jobs) await post(`/v1/jobs/${encodeURIComponent(job.id)}/cancel`);
      } catch (error) {
        replace(staging, failure(error));
      }
    }
  }

  /** What jobs did; and what can be done about those that did not do all of it. */
  function outcome(jobs, workspace) {
    const again = jobs.filter((job) => ["partial", "failed", "cancelled"].includes(job.state));
    const errors = jobs.filter((job) => job.error).map((job) => failure(new Failure(job.error)));
    return [
      reportView(jobs.map((job) => job.report).filter(Boolean)),
      jobs.some((job) => job.state === "cancelled") && el("p", { class: "remark" }, t("readStopped")),
      errors,
      again.length > 0 &&
        el(
          "p",
          { class: "choices" },
          el("button", { type: "button", class: "onward writes", onclick: () => act(again, workspace, true) }, t("jobAgain")),
          el("button", { type: "button", class: "quiet writes", onclick: () => act(again, workspace, false) }, t("jobForget")),
        ),
    ];
  }

  /** Do again what failed of jobs, or forget them. */
  async function act(jobs, workspace, retry) {
    try {
      for (const { id } of jobs) {
        const path = `/v1/jobs/${encodeURIComponent(id)}`;
        await (retry ? post(`${path}/retry`) : remove(path));
      }
    } catch (error) {
      return replace(staging, failure(error));
    }
    if (retry) follow(jobs, workspace);
    else replace(staging);
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
    const label = el("p", { class: "quiet" }, t("sending"));
    replace(staging, el("h2", {}, t("readingIn")), bar, label, el("p", {}, el("button", { type: "button", class: "onward", onclick: () => running.abort() }, t("stop"))));
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

// ---- files on their way

/** What was chosen; the same may be chosen again. */
function picked(input) {
  const chosen = [...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
  input.value = "";
  return chosen;
}

/** The files as forms take them, in as many as their size needs. */
function batches(chosen, limit) {
  const made = [[]];
  let bytes = 0;
  for (const one of chosen) {
    const weight = one.file.size + 2 * one.name.length + 1000; // and what a form adds
    if (bytes && (bytes + weight > limit || made.at(-1).length >= FILES)) {
      made.push([]);
      bytes = 0;
    }
    made.at(-1).push(one);
    bytes += weight;
  }
  return made.filter((batch) => batch.length);
}

function form(batch, kind) {
  const made = new FormData();
  for (const { file, name } of batch) made.append("files", file, name);
  made.append("sources", JSON.stringify(batch.map(({ file, name }) => ({ name, media_type: file.type }))));
  made.append("extractor", kind);
  return made;
}

function add(told, found) {
  for (const key of ["documents", "unchanged", "chunks", "kept", "seconds"]) told[key] += found[key] ?? 0;
  if (found.cost !== null) told.cost = (told.cost ?? 0) + found.cost;
  told.calls += found.usage.calls;
  told.skipped.push(...found.skipped);
  told.extractor = found.extractor;
}

/** "local", "llm:mistral": who reads, in words. */
const reader = (extractor) => (extractor.startsWith("llm:") ? oneLine(extractor.slice(4), 60) : t("extractor.local"));

/** What it will cost, in a sentence. */
function estimateText(told) {
  return [
    t("willRead", number(told.documents), told.documents, number(told.chunks)),
    told.unchanged && t("unchangedCount", number(told.unchanged), told.unchanged),
    told.kept && t("keptCount", number(told.kept)),
    told.documents && t("willTake", duration(told.seconds), reader(told.extractor)),
    told.calls && t("willCall", number(told.calls)),
    told.cost !== null && t("willCost", number(told.cost, 2)),
  ]
    .filter(Boolean)
    .join(" ");
}

function reportView(reports) {
  if (!reports.length) return null;
  const all = (key) => reports.flatMap((report) => report[key]);
  const last = reports.at(-1);
  const counts = ["added", "updated", "unchanged", "skipped"].map((key) => [key, all(key).length]).filter(([, count]) => count);
  return [
    el("h2", {}, t("readDone")),
    el("p", {}, counts.map(([key, count]) => t(`did.${key}`, number(count))).join(", ") || t("did.nothing")),
    el("p", { class: "quiet" }, t("nowHolds", number(last.entities), number(last.facts))),
    skippedList(all("skipped")),
    all("remarks").length > 0 && [el("h3", {}, t("worthKnowing")), el("ul", { class: "skipped" }, all("remarks").map((line) => foreign("li", oneLine(line, 240))))],
    all("problems").length > 0 && [el("h3", {}, t("readInPart")), el("ul", { class: "skipped" }, all("problems").map((line) => foreign("li", oneLine(line, 240))))],
  ];
}

/** What could not be used, each with its cause and its cure. */
function skippedList(skipped) {
  if (!skipped.length) return null;
  return [
    el("h3", {}, t("skipped", number(skipped.length))),
    el("ul", { class: "skipped" }, skipped.map((one) => el("li", {}, foreign("bdi", oneLine(one.source, 120)), el("span", { class: "quiet" }, " ", foreign("bdi", oneLine(one.cause, 240)), " ", foreign("bdi", oneLine(one.cure, 240)))))),
  ];
}
