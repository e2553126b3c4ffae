// The graph as a picture that sigma.js draws, and as files: SVG, and a statement for Neo4j Browser.

import { oneLine, svg } from "../base/dom.js";
import { placeNames } from "./labels.js";
import { LINKS } from "./graph-selection.js";

const COLOURS = ["#3b6fb6", "#b5541c", "#3d8552", "#8a5ab0", "#b23a5e", "#2c8590", "#8d7320", "#6d6a9c", "#a34f8e", "#5b7d3a"];
const REST = "#8a8478"; // communities after those
const WRITTEN = 12; // pixels: names in a file
const ASCENT = 0.83; // of a line, above the base of its letters
export const NAME = 40; // characters

let libraries = null; // sigma and graphology, once they are loaded

/** Load the drawing libraries: about 260 kB, only when a picture is requested. */
async function load() {
  await Promise.all([import("../vendor/sigma-3.0.3.min.js"), import("../vendor/graphology-0.26.0.min.js")]);
  return { Sigma: globalThis.Sigma, Graph: globalThis.graphology.Graph };
}

/** Whether this browser can draw it. */
export const canDraw = () => Boolean(document.createElement("canvas").getContext("webgl2"));

export class Drawing {
  /**
   * @param {HTMLElement} stage where it is drawn
   * @param {import("./graph-selection.js").Selection} selection
   * @param {{pick: (id: string) => void, open: (id: string) => void, showLink: (link: object) => void}} on
   */
  constructor(stage, selection, on) {
    this.stage = stage;
    this.selection = selection;
    this.on = on;
    this.graph = null;
    this.sigma = null;
    this.names = []; // to be written on the frame that is being drawn
  }

  end() {
    this.sigma?.kill();
    this.sigma = null;
  }

  refresh() {
    this.sigma?.refresh();
  }

  camera(move) {
    this.sigma?.getCamera()[move]({ duration: 200 });
  }

  /** Move an entity into the middle. */
  moveTo(id) {
    if (!this.sigma) return;
    const { x, y } = this.sigma.getNodeDisplayData(id);
    this.sigma.getCamera().animate({ x, y, ratio: 0.3 }, { duration: 300 });
  }

  /** Draw the current selection. */
  async draw(signal) {
    this.end();
    libraries ??= await load();
    if (signal.aborted || !this.stage.isConnected) return;
    this.stage.replaceChildren();
    this.graph = filled(new libraries.Graph(), this.selection.data);
    const style = getComputedStyle(this.stage);
    this.sigma = new libraries.Sigma(this.graph, this.stage, this.#settings(style));
    this.#listen(style.getPropertyValue("color"));
    this.stage.dataset.drawn = String(this.selection.data.nodes.length);
  }

  #settings(style) {
    const { data } = this.selection;
    const ink = style.getPropertyValue("color");
    const ground = style.getPropertyValue("--raised").trim() || "#ffffff";
    const faint = style.getPropertyValue("--hair").trim() || "#cccccc";
    const firsts = new Set(COLOURS.map((_, n) => data.nodes.find((node) => node.community === n)?.id));
    return {
      enableEdgeEvents: true,
      renderEdgeLabels: true,
      hideEdgesOnMove: data.links.length > LINKS,
      labelColor: { color: ink },
      edgeLabelColor: { color: ink },
      labelFont: style.fontFamily,
      edgeLabelFont: style.fontFamily,
      labelRenderedSizeThreshold: 7,
      labelDensity: 3, // more than there is room for: those without room are left out
      labelGridCellSize: 120,
      defaultDrawNodeLabel: (canvas, look, settings) => this.names.push({ canvas, settings, x: look.x, y: look.y, size: look.size, text: look.label, fixed: look.highlighted }),
      defaultDrawNodeHover: hover(ground, ink),
      minCameraRatio: 0.02,
      maxCameraRatio: 2,
      nodeReducer: (id, look) => this.#nodeLook(id, look, faint, firsts),
      edgeReducer: (id, look) => this.#edgeLook(look, this.graph.extremities(id), faint, ground),
    };
  }

