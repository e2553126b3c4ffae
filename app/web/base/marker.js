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

/** Show everything again: delete the marks and the chosen part. */
export function clear(workspace) {
  localStorage.removeItem(kept(workspace));
  showPart(workspace, null);
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

/** The part of a workspace that this reader sees, as the server takes it: null if it is everything. */
export function viewOf(workspace) {
  const marks = marksOf(workspace).map(({ source, place }) => `${source}:${place}`);
  const part = partOf(workspace);
  const view = { ...(marks.length && { until: marks }), ...(part && { within: [`${part.source}:${part.place}`] }) };
  return marks.length || part ? view : null;
}
