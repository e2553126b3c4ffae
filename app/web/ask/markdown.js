// The Markdown of a model's answer as a tree: only the marks that shape a text. Nothing in it can lead anywhere or become
// markup: a link stays the text it is, and so does HTML. Places are counted in UTF-16 units of the source.

const ITEM = /^(\s*)(?:([-*+•])|(\d{1,3})[.)])\s+(?=\S)/;
const HEADING = /^#{1,6}\s+(?=\S)/;
const FENCE = /^\s*(```|~~~)/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^\s*\|(\s*:?-+:?\s*\|)+\s*$/;
const LINE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const INLINE = /(\*\*|__)(?=\S)([^\n]+?)(?<=\S)\1|(?<![\p{L}\p{N}*_\\])([*_])(?=[^\s*_])([^*_\n]+?)(?<=\S)\3(?![\p{L}\p{N}*_])|`([^`\n]+)`/gu;

/** A text as a tree of {tag, children}, whose leaves are {start, end} in the text. */
export function parse(text) {
  const lines = [];
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start) < 0 ? text.length : text.indexOf("\n", start);
    lines.push({ start, end, text: text.slice(start, end) });
    start = end + 1;
  }
  return blocksOf(text, lines);
}

function blocksOf(text, lines) {
  const made = [];
  for (let n = 0; n < lines.length; ) {
    const line = lines[n];
    const fence = FENCE.exec(line.text)?.[1];
    if (!line.text.trim() || LINE.test(line.text)) n += 1;
    else if (fence) {
      const last = endOf(lines, n + 1, (one) => !one.text.trim().startsWith(fence));
      made.push({ tag: "pre", children: last > n + 1 ? [{ start: lines[n + 1].start, end: lines[last - 1].end }] : [] });
      n = last + 1;
    } else if (HEADING.test(line.text)) {
      const start = line.start + HEADING.exec(line.text)[0].length;
      made.push({ tag: "p", children: [{ tag: "strong", children: inline(text, start, line.end) }] });
      n += 1;
    } else if (line.text.startsWith(">")) {
      const last = endOf(lines, n, (one) => one.text.startsWith(">"));
      const inner = lines.slice(n, last).map((one) => from(one, /^>\s?/.exec(one.text)[0].length));
      made.push({ tag: "blockquote", children: blocksOf(text, inner) });
      n = last;
    } else if (ROW.test(line.text) && RULE.test(lines[n + 1]?.text ?? "")) {
      const last = endOf(lines, n + 2, (one) => ROW.test(one.text));
      const rows = [line, ...lines.slice(n + 2, last)].map((row, at) => ({ tag: "tr", children: cells(text, row, at ? "td" : "th") }));
      made.push({ tag: "table", children: rows });
      n = last;
    } else if (ITEM.test(line.text)) {
      const last = endOf(lines, n, (one, at) => ITEM.test(one.text) || (at > n && /^\s+\S/.test(one.text)));
      made.push(...listsOf(text, lines.slice(n, last)));
      n = last;
    } else {
      const last = endOf(lines, n, (one, at) => at === n || (one.text.trim() && !shaped(one.text)));
      const said = lines.slice(n, last).flatMap((one) => [...inline(text, one.start, one.end), { start: one.end, end: one.end + 1 }]);
      made.push({ tag: "p", children: said.slice(0, -1) });
      n = last;
    }
  }
  return made;
}

const shaped = (line) => ITEM.test(line) || HEADING.test(line) || FENCE.test(line) || line.startsWith(">") || ROW.test(line);
const from = (line, count) => ({ ...line, start: line.start + count, text: line.text.slice(count) });

function endOf(lines, n, holds) {
  while (n < lines.length && holds(lines[n], n)) n += 1;
  return n;
}

/** The items of consecutive lines; those with a deeper indent are `inner`. */
function listsOf(text, lines) {
  const lists = [];
  for (const line of lines) {
    const item = ITEM.exec(line.text);
    if (!item) {
      lists.at(-1).children.at(-1).children.push({ start: line.start - 1, end: line.start }, ...inline(text, line.start, line.end));
      continue;
    }
    const tag = item[3] ? "ol" : "ul";
    const inner = item[1].length > 1;
    if (!lists.length || (lists.at(-1).tag !== tag && !inner)) lists.push({ tag, first: Number(item[3] ?? 1), children: [] });
    lists.at(-1).children.push({ tag: "li", inner, children: inline(text, line.start + item[0].length, line.end) });
  }
  return lists;
}

function cells(text, line, tag) {
  return [...line.text.matchAll(/(?<=\|)[^|]*(?=\|)/g)].map((found) => {
    const start = line.start + found.index + found[0].length - found[0].trimStart().length;
    return { tag, children: inline(text, start, start + found[0].trim().length) };
  });
}

function inline(text, start, end) {
  const made = [];
  let at = start;
  for (const found of text.slice(start, end).matchAll(INLINE)) {
    const begin = start + found.index;
    if (begin > at) made.push({ start: at, end: begin });
    at = begin + found[0].length;
    const size = found[1] ? 2 : 1;
    if (found[5] !== undefined) made.push({ tag: "code", children: [{ start: begin + 1, end: at - 1 }] });
    else made.push({ tag: found[1] ? "strong" : "em", children: inline(text, begin + size, at - size) });
  }
  if (end > at) made.push({ start: at, end });
  return made;
}
