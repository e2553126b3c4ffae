// Which entities and links of the graph are shown: the reader's choices.

export const LINKS = 3000; // shown while no entity is picked: more are a tangle, and slow without a graphics card

export class Selection {
  /** @param {string} type of the entities that are shown, "" for all */
  constructor(type) {
    this.type = type;
    this.relation = ""; // only links of this relation, and the entities that they join
    this.picked = ""; // the entity whose neighbourhood is bright
    this.alone = false; // only that neighbourhood is shown
    this.data = { nodes: [], links: [] };
    this.hidden = new Set();
    this.byId = new Map();
    this.neighbours = new Map(); // of each entity, by any relation
    this.heaviest = new Set(); // the links that are shown while no entity is picked
    this.joined = null; // the entities that the relation joins, null for all
  }

  /** Take the server's data. */
  load(data) {
    this.data = data;
    this.byId = new Map(data.nodes.map((node) => [node.id, node]));
    this.neighbours = new Map(data.nodes.map((node) => [node.id, new Set()]));
    for (const { first, second } of data.links) {
      this.neighbours.get(first).add(second);
      this.neighbours.get(second).add(first);
    }
    this.heaviest = new Set(data.links.toSorted((a, b) => b.weight - a.weight).slice(0, LINKS));
    this.choose("relation", this.relation);
  }

  /** @param {"type" | "relation"} key */
  choose(key, value) {
    this[key] = value;
    this.joined = this.relation ? new Set(this.data.links.filter((link) => this.isRelated(link)).flatMap((link) => [link.first, link.second])) : null;
  }

  /** @param {string} id "" for none */
  pick(id) {
    this.picked = id;
    if (!id) this.alone = false;
  }

  get pickedNode() {
    return this.byId.get(this.picked);
  }

  isRelated(link) {
    return !this.relation || link.relations.includes(this.relation);
  }

  /** Whether the entity may be shown; `alone` limits the picture only. */
  isListed(node) {
    return !this.hidden.has(node.id) && (!this.type || node.type === this.type) && (!this.joined || this.joined.has(node.id));
  }

  isShown(node) {
    return this.isListed(node) && !(this.alone && !this.isNear(node.id));
  }

  /** Whether it is the picked entity or shares a fact with it. */
  isNear(id) {
    return id === this.picked || Boolean(this.neighbours.get(this.picked)?.has(id));
  }

  isAtPicked(link) {
    return Boolean(this.picked) && [link.first, link.second].includes(this.picked);
  }

  /** The strongest links, all of the picked entity, all of the chosen relation. */
  isLinkShown(link) {
    return this.isRelated(link) && (this.isAtPicked(link) || (!this.alone && (Boolean(this.relation) || this.heaviest.has(link))));
  }

  linksOf(node) {
    return this.data.links.filter((link) => [link.first, link.second].includes(node.id) && this.isRelated(link));
  }

  /** The counts of what is listed. */
  counts() {
    const nodes = this.data.nodes.filter((node) => this.isListed(node));
    const ids = new Set(nodes.map((node) => node.id));
    const links = this.data.links.filter((link) => ids.has(link.first) && ids.has(link.second) && this.isRelated(link));
    return { entities: nodes.length, facts: links.reduce((sum, link) => sum + link.facts, 0) };
  }
}
