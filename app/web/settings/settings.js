// Settings: what works here, the LLM and its cost so far, the schema, the keys, and the server's settings.

import { address, get, post, put, remove } from "../base/api.js";
import { aside, bdi, confirmed, el, failure, foreign, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { showKey } from "./key.js";
import { number, t, told, when } from "../base/words.js";

export function showSettings(main, context) {
  const { workspace } = context.state;
  main.append(
    el("h1", { class: "spoken" }, t("view/settings")),
    el(
      "div",
      { class: "settings" },
      section(t("llmAndCost"), () => usage(workspace)),
      section(t("checks"), checks),
      section(t("schemaOf", workspace), () => schema(workspace)),
      section(t("keys"), () => keys(context)),
      section(t("serverSettings"), settings),
    ),
  );
}

/** A part of the view, which loads, and may fail, independently. */
function section(title, fill) {
  const body = el("div", waitingLine(t("looking")));
  fill().then((shown) => replace(body, shown)).catch((error) => replace(body, refused(error)));
  return el("section", el("h2", title), body);
}

const refused = (error) => (error.code === "forbidden" ? quiet(t("adminsOnly")) : failure(error));

async function usage(workspace) {
  const told = await get(address(workspace, "usage")).catch((error) => {
    if (error.code === "not_found") return null; // nothing was read yet
    throw error;
  });
  if (!told) return quiet(t("nothingRead"));
  return [
    el("p", told.model ? [t("llmAnswers"), " ", foreign("bdi", told.model)] : t("noLlm")),
    quiet(told.calls ? t("usedSoFar", number(told.calls), told.calls, number(told.tokens_in), number(told.tokens_out)) : t("usedNothing"), told.cost !== null && ` ${t("willCost", number(told.cost, 2))}`),
    told.limit > 0 && quiet(t("usedToday", number(told.today), number(told.limit))),
  ];
}

async function checks() {
  const { checks: rows } = await get("/v1/doctor");
  return el(
    "dl",
    rows.map((row) => [
      el("dt", told(`name.${row.name}`, row.name)),
      el("dd", { class: row.state }, t(`check.${row.state}`), " · ", inWords("check", row.code, row.detail, row.params), row.cure && inWords("cure", row.code, row.cure, row.params, "quiet")),
    ]),
  );
}

/** A sentence of the server, in the reader's language if there are words for it. */
function inWords(kind, code, text, params, style = undefined) {
  const ours = told(`${kind}.${code}`, text, params);
  return el("span", { class: style, lang: ours === text && "en" }, ours);
}

async function schema(workspace) {
  const path = address(workspace, "schema");
  const there = await get(path).catch((error) => {
    if (error.code === "not_found") return null; // nothing was read yet
    throw error;
  });
  if (!there) return quiet(t("nothingRead"));
  const place = el("div");
  const said = el("div");
  const set = async (work) => {
    try {
      await work();
      replace(place, await schema(workspace));
    } catch (error) {
      replace(said, failure(error));
    }
  };
  const text = el("textarea", { rows: 10, spellcheck: "false", "aria-label": t("schema"), class: "yaml" }, there.yaml);
  const mode = el("select", { "aria-label": t("schemaMode") }, ["guide", "enforce"].map((name) => el("option", { value: name, selected: name === there.mode }, t(`schema.${name}`))));
  return replace(
    place,
    quiet(t("schemaIs", there.name)),
    text,
    el(
      "p",
      { class: "choices writes" },
      mode,
      pushButton({ class: "onward", onclick: () => set(() => put(path, { schema: text.value, mode: mode.value })) }, t("keepIt")),
      there.ready.map((name) => pushButton({ onclick: () => set(() => put(path, { schema: name, mode: mode.value })) }, t("useReady", name))),
      confirmed({ class: "delete" }, t("delete"), t("deleteSure"), () => set(() => remove(path))),
    ),
    said,
  );
}

async function keys(context) {
  const { keys: rows } = await get("/v1/keys");
  const said = el("div", { "aria-live": "polite" });
  const name = el("input", { maxlength: 64, required: true, spellcheck: "false", autocomplete: "off" });
  const scope = el("select", ["read", "write", "admin"].map((one) => el("option", { value: one, selected: !rows.length && one === "admin" }, t(`may.${one}`))));
  const only = el("select", el("option", { value: "" }, t("scope.any")), context.state.workspaces.map((row) => el("option", { value: row.name }, row.name)));
  const place = el("div");
  const redraw = async () => replace(place, await keys(context));
  const act = async (work) => {
    try {
      await context.signing(async () => {
        const made = await work();
        if (!made.key) return;
        showKey(made, context.tell);
        // the first key, from which on every request needs one, or a new secret of the key in use
        if (["local", made.name].includes(context.state.session.name)) context.enter(await post("/v1/session", { key: made.key }));
      });
      await redraw();
    } catch (error) {
      replace(said, failure(error));
    }
  };
  replace(
    place,
    rows.length
      ? el(
          "ul",
          rows.map((row) =>
            el(
              "li",
              { class: "choices" },
              el("span", bdi(row.name, 64), " ", aside(t(`may.${row.scope}`), row.workspace && ` · ${row.workspace}`, " · ", when(row.made))),
              confirmed({}, t("rotate"), t("rotateSure"), () => act(() => post(`/v1/keys/${encodeURIComponent(row.name)}/rotate`))),
              confirmed({ class: "delete" }, t("revoke"), t(row.name === context.state.session.name ? "revokeOwn" : "revokeSure"), () => act(() => remove(`/v1/keys/${encodeURIComponent(row.name)}`))),
            ),
          ),
        )
      : quiet(t("noKeys")),
    el(
      "form",
      { class: "choices", onsubmit: (event) => (event.preventDefault(), act(() => post("/v1/keys", { name: name.value, scope: scope.value, workspace: only.value }))) },
      el("label", t("keyName"), " ", name),
      el("label", t("keyScope"), " ", scope),
      el("label", t("workspace"), " ", only),
      el("button", { class: "onward" }, t("makeKey")),
    ),
    said,
  );
  return place;
}

async function settings() {
  const { settings: rows } = await get("/v1/settings");
  const row = (one) => [el("dt", el("code", one.name)), el("dd", one.value ? bdi(one.value, 200) : "–", inWords("setting", one.name, one.meaning, {}, "quiet"))];
  const set = rows.filter((one) => !one.default);
  return [
    quiet(t("setBy"), " ", el("code", "filigraph config set NAME=VALUE")),
    set.length > 0 && el("dl", set.map(row)),
    el("details", el("summary", t("asDefault", rows.length - set.length)), el("dl", rows.filter((one) => one.default).map(row))),
  ];
}
