// The page: the head, and the view that its address names.

import { address, get, remove, root } from "./base/api.js";
import { el, failure, pushButton, quiet, renew, replace } from "./base/dom.js";
import { LANGUAGES, language, setLanguage, t } from "./base/words.js";

/** Each view in a module of its own, loaded when it is opened first. `tab`: it stands in the head; `within`: its tab;
 * `whole`: it is about the whole workspace, so a limited key sees none of it. */
const VIEWS = {
  "/": { tab: true, load: async () => (await import("./ask/ask.js")).showAsk },
  "/library": { tab: true, load: async () => (await import("./library/library.js")).showLibrary },
  "/graph": { tab: true, load: async () => (await import("./graph/graph.js")).showGraph },
  "/forms": { tab: true, whole: true, load: async () => (await import("./forms/forms.js")).showForms },
  "/settings": { tab: true, whole: true, load: async () => (await import("./settings/settings.js")).showSettings },
  "/cast": { load: async () => (await import("./people/cast.js")).showCast, within: "/graph" },
  "/family": { load: async () => (await import("./people/family.js")).showFamily, within: "/graph" },
  "/timeline": { load: async () => (await import("./people/time-line.js")).showTimeline, within: "/graph" },
  "/explain": { load: async () => (await import("./ask/ask.js")).showAsk, within: "/" },
  "/thread": { load: async () => (await import("./ask/ask.js")).showAsk, within: "/" },
};

const state = { workspaces: [], workspace: "", health: {}, session: {} };
const orNone = (answer) => answer.catch(() => null);
const session = orNone(get("/v1/session")).then((told) => begin(told ?? {}));
const known = Promise.all(["/v1/workspaces", "/v1/health"].map((path) => orNone(get(path)))).then(async ([workspaces, health]) => {
  state.workspaces = workspaces?.workspaces ?? [];
  state.health = health ?? {};
  await session;
});

/** This session goes on from now on. The style tells: a read key sees nothing that writes, a limited one nothing that is
 * about the whole workspace. */
function begin(session) {
  state.session = session;
  const { scope = "", limited = false } = session;
  Object.assign(document.body.dataset, { scope, limited: String(limited) });
}

/** The page's own address for a view of this workspace. */
function link(path, parameters = {}) {
  const asked = new URLSearchParams({ workspace: state.workspace, ...parameters });
  return `${root}${path}?${asked}`;
}

let shown = ""; // the address whose view is on the page
let keyless = false; // whether the server asks for a key that this browser does not have

/** Go to an address of the page. */
function go(address) {
  rename(address);
  show();
}

/** Change the address without changing the content. */
function rename(address) {
  history[address === shown ? "replaceState" : "pushState"](null, "", address);
  shown = address;
}

/** Another workspace, on the same view. */
function settle(workspace) {
  state.workspace = workspace;
  rename(link(view().name));
  localStorage.setItem("workspace", workspace);
  head(view().name);
}

let signing = null; // work that creates a key and signs in with it

/** Do such work. Other requests of the page may be refused meanwhile, which is no reason to ask for a key. */
async function signingIn(work) {
  const done = work();
  signing = done.catch(() => {});
  await done;
}

/** Start another session. */
function enter(session) {
  begin(session);
  head(view().name);
}

/** The address of something in the workspace. */
const path = (...parts) => address(state.workspace, ...parts);

/** `asking`: a question that the ask view asks at once when it is opened. */
const context = { state, known, link, path, go, rename, settle, tell, signing: signingIn, enter, asking: "" };

/** Make a screen reader say what changed. */
function tell(news) {
  document.getElementById("news").textContent = news;
}

function view() {
  const [, first, second] = location.pathname.slice(root.length).split("/");
  return { name: `/${first}`, id: decodeURIComponent(second ?? "") };
}

let leave = () => {};

async function show() {
  leave();
  const mine = (leave = () => {}); // another view may be requested while this one loads
  const asked = new URLSearchParams(location.search);
  state.workspace = asked.get("workspace") || usual();
  localStorage.setItem("workspace", state.workspace);
  const { name, id } = view();
  head(name);
  const main = replace(document.getElementById("main"));
  try {
    const [view] = await Promise.all([keyless ? askForKey() : VIEWS[name].load(), session]);
    if (leave !== mine) return;
    if (VIEWS[name].whole && state.session.limited) replace(main, quiet(t("limitedClosed")));
    else leave = view(main, context, { id, asked }) ?? (() => {});
  } catch (error) {
    if (leave === mine) replace(main, failure(error));
  }
}

