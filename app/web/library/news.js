// What is new: the changes by the newest documents, and the earlier answers that change with them. Read when the fold is opened.

import { get, newestOnly, post } from "../base/api.js";
import { aside, bdi, documentName, el, failure, foreign, oneLine, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { matterView, meant } from "../base/statement.js";
import { number, t, when } from "../base/words.js";
import { changesView, part } from "./changes.js";

const SHOWN = 20; // of each kind
const AGAIN = 10; // questions at once

/** A fold with the changes since a chosen day; with a job, open, since that job was sent. */
export function newsView(context, job = "") {
  const since = el("input", { type: "date", onchange: () => read() });
  const found = el("div", { "aria-live": "polite" });
  const answers = el("div", { "aria-live": "polite" });
  const button = pushButton({ class: "onward", onclick: () => again() }, t("askEarlierAgain"));
  const newest = newestOnly();
  const fold = el("details", { class: "news" }, el("summary", t("whatIsNew")), el("p", el("label", t("newSince"), " ", since)), found, el("p", button), answers);
  fold.addEventListener("toggle", () => fold.open && !found.childElementCount && read());
  fold.open = Boolean(job);
  return fold;

  async function read() {
    replace(found, waitingLine(t("looking")));
    try {
      const news = await get(context.path("news"), { count: SHOWN, ...(since.value ? { since: since.value } : job && { job }) }, newest());
      replace(found, news.changes ? whatCame(context, news) : quiet(t("nothingNew")));
    } catch (error) {
      if (error.name !== "AbortError") replace(found, failure(error));
    }
  }

  async function again() {
    button.disabled = true;
    replace(answers, waitingLine(t("looking")));
    try {
      const asked = await post(context.path("ask", "again"), { budget: AGAIN });
      const changed = asked.answers.filter((one) => one.changed);
      replace(answers, quiet(asked.asked ? t("changedAnswers", number(changed.length), number(asked.asked)) : t("noneOutdated")), el("ul", changed.map((one) => answer(context, one))));
    } catch (error) {
      replace(answers, failure(error));
    }
    button.disabled = false;
  }
}

function whatCame(context, { total, documents, changes, contradictions, contradictions_total }) {
  return [
    part(t("newDocuments"), total, documents, (row) => [documentName(row, 80), aside(` ${when(row.came)}`)]),
    Object.values(changes.totals).some(Boolean) && changesView(changes),
    part(t("mayDisagree"), contradictions_total, contradictions, ({ about, statements }) => [about && el("p", foreign("b", oneLine(about, 300))), meant(statements), matterView(statements.slice(0, 2), statements.slice(2))], "contradictions"),
  ];
}

/** A question with a new answer: both paths, each a link to its answer. */
function answer(context, one) {
  const path = (label, id, text) => el("p", aside(t(label), " "), el("a", { href: context.link(`/explain/${id}`) }, text ? bdi(text, 200) : t("noPathThen")));
  return el("li", el("p", foreign("b", oneLine(one.question, 200))), path("answeredBefore", one.before_id, one.path_before), path("answeredNow", one.now_id, one.path_now));
}
