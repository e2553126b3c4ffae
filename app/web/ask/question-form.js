// The field for a question, with its button, which stops a running question.

import { el } from "../base/dom.js";
import { t } from "../base/words.js";

/** Calls `ask` with the question; while an answer comes, the button stops it. */
export function questionForm(view, { id, label, hint, ask }) {
  const field = el("textarea", {
    id,
    rows: 1,
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto",
    placeholder: hint,
    "aria-label": label,
    oninput: () => grow(field),
    onkeydown: (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        send();
      }
    },
  });
  const button = el("button", { class: "go" }, t("ask"));
  const submit = (event) => (event.preventDefault(), view.running ? view.stop() : send());
  const element = el("form", { class: "question", role: "search", "aria-label": label, onsubmit: submit }, field, button);
  return { element, field, fill, busy };

  function send() {
    const asked = field.value.trim();
    if (asked) ask(asked);
    else field.focus();
  }

  /** Put a question into the field. */
  function fill(asked) {
    field.value = asked;
    grow(field);
  }

  function busy(on) {
    button.textContent = t(on ? "stop" : "ask");
    element.classList.toggle("busy", on);
  }
}

/** A field as high as its text. */
function grow(field) {
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight}px`;
}
