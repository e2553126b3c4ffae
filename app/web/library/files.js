// Dropped files, and folders with their content.

const HIDDEN = /(^|\/)[.~]/; // .DS_Store, lock files

/** Every file of a drop, named by its path within it. */
export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, name: file.name }));
  const found = [];
  for (const entry of entries) await walk(entry, found);
  return found.filter((one) => !HIDDEN.test(one.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function walk(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    found.push({ file, name: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // a hundred at once, at most
    if (!some.length) return;
    for (const inner of some) await walk(inner, found);
  }
}

// ---- upload

const FILES = 900; // in one job

/** The files chosen in a field; the same may be chosen again. */
export function picked(input) {
  const chosen = [...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
  input.value = "";
  return chosen;
}

/** The files as forms, as many as their size needs. */
export function batches(chosen, limit) {
  const made = [[]];
  let bytes = 0;
  for (const one of chosen) {
    const weight = one.file.size + 2 * one.name.length + 1000; // and what a form adds
    if (bytes && (bytes + weight > limit || made.at(-1).length >= FILES)) {
      made.push([]);
      bytes = 0;
    }
    made.at(-1).push(one);
    bytes += weight;
  }
  return made.filter((batch) => batch.length);
}

export function form(batch, kind) {
  const made = new FormData();
  for (const { file, name } of batch) made.append("files", file, name);
  made.append("sources", JSON.stringify(batch.map(({ file, name }) => ({ name, media_type: file.type }))));
  made.append("extractor", kind);
  return made;
}
