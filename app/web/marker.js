// How far this reader has read, by workspace: what lies behind is left out of all that the page asks for.

const kept = (workspace) => `read:${workspace}`;

/** The places that this reader has read up to, one of a document: its `source`, the `place` as the server takes it,
 * and as it is called (`label`). */
export function marksOf(workspace) {
  try {
    const marks = JSON.parse(localStorage.getItem(kept(workspace)) ?? "[]");
    return Array.isArray(marks) ? marks.filter((mark) => mark?.source && mark.place) : [];
  } catch {
    return []; // something else wrote there
  }
}

/** Move the mark of a document; without a place it is gone. */
export function mark(workspace, source, place, label = place) {
  const others = marksOf(workspace).filter((one) => one.source !== source);
  const now = place ? [...others, { source, place, label }] : others;
  if (now.length) localStorage.setItem(kept(workspace), JSON.stringify(now));
  else clear(workspace);
}

export const clear = (workspace) => localStorage.removeItem(kept(workspace));

/** What of a workspace is visible to this reader, as the server takes it: null where that is all of it. */
export function viewOf(workspace) {
  const marks = marksOf(workspace);
  return marks.length ? { until: marks.map(({ source, place }) => `${source}:${place}`) } : null;
}
