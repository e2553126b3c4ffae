// An error in words: what is wrong, and what to do about it.

import { Failure } from "./api.js";
import { el } from "./dom.js";
import { language, t } from "./words.js";

// How browsers say that a module of the page did not come.
const NOT_LOADED = /dynamically imported module|Importing a module|error loading|Failed to fetch|Load failed|NetworkError/i;

export function failure(error) {
  if (error instanceof TypeError && NOT_LOADED.test(error.message)) error = new Failure({ code: "server_unavailable", cause: t("noServer"), cure: t("noServerCure") });
  const ours = error instanceof RangeError; // said by the page, in its language
  const told = error instanceof Failure ? error : new Failure({ code: ours ? "bad_input" : "internal", cause: ours ? error.message : String(error), cure: "" });
  if (!(error instanceof Failure || ours)) console.error(error);
  const english = language() === "en" ? {} : { lang: "en" };
  const gone = told.code === "server_unavailable";
  if (gone) setTimeout(sayOnce);
  return el(
    "div",
    { class: gone ? "failure gone" : "failure", role: "alert" },
    el("h2", t(`error.${told.code}`, t("error.internal"))),
    el("p", english, told.cause),
    told.cure && el("p", { class: "cure", ...english }, told.cure),
  );
}

/** Each part of a view finds by itself that the server is gone: it is said once. */
function sayOnce() {
  const said = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#main .failure.gone"));
  for (const [number, one] of said.entries()) one.hidden = number > 0;
}
