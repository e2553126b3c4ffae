// Saved searches: a form that saves the last search under a name, and a fold with the saved ones and the number of new hits in each.

import { get, newestOnly, post, remove } from "../base/api.js";
import { aside, bdi, confirmed, el, failure, pushButton, replace } from "../base/dom.js";
import { viewOf } from "../base/marker.js";
import { number, t } from "../base/words.js";

/** The current results of a saved search within what this reader has read: the mark moves, so a search stores none. */
export const runSearch = (context, name, asked, signal = undefined) => post(context.path("searches", name, "run"), { ...asked, view: viewOf(context.state.workspace) }, signal);

/** `show` shows the results of a named search. `offer` offers to save a search; with null it offers nothing. */
export function savedSearches(context, show) {
  const path = context.path("searches");
  const title = el("summary", t("searches"));
  const list = el("ul", { class: "plain" });
  const fold = el("details", { class: "fold", hidden: true, ontoggle: () => fold.open && countAll() }, title, list);
  const name = el("input", { type: "text", maxlength: 100, required: true, pattern: "[\\p{L}\\p{N}_][^\\/]*", "aria-label": t("searchName"), placeholder: t("searchName"), dir: "auto" });
  const trouble = el("div", { "aria-live": "polite" });
  const form = el("form", { hidden: true, onsubmit: save }, name, " ", el("button", { class: "small" }, t("searchSave")));
  const newest = newestOnly();
  let query = null;
  let counts = [];
  let running = false;
  read();
  return { element: el("div", { class: "saved" }, form, trouble, fold), offer };

  function offer(asked) {
    query = asked;
    form.hidden = !asked;
    replace(trouble);
  }

  async function save(event) {
    event.preventDefault();
    try {
      await post(path, { name: name.value.trim(), query, view: viewOf(context.state.workspace) });
      form.reset();
      offer(null);
      context.tell(t("searchSaved"));
      await read();
    } catch (error) {
      replace(trouble, failure(error));
    }
  }

  async function read() {
    try {
      const { searches } = await get(path, {}, newest());
      title.textContent = `${t("searches")} (${number(searches.length)})`;
      fold.hidden = !searches.length;
      counts = [];
      replace(list, searches.map(row));
      if (fold.open) await countAll();
    } catch (error) {
      if (error.name !== "AbortError") replace(trouble, failure(error));
    }
  }

  async function countAll() {
    for (const count of counts.splice(0)) await count();
  }

  function row(saved) {
    const news = aside();
    let looked = false; // from then on a count is out of date
    const run = async () => {
      if (running) return; // a second run would drop what the first shows, and new hits are shown only once
      running = looked = true;
      replace(news);
      await show(saved.name).finally(() => (running = false));
    };
    const drop = () => remove(context.path("searches", saved.name)).then(read, (error) => void replace(trouble, failure(error)));
    counts.push(async () => {
      const found = await runSearch(context, saved.name, { count: 0 }).catch(() => null);
      if (!looked) replace(news, found && t("searchCount", number(found.new), number(found.total)));
    });
    return el("li", pushButton({ class: "small", onclick: run }, bdi(saved.name, 100)), " ", news, " ", confirmed({ class: "small" }, t("noteDelete"), t("noteDeleteSure"), drop));
  }
}
