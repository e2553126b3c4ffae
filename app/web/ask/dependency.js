// What an answer hangs on: the smallest sets of documents without which its path breaks.

import { get } from "../base/api.js";
import { aside, bdi, el, failure, pushButton, replace, waitingLine } from "../base/dom.js";
import { number, t } from "../base/words.js";

/** A button that looks for it and shows it at the end of a place. */
export function dependencyButton(context, id, place) {
  const found = el("section", { "aria-label": t("hangsOn"), "aria-live": "polite" });
  return pushButton({ class: "keep", onclick: show }, t("hangsOn"));

  async function show() {
    place.append(found);
    replace(found, waitingLine(t("looking")));
    try {
      replace(found, el("h3", t("hangsOn")), said(await get(context.path("traces", id, "dependency"))));
    } catch (error) {
      replace(found, failure(error));
    }
  }
}

function said({ path, sets, documents, complete }) {
  const share = (source) => number(documents.find((row) => row.source === source)?.weight ?? 0, 2);
  const one = (source) => el("li", bdi(source, 200), " ", aside(share(source)));
  return [
    el("p", t(!sets.length ? "hangsOnNone" : path ? "hangsOnPath" : "hangsOnPassage")),
    sets.map((sources) => el("ul", sources.map(one))),
    sets.length > 0 && path && el("p", aside(t("hangsOnShare"))),
    !complete && el("p", aside(t("hangsOnMore"))),
  ];
}
