// A job that the page follows: its progress, and the button that stops it.

import { events, post } from "./api.js";
import { el, pushButton, replace } from "./dom.js";
import { number, t } from "./words.js";

/** The display of a job, and `follow`, which returns the job when it ends. `count`: the words for its progress. */
export function jobProgress(count) {
  const bar = el("progress", { "aria-label": t("progress") });
  const label = el("p", { class: "quiet", "aria-live": "polite" }, t("waitsItsTurn"));
  const stop = pushButton({ class: "onward writes" }, t("stop"));
  return { parts: [bar, label, el("p", stop)], follow };

  async function follow(job, signal = undefined) {
    const at = `/v1/jobs/${encodeURIComponent(job.id)}`;
    stop.addEventListener("click", () => ((stop.disabled = true), post(`${at}/cancel`).catch(() => {})));
    let last = job;
    for await (const event of events(`${at}/events`, null, signal)) {
      last = event.job ?? last;
      if (event.event !== "progress" || !last.progress) continue;
      const { documents, documents_total: total, message } = last.progress;
      replace(label, message || t(count, number(documents), number(total)));
      Object.assign(bar, { max: total, value: documents });
    }
    return last;
  }
}
