// Graph: search an entity; its names and why they are one; the facts about it, with their sentences.

import { entityLink, sentenceLink } from "../base/links.js";
import { address, get, newestOnly } from "../base/api.js";
import { connectionsView } from "./connections.js";
import { contradictionsView } from "./contradictions.js";
import { correctionsBar, entityForms, factButton, showDecisions } from "../corrections/corrections.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { nearTo, placesOf, timeLine } from "./entity.js";
import { nothingRead } from "../base/nothing-read.js";
import { viewOf } from "../base/marker.js";
import { markingView } from "../scope/marking.js";
import { namesOf } from "../corrections/names.js";
import { notesFold } from "../notes/notes.js";
import { showReview } from "../corrections/review.js";
import { showWho } from "../corrections/who.js";
import { showWhole } from "./graph-canvas.js";
import { number, placed, t, typeWord } from "../base/words.js";

const PAUSE = 150; // milliseconds after a key before the search
const FOUND = 30; // entities of a page
const ROWS = 12; // of one side, before "more"
const FAR = 8; // facts of a neighbour
const DATES = 2; // of a fact, before it is unfolded; each sentence has its own

export function showGraph(main, context, { asked }) {
  const { state, link } = context;
  const heading = () => el("h1", { class: "spoken" }, t("view/graph"));
  const field = el("input", {
    id: "search",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto",
    placeholder: t("searchHint"),
    "aria-label": t("search"),
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => turnTo(0), PAUSE);
    },
  });
  const offer = el("div");
  const bar = el("div");
  const found = el("div", { class: "found" });
  const body = el("div", { class: "entity" });
  const [newest, newestEntity] = [newestOnly(), newestOnly()];
  let timer = 0;
  let listed = null; // the name whose results are shown
  let from = Math.max(0, Number.parseInt(asked.get("from"), 10) || 0); // the first of those shown
  const redraw = () => context.go(location.pathname + location.search);
  main.append(
    heading(),
    markingView(context, redraw),
    el("form", { class: "question", role: "search", onsubmit: (event) => (event.preventDefault(), first()) }, field),
    el("div", { class: "shelf" }, el("div", { class: "names-found" }, offer, found), el("div", { class: "beside" }, !entityAsked(asked) && ways(), bar, body)),
  );
  const entity = asked.get("entity");
  replace(bar, correctionsBar(context, redraw));
  const stopReview = state.session.limited ? () => {} : asked.has("review") ? showReview(body, context) : asked.has("who") ? showWho(body, context) : asked.has("decisions") ? showDecisions(body, context) : offerReview();
  const stopWhole = entityAsked(asked) ? () => {} : showWhole(body, context, redraw);
  field.value = asked.get("name") ?? "";
  if (entity) showEntity(entity);
  else if (!entityAsked(asked)) field.focus({ preventScroll: true });
  search();
  return () => {
    clearTimeout(timer);
    stopReview();
    stopWhole();
    newest();
    newestEntity();
  };

  /** What else the workspace has to show: pages of its own, and folds. */
  function ways() {
    const pages = ["/cast", "/family", "/timeline"].map((page, n) => [n > 0 && " · ", el("a", { href: link(page) }, t(`page${page}`))]);
    return el("div", { class: "ways" }, el("p", pages), connectionsView(context), contradictionsView(context));
  }

  async function search() {
    const signal = newest();
    const name = field.value.trim();
    try {
      await context.known;
      const { entities, total } = await get(address(state.workspace, "entities"), { name, first: from, count: FOUND }, signal);
      listed = name;
      if (from && from >= total) return turnTo(0); // an old address: there are fewer now
      if (!entities.length && !name && !entity) {
        replace(main, heading(), nothingRead(context));
        return;
      }
      replace(found, el("h2", t(name ? "found" : "mostMentioned")), entities.length ? list(entities) : quiet(t("notFound", name)), total > FOUND && pager(entities.length, total));
      if (name) context.tell(t("foundCount", total));
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.code === "not_found" && !viewOf(state.workspace)) replace(main, heading(), nothingRead(context)); // no such workspace yet
      else replace(found, failure(error));
    }
  }

  /** Show the names from this one on. */
  function turnTo(first) {
    from = first;
    return search();
  }

  /** From one page of names to the next and back; keyboard users keep their focus. */
  function pager(shown, total) {
    const range = t("rangeOf", number(from + 1), number(from + shown), number(total));
    const turn = (label, sign, first) =>
      pushButton({ class: "small", "aria-label": t(label), title: t(label), disabled: first <= -FOUND || first >= total, onclick: () => turned(label, first) }, sign);
    return el("nav", { class: "pager", "aria-label": t("pages") }, turn("pageBefore", "‹", from - FOUND), el("span", range), turn("pageAfter", "›", from + FOUND));
  }

  async function turned(label, first) {
    await turnTo(Math.max(0, first));
    if (document.activeElement === field) return; // a reader who is typing stays there
    const buttons = [...found.querySelectorAll(".pager button:enabled")];
    (buttons.find((button) => button.title === t(label)) ?? buttons[0])?.focus();
    context.tell(found.querySelector(".pager span")?.textContent ?? "");
  }

  /** A link to the near misses, if there are any. */
  function offerReview() {
    const path = (...more) => address(state.workspace, "corrections", ...more);
    const way = (which, words) => el("p", { class: "offer writes" }, el("a", { href: link("/graph", { [which]: "1" }) }, words));
    Promise.all([get(path("review"), { count: 1 }), get(path(), { by: "person", count: 1 })]).then(
      ([review, decided]) => replace(offer, review.total > 0 && way("who", t("whoOffer")), review.total > 0 && way("review", t("reviewOffer", number(review.total), review.total)), decided.total > 0 && way("decisions", t("decisionsOffer", number(decided.total), decided.total))),
      () => {}, // an empty workspace; the list says so
    );
    return () => {};
  }

  /** The first result for what is written, also if its search has not begun. */
  async function first() {
    clearTimeout(timer);
    if (field.value.trim() !== listed) await turnTo(0);
    if (field.value.trim() === listed) found.querySelector("a")?.click();
  }

  function list(entities) {
    const here = { ...(field.value.trim() && { name: field.value.trim() }), ...(from && { from }) };
    return el(
      "ul",
      entities.map((row) =>
        el(
          "li",
          foreign("a", oneLine(row.name, 80), { href: link("/graph", { entity: row.id, ...here }), "aria-current": row.id === entity && "true" }),
          aside(t("inPassages", number(row.chunks), row.chunks)),
        ),
      ),
    );
  }

  async function showEntity(id) {
    const signal = newestEntity();
    replace(body, waitingLine(t("looking")));
    try {
      const path = (...more) => address(state.workspace, "entities", id, ...more);
      const [{ entity }, names] = await Promise.all([get(path(), {}, signal), get(path("names"), {}, signal)]);
      const again = () => showEntity(id);
      replace(bar, correctionsBar(context, again));
      replace(body, headline(entity), fixing(context, entity, again), around(context, entity, again), connectionsView(context, entity, asked.get("to") ?? ""), nearTo(context, entity), timeLine(context, entity), placesOf(context, entity), contradictionsView(context, entity), notesFold(context, { asked: { entity: entity.id }, at: () => ({ entity: entity.id }), eager: true }), namesOf(names, entity, context, again));
      document.title = `${oneLine(entity.name, 60)} · Filigraph`;
    } catch (error) {
      if (error.name !== "AbortError") replace(body, failure(error));
    }
  }
}

