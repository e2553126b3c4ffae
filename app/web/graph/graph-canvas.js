// The whole graph: entities by weight, communities in colour, from the overview to a neighbourhood. Drawn by sigma.js; the
// same is a list, for the keyboard and for screen readers.

import { entityLink, sentenceLink } from "../base/links.js";
import { address, get } from "../base/api.js";
import { factButton } from "../corrections/corrections.js";
import { aside, bdi, el, failure, foreign, oneLine, pushButton, quiet, replace, save, svg } from "../base/dom.js";
import { timeLine } from "./entity.js";
import { saveDrawing } from "../ask/drawing.js";
import { placeNames } from "./labels.js";
import { number, t } from "../base/words.js";

const COLOURS = ["#3b6fb6", "#b5541c", "#3d8552", "#8a5ab0", "#b23a5e", "#2c8590", "#8d7320", "#6d6a9c", "#a34f8e", "#5b7d3a"];
const REST = "#8a8478"; // communities after those
const SIZES = [200, 500, 2000]; // entities, and five times as many facts
const LINKS = 3000; // drawn while no name is picked: more are a tangle, and slow where there is no graphics card
const SHOWN = 12; // communities of the list, and members of each
const NAME = 40; // characters
const WRITTEN = 12; // pixels: names in a picture that is kept
const ASCENT = 0.83; // of a line, above where letters stand

let drawing = null; // sigma and graphology, once they are loaded

/** Load what draws: some 260 kB, only where a picture is asked for. */
async function load() {
  await Promise.all([import("../vendor/sigma-3.0.3.min.js"), import("../vendor/graphology-0.26.0.min.js")]);
  return { Sigma: globalThis.Sigma, Graph: globalThis.graphology.Graph };
}

