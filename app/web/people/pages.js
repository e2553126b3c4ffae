// Shared by the pages about people: the heading with links to the others, the visible part, the document.

import { bdi, el, failure, replace, save } from "../base/dom.js";
import { get } from "../base/api.js";
import { markingView } from "../scope/marking.js";
import { t } from "../base/words.js";

const PAGES = ["/cast", "/family", "/timeline"];

/** The heading of such a page. `document`: the id of the document to which it is limited. */
export function pageHead(context, page, document = "") {
  const redraw = () => context.go(location.pathname + location.search);
  const limit = el("p", { class: "limit", hidden: true });
  if (document) tellDocument();
  return [
    el("h1", t(`page${page}`)),
    el("nav", { class: "pages", "aria-label": t("peopleAndTime") }, PAGES.map((one) => el("a", { href: context.link(one, document ? { document } : {}), "aria-current": one === page && "page" }, t(`page${one}`)))),
    markingView(context, redraw),
    limit,
  ];

  async function tellDocument() {
    const whole = el("a", { href: context.link(page) }, t("allDocuments"));
    try {
      const row = await get(context.path("documents", document));
      replace(limit, t("onlyIn"), " ", bdi(row.title || row.source, 90), " · ", whole);
    } catch (error) {
      replace(limit, failure(error), whole);
    }
    limit.hidden = false;
  }
}

/** Save rows as a table for spreadsheets. Text that one would take for a formula begins with an apostrophe, as in
 * `graph/text/formats/cells.py`. */
export function saveTable(name, rows) {
  const cell = (value) => `"${String(value).replace(/^(?=\s*[=+\-@＝＋－＠]|[\t\r\n])/, "'").replaceAll('"', '""')}"`;
  save(name, "text/csv;charset=utf-8", `\ufeff${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`);
}
