// The whole graph: entities by weight, communities in colour, from the overview to a neighbourhood. Drawn by sigma.js; the
// same is a list, for the keyboard and for screen readers.

import { entityLink, sentenceLink } from "../base/links.js";
import { address, get } from "../base/api.js";
import { factButton } from "../corrections/corrections.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, pushButton, quiet, replace, save } from "../base/dom.js";
import { timeLine } from "./entity.js";
import { saveDrawing } from "../ask/drawing.js";
import { number, t, typeWord } from "../base/words.js";
import { Drawing, NAME, canDraw, colourOf, toCypher } from "./graph-drawing.js";
import { LINKS, Selection } from "./graph-selection.js";

const SIZES = [200, 500, 2000]; // entities, and five times as many facts
const MEMBERS = 12; // communities of the list, members of each, and links of an entity's card

/** Show the whole graph in `body`; returns a function that ends it. `again` redraws the view after a correction. */
export function showWhole(body, context, again) {
  const view = new WholeGraph(body, context, again);
  view.read();
  return () => view.end();
}

class WholeGraph {
  constructor(body, context, again) {
    this.body = body;
    this.context = context;
    this.again = again;
    this.entities = SIZES[1]; // requested
    this.document = ""; // whose entities are asked for, "" for all
    this.rows = []; // the documents to choose from
    this.selection = new Selection(new URLSearchParams(location.search).get("type") ?? ""); // the library links to the types it found
    this.note = el("p", { class: "quiet", role: "status" });
    this.stage = el("div", { class: "drawing", role: "img" });
    this.panel = el("div", { class: "picked" });
    this.tools = el("div", { class: "whole-tools" });
    this.list = el("details", { class: "whole-list" });
    this.view = el("section", { class: "whole" }, el("h2", t("whole")), this.tools, this.stage, this.panel, this.note, this.list, timeLine(context));
    this.running = new AbortController();
    this.drawing = new Drawing(this.stage, this.selection, {
      pick: (id) => this.pick(id),
      open: (id) => context.go(context.link("/graph", { entity: id })),
      showLink: (link) => this.showLink(link),
    });
  }

  end() {
    this.running.abort();
    this.drawing.end();
  }

  async read() {
    this.running.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    try {
      const parameters = { entities: this.entities, facts: 5 * this.entities, document: this.document };
      const path = (part) => address(this.context.state.workspace, part);
      const documents = get(path("documents"), { count: 200 }, signal).catch(() => ({ documents: this.rows }));
      const data = await get(path("graph"), parameters, signal);
      ({ documents: this.rows } = await documents); // with the other tools, because later additions move the picture
      signal.throwIfAborted();
      if (!data.nodes.length && !this.document) return; // nothing was read: the view beside says so
      this.selection.load(data);
      if (!this.view.isConnected) replace(this.body, this.view);
      this.showTools();
      this.showList();
      await this.draw(signal);
    } catch (error) {
      if (error.name !== "AbortError" && error.code !== "not_found") replace(this.body, failure(error));
    }
  }

  async draw(signal) {
    this.drawing.end();
    if (!canDraw()) {
      replace(this.stage, quiet(t("noWebGL")));
      this.list.open = true;
      return;
    }
    await this.drawing.draw(signal);
    if (!signal.aborted) this.pick(this.selection.pickedNode ? this.selection.picked : "");
  }

  /** The selection has changed. */
  refresh() {
    this.showList();
    this.drawing.refresh();
  }

  showList() {
    const { data } = this.selection;
    const { entities, facts } = this.selection.counts();
    const words = t("wholeHolds", number(entities), number(data.total_entities), number(facts), number(data.total_facts));
    this.note.textContent = data.links.length > LINKS ? `${words} ${t("linksDrawn", number(LINKS))}` : words;
    this.stage.setAttribute("aria-label", `${t("whole")}. ${words}`);
    replace(this.list, el("summary", t("asList")), communities(this.selection, this.context));
  }

  // ---- tools above the picture

  showTools() {
    const { data } = this.selection;
    const types = data.nodes.map((node) => node.type).filter(Boolean);
    const relations = data.links.flatMap((link) => link.relations);
    const relationWords = (value) => value.toLowerCase().replaceAll("_", " ");
    replace(this.tools, this.size(), this.choice("type", t("typeIs"), types, typeWord), this.choice("relation", t("relation"), relations, relationWords), this.documents(), this.finder(), this.buttons());
  }

  size() {
    const options = SIZES.filter((_, n) => !n || SIZES[n - 1] < this.selection.data.total_entities);
    const change = (event) => ((this.entities = Number(event.target.value)), this.read());
    return options.length > 1 && el("label", el("span", t("most")), el("select", { onchange: change }, options.map((count) => el("option", { value: count, selected: count === this.entities }, number(count)))));
  }

  choice(key, label, values, words = (value) => value) {
    const change = (event) => (this.selection.choose(key, event.target.value), this.refresh());
    const options = [...new Set(values)].sort().map((value) => el("option", { value, selected: value === this.selection[key] }, oneLine(words(value), 40)));
    return options.length > 1 && el("label", el("span", label), el("select", { onchange: change }, el("option", { value: "" }, t("allOf")), options));
  }

