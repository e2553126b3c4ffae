// The shape of a document's text: paragraphs, headings, tables and the heads of mails, as files have them in plain text.
// Places are counted in UTF-16 units of the text that is given.

const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^\s*\|?(\s*:?-{2,}:?\s*\|)+\s*(:?-{2,}:?\s*)?\|?\s*$/;
const FIELD = /^(\p{Lu}[\p{L}-]{1,20}(?: \p{L}+)?)\s?:[ \t]+(\S.*)$/u;
const EMPHASIS = /(?<![\p{L}\p{N}*_\\])(\*\*|\*|_)(?=[^\s*_])([^*_\n]+?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu;
const LINK = /\[([^\]\n]+)\]\([^)\s]+\)/g;
const ADDRESS = /(?<=\S)\s+<[^<>\s]+@[^<>\s]+>/g; // after a name
const HEADING = /^(#{1,6}\s+)\S/;

export const CELLS = " · "; // between the cells of a row in one line

/** A text as blocks: {kind, start, end} and, of a `table`, its `rows` of cells {start, end} (`headed`: the first names the
 * columns), of a `fields` block (the head of a mail) its pairs of {start, end}. A `heading` begins behind its signs. */
export function blocks(text) {
  const lines = linesOf(text);
  const made = [];
  for (let n = 0; n < lines.length; ) {
    const last = runOf(lines, n, (line) => ROW.test(line.text));
    const field = runOf(lines, n, (line) => FIELD.test(line.text));
    if (last - n > 1 || (last > n && RULE.test(lines[n].text))) {
      made.push(table(lines.slice(n, last)));
      n = last;
    } else if (field - n > 1) {
      made.push({ kind: "fields", ...span(lines[n], lines[field - 1]), rows: lines.slice(n, field).map(pair) });
      n = field;
    } else if (HEADING.test(lines[n].text)) {
      const { start, end, text: line } = lines[n];
      made.push({ kind: "heading", start: start + HEADING.exec(line)[1].length, end });
      n += 1;
    } else if (!lines[n].text.trim()) n += 1;
    else {
      const begun = n;
      n = runOf(lines, n + 1, (line, at) => line.text.trim() && !begins(lines, at));
      made.push({ kind: "text", ...span(lines[begun], lines[n - 1]) });
    }
  }
  return made;
}

/** A sentence as a quote: without the signs of Markdown, a row's bars as dots, only the names of a mail's people. */
export function unmarked(sentence) {
  const row = ROW.test(sentence) ? sentence.split("|").map((cell) => cell.trim()).filter(Boolean).join(CELLS) : sentence;
  return row.replace(LINK, "$1").replace(EMPHASIS, "$2").replace(ADDRESS, "");
}

/** Whether something other than running text begins here. */
const begins = (lines, n) =>
  HEADING.test(lines[n].text) ||
  runOf(lines, n, (line) => ROW.test(line.text)) - n > 1 ||
  runOf(lines, n, (line) => FIELD.test(line.text)) - n > 1;

function linesOf(text) {
  let start = 0;
  return text.split("\n").map((line) => {
    const made = { text: line, start, end: start + line.length };
    start = made.end + 1;
    return made;
  });
}

/** The end of the lines from `n` on for which `holds` is true. */
function runOf(lines, n, holds) {
  while (n < lines.length && holds(lines[n], n)) n += 1;
  return n;
}

const span = (first, last) => ({ start: first.start, end: last.end });

function table(lines) {
  const headed = lines.length > 1 && RULE.test(lines[1].text);
  const rows = lines.filter((line) => !RULE.test(line.text));
  return { kind: "table", ...span(lines[0], lines.at(-1)), headed: headed || namesColumns(rows), rows: rows.map(cells) };
}

/** Whether the first of a file's rows names the columns: it has no figures, and rows below do. */
const namesColumns = ([first, ...rows]) => !/\d/.test(first.text) && rows.some((row) => /\d/.test(row.text));

function cells(line) {
  const made = [];
  for (const found of line.text.matchAll(/(?<=\|)[^|]*(?=\|)/g)) made.push(trimmed(line.start + found.index, found[0]));
  return made;
}

function pair(line) {
  const [, name, value] = FIELD.exec(line.text);
  return [
    { start: line.start, end: line.start + name.length },
    { start: line.end - value.length, end: line.end },
  ];
}

function trimmed(start, text) {
  const from = start + text.length - text.trimStart().length;
  return { start: from, end: from + text.trim().length };
}
