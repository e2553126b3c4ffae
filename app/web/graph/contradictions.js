// Possible contradictions: matters, each with who says what of it, both sides; read when the fold is opened.

import { Failure, get, post } from "../base/api.js";
import { aside, bdi, el, failure, foreign, oneLine, pushButton, quiet, remark, replace } from "../base/dom.js";
import { jobProgress } from "../base/job-progress.js";
import { matterView, meant } from "../base/statement.js";
import { number, t } from "../base/words.js";

const ROWS = 10;

/** A fold with the possible contradictions of an entity, or of the whole workspace. */
export function contradictionsView(context, entity = null) {
  const path = context.path("contradictions");
  const rows = el("ol", { class: "contradictions" });
  const note = el("p", { class: "quiet", "aria-live": "polite" });
  const more = el("div"); // what an LLM would read, and its progress
  const fold = el("details", { class: "fold" }, el("summary", t("mayDisagree")), note, rows, more);
  fold.addEventListener("toggle", () => fold.open && !rows.childElementCount && (read(0), offer()));
  return fold;

  /** The button that makes an LLM read, with the cost; nothing if no LLM answers or all is read. */
  async function offer() {
    if (context.state.session.limited) return; // it cannot have them read
    try {
      const { usage, model } = await get(`${path}/read/estimate`);
      if (!usage.calls) return replace(more);
      const button = pushButton({ class: "onward writes", onclick: () => begin(button) }, t("readContradictions"));
      return replace(more, el("p", button, aside(` ${t("readTakes", number(usage.calls), number(usage.tokens_in), oneLine(model, 40))}`)));
    } catch {
      return replace(more);
    }
  }

  /** As a job: it continues when the reader leaves the view. */
  async function begin(button) {
    button.disabled = true;
    const progress = jobProgress("callsOf");
    try {
      const job = await post(`${path}/read`, {});
      replace(more, progress.parts);
      const last = await progress.follow(job);
      replace(rows);
      await read(0);
      await offer();
      if (last.error || last.failed) more.prepend(last.error ? failure(new Failure(last.error)) : remark(t("readFailed")));
    } catch (error) {
      replace(more, failure(error));
    }
  }

  /** The verdict of rules, or of an LLM, on a pair. */
  function called(one) {
    if (one.kind === "read") return t(`verdict.${one.verdict || "contradiction"}`, oneLine(one.model, 40));
    const said = t(`disagree.${one.kind}`);
    return one.verdict ? `${said}: ${t(`verdict.${one.verdict}`, oneLine(one.model, 40))}` : `${said}: ${t("mayBe")}`;
  }

  async function read(first) {
    note.textContent = first ? note.textContent : t("looking");
    try {
      const found = await get(path, { first, count: ROWS, entity: entity?.id ?? "" });
      note.textContent = found.total ? t("mayDisagreeNote") : t("noneDisagrees");
      rows.append(...found.matters.map(matter));
      const left = found.total - first - found.matters.length;
      if (left > 0) {
        const next = el("li", pushButton({ class: "more", onclick: () => (next.remove(), read(first + ROWS)) }, t("more", number(left))));
        rows.append(next);
      }
    } catch (error) {
      replace(note, failure(error));
    }
  }

  function matter({ about, statements, pairs: [lead] }) {
    return el("li", about && el("p", foreign("b", oneLine(about, 300))), quiet(called(lead), lead.what && [" · ", bdi(lead.what)]), meant(statements), matterView(statements.slice(0, 2), statements.slice(2)));
  }
}
