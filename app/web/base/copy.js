// The clipboard.

import { t } from "./words.js";

/** Copy a text; the button says for a moment whether that worked. Returns whether it did: a page over plain HTTP has no
 * clipboard. */
export async function copyWith(button, text, tell) {
  const label = button.textContent;
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copied = false;
  }
  button.textContent = t(copied ? "copied" : "notCopied");
  tell(button.textContent);
  setTimeout(() => (button.textContent = label), 1500);
  return copied;
}
