// Decisions on their way to the server. Those that come while others are being applied go together, as one request: names
// are told anew once for all of them. What the server has not confirmed stays in this browser until it has.

import { Failure, address, post, remove } from "../base/api.js";

const MOST = 200; // decisions in a request: a page that is left may still send 64 kB
const FINAL = new Set(["already_decided", "bad_input", "not_found", "forbidden"]); // they would fail again if sent again

const boxes = new Map(); // one for each workspace, which continues when the reader leaves the view

/** The pending decisions of a workspace. */
export function outboxOf(workspace) {
  if (!boxes.has(workspace)) boxes.set(workspace, new Outbox(workspace));
  return boxes.get(workspace);
}

class Outbox {
  watch = () => {}; // called after every change
  failed = null; // why it stopped
  refused = []; // {code, cause, cure}
  applied = 0;
  #entries = []; // {verdict, state: waiting | sent | applied, id, undo: called once it is undone}
  #running = null;

  constructor(workspace) {
    this.workspace = workspace;
    this.store = `undelivered/${workspace}`;
  }

  /** How many decisions the server has not confirmed. */
  get pending() {
    return this.#entries.filter((entry) => entry.state !== "applied" || entry.undo).length;
  }

  /** Whether this pair was decided here, and the server may not know yet. */
  holds(first, second) {
    return this.#entries.some(({ verdict, undo }) => !undo && verdict.first === first && verdict.second === second);
  }

  /** Unconfirmed decisions of an earlier page. */
  left() {
    try {
      return JSON.parse(localStorage.getItem(this.store)) ?? [];
    } catch {
      return []; // not ours
    }
  }

  /** Send decisions; returns the argument of `undo`. */
  add(...verdicts) {
    const made = verdicts.map((verdict) => ({ verdict, state: "waiting", id: "", undo: null }));
    this.#entries.push(...made);
    this.send();
    return made;
  }

  /** Undo a decision. The promise resolves when the server has undone it, or at once if it never got the decision. */
  undo(entry) {
    if (entry.state === "waiting") {
      this.#forget(entry);
      this.#changed();
      return Promise.resolve();
    }
    return new Promise((done) => {
      entry.undo = done;
      this.send();
    });
  }

  /** Count again, if nothing is pending. */
  clear() {
    if (this.pending) return;
    this.#entries = [];
    this.applied = 0;
    this.refused = [];
  }

  /** Continue, also after a stop. */
  send() {
    this.failed = null;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      this.#changed();
    });
    this.#changed();
  }

  /** Resolves when nothing is pending, or when it stopped. */
  idle() {
    return this.#running ?? Promise.resolve();
  }

  /** The page closes: waiting decisions are still sent. */
  leave() {
    const waiting = this.#entries.filter((entry) => entry.state === "waiting").slice(0, MOST);
    if (waiting.length) this.#post(waiting).catch(() => {}); // otherwise it is sent when the review is opened again
  }

  async #run() {
    try {
      for (;;) {
        const undone = this.#entries.find((entry) => entry.state === "applied" && entry.undo); // before the waiting ones
        const waiting = this.#entries.filter((entry) => entry.state === "waiting").slice(0, MOST);
        if (undone) await this.#takeBack(undone);
        else if (waiting.length) await this.#apply(waiting);
        else return;
        this.#changed();
      }
    } catch (error) {
      this.failed = error;
    }
  }

  async #apply(batch) {
    for (const entry of batch) entry.state = "sent";
    this.#changed();
    try {
      const { corrections, refused } = await this.#post(batch);
      const why = new Map(refused.map((row) => [row.number - 1, row]));
      batch.forEach((entry, number) => why.has(number) && this.#refuse(entry, why.get(number)));
      const taken = batch.filter((_, number) => !why.has(number));
      this.applied += taken.length;
      taken.forEach((entry, number) => Object.assign(entry, { state: "applied", id: corrections[number].id }));
    } catch (error) {
      if (!(error instanceof Failure) || !FINAL.has(error.code)) {
        for (const entry of batch) entry.state = "waiting";
        throw error;
      }
      for (const entry of batch) this.#refuse(entry, error);
    }
  }

  async #takeBack(entry) {
    try {
      await remove(address(this.workspace, "corrections", entry.id));
    } catch (error) {
      if (error.code !== "not_found") throw error; // otherwise somebody undid it before
    }
    this.applied -= 1;
    this.#forget(entry);
    entry.undo();
  }

  #post(batch) {
    const corrections = batch.map(({ verdict: { first, second, same } }) => ({ kind: same ? "same" : "distinct", about: first, other: second }));
    return post(address(this.workspace, "corrections"), { corrections }, undefined, { keepalive: true });
  }

  #refuse(entry, { code, cause, cure }) {
    this.refused.push({ code, cause, cure });
    this.#forget(entry);
  }

  #forget(entry) {
    this.#entries = this.#entries.filter((one) => one !== entry);
  }

  #changed() {
    const left = this.#entries.filter((entry) => entry.state !== "applied").map((entry) => entry.verdict);
    if (left.length) localStorage.setItem(this.store, JSON.stringify(left));
    else localStorage.removeItem(this.store);
    this.watch();
  }
}

addEventListener("beforeunload", (event) => {
  if ([...boxes.values()].some((box) => box.pending)) event.preventDefault(); // the browser asks whether to stay
});
addEventListener("pagehide", () => boxes.forEach((box) => box.leave()));
