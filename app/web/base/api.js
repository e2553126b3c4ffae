// The REST API of the server that this page came from.

import { viewOf } from "./marker.js";
import { t } from "./words.js";

/** The path under which a proxy shows the server; "" at its root. */
export const root = new URL("../../..", import.meta.url).pathname.replace(/\/$/, "");

/** An error in words: `cause` and `cure` come from the server. */
export class Failure extends Error {
  constructor({ code, cause, cure }) {
    super(cause);
    this.code = code;
    this.cause = cause;
    this.cure = cure;
  }
}

/** The address of something in a workspace. */
export const address = (workspace, ...parts) =>
  ["/v1/workspaces", workspace, ...parts].map((part, n) => (n ? encodeURIComponent(part) : part)).join("/");

// What is read of a workspace whatever its reader has read: which documents there are, what was asked, answered and saved.
const ALWAYS = /^(documents(\/[^/]+)?|threads(\/.*)?|traces(\/.*)?|searches|usage|schema|shares|views(\/.*)?)$/;

/** What is asked with of a part of a workspace: that nothing behind the place read up to shows. The server obeys, or
 * refuses what cannot be shown so. */
function seen(path) {
  const [, workspace, part] = /^\/v1\/workspaces\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const view = part && !ALWAYS.test(part) ? viewOf(decodeURIComponent(workspace)) : null;
  return view ? { view: JSON.stringify(view) } : {};
}

async function call(path, options = {}) {
  let response;
  try {
    response = await fetch(root + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure({ code: "server_unavailable", cause: t("noServer"), cure: t("noServerCure") });
  }
  if (response.ok) return response;
  let told = null;
  try {
    told = (await response.json()).error;
  } catch {
    // no JSON: something between us and the server answered
  }
  if (told?.code === "key_needed") dispatchEvent(new Event("keyneeded"));
  throw new Failure(told ?? { code: "internal", cause: t("noEnvelope", response.status), cure: t("noServerCure") });
}

export async function get(path, parameters = {}, signal = undefined) {
  const given = Object.entries({ ...seen(path), ...parameters }).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const asked = new URLSearchParams(given.filter(([, value]) => value !== ""));
  return (await call(asked.size ? `${path}?${asked}` : path, { signal })).json();
}

/** Returns the signal for a request of which only the newest counts: it aborts the previous one, which is out of date. */
export function newestOnly() {
  let running = new AbortController();
  return () => {
    running.abort();
    running = new AbortController();
    return running.signal;
  };
}

/** Send a form, or JSON. `more`: options of `fetch`. */
export async function post(path, body = {}, signal = undefined, more = {}) {
  const form = body instanceof FormData;
  const headers = form ? {} : { "content-type": "application/json" };
  return (await call(path, { ...more, method: "POST", signal, body: form ? body : JSON.stringify(body), headers })).json();
}

export async function put(path, body) {
  const headers = { "content-type": "application/json" };
  return (await call(path, { method: "PUT", body: JSON.stringify(body), headers })).json();
}

export async function remove(path) {
  return (await call(path, { method: "DELETE" })).json();
}

/** The events of a POST, or of a GET where there is no body, one after the other. An `error` event is thrown. `body` is
 * JSON, or a form with files. */
export async function* events(path, body, signal) {
  const form = body instanceof FormData;
  const sent = {
    method: "POST",
    body: form ? body : JSON.stringify(body),
    headers: form ? {} : { "content-type": "application/json" },
  };
  const response = await call(path, body === null ? { signal } : { ...sent, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let left = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      const lines = (left + (value ?? "")).split("\n");
      left = done ? "" : lines.pop();
      for (const line of lines.filter(Boolean)) {
        const event = JSON.parse(line);
        if (event.event === "error") throw new Failure(event.error);
        if (event.event !== "alive") yield event;
      }
      if (done) return;
    }
  } catch (error) {
    if (error instanceof Failure || error.name === "AbortError") throw error;
    throw new Failure({ code: "server_unavailable", cause: t("cutShort"), cure: t("noServerCure") });
  } finally {
    reader.cancel().catch(() => {});
  }
}
