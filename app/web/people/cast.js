// The cast of a document or workspace: each person with its first sentence, other names, and its most frequent companion.

import { get } from "../base/api.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, pushButton, quiet, replace, saveTable, waitingLine } from "../base/dom.js";
import { growing } from "../base/growing.js";
import { entityLink, sentenceLink } from "../base/links.js";
import { nothingRead } from "../base/nothing-read.js";
import { number, placed, t } from "../base/words.js";
import { pageHead } from "./pages.js";

const ROWS = 50;
const MOST = 1000; // of a request
const ORDERS = ["passages", "appearance"];

export function showCast(main, context, { asked }) {
  const document_ = asked.get("document") ?? "";
  const order = ORDERS.find((one) => one === asked.get("order")) ?? ORDERS[0];
  const body = el("div", { class: "people-page" }, waitingLine(t("looking")));
  main.append(...pageHead(context, "/cast", document_), body);
  document.title = `${t("page/cast")} · Filigraph`;
  const read = (first, count = ROWS) => get(context.path("cast"), { document: document_, order, first, count }).then(({ members, total }) => ({ rows: members, total }));
  load();

  async function load() {
    const list = el("ol", { class: "cast" });
    try {
      const { total } = await growing(list, read, member);
      const tools = el("p", { class: "tools" }, orderChoice(), " ", pushButton({ class: "small", onclick: saveAll }, t("saveCsv")));
      replace(body, total ? [quiet(t("personCount", number(total), total)), tools, list] : quiet(t("nobodyNamed")));
      context.tell(t("personCount", number(total), total));
    } catch (error) {
      replace(body, error.code === "not_found" && !document_ ? nothingRead(context) : failure(error));
    }
  }

  function orderChoice() {
    const choose = (event) => context.go(context.link("/cast", { ...(document_ && { document: document_ }), order: event.target.value }));
    return el("label", t("orderBy"), " ", el("select", { onchange: choose }, ORDERS.map((one) => el("option", { value: one, selected: one === order }, t(`order.${one}`)))));
  }

  async function saveAll(event) {
    try {
      const rows = [];
      for (let total = 1; rows.length < total; ) {
        const page = await read(rows.length, MOST);
        if (!page.rows.length) break;
        total = page.total;
        rows.push(...page.rows);
      }
      const table = rows.map((row) => [row.name, row.names.join("; "), row.passages, row.connections.map((one) => `${one.name} (${one.passages})`).join("; "), described(row), row.first.sentence, row.first.source, row.first.place, row.description?.own ?? ""]);
      saveTable("cast.csv", [["name", "names", "passages", "with", "is", "sentence", "source", "place", "own"], ...table]);
    } catch (error) {
      event.target.after(failure(error));
    }
  }

  function member(row) {
    const others = row.connections.map((one, n) => [n > 0 && ", ", entityLink(context, one.id, one.name), aside(` ${number(one.passages)}`)]);
    return el(
      "li",
      el("h2", entityLink(context, row.id, row.name, 80), aside(` ${t("inPassages", number(row.passages), row.passages)}`)),
      row.names.length > 0 && el("p", { class: "aliases" }, t("also"), " ", row.names.map((name, n) => [n > 0 && ", ", bdi(name, 80)])),
      row.description && el("p", foreign("span", oneLine(described(row), 200)), row.description.own && aside(` · ${t("ownFact")}`)),
      others.length > 0 && el("p", t("sharesMost"), " ", others),
      el("p", sentenceLink(row.first), " ", aside(documentName(row.first), row.first.place && ` · ${placed(row.first.place)}`)),
    );
  }
}

const described = ({ description }) => (description ? `${description.predicate} ${description.object}` : "");
