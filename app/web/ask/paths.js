// The reasoning paths, each a lane from left to right: entity - relation -> entity, and under each hop its sentence.

import { aroundOf } from "./sentence-context.js";
import { copyWith } from "../base/copy.js";
import { correctionsBar, decideButton, factButton } from "../corrections/corrections.js";
import { hangsOnButton } from "./dependency.js";
import { bdi, el, failure, foreign, oneLine, pushButton, quiet, replace, save } from "../base/dom.js";
import { aboutPath, citesOf, lane, noteOf, premisesOf, relation, stroke, unfold } from "./path-layout.js";
import { savePicture } from "./drawing.js";
import { notesFold } from "../notes/notes.js";
import { unmarked } from "../base/structure.js";
import { placeOf, placed, t } from "../base/words.js";

/** `name` distinguishes the paths of one answer from those of another on the page. */
export function pathsView(context, name = t("paths")) {
  const list = el("div", { class: "lanes" });
  const legend = el("p", { class: "legend" });
  const element = el("section", { class: "paths", "aria-label": name }, list, legend);
  new ResizeObserver(() => list.querySelectorAll(".node").forEach(hug)).observe(list);

  return { element, show, number, compare };

  /** Draw the paths, or say why there are `none`: no word where summaries answer. `evidence` says where each hop's chunk
   * stands. */
  function show(paths, evidence, none = evidence[0]?.kind === "summary" ? "" : t("noPath")) {
    const pieces = new Map(evidence.map((piece) => [piece.id, piece]));
    element.hidden = !paths.length && !none;
    const { shown, leads } = unfold(paths);
    element.classList.toggle("pathless", !shown.length);
    const figures = [...shown, ...leads].map((path, n) => figure(path, n + 1, pieces));
    const first = shown.length ? figures[0] : quiet(leads.length ? t("onlyLeads") : none);
    replace(
      list,
      first,
      shown.slice(1).map((path, n) => folded(figures[n + 1], path)),
      leads.length > 0 &&
        el("details", { class: "leads" }, el("summary", t("leads", leads.length)), leads.map((path, n) => folded(figures[shown.length + n], path)), !shown.length && legend),
    );
    if (shown.length) element.append(legend);
    list.querySelectorAll(".node").forEach(hug);
    replace(legend, legendOf(paths.flatMap((path) => path.hops), pieces));
  }

  /** A path after the first: its names in a line, until it is opened. */
  function folded(figure, path) {
    const names = lane(path.hops).flatMap(({ left, right, joined }) => [!joined && left.name, right.name]).filter(Boolean);
    const fold = el(
      "details",
      { class: "further", "data-path": path.id, ontoggle: () => fold.querySelectorAll(".node").forEach(hug) },
      el("summary", el("span", { class: "nth" }, figure.querySelector("h2").textContent), " ", names.map((name, n) => [n ? " – " : "", bdi(name, 50)])),
      figure,
    );
    return fold;
  }

  /** Put the number of its source beside each hop. */
  function number(answer) {
    const numbers = new Map(answer.citations.map((piece, n) => [piece.id, n + 1]));
    for (const hop of list.querySelectorAll(".hop")) {
      const n = numbers.get(hop.dataset.chunk);
      if (n) replace(hop.querySelector(".cited"), String(n));
    }
    for (const [event, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
      list.addEventListener(event, (happened) => light(happened.target.closest?.(".hop"), on));
    }
  }

  /** Show for each hop the rank of its passage in vector search alone. */
  function compare(citations) {
    const ranks = new Map(citations.map((piece, n) => [piece.id, n + 1]));
    for (const hop of list.querySelectorAll(".hop")) {
      const rank = ranks.get(hop.dataset.chunk);
      const said = replace(hop.querySelector(".rank"), rank ? t("rankThere", rank) : t("notThere"));
      said.classList.toggle("missed", !rank);
    }
  }

  function figure(path, n, pieces) {
    const items = lane(path.hops);
    return el(
      "figure",
      { class: "path", id: `path-${n}`, "data-path": path.id },
      el(
        "figcaption",
        el("h2", t("path", n)),
        el("span", path.origin === "named" && [t("namedPath"), " · "], aboutPath(path)),
        tools(path, n),
      ),
      track(items, pieces),
    );
  }

  function track(items, pieces) {
    const list = el("ol", { class: "lane", "data-hops": items.length }, items.map((item) => hopOf(item, pieces.get(item.hop.chunk_id))));
    // A hop that shows its left end as well needs more room; one alone need not fill the line.
    list.style.setProperty("--columns", items.map((item) => (item.joined ? "minmax(0, 8fr)" : "minmax(0, 11fr)")).join(" "));
    return list;
  }

  function hopOf({ hop, left, right, reversed, joined, weight }, piece) {
    const line = el("span", { class: "line" });
    line.style.setProperty("--weight", `${weight}px`);
    const said = `${hop.subject} ${hop.predicate} ${hop.object}`;
    const [fix, under] = [el("div"), el("div")];
    const corrected = (error = null) => {
      replace(fix, error ? failure(error) : correctionsBar(context, () => replace(fix)));
      fix.querySelector("button")?.focus(); // its undo button, because the focused element was removed
    };
    return el(
      "li",
      { class: `hop ${joined ? "joined" : "apart"}`, "data-chunk": hop.chunk_id },
      el(
        "div",
        { class: "track", role: "group", "aria-label": oneLine(said) },
        !joined && node(left),
        el(
          "span",
          { class: `edge ${stroke(hop)}${reversed ? " reversed" : ""}` },
          foreign("span", oneLine(relation(hop), 60), { class: "predicate" }),
          line,
          noteOf(hop) && el("span", { class: "note" }, noteOf(hop)),
        ),
        node(right),
      ),
      el(
        "blockquote",
        sentenceOf(hop, piece),
        piece?.document_id && hop.sentence && aroundOf(context.state.workspace, hop, piece),
        premisesOf(hop).map(([label, said]) => el("p", { class: "premises" }, t(label), " ", said.map((one) => [foreign("q", unmarked(oneLine(one))), " "]))),
        el(
          "footer",
          el("span", { class: "cited" }),
          piece && [foreign("cite", oneLine(piece.title || piece.source, 60)), (hop.place || piece.place) && `, ${placed(hop.place || piece.place)}`],
          hop.date && ` · ${hop.date}`,
          piece?.kept_by === "graph" && el("span", { class: "kept graph" }, t("kept.graph")),
          el("span", { class: "rank" }),
          hop.fact_id && [factButton(context, hop, fix, corrected), " ", hangsOnButton(context, { fact: hop.fact_id }, under)],
          hop.apart && decideButton(context, t("theSame"), { kind: "same", about: hop.subject_id, other: hop.object_id }, corrected),
          hop.kind === "sentence" && decideButton(context, t("keepAsFact"), statedOf(hop), corrected),
        ),
        fix,
        under,
        (hop.fact_id || (hop.chunk_id && hop.kind !== "unfound")) && notesFold(context, notedAt(hop)),
      ),
    );
  }

  /** The notes of a hop: those of its fact, or of its sentence. */
  function notedAt(hop) {
    if (hop.fact_id) return { asked: { fact: hop.fact_id }, at: () => ({ fact: hop.fact_id }) };
    return { asked: { kind: "passage", text: hop.sentence.slice(0, 200) }, at: () => ({ chunk: hop.chunk_id, start: hop.start, end: hop.end }) };
  }

  /** The name of an entity is a link to it; a title is not. */
  function node(end) {
    const href = end.id && context.link("/graph", { entity: end.id });
    return foreign(href ? "a" : "span", oneLine(end.name, 90), { class: "node", ...(href && { href }) });
  }

  function tools(path, n) {
    const browser = context.state.health.neo4j_browser;
    const name = `filigraph-${path.id.slice(0, 8)}`;
    const copy = pushButton({ onclick: () => copyWith(copy, path.cypher, context.tell) }, "Cypher");
    copy.setAttribute("aria-label", t("copyCypher", n));
    const tool = (label, spokenLabel, act) => pushButton({ "aria-label": spokenLabel, onclick: act }, label);
    return el(
      "span",
      { class: "tools" },
      copy,
      browser && el("a", { href: inBrowser(browser, path.cypher), target: "_blank", rel: "noopener noreferrer", "aria-label": t("openNeo4j", n) }, "Neo4j"),
      tool("SVG", t("saveAs", n, "SVG"), () => savePicture(path, name, "svg")),
      tool("PNG", t("saveAs", n, "PNG"), () => savePicture(path, name, "png")),
      tool("JSON", t("saveAs", n, "JSON"), () => save(`${name}.json`, "application/json", JSON.stringify(path, null, 2))),
    );
  }

  function light(hop, on) {
    if (!hop) return;
    for (const source of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".sources li"))) {
      source.classList.toggle("lit", on && source.dataset.chunk === hop.dataset.chunk);
    }
  }
}

