// An answer's words as they are shown: its Markdown as a tree, with unsupported parts set apart.

import { parse } from "./markdown.js";

/** The tree of an answer: {tag, children}, whose leaves are {text} or, if the evidence does not support it, {text, kind}. */
export function treeOf(answer) {
  const units = unitsOf(answer.text);
  const marks = (answer.unsupported ?? []).map(({ start, end, kind }) => ({ start: units(start), end: units(end), kind }));
  const leaves = (node) => (node.tag ? { ...node, children: node.children.flatMap(leaves) } : partsOf(answer.text, node, marks));
  return parse(answer.text).flatMap(leaves);
}

/** Its words, each once. */
export const unsupportedOf = (answer) => [...new Set(answer.unsupported.map(({ text }) => text))];

/** A leaf, cut at the ends of marks. */
function partsOf(text, { start, end }, marks) {
  const parts = [];
  let at = start;
  for (const mark of marks) {
    const [from, to] = [Math.max(mark.start, at), Math.min(mark.end, end)];
    if (from >= to) continue;
    parts.push({ text: text.slice(at, from) }, { text: text.slice(from, to), kind: mark.kind });
    at = to;
  }
  return [...parts, { text: text.slice(at, end) }].filter((part) => part.text);
}

/** Converts places from the server's code points to JavaScript's units. */
function unitsOf(text) {
  const places = [0];
  for (const character of text) places.push(places.at(-1) + character.length);
  return (place) => places[Math.min(place, places.length - 1)];
}
