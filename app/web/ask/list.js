// The list that a question asks for: each item with its sentence and place, sorted, counted, saved; and what an LLM can
// read for it.

import { Failure, get, newestOnly, post } from "../base/api.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, pushButton, quiet, remark, replace, saveTable, waitingLine } from "../base/dom.js";
import { growing } from "../base/growing.js";
import { jobProgress } from "../base/job-progress.js";
import { sentenceLink } from "../base/links.js";
import { viewOf } from "../base/marker.js";
import { unmarked } from "../base/structure.js";
import { dated, number, placed, t } from "../base/words.js";

const ROWS = 20;
const MOST = 1000; // of a request
const NAME = 300; // characters of an item
const ORDERS = ["document", "date", "amount", "score"];
const COLUMNS = ["item", "date", "value", "unit", "sentence", "source", "place", "title", "score", "model", "also", "chunk_id"];

/** The section of a list. `trace` is that of the question: it says in which documents it was asked. */
export function listView(context, text, trace) {
  const path = context.path("items");
  const view = seenBy(context, trace);
  const asked = { text, ...(view && { view: JSON.stringify(view) }) };
  const heading = el("h3", { tabindex: "-1" }, t("list"));
  const said = el("div", { "aria-live": "polite" }, waitingLine(t("looking")));
  const rows = el("div");
  const more = el("div"); // what an LLM would read, and its progress
  const order = el("select", { onchange: () => show() }, ORDERS.map((one) => el("option", { value: one }, t(`order.${one}`))));
  const save = pushButton({ class: "small", onclick: saveAll }, t("saveCsv"));
  const tools = el("p", { class: "list-tools", hidden: true }, el("label", t("orderBy"), " ", order), " ", save);
  const section = el("section", { class: "list", "aria-label": t("list") }, heading, said, tools, rows, more);
  const newest = newestOnly(); // the order may be changed before the last one has come
  const read = (first, { count = ROWS, by = order.value, signal = undefined } = {}) =>
    get(path, { ...asked, order: by, first, count }, signal).then((page) => ({ ...page, rows: page.items }));
  show();
  offer();
  return { section, go };

  function go() {
    section.scrollIntoView();
    heading.focus({ preventScroll: true });
  }

  async function show() {
    const [signal, by] = [newest(), order.value];
    try {
      const list = el("ol", { class: "items" });
      const page = await growing(list, (at) => read(at, { by, signal }), item);
      replace(heading, t("list"), " ", el("small", t("listCount", number(page.total))));
      replace(said, looked(page));
      replace(rows, list); // the list itself, not its rows: it grows
      tools.hidden = !page.total;
    } catch (error) {
      if (error.name !== "AbortError") replace(said, failure(error));
    }
  }

  /** What the list is made of, and its sums. */
  function looked(page) {
    const { least, most, unit, period } = page.understood;
    const limits = [least !== null && t("listFrom", amount(least)), most !== null && t("listTo", amount(most)), unit, period].filter(Boolean);
    const models = page.models.map((model) => oneLine(model, 40)).join(", ");
    return [
      !page.total && el("p", t("listNone")),
      page.total > 1 && page.sums.map((sum) => el("p", t("listSum", amount(sum.value), sum.unit))),
      quiet(
        t("listLooked", number(page.passages), number(page.of_passages)),
        limits.length > 0 && ` ${t("listLimits")} ${limits.join(" ")}.`,
        page.calls > 0 && ` ${t("listRead", number(page.read), models, number(page.calls), number(page.of_calls))}`,
        ` ${t("listIncomplete")}`,
      ),
    ];
  }

  /** The button that makes an LLM read, with the cost; nothing if no LLM answers or all is read. */
  async function offer() {
    if (context.state.session.limited) return; // it cannot have them read
    try {
      const { usage, model, cost } = await get(`${path}/read/estimate`, asked);
      if (!usage.calls) return replace(more);
      const button = pushButton({ class: "onward writes", onclick: () => begin(button) }, t("readList"));
      const price = cost !== null && `, ${t("readCosts", number(cost, 2))}`;
      return replace(more, el("p", button, aside(` ${t("readTakes", number(usage.calls), number(usage.tokens_in), oneLine(model, 40))}`, price)));
    } catch {
      return replace(more);
    }
  }

  /** As a job: it continues when the reader leaves the view. */
  async function begin(button) {
    button.disabled = true;
    const progress = jobProgress("callsOf");
    try {
      const job = await post(`${path}/read`, { text, ...(view && { view }) });
      replace(more, progress.parts);
      const last = await progress.follow(job);
      await Promise.all([show(), offer()]);
      if (last.error || last.failed) more.prepend(last.error ? failure(new Failure(last.error)) : remark(t("readFailed")));
    } catch (error) {
      replace(more, failure(error));
    }
  }

  async function saveAll() {
    save.disabled = true;
    try {
      const [all, by] = [[], order.value];
      for (let total = 1; all.length < total; ) {
        const page = await read(all.length, { count: MOST, by });
        if (!page.rows.length) break;
        ({ total } = page);
        all.push(...page.rows);
      }
      saveTable("list.csv", [COLUMNS, ...all.map(cells)]);
    } catch (error) {
      more.prepend(failure(error));
    }
    save.disabled = false;
  }
}

/** What the question was asked of, as the server takes it: the view it was asked in, else what this reader has read; and of
 * this its documents. */
function seenBy(context, { settings: { sources = [], where = {} }, steps }) {
  const asked = steps.find((step) => step.name === "view")?.inputs ?? viewOf(context.state.workspace);
  const view = { ...asked, ...(sources.length && { sources }), ...(Object.keys(where).length && { where: { ...asked?.where, ...where } }) };
  return Object.keys(view).length ? view : null;
}

function item(row) {
  const named = row.item !== row.sentence;
  return el(
    "li",
    el(
      "div",
      named && el("p", { class: "item" }, foreign("b", unmarked(oneLine(row.item, NAME)))),
      row.caption && el("p", { class: "quiet" }, bdi(row.caption, 120)),
      [row, ...row.also].map((at) => el("p", sentenceLink(at), " ", aside(documentName(at), at.place && ` · ${placed(at.place)}`))),
    ),
    el("p", { class: "when" }, row.date && dated(row.date)),
    el("p", { class: "amount" }, row.amount && `${amount(row.amount.value)} ${oneLine(row.amount.unit, 30)}`),
  );
}

const amount = (value) => number(value, value % 1 ? 2 : 0);

function cells(row) {
  const also = row.also.map(({ source, place }) => [source, place].filter(Boolean).join(", ")).join("; ");
  return COLUMNS.map((name) => ({ ...row, value: row.amount?.value ?? "", unit: row.amount?.unit ?? "", also })[name]);
}
