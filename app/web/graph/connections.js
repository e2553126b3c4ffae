// How two names are connected: a form that asks for one name or two, and the chains of facts, each with its sentences;
// or it goes on to the question, which a language model answers.

import { entityLink, sentenceLink } from "../base/links.js";
import { get, newestOnly } from "../base/api.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, replace, waitingLine } from "../base/dom.js";
import { unmarked } from "../base/structure.js";
import { placed, t } from "../base/words.js";

const PAUSE = 200; // milliseconds after a key, before names are offered
const OFFERED = 8;

let forms = 0;

/** How the two names of a question are connected, in a view if there is one. It fills when the data arrives. */
export function connectionsOf(context, names, view = null) {
  const said = el("div", { class: "connections", "aria-live": "polite" }, waitingLine(t("looking")));
  get(context.path("connections"), { name: names, ...(view && { view: JSON.stringify(view) }) }).then(
    ({ connections }) => replace(said, connections.map((one) => between(context, one))),
    (error) => replace(said, failure(error)),
  );
  return el("section", { class: "connected", "aria-label": t("connectedHow") }, el("h3", t("connectedHow")), said);
}

/** The form; of an entity's page, the other name alone is asked for. `to`: the other name, asked for at once. */
export function connectionsView(context, entity = null, to = "") {
  const path = (...more) => context.path(...more);
  const list = el("datalist", { id: `names-${++forms}` });
  const field = (label) =>
    el("input", { type: "search", required: true, maxlength: 200, autocomplete: "off", dir: "auto", list: list.id, "aria-label": label, placeholder: label, oninput: offer });
  const first = entity ? null : field(t("oneName"));
  const other = field(t("otherName"));
  const said = el("div", { class: "connections", "aria-live": "polite" });
  const reader = el("button", { class: "small", type: "button", onclick: askReader }, t("askReader"));
  const form = el("form", { class: "connect", onsubmit: ask }, first, " ", other, list, " ", el("button", { class: "small" }, t("showConnections")), " ", reader);
  const label = entity ? t("howConnected", oneLine(entity.name, 60)) : t("howTwoConnected");
  const [newestOffer, newest] = [newestOnly(), newestOnly()];
  let timer = 0;
  if (entity && to) {
    other.value = to;
    ask();
  }
  return el("details", { class: "fold connect", open: Boolean(entity && to) }, el("summary", label), form, said);

  function offer(event) {
    clearTimeout(timer);
    const name = event.target.value.trim();
    if (name) timer = setTimeout(() => get(path("entities"), { name, count: OFFERED }, newestOffer()).then(offered, () => {}), PAUSE);
  }

  function offered({ entities }) {
    replace(list, entities.map((row) => el("option", { value: oneLine(row.name, 200) })));
  }

  async function ask(event = null) {
    event?.preventDefault();
    const names = [entity ? entity.id : first.value.trim(), other.value.trim()];
    if (names.some((name) => !name)) return;
    replace(said, waitingLine(t("looking")));
    try {
      const { connections } = await get(path("connections"), { name: names }, newest());
      replace(said, connections.map((one) => between(context, one)));
    } catch (error) {
      if (error.name !== "AbortError") replace(said, failure(error));
    }
  }

  /** Ask as a question: a language model, where there is one, reads and names the path. */
  function askReader() {
    if (!form.reportValidity()) return;
    context.asking = t("connectionQuestion", entity ? oneLine(entity.name, 200) : first.value.trim(), other.value.trim());
    context.go(context.link("/"));
  }
}

/** The chains between two names, or that nothing connects them. */
function between(context, one) {
  const names = (entities) => entities.map((row, n) => [n ? t("orName") : "", entityLink(context, row.id, row.name)]);
  const hubs = one.hubs.map((hub) => oneLine(hub, 40)).join(", ");
  const verdict = { none: t("notConnected"), text: t("connectedInText", hubs), hubs: t("hubsOnly", hubs), same: t("sameEntity") }[one.verdict];
  return [
    el("p", names(one.first_entities), " – ", names(one.other_entities)),
    verdict && el("p", { class: "verdict" }, verdict),
    one.paths.length > 0 && el("ol", one.paths.map((path) => chain(context, path))),
  ];
}

function chain(context, one) {
  const alike = new Map(one.alike.map((step) => [step.after, step]));
  const beside = new Map(one.named.map((step) => [step.fact, step.name]));
  const rows = one.facts.flatMap((fact, n) => [alikeRow(alike.get(n)), row(context, fact, beside.get(n))]);
  return el("li", el("ul", rows, alikeRow(alike.get(one.facts.length))));
}

function alikeRow(step) {
  return step && el("li", { class: "quiet" }, bdi(step.first, 60), " ≈ ", bdi(step.other, 60), ` · ${t("alikeNames")}`);
}

function row(context, fact, named) {
  const end = (id, name) => entityLink(context, id, name);
  const link = sentenceLink(fact);
  const step = fact.only_near ? aside("…") : foreign("span", oneLine(fact.predicate, 80), { class: "predicate" });
  const notes = [named && t("namesToo", oneLine(named, 60)), fact.place && placed(fact.place), fact.when && oneLine(fact.when, 40), fact.according_to && t("accordingTo", oneLine(fact.according_to, 40))].filter(Boolean);
  return el(
    "li",
    el("p", end(fact.subject_id, fact.subject), " ", step, " ", end(fact.object_id, fact.object), fact.denied && aside(` · ${t("denied")}`), fact.own && aside(` · ${t("ownFact")}`), fact.only_near && aside(` · ${t("nearInText")}`)),
    el("p", link),
    fact.premises.length > 0 && el("p", { class: "premises" }, t("because"), " ", fact.premises.map((one) => [foreign("q", unmarked(oneLine(one))), " "])),
    el("p", { class: "from" }, documentName(fact), notes.map((note) => [" · ", foreign("bdi", note)])),
  );
}
