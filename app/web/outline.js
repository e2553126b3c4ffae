// The outline of a document: its summaries, level by level, each a click from its text.

import { address, get } from "./api.js";
import { el, foreign, replace } from "./dom.js";
import { failure } from "./failure.js";
import { placeOf, t } from "./words.js";

/** A fold that asks for the outline when it is opened first. */
export function outlineOf(workspace, documentId) {
  const body = el("div", { class: "levels" }, el("p", { class: "waiting" }, t("looking")));
  const fold = el("details", { class: "outline", ontoggle: load }, el("summary", {}, t("outline")), body);
  return fold;

  async function load() {
    fold.removeEventListener("toggle", load);
    try {
      const { summaries } = await get(address(workspace, "outline"), { document_id: documentId });
      replace(body, summaries.length ? levels(summaries, documentId) : el("p", { class: "quiet" }, t("noOutline")));
    } catch (error) {
      replace(body, failure(error));
    }
  }
}

/** The summaries as folds within folds; the one that covers all of the document is open. */
function levels(summaries, documentId) {
  const byId = new Map(summaries.map((one) => [one.id, one]));
  const covered = new Set(summaries.flatMap((one) => one.covers));
  return summaries.filter((one) => !covered.has(one.id)).map((one) => level(one, byId, documentId, true));
}

function level(one, byId, documentId, open = false) {
  const parts = one.covers.map((id) => byId.get(id)).filter(Boolean);
  return el(
    "details",
    { open },
    el("summary", {}, foreign("bdi", one.title)),
    foreign("p", one.text),
    el(
      "p",
      { class: "quiet" },
      el("a", { href: placeOf(documentId, firstChunk(one, byId)), class: "where" }, t("readIt")),
      named(one),
    ),
    parts.map((part) => level(part, byId, documentId)),
  );
}

/** Whom and what the text names most. */
const named = (one) =>
  one.entities.slice(0, 6).map((entity) => [" · ", foreign("bdi", entity.name)]);

const firstChunk = (one, byId) => (byId.has(one.covers[0]) ? firstChunk(byId.get(one.covers[0]), byId) : one.covers[0]);
