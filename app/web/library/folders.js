// Folders of the server's machine that it watches: the last look, new files, deleted files. Read when the fold is opened.

import { get, post, remove } from "../base/api.js";
import { aside, bdi, el, failure, pushButton, quiet, remark, replace, waitingLine } from "../base/dom.js";
import { number, t, when } from "../base/words.js";

/** A fold with the watched folders of a workspace. It says when opened that only administrators may use it. */
export function foldersView(context) {
  const list = el("div", { "aria-live": "polite" });
  let awaited = null; // the last request
  const path = el("input", { type: "text", required: true, placeholder: "/srv/mail/Maildir", autocomplete: "off" });
  const form = el("form", { class: "choices", onsubmit: add }, el("label", t("folderPath"), " ", path), el("button", { class: "onward" }, t("watchFolder")));
  return el("details", { class: "folders writes", ontoggle: (event) => event.target.open && show(get(context.path("folders"))) }, el("summary", t("watchedFolders")), list, form);

  /** Show the folders once they are loaded, or why they are not. Shows nothing if a newer answer is awaited. */
  async function show(answer) {
    awaited = answer;
    if (!list.childElementCount) replace(list, waitingLine(t("looking")));
    try {
      const { folders } = await answer;
      if (awaited !== answer) return false;
      replace(list, folders.length ? el("ul", folders.map(row)) : quiet(t("noFolders")));
      return true;
    } catch (error) {
      if (awaited === answer) replace(list, failure(error));
      return false;
    }
  }

  async function add(event) {
    event.preventDefault();
    const added = post(context.path("folders"), { path: path.value.trim() }).then(() => get(context.path("folders")));
    if (await show(added)) path.value = "";
  }

  function row(folder) {
    const stop = pushButton({ class: "onward", onclick: () => show(remove(context.path("folders", folder.id))) }, t("stopWatching"));
    return el(
      "li",
      bdi(folder.path, 200),
      aside(" · ", folder.looked ? t("lastLook", when(folder.looked)) : t("notLookedYet"), " · ", t("filesSent", number(folder.sent), folder.sent)),
      [folder.problem, ...folder.skipped].filter(Boolean).map((problem) => remark(bdi(problem, 300))),
      folder.gone.length > 0 && el("div", quiet(t("filesGone")), el("ul", folder.gone.map((source) => el("li", bdi(source, 200))))),
      el("p", { class: "choices" }, stop),
    );
  }
}
