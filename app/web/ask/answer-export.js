// An answer as a self-contained file: question, answer, each hop with its sentence, place and version of the source.

import { address, get } from "../base/api.js";
import { plain, save } from "../base/dom.js";
import { aboutPath, citesOf, lane, noteOf, premisesOf, relation, unfold } from "./path-layout.js";
import { pictureText } from "./drawing.js";
import { reranker } from "./steps.js";
import { treeOf, unsupportedOf } from "./unsupported.js";
import { bySide } from "../base/statement.js";
import { language, number, placed, placeOfWhole, t, when } from "../base/words.js";

const STYLE = `
body { max-width: 48rem; margin: 3rem auto; padding: 0 1.5rem; font: 1.05rem/1.55 Palatino, "Palatino Linotype", P052, Georgia, serif; color: #1d1b18; background: #fffefb; }
h1 { font-size: 1.7rem; font-weight: 400; line-height: 1.25; } h2 { font: 600 .8rem/1.4 system-ui, sans-serif; letter-spacing: .06em; text-transform: uppercase; color: #645e55; margin: 2.5rem 0 .6rem; }
figure { margin: 1.5rem 0; break-inside: avoid; } svg { max-width: 100%; height: auto; }
mark { color: inherit; background: #f6e3b4; }
ol { padding-left: 1.4rem; } li { margin: .7rem 0; } q { font-style: italic; }
.quiet, footer, td, th { font: .82rem/1.5 system-ui, sans-serif; color: #645e55; } table { border-collapse: collapse; width: 100%; }
td, th { text-align: start; vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid #dcd6cb; overflow-wrap: anywhere; }
@media print { body { margin: 0 auto; } }`;

/** Save the report of a stored answer. */
export async function saveReport({ state }, traceId) {
  const answer = await get(address(state.workspace, "traces", traceId, "answer"));
  save(`filigraph-${traceId.slice(0, 8)}.html`, "text/html", String(reportOf(answer)));
}

