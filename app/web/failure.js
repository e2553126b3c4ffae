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
  return el(
    "div",
    { class: "failure", role: "alert" },
    el("h2", {}, t(`error.${told.code}`, t("error.internal"))),
    el("p", english, told.cause),
    told.cure && el("p", { class: "cure", ...english }, told.cure),
  );
}
