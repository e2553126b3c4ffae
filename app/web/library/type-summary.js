// The entities found in a workspace's documents, by type, each a link into the graph; and what to do next.

import { entityLink } from "../base/links.js";
import { address, get } from "../base/api.js";
import { bdi, el, pushButton, remark } from "../base/dom.js";
import { number, t, typeWord } from "../base/words.js";

/** The entities found, or nothing if there are none. `retry` asks again what an LLM has not answered. */
export async function foundView(context, retry) {
  const { workspace } = context.state;
  const [{ types }, { stats }] = await Promise.all([get(address(workspace, "types")), get(address(workspace, "stats"))]);
  if (!types.length) return null;
  return el(
    "section",
    { class: "foundings" },
    el("h2", t("foundHere")),
    stats.open_links && remark(t("openLinks"), " ", pushButton({ class: "onward writes", onclick: retry }, t("retry"))),
    el(
      "dl",
      types.map((row) => [
        el("dt", el("a", { href: context.link("/graph", row.type ? { type: row.type } : {}) }, number(row.entities), " ", bdi(typeWord(row.type || "name", row.entities), 40))),
        el("dd", row.first.map((entity) => entityLink(context, entity.id, entity.name))),
      ]),
    ),
    el(
      "p",
      { class: "quiet next" },
      t("factsFound", number(stats.facts)),
      " ",
      el("a", { class: "onward", href: context.link("/") }, t("nextAsk")),
      " ",
      el("a", { class: "onward", href: context.link("/graph") }, t("nextGraph")),
      stats.near_misses > 0 && [" ", el("a", { class: "onward of-all", href: context.link("/graph", { review: "1" }) }, t("nextReview", number(stats.near_misses), stats.near_misses))],
    ),
  );
}
