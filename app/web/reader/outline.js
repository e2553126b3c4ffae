// The outline of a document: its summaries, level by level, each with a link to its text.

import { Failure, address, events, get, post } from "../base/api.js";
import { el, failure, foreign, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { placeOf, t } from "../base/words.js";

/** A fold that loads the outline when it is first opened. */
export function outlineOf(workspace, documentId) {
  const body = el("div", { class: "levels" }, waitingLine(t("looking")));
  const fold = el("details", { class: "outline", ontoggle: opened }, el("summary", t("outline")), body);
  return fold;

  function opened() {
    fold.removeEventListener("toggle", opened);
    load();
  }

  async function load() {
    try {
      const { summaries, missing } = await get(address(workspace, "outline"), { document_id: documentId });
      const whole = summaries.length > 0 && !missing.documents;
      replace(body, !whole && toWrite(summaries.length ? t("outlineOld") : t("noOutline")), levels(summaries, documentId));
    } catch (error) {
      replace(body, failure(error));
    }
  }

  /** The missing summaries, the cost of writing them, and the button that does. */
  function toWrite(said) {
    const cost = el("span", { class: "quiet" });
    const status = el("div", { "aria-live": "polite" });
    const button = pushButton({ class: "onward writes", onclick: () => write(button, status) }, t("writeOutline"));
    get(address(workspace, "summarize", "estimate"))
      .then(({ summaries, kept, usage }) => replace(cost, ` ${t("outlineTakes", summaries - kept, usage.calls)}`))
      .catch(() => {});
    return el("div", quiet(said), el("p", button, cost), status);
  }

  /** As a job: it continues when the reader closes the document. */
  async function write(button, status) {
    const bar = el("progress", { "aria-label": t("progress") });
    button.disabled = true;
    replace(status, bar);
    try {
      let job = await post(address(workspace, "summaries"), { writer: "auto" });
      for await (const event of events(`/v1/jobs/${encodeURIComponent(job.id)}/events`, null)) {
        job = event.job ?? job;
        if (job.progress?.chunks_total) Object.assign(bar, { max: job.progress.chunks_total, value: job.progress.chunks });
      }
      if (job.error) throw new Failure(job.error);
      await load();
    } catch (error) {
      button.disabled = false;
      replace(status, failure(error));
    }
  }
}

/** The summaries as nested folds, in reading order; those that no other summary covers are open. */
function levels(summaries, documentId) {
  const byId = new Map(summaries.map((one) => [one.id, one]));
  const covered = new Set(summaries.flatMap((one) => one.covers));
  const tops = summaries.filter((one) => !covered.has(one.id)).sort((one, other) => one.start - other.start);
  return tops.map((one) => level(one, byId, documentId, true));
}

function level(one, byId, documentId, open = false) {
  const parts = one.covers.map((id) => byId.get(id)).filter(Boolean);
  return el(
    "details",
    { open },
    el("summary", foreign("bdi", one.title)),
    foreign("p", one.text),
    el(
      "p",
      { class: "quiet" },
      el("a", { href: placeOf(documentId, firstChunk(one, byId)), class: "where" }, t("readIt")),
      named(one),
    ),
    parts.map((part) => level(part, byId, documentId)),
  );
}

/** The names that are most frequent in the text. */
const named = (one) =>
  one.entities.slice(0, 6).map((entity) => [" · ", foreign("bdi", entity.name)]);

const firstChunk = (one, byId) => (byId.has(one.covers[0]) ? firstChunk(byId.get(one.covers[0]), byId) : one.covers[0]);
