// Shared by the pages about people: the heading with links to the others, the visible part, the document.

import { bdi, el, failure, replace } from "../base/dom.js";
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
