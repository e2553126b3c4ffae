// Lists that load one page at a time.

import { el, failure, pushButton } from "./dom.js";
import { number, t } from "./words.js";

/** Append the first rows to `list`, and a button that appends the next. `read` gives the rows from a number on, how many there
 * are in all, and with `taken` how many of them these are if that is not the number of rows. Gives the first page; fails if
 * that cannot be read. */
export function growing(list, read, row) {
  let shown = 0;
  return next();

  async function next(further = false) {
    const page = await read(shown);
    shown += page.taken ?? page.rows.length;
    const rows = page.rows.map(row);
    list.append(...rows);
    if (further && rows.length) focusOn(rows[0]); // the button that had the focus is gone
    if (shown < page.total && page.rows.length) list.append(button(page.total - shown));
    return page;
  }

  function focusOn(first) {
    first.tabIndex = -1;
    first.focus({ preventScroll: true });
  }

  function button(left) {
    const failed = (error) => list.append(el("li", failure(error)));
    const item = el("li", pushButton({ class: "more", onclick: () => (item.remove(), next(true).catch(failed)) }, t("more", number(left))));
    return item;
  }
}
