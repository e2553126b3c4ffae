// Excerpts: of each passage the sentence closest to a question, cut around the question's words, with those words marked.
// A word counts more if fewer sentences of the passages contain it, so no list of stop words is needed, in any language.

import { el, oneLine } from "../base/dom.js";
import { blocks, CELLS, unmarked } from "../base/structure.js";

const LONGEST = 260; // characters of an excerpt
const SHORT = 110; // a shorter sentence is shown with the next one
const MARKED = 0.3; // share of the heaviest word's weight from which on a word is marked
const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const SENTENCE_END = /(?<=[.!?…»”]["’)]?\s)(?<!(?:^|[\s(])(?:M|MM|Mr|Mrs|Ms|Dr|Mme|Mlle|St|Ste|No|no|\p{Lu})\.\s)|(?<=[。！？])|\n{2,}|\n(?=\s*[-*+•]\s)/u;
const BULLET = /^[-*+•]\s+/;

/** For each text, the part that a reader of the question wants to see: pieces of text, some of them <mark>. */
export function excerpts(texts, question) {
  const split = texts.map(sentencesOf);
  const weights = weightsOf(question, split.flat());
  return split.map((sentences) => around(sentences, weights));
}

/** A text in one line with the words of the question marked. */
export function marked(text, question) {
  const weights = weightsOf(question, sentencesOf(text));
  return withMarks(oneLine(text), weights);
}

/** The sentences of a text. A row of a table is one, with the names of its columns; the head of a mail is one. */
export function sentencesOf(text) {
  return blocks(text).flatMap((block) => {
    const cut = ({ start, end }) => unmarked(oneLine(text.slice(start, end)));
    if (block.kind === "fields") return [block.rows.map((pair) => pair.map(cut).join(": ")).join(CELLS)];
    if (block.kind === "table") {
      const [names, rows] = block.headed ? [block.rows[0].map(cut), block.rows.slice(1)] : [[], block.rows];
      return rows.map((row) => row.map((cell, n) => [names[n], cut(cell)].filter(Boolean).join(": ")).filter((said, n) => cut(row[n])).join(CELLS));
    }
    return text.slice(block.start, block.end).split(SENTENCE_END).filter((sentence) => sentence?.trim()).map((one) => unmarked(oneLine(one).replace(BULLET, "")));
  });
}

/** The words of a text without case and accents; of scripts without spaces, each character. */
function wordsOf(text) {
  const words = fold(text).match(WORD) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? [...word] : word));
}

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Two words are the same except for their endings: "owned" and "owner", "lettre" and "lettres". */
function alike(one, other) {
  if (one === other) return true;
  const [short, long] = [one, other].sort((a, b) => a.length - b.length);
  if (short.length < 4 || long.length - short.length > 4) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return same >= Math.max(4, Math.ceil(long.length * 0.65));
}

/** For each word of the question: the fewer sentences contain it, the more it counts. */
function weightsOf(question, sentences) {
  const all = [...new Set(wordsOf(question))];
  const telling = all.filter((word) => word.length > 3 || UNSPACED.test(word) || /\p{N}/u.test(word));
  const words = telling.length ? telling : all; // "who", "est": only if there are no others
  const held = sentences.map((sentence) => [...new Set(wordsOf(sentence))]);
  return words
    .map((word) => {
      const count = held.filter((others) => others.some((other) => alike(word, other))).length;
      return { word, weight: count ? Math.log((sentences.length + 1) / (count + 0.5)) * Math.min(word.length, 6) : 0 };
    })
    .filter(({ weight }) => weight > 0);
}

function around(sentences, weights) {
  if (!sentences.length) return [];
  const said = sentences.map((sentence) => {
    const words = [...new Set(wordsOf(sentence))];
    return weights.reduce((sum, { word, weight }) => sum + (words.some((other) => alike(word, other)) ? weight : 0), 0);
  });
  const best = said.indexOf(Math.max(...said));
  let text = sentences[best];
  let next = best + 1;
  if (!text.includes(CELLS)) while (text.length < SHORT && next < sentences.length) text += ` ${sentences[next++]}`; // a row is shown by itself
  const { cut, before, after } = windowOf(text, weights);
  return [before || best ? "… " : "", withMarks(cut, weights), after || next < sentences.length ? " …" : ""];
}

/** The part of a long text that contains most of the words. */
function windowOf(text, weights) {
  if (text.length <= LONGEST) return { cut: text, before: false, after: false };
  const hits = hitsIn(text, weights);
  const worth = (start) => hits.filter((hit) => hit.start >= start && hit.end <= start + LONGEST).reduce((sum, hit) => sum + hit.weight, 0);
  const starts = [0, ...hits.map((hit) => Math.max(0, Math.min(hit.start - 60, text.length - LONGEST)))];
  let start = starts.reduce((best, one) => (worth(one) > worth(best) ? one : best), 0);
  if (start) start += text.slice(start).search(/\s/) + 1; // at a word
  const end = start + LONGEST >= text.length ? text.length : text.lastIndexOf(" ", start + LONGEST);
  return { cut: text.slice(start, end > start ? end : start + LONGEST), before: start > 0, after: end < text.length };
}

/** The places of the question's words in a text. */
function hitsIn(text, weights) {
  const least = MARKED * Math.max(0, ...weights.map(({ weight }) => weight));
  const worth = weights.filter(({ weight }) => weight >= least);
  return [...text.matchAll(WORD)].flatMap((found) => {
    const words = wordsOf(found[0]);
    const weight = Math.max(0, ...worth.filter(({ word }) => words.some((one) => alike(one, word))).map((one) => one.weight));
    return weight ? [{ start: found.index, end: found.index + found[0].length, weight }] : [];
  });
}

function withMarks(text, weights) {
  const parts = [];
  let end = 0;
  for (const hit of hitsIn(text, weights)) {
    parts.push(text.slice(end, hit.start), el("mark", text.slice(hit.start, hit.end)));
    end = hit.end;
  }
  return [...parts, text.slice(end)];
}
