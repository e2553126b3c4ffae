// Corrections by hand, of a fact or an entity: made at once, or collected and made together.

import { get, newestOnly, post, remove } from "../base/api.js";
import { aside, bdi, el, failure, foreign, oneLine, pushButton, quiet, replace } from "../base/dom.js";
import { number, t, typeWord } from "../base/words.js";

const FOUND = 8; // entities offered for "the same as"
const PAUSE = 150; // milliseconds after a key before the search
const RENAMED = { wrong: "rejected", restated: "relabelled" }; // collected by a page of version 0.2

/** The corrections collected for a workspace, stored in this browser until they are made or discarded. */
const kept = (workspace) => `pending:${workspace}`;
const pending = (workspace) => JSON.parse(localStorage.getItem(kept(workspace)) ?? "[]").map((row) => ({ ...row, kind: RENAMED[row.kind] ?? row.kind }));

function keep(workspace, rows) {
  if (rows.length) localStorage.setItem(kept(workspace), JSON.stringify(rows));
  else localStorage.removeItem(kept(workspace));
}

let made = null; // the last corrections, shown above the next view: {corrections, refused}

/** The bar with the collected corrections and those just made. `changed` shows the view again. */
export function correctionsBar(context, changed) {
  const bar = el("div", { class: "pending writes" });
  draw();
  return bar;

  function draw() {
    const rows = pending(context.state.workspace);
    replace(bar, told(), rows.length > 0 && list(rows));
    bar.hidden = !bar.childElementCount;
  }

  function told() {
    if (!made) return null;
    const { corrections, refused } = made;
    made = null;
    const undo = (event) => {
      event.target.disabled = true;
      act(() => corrections.reduce((before, row) => before.then(() => remove(context.path("corrections", row.id))), Promise.resolve()), t("undone"));
    };
    return el(
      "p",
      { role: "status" },
      t("corrected", corrections.length),
      corrections.length > 0 && [" ", pushButton({ class: "small", onclick: undo }, t("undo"))],
      refused.map((row) => el("span", { class: "refused" }, ` ${row.cause} ${row.cure}`)),
    );
  }

  function list(rows) {
    const without = (n) => () => (keep(context.state.workspace, rows.filter((_, at) => at !== n)), draw());
    return [
      el("h2", t("pending", rows.length)),
      el("ul", rows.map((row, n) => el("li", foreign("bdi", row.label), " ", pushButton({ class: "small", "aria-label": t("drop", row.label), onclick: without(n) }, "×")))),
      el("p", pushButton({ class: "small", onclick: () => act(() => send(context, rows).then(() => keep(context.state.workspace, []))) }, t("makeAll", number(rows.length), rows.length)), " ", pushButton({ class: "small", onclick: () => (keep(context.state.workspace, []), draw()) }, t("dropAll"))),
    ];
  }

  async function act(work, news = "") {
    for (const button of bar.querySelectorAll("button")) button.disabled = true;
    try {
      await work();
      if (news) context.tell(news);
      await changed();
    } catch (error) {
      replace(bar, failure(error), list(pending(context.state.workspace)));
    }
  }
}

async function send(context, rows) {
  const corrections = rows.map(({ label, ...row }) => row);
  made = await post(context.path("corrections"), { corrections });
}

/** The two buttons that end a form: make the correction, or collect it. `row`: the current correction of the form. */
export function ends(context, row, label, changed, box) {
  const act = async (later) => {
    const one = row();
    if (!one) return;
    const buttons = box.querySelectorAll("button");
    for (const button of buttons) button.disabled = true;
    try {
      if (later) keep(context.state.workspace, [...pending(context.state.workspace), one]);
      else await send(context, [one]);
      await changed();
    } catch (error) {
      for (const button of buttons) button.disabled = false;
      box.querySelector(".trouble").replaceChildren(failure(error));
    }
  };
  return [
    pushButton({ class: "small", onclick: () => act(false) }, label),
    pushButton({ class: "small later", onclick: () => act(true) }, t("collect")),
  ];
}

/** A button that makes one correction at once. Calls `changed` afterwards, with the error if it failed. */
export function decideButton(context, label, correction, changed) {
  const button = pushButton({ class: "small writes", onclick: decide }, label);
  return button;

  async function decide() {
    button.disabled = true;
    try {
      await send(context, [correction]);
      button.remove();
      changed(null);
    } catch (error) {
      button.disabled = false;
      changed(error);
    }
  }
}

/** A button that opens the corrections of a fact in `box`. */
export function factButton(context, fact, box, changed) {
  const said = [fact.subject, fact.predicate, fact.object].map((part) => oneLine(part, 60)).join(" · ");
  const button = pushButton(
    { class: "fix writes", "aria-expanded": "false", "aria-label": t("correctThis", said), title: t("correctThis", said), onclick: toggle },
    "✎",
  );
  return button;

  function toggle() {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    replace(box, !open && form());
  }

  function form() {
    const words = el("input", { type: "text", value: oneLine(fact.predicate, 200), maxlength: 200, dir: "auto", "aria-label": t("sayIt") });
    const view = el("form", { class: "fixing", onsubmit: (event) => event.preventDefault() });
    const row = { about: fact.fact_id };
    return replace(
      view,
      el("p", ends(context, () => ({ ...row, kind: "rejected", label: `${said}: ${t("wrong")}` }), t("thisIsWrong"), changed, view)),
      el("p", words, " ", ends(context, () => words.value.trim() && { ...row, kind: "relabelled", value: words.value, label: `${said}: ${words.value}` }, t("sayItSo"), changed, view)),
      el("div", { class: "trouble" }),
    );
  }
}