/** Make a name that takes several lines as narrow as its longest one: its arrow then ends where the name begins. */
function hug(node) {
  node.style.inlineSize = "";
  const text = document.createRange();
  text.selectNodeContents(node);
  if (getComputedStyle(node.parentElement).display === "flex") node.style.inlineSize = `${Math.ceil(text.getBoundingClientRect().width)}px`;
}

/** Neo4j Browser with a path's statement in its editor. */
export const inBrowser = (browser, cypher) =>
  `${browser}${browser.includes("?") ? "&" : "?"}${new URLSearchParams({ cmd: "edit", arg: cypher })}`;

/** The correction that keeps a hop as a fact of its sentence. */
const statedOf = (hop) => ({
  kind: "stated",
  about: hop.subject_id || hop.subject,
  other: hop.object_id || hop.object,
  value: hop.predicate,
  places: [{ chunk_id: hop.chunk_id, start: hop.start, end: hop.end }],
});

/** The sentence behind a hop, or what an unfound one cites; it leads to the passage. */
function sentenceOf(hop, piece) {
  if (!hop.sentence) return citesOf(hop) && piece ? el("a", { class: "sentence quiet", href: placeOf(piece.document_id, hop.chunk_id) }, citesOf(hop)) : citesOf(hop);
  return piece ? el("a", { class: "sentence", href: placeOf(piece.document_id, hop.chunk_id, hop.start, hop.end) }, quoted(hop)) : quoted(hop);
}

/** A hop's sentence as a quote. */
const quoted = (hop) => foreign("q", unmarked(oneLine(hop.sentence)));

/** The legend of the lines that occur. */
function legendOf(hops, pieces) {
  if (!hops.length) return null;
  const kinds = [...new Set(hops.map(stroke))];
  const forced = hops.some((hop) => pieces.get(hop.chunk_id)?.kept_by === "graph");
  return [
    kinds.map((kind) => el("span", { class: `key ${kind}` }, el("span", { class: "line" }), t(`legend.${kind}`, t(`how.${hops.find((hop) => stroke(hop) === kind).kind}`)))),
    el("span", { class: "key" }, t("legend.weight")),
    forced && el("span", { class: "key" }, el("span", { class: "kept graph" }, t("kept.graph")), t("legend.kept")),
  ];
}
