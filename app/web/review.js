// Near misses, one after the other: y the same, n not, s skip, u undo the last. What is decided is applied meanwhile.

import { address, get, post, remove } from "./api.js";
import { el, foreign, oneLine, replace } from "./dom.js";
import { failure } from "./failure.js";
import { ruleOf } from "./names.js";
import { number, placeOf, t } from "./words.js";

const AT_ONCE = 200; // near misses

/** Show the review in `body`; returns what ends it. */
export function showReview(body, context) {
  const path = (...more) => address(context.state.workspace, "merges", ...more);
  const trouble = el("div");
  const card = el("div", { class: "review" });
  let near = [];
  let total = 0;
  let at = 0;
  let done = []; // {at, id: a promise of the decision's id}
  let applied = Promise.resolve(); // one after the other: a decision may hang on the one before
  const keys = { y: () => decide(true), n: () => decide(false), s: skip, u: undo };
  document.addEventListener("keydown", press);
  load();
  return () => document.removeEventListener("keydown", press);

  async function load() {
    replace(body, el("h2", {}, t("review")), trouble, card);
    replace(card, el("p", { class: "waiting" }, t("looking")));
    try {
      ({ merges: near, total } = await get(path("review"), { count: AT_ONCE }));
      at = 0;
      done = [];
      draw();
    } catch (error) {
      replace(card, failure(error));
    }
  }

  function press(event) {
    const typing = event.target.matches?.("input, textarea, select") || event.metaKey || event.ctrlKey || event.altKey;
    if (typing || !(event.key.toLowerCase() in keys)) return;
    event.preventDefault();
    keys[event.key.toLowerCase()]();
  }

  function decide(same) {
    const miss = near[at];
    if (!miss) return;
    const verdict = { first: miss.names[0].id, second: miss.others[0].id, same };
    const id = applied.then(() => post(path(), { verdicts: [verdict] })).then(({ decisions }) => decisions[0].id);
    follow(id);
    done.push({ at, id });
    at += 1;
    context.tell(t(same ? "saidSame" : "saidApart"));
    draw();
  }

  function skip() {
    if (at < near.length) at += 1;
    draw();
  }

  function undo() {
    const last = done.pop();
    if (!last) return;
    follow(last.id.then((id) => remove(path(id))));
    at = last.at;
    context.tell(t("undone"));
    draw();
  }

  /** Wait for it before the next one, and say what went wrong. */
  function follow(work) {
    applied = work.then(
      () => {},
      (error) => replace(trouble, failure(error)),
    );
  }

  function draw() {
    const miss = near[at];
    if (!miss) {
      const rest = total - near.length;
      const more = () => applied.then(load);
      replace(
        card,
        el("p", {}, t(near.length ? "reviewDone" : "reviewNone", number(done.length))),
        near.length > 0 && rest > 0 && el("button", { type: "button", onclick: more }, t("more", number(rest))),
        done.length > 0 && action("u", t("undo"), undo),
      );
      return;
    }
    replace(
      card,
      el("p", { class: "quiet" }, `${t("someOf", number(at + 1), number(total))} · ${ruleOf(miss)}${miss.score < 1 ? "" : ` ${number(miss.score, 2)}`}`),
      el("div", { class: "pair" }, side(miss.names[0]), side(miss.others[0])),
      el(
        "div",
        { class: "actions writes", role: "group", "aria-label": t("sameQuestion") },
        el("span", {}, t("sameQuestion")),
        action("y", t("yes"), () => decide(true)),
        action("n", t("no"), () => decide(false)),
        action("s", t("skipThis"), skip),
        done.length > 0 && action("u", t("undo"), undo),
      ),
    );
  }

  function action(key, label, work) {
    return el("button", { type: "button", class: "small", "aria-keyshortcuts": key, onclick: work }, el("kbd", {}, key), ` ${label}`);
  }

  function side(name) {
    return el(
      "section",
      {},
      el("h3", {}, foreign("a", oneLine(name.form, 120), { href: context.link("/graph", { entity: name.entity_id }) })),
      el("p", { class: "quiet" }, name.type && [foreign("bdi", oneLine(name.type, 40)), " · "], foreign("bdi", oneLine(name.title || name.source, 80))),
      el("a", { class: "sentence", href: placeOf(name.document_id, name.chunk_id, name.start, name.end) }, foreign("q", oneLine(name.sentence, 400))),
    );
  }
}
