// The documents of a workspace: a table, filtered by folder, title, date and metadata; and what could not be read of them.

import { get, remove } from "../base/api.js";
import { aside, bdi, confirmed, documentName, el, failure, oneLine, pushButton, quiet, remark, replace, waitingLine } from "../base/dom.js";
import { number, placeOf, placed, t } from "../base/words.js";

const GAPS = 200; // passages without facts that are listed

/** The table, with the mails of a thread below each other. `threads`: the ids of their documents by date; `retry` reads what
 * could not be read; `changed` is called when a document is gone. */
export function documentsTable(context, documents, threads, { retry, changed, fail }) {
  const unread = documents.reduce((sum, row) => sum + row.unread, 0);
  return [
    unread > 0 &&
      remark(t("unread", number(unread), unread), " ", pushButton({ class: "onward writes", onclick: retry }, t("retry"))),
    el(
      "table",
      el("thead", el("tr", ["document", "languageOf", "passagesOf", "factsOf", "version"].map((key) => el("th", { scope: "col" }, t(key))), el("th", { class: "writes" }, el("span", { class: "spoken" }, t("delete"))))),
      el("tbody", grouped(documents, threads).map((rows) => [rows.length > 1 && threadRow(rows), rows.map((row) => rowOf(row, rows.length > 1))])),
    ),
  ];

  function rowOf(row, inThread) {
    const name = row.title || row.source;
    const erase = confirmed({ class: "delete", "aria-label": t("deleteThis", name) }, t("delete"), t("deleteSure"), async () => {
      try {
        await remove(context.path("documents", row.id));
        context.tell(t("deleted", name));
      } catch (error) {
        fail(error);
      }
      changed();
    });
    const sent = inThread && [row.metadata.date, (row.metadata.from ?? "").replace(/\s*<.*/, "")].filter(Boolean).join(" · ");
    return el(
      "tr",
      { class: inThread ? "in-thread" : "" },
      el(
        "th",
        { scope: "row" },
        el("a", { href: placeOf(row.id, ""), class: "where" }, bdi(name, 90)),
        sent && aside(bdi(sent, 90)),
        aside(documentName({ source: row.source }, 90), row.status === "partial" && [" · ", el("span", { class: "partial" }, t("partial"))]),
        row.warnings.map((warning) => aside(oneLine(warning, 160))),
      ),
      el("td", row.language),
      el("td", { class: "number" }, number(row.chunks)),
      el("td", { class: "number" }, number(row.facts)),
      el("td", el("code", { title: row.sha256 }, row.sha256.slice(0, 8))),
      el("td", { class: "writes" }, erase),
    );
  }
}

/** The documents in order, those of a thread in a separate list at the first of them. */
function grouped(documents, threads) {
  const threadOf = new Map(threads.flatMap((ids) => ids.map((id) => [id, ids])));
  const shown = new Map(documents.map((row) => [row.id, row]));
  const groups = new Set(documents.map((row) => threadOf.get(row.id) ?? row));
  return [...groups].map((group) => (Array.isArray(group) ? group.map((id) => shown.get(id)).filter(Boolean) : [group]));
}

const threadRow = (rows) => el("tr", { class: "mail-thread" }, el("td", { colspan: 6 }, t("mailThread", number(rows.length))));

/** A fold with the passages without facts, loaded when it is first opened. */
export function gapsView(context) {
  const list = el("div");
  return el("details", { class: "gaps", ontoggle: (event) => event.target.open && !list.childElementCount && fill() }, el("summary", t("gaps")), list);

  async function fill() {
    replace(list, waitingLine(t("looking")));
    try {
      const { gaps, total } = await get(context.path("gaps"), { count: GAPS });
      replace(
        list,
        total > gaps.length && quiet(t("ofWhich", number(total), number(gaps.length))),
        gaps.length ? el("ul", gaps.map(gapOf)) : quiet(t("noGaps")),
      );
    } catch (error) {
      replace(list, failure(error));
    }
  }
}

const gapOf = (gap) =>
  el(
    "li",
    el("a", { href: placeOf(gap.document_id, gap.chunk_id) }, bdi(gap.excerpt || gap.source, 90)),
    aside(" ", documentName(gap), gap.place && `, ${placed(gap.place)}`, " · ", bdi(gap.reason, 120)),
  );
