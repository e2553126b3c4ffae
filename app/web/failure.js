// An error in words: what is wrong, and what to do about it.

import { Failure } from "./api.js";
import { el } from "./dom.js";
import { language, t } from "./words.js";

export function failure(error) {
  const told = error instanceof Failure ? error : new Failure({ code: "internal", cause: String(error), cure: "" });
  if (!(error instanceof Failure)) console.error(error);
  const english = language() === "en" ? {} : { lang: "en" };
  return el(
    "div",
    { class: "failure", role: "alert" },
    el("h2", {}, t(`error.${told.code}`, t("error.internal"))),
    el("p", english, told.cause),
    told.cure && el("p", { class: "cure", ...english }, told.cure),
  );
}