/** Markup: inserted text is escaped, inserted markup is not. */
class Markup {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (value) => plain(value).replace(/[&<>"']/g, (character) => ESCAPED[character]);

function markup(strings, ...values) {
  const shown = values.map((value) =>
    [value].flat(Infinity).map((one) => (one instanceof Markup ? one.text : one === false || one == null ? "" : escape(one))).join(""),
  );
  return new Markup(String.raw({ raw: strings }, ...shown));
}

function reportOf(answer) {
  const pieces = new Map([...answer.citations, ...answer.uncited].map((piece) => [piece.id, piece]));
  const documents = new Map(answer.documents.map((row) => [row.id, row]));
  return markup`<!doctype html>
<html lang="${language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${answer.question}</title><style>${new Markup(STYLE)}</style></head><body>
<p class="quiet">Filigraph ${answer.version} · ${when(answer.at)}</p>
<h1 dir="auto">${answer.question}</h1>
<h2>${t(answer.generated ? "answer" : "fileSays")}</h2>
${answer.generated && treeOf(answer).map((node) => markup`<div dir="auto">${nodeOf(node)}</div>`)}
${!answer.generated && markup`<p class="quiet">${t(answer.missing ? "modelFailed" : "notAnAnswer")}</p>`}
${answer.unsupported.length > 0 && markup`<p class="quiet">${t("unsupported")} ${unsupportedOf(answer).join(", ")}</p>`}
${answer.generated && answer.missing && markup`<p class="quiet">${t("missing")} ${answer.missing}</p>`}
${answer.remark && markup`<p class="quiet">${answer.remark}</p>`}
${answer.cut_short && markup`<p class="quiet">${t("cutShortAnswer")} ${answer.cut_short}</p>`}
${unfold(answer.paths).shown.map((path, n) => pathOf(path, n + 1, pieces, documents))}
${answer.contradictions.length > 0 && markup`<h2>${t("contradicted")}</h2><ol>${answer.contradictions.map(contradictionOf)}</ol>`}
${answer.rounds.length > 0 && markup`<h2>${t("foundInRounds", answer.rounds.length)}</h2>${answer.rounds.map(roundOf)}`}
<h2>${t("sources")}</h2>
<ol>${answer.citations.map((piece) => sourceOf(piece, documents))}</ol>
<h2>${t("versions")}</h2>
<table>${versionsOf(answer).map(([name, value]) => markup`<tr><th>${name}</th><td>${value}</td></tr>`)}</table>
</body></html>`;
}

/** A part of a model's Markdown; its tags are those that `parse` knows. */
function nodeOf({ tag, children, text, kind }) {
  if (tag) return markup`<${new Markup(tag)}>${children.map(nodeOf)}</${new Markup(tag)}>`;
  return kind ? markup`<mark title="${t(`unsupported.${kind}`)}">${text}</mark>` : text;
}

function pathOf(path, n, pieces, documents) {
  const how = path.origin === "named" ? t("namedPath") : `${t("score")} ${number(path.score, 2)}`;
  return markup`<h2>${t("path", n)} · ${aboutPath(path)} · ${how}</h2>
<figure>${new Markup(pictureText(path))}</figure>
<ol>${lane(path.hops).map(({ hop }) => hopOf(hop, pieces.get(hop.chunk_id), documents))}</ol>`;
}

function hopOf(hop, piece, documents) {
  const note = noteOf(hop);
  return markup`<li><strong dir="auto">${hop.subject}</strong> ${relation(hop)} <strong dir="auto">${hop.object}</strong>${note && ` (${note})`}<br>
${hop.sentence ? markup`<q dir="auto">${hop.sentence}</q>` : markup`<span class="quiet">${citesOf(hop)}</span>`}${premisesOf(hop).map(([label, said]) => markup`<br><span class="quiet">${t(label)}</span>${said.map((one) => markup` <q dir="auto">${one}</q>`)}`)}<br><span class="quiet">${piece ? whereOf({ ...piece, place: hop.place || piece.place }, documents) : hop.chunk_id}</span></li>`;
}

/** All sides of what other voices say against a path. */
const contradictionOf = ({ said, against, what, about = "", further = [] }) =>
  markup`<li>${about && markup`<strong dir="auto">${about}</strong><br>`}${[said, against].map(statementOf)}${bySide(further).map(([side, alike]) => markup`<span class="quiet">${t(`side.${side}`)}</span><br>${alike.map(statementOf)}`)}${what && markup`<span class="quiet">${what}</span>`}</li>`;

const statementOf = (one) =>
  markup`<strong dir="auto">${one.voice}</strong> <q dir="auto">${one.sentence}</q><br><span class="quiet">${[one.place && placed(one.place), one.source, one.date].filter(Boolean).join(" · ")}</span><br>`;

/** The model's notes after a reading, and what it searched next. */
const roundOf = ({ number, notes, looks }) =>
  markup`<p class="quiet">${t("reading.n", number)}</p><p dir="auto">${notes}</p><ul>${looks.map(
    ({ kind, text, extracts }) => markup`<li>${t(`look.${kind}`)} <bdi>${text}</bdi> <span class="quiet">${extracts.map((n) => `[${n}]`).join(" ") || t("nothing")}</span></li>`,
  )}</ul>`;

const sourceOf = (piece, documents) =>
  markup`<li><span dir="auto">${piece.text}</span><br><span class="quiet">${whereOf({ ...piece, place: placeOfWhole(piece) }, documents)}</span></li>`;

function whereOf(piece, documents) {
  const row = documents.get(piece.document_id);
  const parts = [piece.title, piece.place && placed(piece.place), piece.source, row && `sha256 ${row.sha256}`];
  return parts.filter(Boolean).join(" · ");
}

const versionsOf = (answer) => [
  ["Filigraph", answer.version],
  [t("embedder"), answer.embedder],
  [t("reranker"), reranker(answer.trace.steps.find((step) => step.name === "rerank")?.inputs.reranker ?? "none")],
  [t("model"), answer.model || t("did.noModel")],
  [t("workspace"), answer.trace.workspace],
  [t("trace"), answer.trace.id],
];
