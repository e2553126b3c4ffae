// What of an answer the evidence does not hold. Places are counted in characters, as the server counts them.

/** The paragraphs of an answer, each as parts of text; those that the evidence does not hold have a kind. */
export function paragraphsOf(answer) {
  const paragraphs = [[]];
  for (const part of partsOf(answer)) {
    const [first, ...others] = part.kind ? [part.text] : part.text.split(/\n{2,}/);
    paragraphs.at(-1).push({ ...part, text: first });
    for (const text of others) paragraphs.push([{ text }]);
  }
  return paragraphs;
}

/** Its words, each once. */
export const unsupportedOf = (answer) => [...new Set(answer.unsupported.map(({ text }) => text))];

function partsOf(answer) {
  const characters = [...answer.text];
  const parts = [];
  let at = 0;
  for (const { start, end, kind } of answer.unsupported) {
    parts.push({ text: characters.slice(at, start).join("") }, { text: characters.slice(start, end).join(""), kind });
    at = end;
  }
  return [...parts, { text: characters.slice(at).join("") }];
}
