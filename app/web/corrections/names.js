// The names of an entity: why they are one, by which rule and how sure; and corrections by persons.

import { hangsOnButton } from "../ask/dependency.js";
import { entityLink } from "../base/links.js";
import { get, remove } from "../base/api.js";
import { ends } from "./corrections.js";
import { aside, bdi, el, failure, foreign, oneLine, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { number, placeOf, placed, t } from "../base/words.js";

const PLACES = 1000; // of an entity, to choose from

/** The section about names. `reload` shows the entity again after a decision. */
export function namesOf({ forms, decisions }, entity, context, reload) {
  const joined = decisions.filter((row) => row.same);
  const apart = decisions.filter((row) => !row.same);
  const section = el("section", { class: "names" });
  const trouble = el("div");
  const act = async (work) => {
    for (const control of section.querySelectorAll("button, input")) control.disabled = true;
    try {
      await work();
      await reload();
    } catch (error) {
      for (const control of section.querySelectorAll("button, input")) control.disabled = false;
      replace(trouble, failure(error));
    }
  };
  const list = (rows) => decisionList(rows, entity, context, act);
  return replace(
    section,
    el("h3", t("asWritten")),
    el("ul", forms.map(written)),
    joined.length > 0 && [el("h3", t("whyOne")), list(joined)],
    apart.length > 0 && [el("h3", t("whyApart")), list(apart)],
    twoOf(forms, entity, context, reload),
    trouble,
  );
}

function written(row) {
  return el(
    "li",
    el("a", { href: placeOf(row.document_id, row.first.chunk_id, row.first.start, row.first.end) }, bdi(row.form, 90)),
    aside(` ${number(row.count)} × `, bdi(row.title || row.source, 60)),
  );
}

/** Decisions on the same two names by the same rule are shown once, with their number. */
function decisionList(decisions, entity, context, act) {
  const told = new Map();
  for (const row of decisions) {
    const key = [...[row.form, row.other].sort(), row.rule, row.other_id, row.id].join("\u0000");
    told.set(key, { row, times: (told.get(key)?.times ?? 0) + 1 });
  }
  return el(
    "ul",
    [...told.values()].map(({ row, times }) =>
      el(
        "li",
        bdi(row.form, 60),
        row.same ? " = " : " ≠ ",
        row.other_id && row.other_id !== entity.id ? entityLink(context, row.other_id, row.other) : bdi(row.other, 60),
        aside(` ${ruleOf(row)}${times > 1 ? ` · ${number(times)} ×` : ""}${row.review ? ` · ${t("nearMiss")}` : ""}`),
        row.reason && foreign("q", oneLine(row.reason, 300)),
        row.id && undoButton(row, context, act),
        row.same && joinButton(row, context),
      ),
    ),
  );
}

function undoButton(row, context, act) {
  const undo = () => act(() => remove(context.path("corrections", row.id)));
  return [" ", pushButton({ class: "small writes", "aria-label": t("undoThis", oneLine(row.form, 40), oneLine(row.other, 40)), onclick: undo }, t("undo"))];
}

/** The reason that joins two names with different spellings. */
function joinButton(row, context) {
  if (row.form.toLocaleLowerCase() === row.other.toLocaleLowerCase()) return null;
  const under = el("div");
  return [" ", hangsOnButton(context, { name: [row.form, row.other] }, under), under];
}

/** A rule in words, with its score if it has one. */
export function ruleOf({ rule, score, by }) {
  if (by === "person") return t("rule.person");
  const [kind, which] = rule.split(":");
  const said = which ? t(`rule.${kind}`, t(`guard.${which}`, which)) : t(`rule.${kind}`, rule);
  return score < 1 ? `${said} ${number(score, 2)}` : said;
}

// ---- split

function twoOf(forms, entity, context, reload) {
  const places = el("div");
  const details = el("details", { class: "correct writes" }, el("summary", t("areTwo")), places);
  details.addEventListener("toggle", () => details.open && !places.childElementCount && choose(places, forms, entity, context, reload));
  return details;
}

/** Names and places to choose from: checked ones are split off. */
async function choose(body, forms, entity, context, reload) {
  replace(body, waitingLine(t("looking")));
  try {
    const found = await get(context.path("entities", entity.id, "places"), { count: PLACES });
    const form = el("form", { class: "fixing", onsubmit: (event) => event.preventDefault() });
    replace(
      form,
      quiet(t("splitHint")),
      el("ul", forms.map((row) => nameToChoose(row, found.places.filter((place) => place.mention_id === row.id)))),
      found.total > found.places.length && quiet(t("someOf", number(found.places.length), number(found.total))),
      el("p", ends(context, () => splitOf(form, forms, entity), t("split"), reload, form)),
      el("div", { class: "trouble" }),
    );
    replace(body, form);
  } catch (error) {
    replace(body, failure(error));
  }
}

/** The checked ones, as a correction; nothing if none is checked. */
function splitOf(form, forms, entity) {
  const checked = [...form.querySelectorAll("input:checked")];
  const names = checked.filter((box) => box.name === "name").map((box) => box.value);
  const chosen = checked.filter((box) => box.name === "place").map((box) => JSON.parse(box.value));
  const places = chosen.filter((place) => !names.includes(place.mention_id)).map(({ chunk_id, start, end }) => ({ chunk_id, start, end }));
  const told = [...names.map((id) => oneLine(forms.find((row) => row.id === id).form, 60)), places.length > 0 && t("placesOf", number(places.length))].filter(Boolean);
  return told.length > 0 && { kind: "split", about: entity.id, names, places, label: `${oneLine(entity.name, 60)} ≠ ${told.join(", ")}` };
}

function nameToChoose(row, places) {
  return el(
    "li",
    el("label", el("input", { type: "checkbox", name: "name", value: row.id }), " ", bdi(row.form, 80), aside(" ", bdi(row.title || row.source, 60))),
    places.length > 1 && el("details", el("summary", t("placesOf", number(places.length))), quiet(t("rangeHint")), placesToChoose(places)),
  );
}

/** The places of a name under their chapters or pages, each of which is checked with all that it holds; a press with
 * the shift key checks all from the last one on. */
function placesToChoose(places) {
  const parts = new Map();
  for (const place of places) {
    const part = partOf(place.place);
    parts.set(part, [...(parts.get(part) ?? []), place]);
  }
  let last = null;
  const list = el("ul", { onclick: range }, [...parts].map(([part, inside]) => (part && parts.size > 1 ? partToChoose(part, inside) : inside.map(placeToChoose))));
  return list;

  function range({ target, shiftKey }) {
    if (target.name !== "place") return;
    const boxes = [...list.querySelectorAll("input[name=place]")];
    if (shiftKey && last) {
      const [from, to] = [boxes.indexOf(last), boxes.indexOf(target)].sort((one, other) => one - other);
      for (const box of boxes.slice(from, to + 1)) box.checked = target.checked;
    }
    last = target;
    for (const whole of list.querySelectorAll("input[name=part]")) {
      const own = [...whole.closest("li").querySelectorAll("input[name=place]")];
      whole.checked = own.every((box) => box.checked);
      whole.indeterminate = !whole.checked && own.some((box) => box.checked);
    }
  }
}

function partToChoose(part, places) {
  const item = el(
    "li",
    el("label", el("input", { type: "checkbox", name: "part", onchange: (event) => checkAll(event.target.checked) }), " ", placed(part), aside(` ${t("placesOf", number(places.length))}`)),
    el("ul", places.map(placeToChoose)),
  );
  return item;

  function checkAll(checked) {
    for (const box of item.querySelectorAll("input[name=place]")) box.checked = checked;
  }
}

/** The chapter or page of a place, without its paragraph. */
const partOf = (place) => place.replace(/(?:^|, )paragraph [\d-]+$/, "");

function placeToChoose(place) {
  const value = JSON.stringify({ mention_id: place.mention_id, chunk_id: place.chunk_id, start: place.start, end: place.end });
  return el("li", el("label", el("input", { type: "checkbox", name: "place", value }), " ", foreign("q", oneLine(place.sentence, 300))));
}
