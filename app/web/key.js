// The key: asked for once, then in a cookie that no script can read.

import { post } from "./api.js";
import { el, replace } from "./dom.js";
import { failure } from "./failure.js";
import { t } from "./words.js";

/** Ask for a key; `done` is called when the server took one. */
export function askForKey(main, done) {
  const field = el("input", { id: "key", type: "password", autocomplete: "current-password", spellcheck: "false", required: true });
  const button = el("button", { class: "go" }, t("useKey"));
  const said = el("div");
  main.append(
    el(
      "form",
      {
        class: "key",
        onsubmit: async (event) => {
          event.preventDefault();
          button.disabled = true;
          try {
            await post("/v1/session", { key: field.value });
            done();
          } catch (error) {
            button.disabled = false;
            replace(said, failure(error));
            field.select();
          }
        },
      },
      el("h1", {}, t("keyNeeded")),
      el("p", { class: "quiet" }, t("keyWhence")),
      el("p", {}, el("label", { for: "key" }, t("key")), field, button),
      said,
    ),
  );
  field.focus();
}