/** Whether one entity's page is requested, or a list of decisions: then there is no room for the form with two names. */
const entityAsked = (asked) => asked.has("entity") || asked.has("review") || asked.has("who") || asked.has("decisions");

/** The corrections of the entity itself, folded. */
function fixing(context, entity, again) {
  const details = el("details", { class: "correct writes" }, el("summary", t("correctEntity")));
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(entityForms(context, entity, again)));
  return details;
}

function headline(entity) {
  const others = entity.aliases.filter((name) => name !== entity.name);
  return el(
    "header",
    foreign("h2", oneLine(entity.name, 200), { class: "name" }),
    quiet([typeWord(entity.type), t("mentionedIn", number(entity.chunks), entity.chunks), t("factCount", number(entity.facts.length), entity.facts.length)].filter(Boolean).join(" · ")),
    others.length > 0 && el("p", { class: "aliases" }, t("also"), " ", others.map((name, n) => [n ? ", " : "", bdi(name, 80)])),
  );
}

// ---- facts: the entity in the middle, subjects that act on it on the left, objects on the right

function around(context, entity, again) {
  const view = el("div");
  const together = (fact) => fact.sentences.every((said) => said.origin === "cooccurrence");
  const hidden = entity.facts.filter(together);
  let all = false;
  draw();
  return view;

  function draw() {
    const facts = entity.facts.filter((fact) => all || !together(fact));
    const out = grouped(facts.filter((fact) => fact.subject_id === entity.id), (fact) => ({ id: fact.object_id, name: fact.object }));
    const into = grouped(facts.filter((fact) => fact.subject_id !== entity.id), (fact) => ({ id: fact.subject_id, name: fact.subject }));
    replace(
      view,
      facts.length
        ? el(
            "div",
            { class: "around" },
            into.length > 0 && side(context, entity, into, "into", again),
            foreign("div", oneLine(entity.name, 120), { class: "self", "aria-hidden": "true" }),
            out.length > 0 && side(context, entity, out, "out", again),
          )
        : quiet(t("noFacts")),
      hidden.length > 0 &&
        el("label", { class: "quiet" }, el("input", { type: "checkbox", checked: all, onchange: (event) => ((all = event.target.checked), draw()) }), " ", t("together", hidden.length)),
    );
  }
}

