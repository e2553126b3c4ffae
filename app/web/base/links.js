// Links to sentences of the texts, and to the entities that they are about.

import { el, foreign, oneLine } from "./dom.js";
import { unmarked } from "./structure.js";
import { placeOf } from "./words.js";

/** The name of an entity, a link to its page. */
export const entityLink = (context, id, name, limit = 60) => foreign("a", oneLine(name, limit), { href: context.link("/graph", { entity: id }) });

/** A sentence as a quote, a link to its place in the text. */
export const sentenceLink = (said) => el("a", { class: "sentence", href: placeOf(said.document_id, said.chunk_id, said.start, said.end) }, foreign("q", unmarked(oneLine(said.sentence))));
