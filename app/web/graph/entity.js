// Of an entity's page what is around its facts: who stands near it, its dated facts, the places of its names in reading order.

import { entityLink, sentenceLink } from "../base/links.js";
import { get } from "../base/api.js";
import { aside, bdi, el, failure, foreign, oneLine, pushButton, replace } from "../base/dom.js";
import { dated, number, t } from "../base/words.js";

const NEAR = 16;
const ROWS = 40; // of a time line, or of places, before "more"

/** Those that share most sentences with it. */
export function nearTo(context, entity) {
  const others = new Map();
  for (const fact of entity.facts) {
    const out = fact.subject_id === entity.id;
    const [id, name] = out ? [fact.object_id, fact.object] : [fact.subject_id, fact.subject];
    const other = others.get(id) ?? { id, name, weight: 0 };
    other.weight += fact.weight;
    others.set(id, other);
  }
  const near = [...others.values()].sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1)).slice(0, NEAR);
  const row = (other) => el("li", entityLink(context, other.id, other.name), aside(` ${number(other.weight)}`));
  return near.length > 1 && el("section", { class: "near" }, el("h3", t("nearIt")), el("ul", near.map(row)));
}

/** The time line of an entity, or of the workspace. Nothing where nothing is dated. */
export function timeLine(context, entity = null) {
  const rows = el("ol", { class: "time-line" });
  const undated = el("p", { class: "quiet" });
  const section = el("section", { hidden: true }, el("h3", t("timeLine")), rows, undated);
  const path = context.path("timeline");
  const asked = entity ? { entity: entity.id } : {};
  let year = "";
  let quoted = "";
  more(rows, (first) => get(path, { ...asked, first, count: ROWS }).then(told), fact, () => (section.hidden = false));
  return section;

  function told(found) {
    undated.textContent = found.undated ? t("undated", number(found.undated), found.undated) : "";
    return { rows: found.facts, total: found.total };
  }

  function fact(said) {
    const [before, now] = [year, said.date.slice(0, 4)];
    year = now;
    const again = said.sentence === quoted; // one sentence may say several facts
    quoted = said.sentence;
    const end = (id, name) => (entity && id === entity.id ? bdi(name, 60) : entityLink(context, id, name));
    return el(
      "li",
      { class: before !== now && "year" },
      el("time", { datetime: said.date }, dated(said.date)),
      el("div", end(said.subject_id, said.subject), " ", foreign("span", oneLine(said.predicate, 80), { class: "predicate" }), " ", end(said.object_id, said.object), !again && sentence(said)),
    );
  }
}

/** Where its names stand, in reading order; folded, and read when it is opened. */
export function placesOf(context, entity) {
  const rows = el("ol", { class: "places" });
  const details = el("details", { class: "where" }, el("summary", t("placesInOrder")), rows);
  const path = context.path("entities", entity.id, "places");
  const read = (first) => get(path, { first, count: ROWS }).then(({ places, total }) => ({ rows: places, total }));
  let source = "";
  const place = (row) => {
    const title = row.source !== source && el("p", { class: "from" }, bdi(row.source, 80));
    source = row.source;
    return el("li", title, sentence(row));
  };
  details.addEventListener("toggle", () => details.open && !rows.childElementCount && more(rows, read, place));
  return details;
}

const sentence = (said) => el("p", sentenceLink(said));

/** Rows, some at a time; `began` is called once there is one. */
async function more(list, read, row, began = () => {}) {
  let shown = 0;
  await next();

  async function next() {
    try {
      const found = await read(shown);
      shown += found.rows.length;
      if (found.total) began();
      list.append(...found.rows.map(row));
      if (shown < found.total && found.rows.length) {
        const button = pushButton({ class: "more", onclick: () => (item.remove(), next()) }, t("more", number(found.total - shown)));
        const item = el("li", button);
        list.append(item);
      }
    } catch (error) {
      began();
      replace(list, el("li", failure(error)));
    }
  }
}
