// Library: add documents, with the cost first; the documents and entities of the workspace; its jobs.

import { events } from "../base/api.js";
import { aside, el, failure, pushButton, quiet, replace, waitingLine } from "../base/dom.js";
import { demoButton } from "../base/nothing-read.js";
import { number, t } from "../base/words.js";
import { notesFold } from "../notes/notes.js";
import { markingView } from "../scope/marking.js";
import { documentList, isWhole, named, scopeOf, scopeView, within } from "../scope/scope.js";
import { documentsTable, gapsView } from "./document-list.js";
import { dropped, picked } from "./files.js";
import { foldersView } from "./folders.js";
import { jobsView } from "./jobs.js";
import { newsView } from "./news.js";
import { phraseSearch } from "./phrases.js";
import { readAgain, resume, stage } from "./upload-form.js";
import { foundView } from "./type-summary.js";

export function showLibrary(main, context, { asked }) {
  const left = new AbortController(); // when the reader leaves the view
  const view = {
    context,
    running: new AbortController(), // what is estimated, sent or followed
    scope: scopeOf(asked), // the documents that are shown
    since: asked.get("since") ?? "", // the id of the job since which to show changes
    refresh: () => refresh(view),
    staging: el("div", { class: "staging", "aria-live": "polite" }),
    demo: demoOffer(context),
    found: el("div"),
    shelf: el("div", { class: "documents" }, waitingLine(t("looking"))),
    jobs: jobsView(context, left.signal),
  };
  const zone = dropZone(view.demo, (chosen) => stage(view, chosen));
  const marking = markingView(context, view.refresh);
  replace(main, el("h1", { class: "spoken" }, t("view/library")), zone, view.staging, marking, view.found, view.shelf, foldersView(context), view.jobs.element);
  view.refresh();
  resume(view);
  return () => {
    left.abort();
    view.running.abort();
  };
}

/** Show the content of the workspace. */
async function refresh(view) {
  const { context, found, shelf } = view;
  const { state } = context;
  await context.known;
  try {
    const there = state.workspaces.some((row) => row.name === state.workspace);
    const { documents, threads } = there ? await documentList(state.workspace) : { documents: [], threads: [] };
    view.threads = threads;
    if (documents.length) view.demo.hidden = true; // the offer is for an empty workspace
    replace(shelf, documents.length ? shelved(view, documents) : quiet(t("libraryEmpty")));
    replace(found, documents.length > 0 && (await foundView(context, () => retried(view))));
  } catch (error) {
    replace(shelf, failure(error));
  }
}

/** The documents of the scope, and what is shown about all. */
function shelved(view, documents) {
  const { context } = view;
  const count = el("h2");
  const rows = el("div");
  const narrow = (chosen) => {
    view.scope = chosen;
    history.replaceState(null, "", context.link("/library", named(chosen)));
    drawDocuments(view, documents, count, rows);
  };
  drawDocuments(view, documents, count, rows);
  return [
    count,
    phraseSearch(context),
    scopeView(view.scope, async () => documents, narrow),
    rows,
    newsView(context, view.since),
    notesFold(context, { eager: true, filtered: true }),
    !context.state.session.limited && gapsView(context),
  ];
}

function drawDocuments(view, documents, count, rows) {
  const { context, scope } = view;
  const shown = within(documents, scope);
  const narrowed = !isWhole(scope) && [
    el("small", ` ${t("ofAll", number(documents.length))} `),
    el("a", { class: "onward", href: context.link("/", named(scope)) }, t("askThese")),
  ];
  replace(count, t("documentCount", number(shown.length), shown.length), narrowed);
  const fail = (error) => replace(view.staging, failure(error));
  replace(rows, documentsTable(context, shown, view.threads, { retry: () => retried(view), changed: view.refresh, fail }));
}

function retried(view) {
  return readAgain(view, () => events(view.context.path("retry"), {}, view.running.signal));
}

// ---- where to drop or choose files

/** The offer of the demo's case file, if the workspace does not exist yet. */
export function demoOffer(context) {
  const { state } = context;
  const offer = el("span", { class: "demo", hidden: true }, demoButton(context));
  context.known.then(() => (offer.hidden = state.workspaces.some((row) => row.name === state.workspace)));
  return offer;
}

/** Calls `stage` with the files. */
export function dropZone(demo, stage) {
  const picker = (folder) => el("input", { type: "file", multiple: true, hidden: true, webkitdirectory: folder, onchange: (event) => stage(picked(event.target)) });
  const [files, folder] = [picker(false), picker(true)];
  const zone = el(
    "div",
    {
      class: "drop writes",
      ondragover: (event) => (event.preventDefault(), zone.classList.add("over")),
      ondragleave: () => zone.classList.remove("over"),
      ondrop: async (event) => {
        event.preventDefault();
        zone.classList.remove("over");
        stage(await dropped(event.dataTransfer));
      },
    },
    el("p", { class: "invite" }, t("dropHere")),
    el(
      "p",
      pushButton({ class: "onward", onclick: () => files.click() }, t("chooseFiles")),
      pushButton({ class: "onward", onclick: () => folder.click() }, t("chooseFolder")),
      demo,
      aside(t("kinds")),
    ),
    files,
    folder,
  );
  return zone;
}