/** Show the whole in `body`; returns what ends it. `again` shows the view anew after a correction. */
export function showWhole(body, context, again) {
  const { state } = context;
  const type = new URLSearchParams(location.search).get("type") ?? ""; // the library links to the types it found
  const chosen = { entities: SIZES[1], document: "", type, relation: "" };
  const hidden = new Set();
  const note = el("p", { class: "quiet", role: "status" });
  const stage = el("div", { class: "drawing", role: "img" });
  const panel = el("div", { class: "picked" });
  const tools = el("div", { class: "whole-tools" });
  const list = el("details", { class: "whole-list" });
  const view = el("section", { class: "whole" }, el("h2", t("whole")), tools, stage, panel, note, list, timeLine(context));
  let running = new AbortController();
  let data = null;
  let heaviest = new Set(); // the links that are drawn while no name is picked
  let graph = null;
  let sigma = null;
  let names = []; // to be written on the frame that is being drawn
  let picked = null; // the entity whose neighbourhood is bright
  let only = false; // nothing but that neighbourhood
  let joined = null; // the entities that the chosen relation joins, null for all
  read();
  return () => {
    running.abort();
    sigma?.kill();
  };

  async function read() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const asked = { entities: chosen.entities, facts: 5 * chosen.entities, document: chosen.document };
      data = await get(address(state.workspace, "graph"), asked, signal);
      if (!data.nodes.length && !chosen.document) return; // nothing was read: the view beside says so
      heaviest = new Set(data.links.toSorted((a, b) => b.weight - a.weight).slice(0, LINKS));
      if (!view.isConnected) replace(body, view);
      draw();
      await picture(signal);
    } catch (error) {
      if (error.name !== "AbortError" && error.code !== "not_found") replace(body, failure(error));
    }
  }

  // ---- around the picture

  function draw() {
    replace(tools, size(), pick("type", t("typeIs"), [...new Set(data.nodes.map((node) => node.type))].filter(Boolean)), pick("relation", t("relation"), [...new Set(data.links.flatMap((link) => link.relations))]), documents(), finder(), buttons());
    join();
    replace(list, el("summary", t("asList")), asList());
    tellCounts();
  }

  function tellCounts() {
    const nodes = data.nodes.filter((node) => seen(node));
    const ids = new Set(nodes.map((node) => node.id));
    const facts = data.links.filter((link) => ids.has(link.first) && ids.has(link.second) && related(link)).reduce((sum, link) => sum + link.facts, 0);
    const words = t("wholeHolds", number(nodes.length), number(data.total_entities), number(facts), number(data.total_facts));
    note.textContent = data.links.length > LINKS ? `${words} ${t("linksDrawn", number(LINKS))}` : words;
    stage.setAttribute("aria-label", `${t("whole")}. ${words}`);
  }

  function related(link) {
    return !chosen.relation || link.relations.includes(chosen.relation);
  }

  function seen(node) {
    return !hidden.has(node.id) && (!chosen.type || node.type === chosen.type) && (!joined || joined.has(node.id));
  }

  /** Who takes part in what is chosen of the relations: the others are hidden with their facts. */
  function join() {
    joined = chosen.relation ? new Set(data.links.filter(related).flatMap((link) => [link.first, link.second])) : null;
  }

  function refresh() {
    join();
    tellCounts();
    replace(list, el("summary", t("asList")), asList());
    sigma?.refresh();
  }

  function size() {
    const options = SIZES.filter((count, n) => !n || SIZES[n - 1] < data.total_entities);
    const change = (event) => ((chosen.entities = Number(event.target.value)), read());
    return options.length > 1 && el("label", el("span", t("most")), el("select", { onchange: change }, options.map((count) => el("option", { value: count, selected: count === chosen.entities }, number(count)))));
  }

  function pick(key, label, values) {
    const change = (event) => ((chosen[key] = event.target.value), refresh());
    const words = (value) => (key === "relation" ? value.toLowerCase().replaceAll("_", " ") : value);
    return values.length > 1 && el("label", el("span", label), el("select", { onchange: change }, el("option", { value: "" }, t("allOf")), values.sort().map((value) => el("option", { value, selected: value === chosen[key] }, oneLine(words(value), 40)))));
  }

  function documents() {
    const choice = el("select", { onchange: (event) => ((chosen.document = event.target.value), read()) }, el("option", { value: "" }, t("allOf")));
    const label = el("label", { hidden: true }, el("span", t("document")), choice);
    get(address(state.workspace, "documents"), { count: 200 }, running.signal).then(
      ({ documents: rows }) => {
        choice.append(...rows.map((row) => el("option", { value: row.id, selected: row.id === chosen.document }, oneLine(row.title || row.source, 40))));
        label.hidden = rows.length < 2;
      },
      () => {},
    );
    return label;
  }

  function finder() {
    const find = (event) => {
      event.preventDefault();
      const wanted = event.target.querySelector("input").value.trim().toLocaleLowerCase();
      const node = wanted && data.nodes.find((one) => seen(one) && one.name.toLocaleLowerCase().includes(wanted));
      if (node) select(node.id, true);
      else context.tell(t("notFound", wanted));
    };
    return el("form", { role: "search", onsubmit: find }, el("label", el("span", t("findInPicture")), el("input", { type: "search", dir: "auto", autocomplete: "off" })));
  }

  function buttons() {
    const button = (key, sign, act) => pushButton({ class: "small", "aria-label": t(key), title: t(key), onclick: act }, sign);
    const camera = (move) => () => sigma?.getCamera()[move]({ duration: 200 });
    return el(
      "div",
      { class: "whole-buttons", role: "group", "aria-label": t("picture") },
      button("zoomIn", "+", camera("animatedZoom")),
      button("zoomOut", "−", camera("animatedUnzoom")),
      button("zoomAll", "⤢", () => (select(""), hidden.clear(), refresh(), sigma?.getCamera().animatedReset({ duration: 200 }))),
      button("saveSvg", "SVG", () => saveDrawing(drawn(), "graph", "svg")),
      button("savePng", "PNG", () => saveDrawing(drawn(), "graph", "png")),
      button("saveCypher", "Cypher", () => save("graph.cypher", "text/plain", cypher())),
    );
  }

  // ---- the picture

  async function picture(signal) {
    sigma?.kill();
    sigma = null;
    if (!document.createElement("canvas").getContext("webgl2")) {
      replace(stage, quiet(t("noWebGL")));
      list.open = true;
      return;
    }
    drawing ??= await load();
    if (signal.aborted || !stage.isConnected) return;
    replace(stage);
    graph = new drawing.Graph();
    const most = Math.sqrt(data.nodes[0]?.chunks ?? 1);
    for (const node of data.nodes) graph.addNode(node.id, { x: node.x, y: node.y, size: 3 + (15 * Math.sqrt(node.chunks)) / most, label: oneLine(node.name, NAME), color: colourOf(node), node });
    for (const link of data.links) graph.addEdge(link.first, link.second, { size: Math.min(0.6 + Math.log2(link.weight) / 2, 4), label: oneLine(link.predicates[0], NAME), link });
    const style = getComputedStyle(stage);
    const ink = style.getPropertyValue("color");
    const ground = style.getPropertyValue("--raised").trim() || "#ffffff";
    const faint = style.getPropertyValue("--hair").trim() || "#cccccc";
    const firsts = new Set(COLOURS.map((_, n) => data.nodes.find((node) => node.community === n)?.id));
    sigma = new drawing.Sigma(graph, stage, {
      enableEdgeEvents: true,
      renderEdgeLabels: true,
      hideEdgesOnMove: data.links.length > LINKS,
      labelColor: { color: ink },
      edgeLabelColor: { color: ink },
      labelFont: style.fontFamily,
      edgeLabelFont: style.fontFamily,
      labelRenderedSizeThreshold: 7,
      labelDensity: 3, // more than there is room for: those without are left out
      labelGridCellSize: 120,
      defaultDrawNodeLabel: (canvas, one, settings) => names.push({ canvas, settings, x: one.x, y: one.y, size: one.size, said: one.label, fixed: one.highlighted }),
      defaultDrawNodeHover: hover(ground, ink),
      minCameraRatio: 0.02,
      maxCameraRatio: 2,
      nodeReducer: (id, one) => ({ ...one, hidden: !seen(one.node) || (only && !near(id)), ...(picked && !near(id) && { color: faint, label: "" }), ...(id === picked && { highlighted: true }), ...(!picked && firsts.has(id) && { forceLabel: true }), ...(picked && near(id) && { forceLabel: data.links.length < 400 || id === picked }) }),
      edgeReducer: (id, one) => edgeLook(one, graph.extremities(id), faint, ground),
    });
    sigma.on("beforeRender", () => (names = []));
    sigma.on("afterRender", () => writeNames(names, discs(), sigma.getDimensions(), ink));
    sigma.on("clickNode", ({ node }) => select(node));
    sigma.on("doubleClickNode", (event) => (event.preventSigmaDefault(), context.go(context.link("/graph", { entity: event.node }))));
    sigma.on("clickEdge", ({ edge }) => showLink(graph.getEdgeAttribute(edge, "link")));
    sigma.on("clickStage", () => select(""));
    stage.dataset.drawn = data.nodes.length;
    if (picked && graph.hasNode(picked)) select(picked);
    else select("");
  }

  /** The discs of the frame, in pixels. */
  function discs() {
    const looks = graph.nodes().map((id) => sigma.getNodeDisplayData(id)).filter((look) => look && !look.hidden);
    return looks.map((look) => ({ ...sigma.framedGraphToViewport(look), size: sigma.scaleSize(look.size) }));
  }

  function near(id) {
    return id === picked || graph.areNeighbors(id, picked);
  }

  function atPicked(link) {
    return Boolean(picked) && [link.first, link.second].includes(picked);
  }

  /** Whether a link is drawn: the strongest, all of a picked name, all of a relation that is chosen. */
  function linkSeen(link) {
    return related(link) && (atPicked(link) || (!(picked && only) && (Boolean(chosen.relation) || heaviest.has(link))));
  }

  function edgeLook(one, [first, second], faint, ground) {
    const bright = atPicked(one.link);
    const community = graph.getNodeAttributes(first).node.community === graph.getNodeAttributes(second).node.community;
    return { ...one, hidden: !linkSeen(one.link), color: bright ? graph.getNodeAttribute(picked, "color") : picked || !community ? faint : mixed(graph.getNodeAttribute(first, "color"), ground), label: bright ? one.label : "", forceLabel: Boolean(bright && only), zIndex: bright ? 1 : 0 };
  }

  function select(id, move = false) {
    picked = id || null;
    if (!picked) only = false;
    const node = data.nodes.find((one) => one.id === id);
    replace(panel, node && card(node));
    sigma?.refresh();
    if (node && move && sigma) {
      const { x, y } = sigma.getNodeDisplayData(id);
      sigma.getCamera().animate({ x, y, ratio: 0.3 }, { duration: 300 });
      context.tell(oneLine(node.name, NAME));
    }
  }

  function card(node) {
    const links = data.links.filter((link) => [link.first, link.second].includes(node.id) && related(link));
    const alone = el("input", { type: "checkbox", checked: only, onchange: (event) => ((only = event.target.checked), sigma?.refresh()) });
    const hide = () => (hidden.add(node.id), select(""), refresh());
    return [
      el("h3", entityLink(context, node.id, node.name, 90)),
      quiet([node.type, t("mentionedIn", number(node.chunks), node.chunks), t("factCount", number(node.facts), node.facts)].filter(Boolean).join(" · ")),
      el("p", el("label", alone, " ", t("onlyNear")), " ", pushButton({ class: "small", onclick: hide }, t("hide"))),
      el("ul", { class: "linked" }, links.slice(0, SHOWN).map((link) => linkRow(link, node))),
    ];
  }

  function linkRow(link, node) {
    const other = named(link.first === node.id ? link.second : link.first);
    return el("li", pushButton({ class: "plain", onclick: () => showLink(link) }, foreign("bdi", `${oneLine(link.predicates[0], NAME)} · ${oneLine(other.name, NAME)}`), link.facts > 1 && aside(` +${link.facts - 1}`)));
  }

  function named(id) {
    return data.nodes.find((node) => node.id === id);
  }

  /** What is said between two entities, each with its sentence. */
  async function showLink(link) {
    const [first, second] = [named(link.first), named(link.second)];
    const ends = [first, second].map((node, n) => [n ? " – " : "", entityLink(context, node.id, node.name)]);
    const said = el("ul", { class: "said" });
    replace(panel, el("h3", ends), said);
    try {
      const { facts } = await get(address(state.workspace, "entities", link.first, "between"), { to: link.second });
      replace(said, facts.map((fact) => factRow(fact)));
    } catch (error) {
      replace(said, el("li", failure(error)));
    }
  }

  function factRow(fact) {
    const parts = [fact.subject, fact.predicate, fact.object].map((part, n) => [n ? " · " : "", bdi(part, 60)]);
    const fix = el("div");
    return el("li", el("p", parts, " ", factButton(context, fact, fix, again)), fix, sentenceLink(fact), el("p", { class: "from" }, bdi(fact.source, 60)));
  }

  // ---- the same as a list, and to keep

  function asList() {
    const groups = Map.groupBy(data.nodes.filter(seen), (node) => node.community);
    return el(
      "ol",
      [...groups.values()].slice(0, SHOWN).map((members) =>
        el(
          "li",
          el("h3", dot(members[0]), bdi(members[0].name, 60), aside(` ${t("namesIn", members.length)}`)),
          el("p", members.slice(0, SHOWN).map((node, n) => [n ? ", " : "", entityLink(context, node.id, node.name)])),
        ),
      ),
    );
  }

  /** What is to be seen now, as a drawing. */
  function drawn() {
    const { width, height } = sigma ? sigma.getDimensions() : { width: 1000, height: 1000 };
    const at = (node) => (sigma ? sigma.graphToViewport(node) : { x: (node.x + 1) * 500, y: (1 - node.y) * 500 });
    const nodes = data.nodes.filter((node) => seen(node) && !(only && !near(node.id)));
    const places = new Map(nodes.map((node) => [node.id, at(node)]));
    const lines = data.links.filter((link) => linkSeen(link) && places.has(link.first) && places.has(link.second));
    const most = Math.sqrt(data.nodes[0]?.chunks ?? 1);
    const discs = nodes.map((node) => ({ ...places.get(node.id), size: 2 + (10 * Math.sqrt(node.chunks)) / most }));
    const ruler = document.createElement("canvas").getContext("2d");
    ruler.font = `${WRITTEN}px sans-serif`;
    const said = nodes.map((node, n) => ({ ...discs[n], text: oneLine(node.name, NAME) }));
    const corners = placeNames(said.map((name) => ({ ...name, width: ruler.measureText(name.text).width, height: WRITTEN })), discs, { width, height });
    return svg(
      "svg",
      { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": note.textContent },
      svg("rect", { width, height, fill: "#fffefb" }),
      lines.map((link) => svg("line", { x1: places.get(link.first).x, y1: places.get(link.first).y, x2: places.get(link.second).x, y2: places.get(link.second).y, stroke: "#b9b2a5", "stroke-width": 0.6 })),
      nodes.map((node, n) => svg("circle", { cx: discs[n].x, cy: discs[n].y, r: discs[n].size, fill: colourOf(node) })),
      said.map(({ text }, n) => corners[n] && svg("text", { x: corners[n].x, y: corners[n].y + WRITTEN * ASCENT, "font-size": WRITTEN, "font-family": "sans-serif", fill: "#1d1b18" }, text)),
    );
  }

  /** What is to be seen now, as a statement for Neo4j Browser. */
  function cypher() {
    const ids = data.nodes.filter((node) => seen(node) && !(only && !near(node.id))).map((node) => `'${node.id.replace(/[^0-9a-f]/g, "")}'`);
    return `CYPHER 5\nMATCH (e:__Entity__) WHERE e.id IN [\n${ids.join(",\n")}]\nOPTIONAL MATCH (e)-[r]->(o:__Entity__) WHERE r.fact_id IS NOT NULL\nRETURN e, r, o\n`;
  }
}