/** Facts by their content: those that state the same of several entities are grouped. */
function grouped(facts, other) {
  const groups = new Map();
  for (const fact of facts) {
    if (!groups.has(fact.predicate)) groups.set(fact.predicate, []);
    groups.get(fact.predicate).push({ fact, other: other(fact) });
  }
  return [...groups];
}

function side(context, entity, groups, way, again) {
  let shown = 0;
  const rest = [];
  const element = el("ul", { class: `side ${way}`, "aria-label": t(way === "out" ? "saysOut" : "saysInto", oneLine(entity.name, 60)) });
  for (const [predicate, rows] of groups) {
    const group = el("li", { class: "group" }, foreign("span", oneLine(predicate, 80), { class: "predicate" }), el("ul", rows.map((row) => rowOf(context, entity, row, again))));
    if (shown >= ROWS) rest.push(group);
    else element.append(group);
    shown += rows.length;
  }
  if (rest.length) {
    const more = pushButton({ class: "more", onclick: () => (more.parentElement.replaceWith(...rest)) }, t("more", rest.length));
    element.append(el("li", more));
  }
  return element;
}

function rowOf(context, entity, { fact, other }, again) {
  const fix = el("div");
  const far = el("div", { hidden: true });
  const open = pushButton(
    { class: "unfold", "aria-expanded": "false", "aria-label": t("furtherFrom", oneLine(other.name, 60)), title: t("furtherFrom", oneLine(other.name, 60)), onclick: () => unfold(context, open, far, entity, other) },
    "+",
  );
  const dates = [...new Set(fact.sentences.map((said) => oneLine(said.when, 40)).filter(Boolean))].slice(0, DATES);
  const says = el("details", el("summary", t("sentences", fact.weight), dates.length > 0 && [" · ", foreign("bdi", dates.join(", "))]), sentencesOf(fact));
  const own = fact.sentences.every((said) => said.origin === "own");
  const note = (fact.denied || own) && aside([fact.denied && t("denied"), own && t("ownFact")].filter(Boolean).join(" · "));
  const row = el("div", { class: "row" }, entityLink(context, other.id, other.name, 90), note, open, factButton(context, fact, fix, again));
  return el("li", row, fix, says, far);
}

function sentencesOf(fact) {
  return el(
    "ul",
    { class: "said" },
    fact.sentences.map((said) =>
      el(
        "li",
        { class: said.origin },
        sentenceLink(said),
        el(
          "p",
          { class: "from" },
          documentName(said),
          said.place && `, ${placed(said.place)}`,
          said.date && ` · ${said.date}`,
          said.when && [" · ", bdi(said.when, 40)],
          said.origin === "implied" && ` · ${t("implied")}`,
          said.according_to && [" · ", t("accordingTo", oneLine(said.according_to, 40))],
        ),
      ),
    ),
    fact.weight > fact.sentences.length && el("li", { class: "quiet" }, t("more", number(fact.weight - fact.sentences.length))),
  );
}

/** Show the facts of a neighbour: a few, one hop further. */
async function unfold(context, button, far, entity, other) {
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  button.textContent = open ? "+" : "–";
  far.hidden = open;
  if (open || far.childElementCount) return;
  try {
    const path = context.path("entities", other.id, "neighbourhood");
    const { facts } = await get(path, { limit: FAR + 1 });
    const further = facts.filter((fact) => ![fact.subject_id, fact.object_id].includes(entity.id)).slice(0, FAR);
    replace(far, further.length ? el("ul", { class: "far" }, further.map((fact) => farRow(context, fact, other))) : quiet(t("noFurther")));
  } catch (error) {
    replace(far, failure(error));
  }
}

function farRow(context, fact, other) {
  const end = fact.subject_id === other.id ? { id: fact.object_id, name: fact.object } : { id: fact.subject_id, name: fact.subject };
  const name = entityLink(context, end.id, end.name, 80);
  const said = foreign("span", oneLine(fact.predicate, 60), { class: "predicate" });
  const notes = [...fact.dates, fact.denied && t("denied"), fact.own && t("ownFact")].filter(Boolean).map((note) => [" · ", bdi(note, 40)]);
  return el("li", fact.subject_id === other.id ? [said, " → ", name] : [name, " → ", said], notes);
}
