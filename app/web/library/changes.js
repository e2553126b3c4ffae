// How one graph differs from another: names and facts that were added or removed, names joined and separated.

import { bdi, el, foreign, oneLine, quiet } from "../base/dom.js";
import { sentenceLink } from "../base/links.js";
import { number, t } from "../base/words.js";

const LISTS = ["entities_came", "entities_gone", "joined", "parted", "renamed", "facts_came", "facts_gone"];

/** What was added, removed or changed; a line if nothing was. */
export function changesView(changes) {
  const parts = LISTS.map((name) => part(t(`news.${name}`), changes.totals[name], changes[name], rowOf)).filter(Boolean);
  return parts.length ? parts : quiet(t("nothingDiffers"));
}

/** A heading with the number of rows, and the first of them. */
export const part = (title, total, rows, show, name = "") =>
  total > 0 && el("section", el("h3", title, " ", el("small", number(total))), el("ul", { class: name }, rows.map((row) => el("li", show(row)))), total > rows.length && quiet(t("andMore", number(total - rows.length))));

function rowOf(row) {
  if (typeof row === "string") return bdi(row, 80);
  if (row.others) return [bdi(row.name, 80), ": ", bdi(row.others.join(", "), 200)];
  return [foreign("b", oneLine(`${row.subject} ${row.predicate} ${row.object}`, 160)), " ", sentenceLink(row)];
}