const askForKey = async () => {
  const key = await import("./settings/key.js");
  return (main) => key.askForKey(main, () => location.reload());
};

/** The workspace of last time, if it is still there. */
function usual() {
  const names = state.workspaces.map((row) => row.name);
  return [localStorage.getItem("workspace"), "default", names[0]].find((name) => names.includes(name)) ?? "default";
}

function head(name) {
  const at = VIEWS[name].within ?? name;
  const names = [...new Set([...state.workspaces.map((row) => row.name), state.workspace])].sort();
  renew(
    document.getElementById("head"),
    el("a", { class: "mark", href: link("/") }, "Filigraph"),
    el(
      "nav",
      { "aria-label": t("views") },
      Object.keys(VIEWS)
        .filter((path) => VIEWS[path].tab)
        .map((path) => el("a", { href: link(path), class: VIEWS[path].whole && "of-all", "aria-current": path === at && "page" }, t(`view${path}`))),
    ),
    el(
      "label",
      { class: "pick" },
      el("span", t("workspace")),
      el(
        "select",
        { onchange: (event) => changeWorkspace(event.target.value) },
        names.map((row) => el("option", { value: row, selected: row === state.workspace }, row)),
      ),
    ),
    state.session.limited && el("span", { class: "leave" }, t("limitedKey")),
    state.session.name &&
      state.session.name !== "local" &&
      pushButton({ class: "leave", onclick: signOut }, t("signOut", state.session.name)),
    el(
      "div",
      { class: "languages", role: "group", "aria-label": t("language") },
      LANGUAGES.map((code) =>
        pushButton(
          { lang: code, "aria-pressed": String(code === language()), onclick: () => speak(code) },
          code.toUpperCase(),
        ),
      ),
    ),
  );
  document.getElementById("skip").textContent = t("skip");
  document.title = "Filigraph";
}

function changeWorkspace(name) {
  state.workspace = name;
  const { name: path } = view();
  go(link(VIEWS[path].within ?? path));
}

async function speak(code) {
  try {
    await setLanguage(code);
  } catch (error) {
    trouble(error);
    return;
  }
  show();
  /** @type {HTMLElement} */ (document.querySelector(`.languages [lang="${code}"]`)).focus();
}

addEventListener("keyneeded", async () => {
  await signing;
  const session = await get("/v1/session").catch(() => ({}));
  if (keyless || session.name) return; // the request was sent between a new key and the session that uses it
  keyless = true;
  state.session = {};
  show();
});

async function signOut() {
  try {
    await remove("/v1/session");
    location.reload();
  } catch (error) {
    trouble(error);
  }
}

/** The place in a document that the address names after #. */
async function read() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const place = asked.get("document") && !keyless ? asked : null;
  if (!place && !document.querySelector("dialog.reader")) return;
  try {
    (await import("./reader/reader.js")).openReader(context, place);
  } catch (error) {
    trouble(error);
  }
}

/** Errors outside the view that is on the page. */
function trouble(error) {
  const main = document.getElementById("main");
  main.querySelector(":scope > .failure")?.remove();
  main.prepend(failure(error));
}

/** "/" moves to the field for questions or searches of the view; if it has none, to the question. */
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || /^(TEXTAREA|INPUT|SELECT)$/.test(target.tagName)) return;
  event.preventDefault();
  const place = document.querySelector("dialog[open]") ?? document.getElementById("main");
  const fields = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[role=search] textarea, input[type=search]"));
  const field = [...fields].find((one) => one.offsetParent);
  if (field) field.focus();
  else if (!(place instanceof HTMLDialogElement)) go(link("/"));
});

document.addEventListener("click", (event) => {
  const anchor = event.target instanceof Element && /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[href^='/']"));
  const plainly = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!anchor || !plainly || anchor.target || anchor.download) return;
  const path = new URL(anchor.href).pathname.slice(root.length).split("/")[1];
  if (!(`/${path}` in VIEWS)) return;
  event.preventDefault();
  go(anchor.getAttribute("href"));
  document.getElementById("main").focus();
});

function follow() {
  const here = location.pathname + location.search;
  if (here === shown) return;
  shown = here;
  show();
  read();
}
addEventListener("popstate", follow);
addEventListener("hashchange", read);

document.documentElement.lang = language();
shown = location.pathname + location.search;
if (new URLSearchParams(location.search).get("workspace")) {
  show(); // at once: the other workspaces may load later
  known.then(() => head(view().name));
} else {
  await known;
  show();
}
read();
