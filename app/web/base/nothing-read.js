// An empty workspace: what to do about it, and the demo.

import { address, post } from "./api.js";
import { el, failure, pushButton } from "./dom.js";
import { t } from "./words.js";

/** What to do in an empty workspace. */
export function nothingRead(context) {
  const { link } = context;
  return el(
    "div",
    { class: "empty" },
    el("h2", t("nothingRead")),
    el("p", t("nothingReadCure")),
    el("p", el("a", { class: "onward", href: link("/library") }, t("toLibrary"))),
    el("p", { class: "writes" }, t("orDemo"), " ", demoButton(context)),
  );
}

/** Reads the demo's case file into a separate workspace; the library shows the progress. */
export function demoButton(context) {
  const button = pushButton({ class: "onward", onclick: load }, t("loadDemo"));
  return button;

  async function load() {
    button.disabled = true;
    try {
      await post(address("demo", "demo"));
      context.go(context.link("/library", { workspace: "demo" }));
    } catch (error) {
      button.after(failure(error));
    }
  }
}
