// Files that were dropped, folders with all that is in them.

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
