// How far this reader has read, by workspace: all requests of the page leave out later text.

const kept = (workspace) => `read:${workspace}`;

/** The places that this reader has read up to, one of a document: its `source`, the `place` as the server takes it,
 * and as it is called (`label`). */
export function marksOf(workspace) {
  try {
    const marks = JSON.parse(localStorage.getItem(kept(workspace)) ?? "[]");
    return Array.isArray(marks) ? marks.filter((mark) => mark?.source && mark.place) : [];
  } catch {
    return []; // not our data
  }
}

/** Move the mark of a document; without a place it is deleted. */
export function mark(workspace, source, place, label = place) {
  const others = marksOf(workspace).filter((one) => one.source !== source);
  const now = place ? [...others, { source, place, label }] : others;
  if (now.length) localStorage.setItem(kept(workspace), JSON.stringify(now));
  else localStorage.removeItem(kept(workspace));
}

/** Show everything again: delete the marks, and forget the chosen part, day and named view. */
export function clear(workspace) {
  localStorage.removeItem(kept(workspace));
  showPart(workspace, null);
  showDay(workspace, null);
  showNamed(workspace, "");
}

const keptPart = (workspace) => `part:${workspace}`;

/** The part of a document that alone is shown: its `source`, the `place` as the server takes it, how it is called
 * (`label`); null where all is. */
export function partOf(workspace) {
  try {
    const part = JSON.parse(localStorage.getItem(keptPart(workspace)) ?? "null");
    return part?.source && part.place ? part : null;
  } catch {
    return null; // not our data
  }
}

/** Show only a part of a document, or, without one, everything. */
export function showPart(workspace, part) {
  if (part) localStorage.setItem(keptPart(workspace), JSON.stringify(part));
  else localStorage.removeItem(keptPart(workspace));
}

const keptDay = (workspace) => `day:${workspace}`;

/** The `day` as of which the documents are shown, and whether those without a date are (`undated`: "in" or "out"); null
 * if all are. */
export function dayOf(workspace) {
  const [day, undated] = (localStorage.getItem(keptDay(workspace)) ?? "").split(" ");
  return day ? { day, undated } : null;
}

/** Show the documents up to a day, or, without one, all. */
export function showDay(workspace, chosen) {
  if (chosen) localStorage.setItem(keptDay(workspace), `${chosen.day} ${chosen.undated}`);
  else localStorage.removeItem(keptDay(workspace));
}

const keptName = (workspace) => `view:${workspace}`;

/** The named view that is shown in place of all else that was chosen; "" for none. */
export const namedOf = (workspace) => localStorage.getItem(keptName(workspace)) ?? "";

/** Show a named view, or, without a name, what else was chosen. */
export function showNamed(workspace, name) {
  if (name) localStorage.setItem(keptName(workspace), name);
  else localStorage.removeItem(keptName(workspace));
}

/** The part of a workspace that this reader sees, as the server takes it: null if it is everything. */
export function viewOf(workspace) {
  const marks = marksOf(workspace).map(({ source, place }) => `${source}:${place}`);
  const [part, date, named] = [partOf(workspace), dayOf(workspace), namedOf(workspace)];
  if (named) return { named };
  const view = { ...(marks.length && { until: marks }), ...(part && { within: [`${part.source}:${part.place}`] }), ...(date && { as_of: date.day, undated: date.undated }) };
  return Object.keys(view).length ? view : null;
}
