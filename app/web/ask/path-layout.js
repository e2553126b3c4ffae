// The layout of a path: which end of each hop is on the left, and where a hop does not begin at the end of the last one.

import { oneLine } from "../base/dom.js";
import { t } from "../base/words.js";

/** One hop on its lane. `reversed`: it is read from right to left. `joined`: its left end is the last hop's right end. */
export function lane(hops) {
  let last = null;
  return hops.map((hop, number) => {
    const subject = { id: hop.subject_id, name: hop.subject };
    const object = { id: hop.object_id, name: hop.object };
    const joined = last !== null && hop.joined !== false && (same(last, subject) || same(last, object));
    let reversed = joined && !same(last, subject);
    const next = hops[number + 1];
    if (!joined && next) reversed = touches(next, subject) && !touches(next, object);
    const [left, right] = reversed ? [object, subject] : [subject, object];
    last = right;
    return { hop, left, right, reversed, joined, weight: weight(hop) };
  });
}

const touches = (hop, end) =>
  same(end, { id: hop.subject_id, name: hop.subject }) || same(end, { id: hop.object_id, name: hop.object });

/** Two ends are the same if their ids are; two with the same name are not, unless one of them is a title, not an entity. */
const same = (one, other) => (one.id && other.id ? one.id === other.id : one.name === other.name);

/** The width of a hop's line, 1 to 5: how close it is to the question. */
function weight(hop) {
  const near = Math.min(Math.max(hop.score / 0.75, 0), 1);
  return Math.round((1 + 4 * near) * 10) / 10;
}

/** The paths that are shown open, and the leads: paths that probably do not answer, and, if one path was named, all others. */
export function unfold(paths) {
  const named = paths.some((path) => path.origin === "named");
  const open = (path) => (named ? path.origin === "named" : !path.lead);
  return { shown: paths.filter(open), leads: paths.filter((path) => !open(path)) };
}

/** The length of a path and, for a named one, how much of it the texts state. */
export function aboutPath({ hops, origin }) {
  const found = hops.filter((hop) => hop.kind !== "unfound").length;
  return found < hops.length || origin === "named" ? t("stepsFound", found, hops.length) : t("hops", hops.length);
}

/** How a hop's line is drawn. */
export const stroke = (hop) => (hop.implied && hop.kind === "fact" ? "implied" : hop.kind === "sentence" ? "sentence-of" : hop.kind);

/** The text between the two ends: what the sentence says, or our own words if no fact joins them. */
export const relation = (hop) => (hop.kind === "fact" ? hop.predicate : t(`relation.${hop.predicate}`, hop.predicate));

/** Remarks on a hop. */
export const noteOf = (hop) =>
  [
    hop.when && oneLine(hop.when, 40),
    hop.denied && t("denied"),
    hop.implied && t("implied"),
    hop.own && t("ownFact"),
    t(`how.${hop.kind}`, ""),
    hop.according_to && t("accordingTo", oneLine(hop.according_to, 40)),
  ]
    .filter(Boolean)
    .join(", ");

/** What is said of the passage that a hop cites, where its texts do not say it; empty for any other hop. */
export const citesOf = (hop) => (hop.kind === "unfound" && hop.chunk_id ? t("cites") : "");

/** What stands beside the sentence of a hop: [its label, texts], what carries the hop first.
 * @returns {[string, string[]][]} */
export function premisesOf({ kind, premises = [], premise_marks: marks = [] }) {
  const labels = { "": kind === "identity" ? "andThere" : "because" };
  for (const mark of ["title", "head", "end", "text"]) labels[mark] = `beside.${mark}`;
  return Object.keys(labels)
    .map((mark) => /** @type {[string, string[]]} */ ([labels[mark], premises.filter((_, n) => (marks[n] ?? "") === mark)]))
    .filter(([, said]) => said.length);
}
