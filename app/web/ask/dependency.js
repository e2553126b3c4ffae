// What depends on what: the smallest sets of documents without which a path, a fact or a join of names breaks; and what
// there is only because of a document.

import { get } from "../base/api.js";
import { aside, bdi, el, failure, pushButton, replace, waitingLine } from "../base/dom.js";
import { number, t } from "../base/words.js";

/** A button that looks for it and shows it at the end of a place; each document can be left out. */
export const dependencyButton = (context, { question, generated, trace }, place) =>
  button(place, "keep", () => Promise.all([get(context.path("traces", trace.id, "dependency")), import("./without.js")]), ([found, { withoutButton }]) =>
    said(found, (source) => withoutButton(context, question, source, generated)),
  );

/** Of a fact (`{fact}`), or of two names that are one (`{name: [first, other]}`). */
export const hangsOnButton = (context, asked, place) => button(place, "small", () => get(context.path("dependency"), asked), (found) => said(found));

/** What depends on a document. */
export const documentButton = (context, id, place) => button(place, "small", () => documentChanges(context, id), (parts) => parts);

async function documentChanges(context, id) {
  const [{ changesView }, changes] = await Promise.all([import("../library/changes.js"), get(context.path("documents", id, "dependency"), { count: 20 })]);
  return changesView(changes);
}

function button(place, style, read, shown) {
  const found = el("section", { "aria-label": t("hangsOn"), "aria-live": "polite" });
  return pushButton({ class: style, onclick: show }, t("hangsOn"));

  async function show() {
    place.append(found);
    replace(found, waitingLine(t("looking")));
    try {
      replace(found, el("h3", t("hangsOn")), shown(await read()));
    } catch (error) {
      replace(found, failure(error));
    }
  }
}

function said({ path, sets, documents, complete }, less = (_) => null) {
  const share = (source) => number(documents.find((row) => row.source === source)?.weight ?? 0, 2);
  const one = (source) => el("li", bdi(source, 200), " ", aside(share(source)), less(source));
  return [
    el("p", t(!sets.length ? "hangsOnNone" : path ? "hangsOnPath" : "hangsOnPassage")),
    sets.map((sources) => el("ul", sources.map(one))),
    sets.length > 0 && path && el("p", aside(t("hangsOnShare"))),
    !complete && el("p", aside(t("hangsOnMore"))),
  ];
}