  #nodeLook(id, look, faint, firsts) {
    const { selection } = this;
    const shown = { ...look, hidden: !selection.isShown(look.node) };
    if (!selection.picked) return firsts.has(id) ? { ...shown, forceLabel: true } : shown;
    if (!selection.isNear(id)) return { ...shown, color: faint, label: "" };
    if (id === selection.picked) return { ...shown, highlighted: true, forceLabel: true };
    return { ...shown, forceLabel: selection.data.links.length < 400 };
  }

  #edgeLook(look, [first, second], faint, ground) {
    const { selection, graph } = this;
    const bright = selection.isAtPicked(look.link);
    const within = graph.getNodeAttributes(first).node.community === graph.getNodeAttributes(second).node.community;
    const dim = selection.picked || !within ? faint : mixed(graph.getNodeAttribute(first, "color"), ground);
    return {
      ...look,
      hidden: !selection.isLinkShown(look.link),
      color: bright ? graph.getNodeAttribute(selection.picked, "color") : dim,
      label: bright ? look.label : "",
      forceLabel: bright && selection.alone,
      zIndex: bright ? 1 : 0,
    };
  }

  #listen(ink) {
    const { sigma, on } = this;
    sigma.on("beforeRender", () => (this.names = []));
    sigma.on("afterRender", () => writeNames(this.names, this.#discs(), sigma.getDimensions(), ink));
    sigma.on("clickNode", ({ node }) => on.pick(node));
    sigma.on("doubleClickNode", (event) => (event.preventSigmaDefault(), on.open(event.node)));
    sigma.on("clickEdge", ({ edge }) => on.showLink(this.graph.getEdgeAttribute(edge, "link")));
    sigma.on("clickStage", () => on.pick(""));
  }

  /** The discs of the frame, in pixels. */
  #discs() {
    const { sigma } = this;
    const looks = this.graph.nodes().map((id) => sigma.getNodeDisplayData(id)).filter((look) => look && !look.hidden);
    return looks.map((look) => ({ ...sigma.framedGraphToViewport(look), size: sigma.scaleSize(look.size) }));
  }

  /** The current picture as an SVG element. */
  toSvg(label) {
    const { sigma, selection } = this;
    const { width, height } = sigma ? sigma.getDimensions() : { width: 1000, height: 1000 };
    const at = (node) => (sigma ? sigma.graphToViewport(node) : { x: (node.x + 1) * 500, y: (1 - node.y) * 500 });
    const nodes = selection.data.nodes.filter((node) => selection.isShown(node));
    const places = new Map(nodes.map((node) => [node.id, at(node)]));
    const links = selection.data.links.filter((link) => selection.isLinkShown(link) && places.has(link.first) && places.has(link.second));
    const scale = sizes(selection.data, 2, 10);
    const discs = nodes.map((node) => ({ ...places.get(node.id), size: scale(node) }));
    const ruler = document.createElement("canvas").getContext("2d");
    ruler.font = `${WRITTEN}px sans-serif`;
    const names = nodes.map((node, n) => ({ ...discs[n], text: oneLine(node.name, NAME) }));
    const corners = placeNames(names.map((name) => ({ ...name, width: ruler.measureText(name.text).width, height: WRITTEN })), discs, { width, height });
    return svg(
      "svg",
      { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
      svg("rect", { width, height, fill: "#fffefb" }),
      links.map((link) => svg("line", { x1: places.get(link.first).x, y1: places.get(link.first).y, x2: places.get(link.second).x, y2: places.get(link.second).y, stroke: "#b9b2a5", "stroke-width": 0.6 })),
      nodes.map((node, n) => svg("circle", { cx: discs[n].x, cy: discs[n].y, r: discs[n].size, fill: colourOf(node) })),
      names.map(({ text }, n) => corners[n] && svg("text", { x: corners[n].x, y: corners[n].y + WRITTEN * ASCENT, "font-size": WRITTEN, "font-family": "sans-serif", fill: "#1d1b18" }, text)),
    );
  }
}

/** The current picture as a statement for Neo4j Browser. */
export function toCypher(selection) {
  const ids = selection.data.nodes.filter((node) => selection.isShown(node)).map((node) => `'${node.id.replace(/[^0-9a-f]/g, "")}'`);
  return `CYPHER 5\nMATCH (e:__Entity__) WHERE e.id IN [\n${ids.join(",\n")}]\nOPTIONAL MATCH (e)-[r]->(o:__Entity__) WHERE r.fact_id IS NOT NULL\nRETURN e, r, o\n`;
}

/** The colour of an entity's community. */
export const colourOf = (node) => COLOURS[node.community] ?? REST;

/** The radius of an entity by its passages: `least`, and at most `more` above it. */
function sizes(data, least, more) {
  const most = Math.sqrt(data.nodes[0]?.chunks ?? 1);
  return (node) => least + (more * Math.sqrt(node.chunks)) / most;
}

function filled(graph, data) {
  const scale = sizes(data, 3, 15);
  for (const node of data.nodes) graph.addNode(node.id, { x: node.x, y: node.y, size: scale(node), label: oneLine(node.name, NAME), color: colourOf(node), node });
  for (const link of data.links) graph.addEdge(link.first, link.second, { size: Math.min(0.6 + Math.log2(link.weight) / 2, 4), label: oneLine(link.predicates[0], NAME), link });
  return graph;
}

/** A third of a colour on its background; sigma draws half-transparent colours too brightly. */
function mixed(colour, ground) {
  const parts = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [over, under] = [parts(colour), parts(ground)];
  return `#${over.map((part, n) => Math.round(0.35 * part + 0.65 * under[n]).toString(16).padStart(2, "0")).join("")}`;
}

/** Write the names for which there is room. */
function writeNames(names, discs, frame, ink) {
  const named = names.filter((name) => name.text);
  if (!named.length) return;
  const [{ canvas, settings }] = named;
  const height = settings.labelSize;
  canvas.font = `${settings.labelWeight} ${height}px ${settings.labelFont}`;
  canvas.fillStyle = ink;
  const corners = placeNames(named.map((name) => ({ ...name, width: canvas.measureText(name.text).width, height })), discs, frame);
  corners.forEach((corner, n) => corner && canvas.fillText(named[n].text, corner.x, corner.y + height * ASCENT));
}

/** How a name is drawn under the pointer: on its own background. */
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
