// A path as a separate drawing, for a file: SVG, or PNG made from it.

import { oneLine, save, svg } from "../base/dom.js";
import { citesOf, lane, noteOf, relation, stroke } from "./path-layout.js";
import { placed } from "../base/words.js";

const SERIF = "Palatino, 'Palatino Linotype', P052, Georgia, serif";
const SANS = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif";
const INK = "#1d1b18";
const SOFT = "#645e55";
const NODE = 150; // widths, in pixels
const EDGE = 130;
const MARGIN = 24;
const DASHES = { fact: "", implied: "7 5", mention: "1 5", title: "10 4 2 4", "sentence-of": "12 3", identity: "2 2", unfound: "1 9" };

/** The drawing of a path: names, relations, and under each hop its sentence. */
export function picture(path) {
  const parts = [];
  let x = MARGIN;
  const items = lane(path.hops);
  const rows = items.flatMap(({ left, right }) => [left, right]).map((end) => lines(end.name, NODE - 12, 17, SERIF));
  const middle = MARGIN + Math.max(...rows.map((row) => row.length)) * 11 + 12;
  const below = middle + Math.max(...rows.map((row) => row.length)) * 11 + 34;
  let bottom = below;
  items.forEach((item, n) => {
    const begin = x;
    if (!item.joined) {
      if (n) x += 30;
      parts.push(text(lines(item.left.name, NODE - 12, 17, SERIF), x + NODE / 2, middle, 17, { middle: true }));
      x += NODE;
    }
    parts.push(edge(item, x, middle));
    x += EDGE;
    parts.push(text(lines(item.right.name, NODE - 12, 17, SERIF), x + NODE / 2, middle, 17, { middle: true }));
    x += NODE;
    const from = item.joined ? begin : begin + 8;
    const { sentence, place } = item.hop;
    const cites = [citesOf(item.hop), place && placed(place)].filter(Boolean).join(": ");
    const quote = sentence ? lines(`“${oneLine(sentence)}”`, x - from - 24, 13, SERIF) : citesOf(item.hop) ? lines(cites, x - from - 24, 13, SANS) : [];
    parts.push(text(quote, from, below, 13, { italic: Boolean(sentence), fill: SOFT, font: sentence ? SERIF : SANS }));
    bottom = Math.max(bottom, below + quote.length * 18);
  });
  const [width, height] = [x + MARGIN, bottom + MARGIN];
  return svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": oneLine(path.text) },
    svg("rect", { width, height, fill: "#fffefb" }),
    parts,
  );
}

function edge({ hop, reversed, weight }, x, y) {
  const [tail, head] = reversed ? [x + EDGE - 4, x + 4] : [x + 4, x + EDGE - 4];
  const back = (reversed ? 1 : -1) * (5 + weight);
  const half = 2.5 + weight;
  const said = lines(relation(hop), EDGE - 16, 14, SERIF);
  const note = noteOf(hop);
  return [
    svg("line", {
      x1: tail,
      x2: head + back,
      y1: y,
      y2: y,
      stroke: hop.kind === "fact" ? INK : SOFT,
      "stroke-width": weight,
      "stroke-dasharray": DASHES[stroke(hop)],
    }),
    svg("path", { d: `M${head} ${y} l${back} ${-half} v${2 * half} z`, fill: hop.kind === "fact" ? INK : SOFT }),
    said.map((line, n) => oneText(line, x + EDGE / 2, y - 9 - (said.length - 1 - n) * 16, 14, { middle: true, italic: true })),
    note && oneText(note, x + EDGE / 2, y + 18, 11, { middle: true, fill: SOFT, font: SANS }),
  ];
}

function text(rows, x, y, size, style) {
  const step = size === 13 ? 18 : 22;
  const first = style.middle ? y - ((rows.length - 1) * step) / 2 + size / 3 : y;
  return rows.map((row, n) => oneText(row, x, first + n * step, size, style));
}

const oneText = (row, x, y, size, { middle = false, italic = false, fill = INK, font = SERIF }) =>
  svg(
    "text",
    {
      x,
      y,
      fill,
      "font-family": font,
      "font-size": size,
      "text-anchor": middle && "middle",
      "font-style": italic && "italic",
      direction: /[\u0590-\u08ff]/.test(row) && "rtl",
    },
    row,
  );

const ruler = document.createElement("canvas").getContext("2d");

/** A text cut into lines that are `width` wide at most; a word that is wider is cut too. */
function lines(said, width, size, font) {
  ruler.font = `${size}px ${font}`;
  const rows = [];
  let row = "";
  const words = oneLine(said, 400).split(" ").flatMap((word) => cut(word, width));
  for (const word of words) {
    const longer = row ? `${row} ${word}` : word;
    if (row && ruler.measureText(longer).width > width) {
      rows.push(row);
      row = word;
    } else row = longer;
  }
  return [...rows, row];
}

function cut(word, width) {
  const pieces = [""];
  for (const character of word) {
    if (ruler.measureText(pieces.at(-1) + character).width > width) pieces.push("");
    pieces[pieces.length - 1] += character;
  }
  return pieces;
}

/** The drawing as a self-contained text. */
export const pictureText = (path) => new XMLSerializer().serializeToString(picture(path));

/** Save the drawing of a path, as "svg" or "png". */
export const savePicture = (path, name, kind) => saveDrawing(picture(path), name, kind);

/** Save any drawing in the same way. */
export async function saveDrawing(drawing, name, kind) {
  const drawn = new Blob([new XMLSerializer().serializeToString(drawing)], { type: "image/svg+xml" });
  if (kind === "svg") {
    save(`${name}.svg`, drawn.type, drawn);
    return;
  }
  const address = URL.createObjectURL(drawn);
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * 2; // twice as fine as a screen: for paper
  canvas.height = image.naturalHeight * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((png) => save(`${name}.png`, "image/png", png), "image/png");
}
