// The key: asked for once, then in a cookie that no script can read; and shown once, when it is created.

import { get, post } from "../base/api.js";
import { copyWith } from "../base/copy.js";
import { bdi, el, failure, pushButton, quiet, replace } from "../base/dom.js";
import { t } from "../base/words.js";

/** Ask for a key; calls `done` when the server accepts one, or when another tab has signed in. */
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
      el("h1", t("keyNeeded")),
      quiet(t("keyWhence")),
      quiet(t("keyFirst"), " ", el("code", "docker exec NAME cat /data/admin.key")),
      el("p", el("label", { for: "key" }, t("key")), field, button),
      said,
    ),
  );
  field.focus();
  const look = async () => {
    const session = await get("/v1/session").catch(() => null);
    if (session && session.scope !== "none") done();
  };
  addEventListener("focus", look);
  return () => removeEventListener("focus", look);
}

/** Show a new key above everything else until it is dismissed: it can never be read again. */
export function showKey(made, tell) {
  const field = el("input", { id: "secret", readonly: true, spellcheck: "false", autocomplete: "off", value: made.key, onfocus: () => field.select() });
  let kept = false;
  const copy = pushButton({ class: "go", onclick: async () => ((kept = await copyWith(copy, made.key, tell)), kept || field.select()) }, t("copy"));
  const dialog = el(
    "dialog",
    {
      class: "secret",
      "aria-labelledby": "secret-title",
      oncancel: (event) => kept || event.preventDefault(), // otherwise Escape would lose it
      onclose: () => dialog.remove(),
    },
    el("h2", { id: "secret-title" }, t("newKey"), " ", bdi(made.name, 64)),
    el("p", t("keyOnce")),
    el("p", { class: "choices" }, el("label", { for: "secret", class: "spoken" }, t("key")), field, copy),
    quiet(t("keyUse"), " ", el("code", "filigraph config set FILIGRAPH_KEY")),
    el("p", pushButton({ class: "onward", onclick: () => dialog.close() }, t("keyKept"))),
  );
  document.body.append(dialog);
  dialog.showModal();
  copy.focus();
}