  documents() {
    const change = (event) => ((this.document = event.target.value), this.read());
    const options = this.rows.map((row) => el("option", { value: row.id, selected: row.id === this.document }, oneLine(row.title || row.source, 40)));
    return options.length > 1 && el("label", el("span", t("document")), el("select", { onchange: change }, el("option", { value: "" }, t("allOf")), options));
  }

  finder() {
    const find = (event) => {
      event.preventDefault();
      const wanted = event.target.querySelector("input").value.trim().toLocaleLowerCase();
      const node = wanted && this.selection.data.nodes.find((one) => this.selection.isListed(one) && one.name.toLocaleLowerCase().includes(wanted));
      if (node) this.goTo(node);
      else this.context.tell(t("notFound", wanted));
    };
    return el("form", { role: "search", onsubmit: find }, el("label", el("span", t("findInPicture")), el("input", { type: "search", dir: "auto", autocomplete: "off" })));
  }

  buttons() {
    const button = (key, sign, act) => pushButton({ class: "small", "aria-label": t(key), title: t(key), onclick: act }, sign);
    const drawn = () => this.drawing.toSvg(this.note.textContent);
    return el(
      "div",
      { class: "whole-buttons", role: "group", "aria-label": t("picture") },
      button("zoomIn", "+", () => this.drawing.camera("animatedZoom")),
      button("zoomOut", "−", () => this.drawing.camera("animatedUnzoom")),
      button("zoomAll", "⤢", () => this.showAll()),
      button("saveSvg", "SVG", () => saveDrawing(drawn(), "graph", "svg")),
      button("savePng", "PNG", () => saveDrawing(drawn(), "graph", "png")),
      button("saveCypher", "Cypher", () => save("graph.cypher", "text/plain", toCypher(this.selection))),
    );
  }

  showAll() {
    this.pick("");
    this.selection.hidden.clear();
    this.refresh();
    this.drawing.camera("animatedReset");
  }

  // ---- the picked entity, and the facts between two

  /** @param {string} id "" for none */
  pick(id) {
    this.selection.pick(id);
    const node = this.selection.pickedNode;
    replace(this.panel, node && this.card(node));
    this.drawing.refresh();
  }

  goTo(node) {
    this.pick(node.id);
    this.drawing.moveTo(node.id);
    this.context.tell(oneLine(node.name, NAME));
  }

  card(node) {
    const { selection } = this;
    const alone = el("input", { type: "checkbox", checked: selection.alone, onchange: (event) => ((selection.alone = event.target.checked), this.drawing.refresh()) });
    const hide = () => (selection.hidden.add(node.id), this.pick(""), this.refresh());
    return [
      el("h3", entityLink(this.context, node.id, node.name, 90)),
      quiet([typeWord(node.type), t("mentionedIn", number(node.chunks), node.chunks), t("factCount", number(node.facts), node.facts)].filter(Boolean).join(" · ")),
      el("p", el("label", alone, " ", t("onlyNear")), " ", pushButton({ class: "small", onclick: hide }, t("hide"))),
      el("ul", { class: "linked" }, selection.linksOf(node).slice(0, MEMBERS).map((link) => this.linkRow(link, node))),
    ];
  }

  linkRow(link, node) {
    const other = this.selection.byId.get(link.first === node.id ? link.second : link.first);
    return el("li", pushButton({ class: "plain", onclick: () => this.showLink(link) }, foreign("bdi", `${oneLine(link.predicates[0], NAME)} · ${oneLine(other.name, NAME)}`), link.facts > 1 && aside(` +${link.facts - 1}`)));
  }

  /** The facts between two entities, each with its sentence. */
  async showLink(link) {
    const ends = [link.first, link.second].map((id) => this.selection.byId.get(id));
    const links = ends.map((node, n) => [n ? " – " : "", entityLink(this.context, node.id, node.name)]);
    const sentences = el("ul", { class: "said" });
    replace(this.panel, el("h3", links), sentences);
    try {
      const { facts } = await get(address(this.context.state.workspace, "entities", link.first, "between"), { to: link.second });
      replace(sentences, facts.map((fact) => this.factRow(fact)));
    } catch (error) {
      replace(sentences, el("li", failure(error)));
    }
  }

  factRow(fact) {
    const parts = [fact.subject, fact.predicate, fact.object].map((part, n) => [n ? " · " : "", bdi(part, 60)]);
    const fix = el("div");
    return el("li", el("p", parts, " ", factButton(this.context, fact, fix, this.again)), fix, sentenceLink(fact), el("p", { class: "from" }, documentName(fact)));
  }
}

/** The same as a list. */
function communities(selection, context) {
  const groups = Map.groupBy(selection.data.nodes.filter((node) => selection.isListed(node)), (node) => node.community);
  return el(
    "ol",
    [...groups.values()].slice(0, MEMBERS).map((members) =>
      el(
        "li",
        el("h3", dot(members[0]), bdi(members[0].name, 60), aside(` ${t("namesIn", members.length)}`)),
        el("p", members.slice(0, MEMBERS).map((node, n) => [n ? ", " : "", entityLink(context, node.id, node.name)])),
      ),
    ),
  );
}

/** The colour of an entity's community. */
function dot(node) {
  const element = el("span", { class: "dot", "aria-hidden": "true" });
  element.style.background = colourOf(node);
  return element;
}