/** A third of a colour on its ground; sigma blends what is half transparent too brightly. */
function mixed(colour, ground) {
  const parts = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [over, under] = [parts(colour), parts(ground)];
  return `#${over.map((part, n) => Math.round(0.35 * part + 0.65 * under[n]).toString(16).padStart(2, "0")).join("")}`;
}

/** Write the names for which there is room. */
function writeNames(names, discs, frame, ink) {
  const said = names.filter((name) => name.said);
  if (!said.length) return;
  const [{ canvas, settings }] = said;
  const height = settings.labelSize;
  canvas.font = `${settings.labelWeight} ${height}px ${settings.labelFont}`;
  canvas.fillStyle = ink;
  const corners = placeNames(said.map((name) => ({ ...name, width: canvas.measureText(name.said).width, height })), discs, frame);
  corners.forEach((corner, n) => corner && canvas.fillText(said[n].said, corner.x, corner.y + height * ASCENT));
}

const colourOf = (node) => COLOURS[node.community] ?? REST;

/** The colour of a name's community. */
function dot(node) {
  const element = el("span", { class: "dot", "aria-hidden": "true" });
  element.style.background = colourOf(node);
  return element;
}

/** How a name is drawn under the pointer: on a ground of its own. */
const hover = (ground, ink) => (canvas, data, settings) => {
  const size = settings.labelSize;
  canvas.font = `${settings.labelWeight} ${size}px ${settings.labelFont}`;
  const width = data.label ? canvas.measureText(data.label).width + 8 : 0;
  canvas.fillStyle = ground;
  canvas.fillRect(data.x + data.size, data.y - size / 2 - 4, width, size + 8);
  canvas.beginPath();
  canvas.arc(data.x, data.y, data.size + 2, 0, 2 * Math.PI);
  canvas.strokeStyle = ink;
  canvas.stroke();
  canvas.fillStyle = ink;
  if (data.label) canvas.fillText(data.label, data.x + data.size + 3, data.y + size / 3);
};
