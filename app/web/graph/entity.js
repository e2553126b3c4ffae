// What surrounds the facts on an entity's page: its neighbours, its dated facts, the places of its names in reading order.

import { entityLink, sentenceLink } from "../base/links.js";
import { get } from "../base/api.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, replace } from "../base/dom.js";
import { growing } from "../base/growing.js";
import { dated, number, placed, placeOf, t } from "../base/words.js";

const NEAR = 16;
const ROWS = 40; // of a time line, or of places, before "more"

/** The entities that share most sentences with it. */
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

/** The time line of an entity, or of the workspace with its dated documents. Nothing where nothing is dated. `range`: its
 * first and last date; `came` takes each answer of the server. */
export function timeLine(context, entity = null, range = {}, came = (found) => found) {
  const rows = el("ol", { class: "time-line" });
  const undated = el("p", { class: "quiet" });
  const section = el("section", { hidden: true }, el("h3", t("timeLine")), rows, undated);
  const path = context.path("timeline");
  const asked = { ...range, ...(entity && { entity: entity.id }) };
  let year = "";
  let quoted = "";
  growing(rows, (first) => get(path, { ...asked, first, count: ROWS }).then(told), row).catch((error) => {
    section.hidden = false;
    replace(rows, el("li", failure(error)));
  });
  return section;

  function told(found) {
    came(found);
    const counts = [found.undated && t("undated", number(found.undated), found.undated), found.left_out && t("leftOut", number(found.left_out), found.left_out)];
    undated.textContent = counts.filter(Boolean).join(" ");
    section.hidden = !found.total && !found.documents.length;
    const dates = [...found.documents, ...found.facts].sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));
    return { rows: dates, total: found.total, taken: found.facts.length };
  }

  function row(said) {
    return said.fact_id ? fact(said) : document_(said);
  }

  function document_(said) {
    const before = year;
    year = said.date.slice(0, 4);
    const link = el("a", { href: placeOf(said.id, ""), class: "where" }, bdi(said.title || said.source, 90));
    return el("li", { class: before !== year && "year" }, el("time", { datetime: said.date }, dated(said.date)), el("div", t("document"), " ", link));
  }

  function fact(said) {
    const [before, now] = [year, said.date.slice(0, 4)];
    year = now;
    const again = said.sentence === quoted; // one sentence may state several facts
    quoted = said.sentence;
    const end = (id, name) => (entity && id === entity.id ? bdi(name, 60) : entityLink(context, id, name));
    return el(
      "li",
      { class: before !== now && "year" },
      el("time", { datetime: said.date }, dated(said.date)),
      el("div", end(said.subject_id, said.subject), " ", foreign("span", oneLine(said.predicate, 80), { class: "predicate" }), " ", end(said.object_id, said.object), said.own && aside(` · ${t("ownFact")}`), !again && sentence(said, documentName(said), said.place && " · ")),
    );
  }
}

/** The places of its names, in reading order; folded, and read when the fold is opened. */
export function placesOf(context, entity) {
  const rows = el("ol", { class: "places" });
  const details = el("details", { class: "fold" }, el("summary", t("placesInOrder")), rows);
  const path = context.path("entities", entity.id, "places");
  const read = (first) => get(path, { first, count: ROWS }).then(({ places, total }) => ({ rows: places, total }));
  let source = "";
  const place = (row) => {
    const title = row.source !== source && el("p", { class: "from" }, documentName(row, 80));
    source = row.source;
    return el("li", title, sentence(row));
  };
  const begin = () => growing(rows, read, place).catch((error) => replace(rows, el("li", failure(error))));
  details.addEventListener("toggle", () => details.open && !rows.childElementCount && begin());
  return details;
}

const sentence = (said, ...where) => el("p", sentenceLink(said), aside(" ", where, said.place && placed(said.place)));
