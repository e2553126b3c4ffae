// Near misses, one after the other: y the same, n not, s skip, u undo the last. Decisions are applied meanwhile.

import { entityLink } from "../base/links.js";
import { Failure, get } from "../base/api.js";
import { bdi, el, failure, foreign, oneLine, pushButton, quiet, remark, replace, waitingLine } from "../base/dom.js";
import { ruleOf } from "./names.js";
import { outboxOf } from "./pending-corrections.js";
import { number, placeOf, t, typeWord } from "../base/words.js";

const AT_ONCE = 200; // near misses

/** Show the review in `body`; returns a function that ends it. */
export function showReview(body, context) {
  const box = outboxOf(context.state.workspace);
  const underway = el("div", { class: "underway" });
  const card = el("div", { class: "review" });
  let near = [];
  let total = 0;
  let at = 0;
  let done = []; // {at, entry: of the outbox}
  const keys = { y: () => decide(true), n: () => decide(false), s: skip, u: undo };
  document.addEventListener("keydown", press);
  box.watch = showUnderway;
  load();
  return () => {
    document.removeEventListener("keydown", press);
    box.watch = () => {};
  };

  async function load() {
    replace(body, el("h2", t("review")), card, underway);
    replace(card, waitingLine(t("looking")));
    box.clear();
    try {
      const found = await get(context.path("corrections", "review"), { count: AT_ONCE });
      sendWhatWasLeft(found.near_misses);
      near = found.near_misses.filter((miss) => !box.holds(miss.names[0].id, miss.others[0].id));
      total = found.total - found.near_misses.length + near.length;
      at = 0;
      done = [];
      draw();
      showUnderway();
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

  /** Decisions of a page that was closed too soon; those that arrived are no longer near misses. */
  function sendWhatWasLeft(misses) {
    const open = new Set(misses.map((miss) => `${miss.names[0].id} ${miss.others[0].id}`));
    box.add(...box.left().filter(({ first, second }) => open.has(`${first} ${second}`) && !box.holds(first, second)));
  }

  function decide(same) {
    const miss = near[at];
    if (!miss) return;
    const [entry] = box.add({ first: miss.names[0].id, second: miss.others[0].id, same });
    done.push({ at, entry });
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
    box.undo(last.entry).then(() => context.tell(t("undone")));
    at = last.at;
    draw();
  }

  /** How many decisions the server has and does not have yet, and those that it refused. */
  function showUnderway() {
    replace(
      underway,
      box.pending > 0 && !box.failed && quiet(t("beingApplied", number(box.pending), box.pending)),
      box.pending === 0 && box.applied > 0 && quiet(t("applied", number(box.applied), box.applied)),
      box.failed && [
        failure(box.failed),
        remark(t("waiting", number(box.pending), box.pending), " ", pushButton({ class: "small", onclick: () => box.send() }, t("sendAgain"))),
      ],
      box.refused.map(({ code, cause, cure }) => failure(new Failure({ code, cause, cure }))),
    );
  }

  function draw() {
    const miss = near[at];
    if (!miss) {
      const rest = total - near.length;
      const more = () => box.idle().then(load);
      replace(
        card,
        el("p", t(near.length ? "reviewDone" : "reviewNone", number(done.length))),
        near.length > 0 && rest > 0 && pushButton({ onclick: more }, t("more", number(rest))),
        done.length > 0 && action("u", t("undo"), undo),
      );
      return;
    }
    replace(
      card,
      quiet(`${t("someOf", number(at + 1), number(total))} · ${ruleOf(miss)}${miss.score < 1 ? "" : ` ${number(miss.score, 2)}`}`),
      el("div", { class: "pair" }, side(miss.names[0]), side(miss.others[0])),
      el(
        "div",
        { class: "actions writes", role: "group", "aria-label": t("sameQuestion") },
        el("span", t("sameQuestion")),
        action("y", t("yes"), () => decide(true)),
        action("n", t("no"), () => decide(false)),
        action("s", t("skipThis"), skip),
        done.length > 0 && action("u", t("undo"), undo),
      ),
    );
  }

  function action(key, label, work) {
    return pushButton({ class: "small", "aria-keyshortcuts": key, onclick: work }, el("kbd", key), ` ${label}`);
  }

  function side(name) {
    return el(
      "section",
      el("h3", entityLink(context, name.entity_id, name.form, 120)),
      quiet(name.type && [bdi(typeWord(name.type), 40), " · "], bdi(name.title || name.source, 80)),
      el("a", { class: "sentence", href: placeOf(name.document_id, name.chunk_id, name.start, name.end) }, foreign("q", oneLine(name.sentence, 400))),
    );
  }
}