/** Another name, a type, another entity that it is the same as. */
export function entityForms(context, entity, changed) {
  const box = el("div", { class: "fixing" });
  const name = oneLine(entity.name, 60);
  const one = (kind, key, value, label) => {
    const words = el("input", { type: "text", value, maxlength: kind === "type" ? 60 : 200, dir: "auto", autocomplete: "off" });
    const row = () => words.value.trim() && { kind, about: entity.id, value: words.value, label: `${name}: ${words.value}` };
    return el("form", { onsubmit: (event) => (event.preventDefault(), event.target.querySelector("button").click()) }, el("label", t(key), " ", words), " ", ends(context, row, label, changed, box));
  };
  return replace(box, one("name", "callIt", oneLine(entity.name, 200), t("rename")), one("type", "typeIs", entity.type, t("setType")), sameAs(context, entity, changed, box), el("div", { class: "trouble" }));
}

function sameAs(context, entity, changed, box) {
  const found = el("ul", { class: "offered" });
  const newest = newestOnly();
  let timer = 0;
  const field = el("input", { type: "search", dir: "auto", autocomplete: "off", maxlength: 200, oninput: () => (clearTimeout(timer), (timer = setTimeout(search, PAUSE))) });
  return el("form", { onsubmit: (event) => event.preventDefault() }, el("label", t("sameAs"), " ", field), found);

  async function search() {
    const name = field.value.trim();
    const signal = newest();
    try {
      const { entities } = name ? await get(context.path("entities"), { name, count: FOUND }, signal) : { entities: [] };
      replace(found, entities.filter((row) => row.id !== entity.id).map(offered));
    } catch (error) {
      if (error.name !== "AbortError") replace(found, el("li", failure(error)));
    }
  }

  function offered(row) {
    const label = `${oneLine(entity.name, 60)} = ${oneLine(row.name, 60)}`;
    const said = () => ({ kind: "same", about: entity.id, other: row.id, label });
    return el("li", bdi(row.name, 80), aside(` ${[typeWord(row.type), t("inPassages", number(row.chunks), row.chunks)].filter(Boolean).join(" · ")} `), ends(context, said, t("areOne"), changed, box));
  }
}

/** A fold with a form for a fact of one's own. `at` finds the places of the text that it rests on. */
export function ownFactFold(context, at) {
  if (context.state.session.limited) return null;
  const [about, value, other] = ["ownFrom", "ownSays", "ownTo"].map((key) => el("input", { type: "text", required: true, maxlength: 200, dir: "auto", "aria-label": t(key), placeholder: t(key) }));
  const news = el("div", { "aria-live": "polite" });
  const button = el("button", { class: "small" }, t("ownState"));
  const form = el("form", { class: "note-form", onsubmit: state }, about, value, other, " ", button);
  return el("details", { class: "fold own-fact writes" }, el("summary", t("ownFactNew")), quiet(t("ownFactRests")), form, news);

  async function state(event) {
    event.preventDefault();
    button.disabled = true;
    replace(news);
    try {
      const { places, total } = await at();
      if (total !== 1) return replace(news, quiet(t(total ? "ownFactSeveral" : "ownFactSelect")));
      const [{ chunk_id, start, end }] = places;
      await send(context, [{ kind: "stated", about: about.value, value: value.value, other: other.value, places: [{ chunk_id, start, end }] }]);
      if (!made.refused.length) form.reset();
      return replace(news, correctionsBar(context, () => replace(news)));
    } catch (error) {
      return replace(news, failure(error));
    } finally {
      button.disabled = false;
    }
  }
}

/** All decisions of persons, each with its undo. */
export function showDecisions(body, context) {
  const path = context.path("corrections");
  load();
  return () => {};

  async function load() {
    try {
      const { corrections, total } = await get(path, { by: "person", count: 500 });
      replace(body, el("h2", t("decisions")), total ? el("ul", { class: "decided" }, corrections.map(row)) : quiet(t("noDecisions")), total > corrections.length && quiet(t("someOf", number(corrections.length), number(total))));
    } catch (error) {
      replace(body, failure(error));
    }
  }

  function row(made) {
    const says = sayDecision(made);
    const undo = async (event) => {
      event.target.disabled = true;
      try {
        await remove(`${path}/${encodeURIComponent(made.id)}`);
        context.tell(t("undone"));
        await load();
      } catch (error) {
        replace(body, failure(error));
      }
    };
    return el("li", foreign("bdi", says), aside([made.note && ` · ${oneLine(made.note, 200)}`, !made.holds && ` · ${t("waits")}`]), " ", pushButton({ class: "small writes", "aria-label": t("undoOne", says), onclick: undo }, t("undo")));
  }
}

function sayDecision({ kind, names, others, name, forms, places }) {
  const [one, other] = [names, others].map((side) => oneLine(side[0]?.form ?? "", 60));
  switch (kind) {
    case "rejected":
      return `${one} · ${oneLine(name, 60)} · ${other}: ${t("wrong")}`;
    case "relabelled":
      return `${one} · ${oneLine(forms[0], 60)} · ${other}: ${oneLine(name, 60)}`;
    case "stated":
      return `${one} · ${oneLine(name, 60)} · ${other}`;
    case "name":
    case "type":
      return `${one}: ${oneLine(name, 60)}`;
    case "merge_predicates":
      return `${forms.map((form) => oneLine(form, 60)).join(", ")} → ${oneLine(name, 60)}`;
    case "split_off":
      return `${one}: ${t("placesOf", number(places))}`;
    case "aliases":
      return names.map((row) => oneLine(row.form, 60)).join(" = ");
    default:
      return `${one} ${kind === "same" ? "=" : "≠"} ${other}`;
  }
}
