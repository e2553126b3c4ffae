// Who is who, person by person: which of these names belong to this person? Unchecked ones are kept apart.

import { entityLink } from "../base/links.js";
import { get } from "../base/api.js";
import { aside, bdi, el, failure, foreign, oneLine, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { outboxOf } from "./pending-corrections.js";
import { number, placeOf, t } from "../base/words.js";

/** Show the questions in `body`; returns a function that ends it. */
export function showWho(body, context) {
  const box = outboxOf(context.state.workspace);
  const underway = el("div", { class: "underway" });
  const card = el("div", { class: "review" });
  let questions = [];
  let at = 0;
  box.watch = () => replace(underway, box.pending > 0 && quiet(t("beingApplied", number(box.pending), box.pending)), box.failed && failure(box.failed));
  load();
  return () => {
    box.watch = () => {};
  };

  async function load() {
    replace(body, el("h2", t("who")), card, underway);
    replace(card, waitingLine(t("looking")));
    try {
      ({ questions } = await get(context.path("corrections", "who")));
      at = 0;
      draw();
    } catch (error) {
      replace(card, failure(error));
    }
  }

  function draw() {
    const asked = questions[at];
    if (!asked) {
      replace(card, el("p", t(at ? "whoDone" : "reviewNone", number(at))), at > 0 && pushButton({ onclick: () => box.idle().then(load) }, t("whoMore")));
      return;
    }
    const answer = (event) => {
      event.preventDefault();
      const chosen = new Set(new FormData(event.target).getAll("same"));
      box.add(...asked.others.map((other) => ({ first: asked.name.id, second: other.id, same: chosen.has(other.id) })));
      next();
    };
    replace(
      card,
      quiet(t("someOf", number(at + 1), number(questions.length))),
      el(
        "form",
        { class: "who", onsubmit: answer },
        el("fieldset", el("legend", t("whoOf"), " ", entityLink(context, asked.name.entity_id, asked.name.form, 120), t("whoEnd")), sentence(asked.name), el("ul", asked.others.map(choice))),
        el("div", { class: "actions writes" }, el("button", { class: "small" }, t("whoAnswer")), pushButton({ class: "small", onclick: next }, t("skipThis"))),
      ),
    );
  }

  function next() {
    at += 1;
    draw();
  }

  function choice(other) {
    return el("li", el("label", el("input", { type: "checkbox", name: "same", value: other.id }), " ", bdi(other.form, 120), aside(` ${number(other.count)} ×`)), sentence(other));
  }

  function sentence(name) {
    return el("p", el("a", { class: "sentence", href: placeOf(name.document_id, name.chunk_id, name.start, name.end) }, foreign("q", oneLine(name.sentence, 240))));
  }
}
