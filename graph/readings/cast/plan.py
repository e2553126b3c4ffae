"""The prompts for the cast of a document: its names in batches, similar ones together, each with extracts. They depend
on the document alone, so the same text is asked once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from filigraph.graph.ids import content_id
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.names import Mention
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, render
from filigraph.graph.readings.cast.extracts import Extract, NamePlaces, choose_extracts
from filigraph.graph.text.identifiers import is_identifier
from filigraph.graph.text.names.pairs import person_shaped
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.names.type_class import type_class

VERSION = "3"  # bump whenever a reply would be interpreted differently
MOST_NAMES = 240  # of a document: the rarest are left out
MOST_PHRASES = 60  # that no chunk was read to have ("the Duchess"): likewise
NAMES_PER_CALL = 60  # names in one call
ANCHOR_NAMES = 40  # of the most frequent names, repeated in each of several calls
# Of a document that is worth a call: an LLM that reads a whole chunk distinguishes its names itself.
FEWEST_NAMES, FEWEST_CHUNKS = 3, 4
MIN_DESCRIPTION_PLACES = 3  # places of a description ("the old man") that counts as a name
TEXT_TOKENS = 4600  # tokens of the extracts of a call: it fits 8,192 with its reply
NAMES_IN_A_CHUNK = 1.2  # expected before any is read; not measured
REPLY_TOKENS = 400  # tokens of a reply with the names that it adds
REPLY_TOKENS_PER_NAME = 12  # further tokens of it for each name of the list


@dataclass(frozen=True, kw_only=True)
class CastBatch:
    """Names of a document for one call."""

    names: Mapping[int, str]  # number -> key
    unread: Mapping[str, str]  # key -> form of those that no chunk was read to have
    extracts: Mapping[int, str]  # number -> text
    prompt: Prompt

    @property
    def reply_tokens(self) -> int:
        return REPLY_TOKENS + REPLY_TOKENS_PER_NAME * len(self.names)

    def key(self, model: str) -> str:
        """A hash of all that the reply depends on."""
        return content_id("cast", VERSION, model, self.prompt.system, self.prompt.user)

    @property
    def usage(self) -> Usage:
        """The calls and tokens of the batch, at most."""
        tokens = estimate_tokens(self.prompt.system + self.prompt.user)
        return Usage(calls=1, tokens_in=tokens, tokens_out=self.reply_tokens)


def plan_cast(chunks: Sequence[Chunk], mentions: Sequence[Mention], phrases: Sequence[Mention] = ()) -> list[CastBatch]:
    """The calls for one document; empty if it has few names. `mentions`: those of the document, with all places;
    `phrases`: what else may be a name, likewise."""
    if len(chunks) < FEWEST_CHUNKS:
        return []
    places = NamePlaces.find(chunks, [*mentions, *phrases])
    forms = _forms(mentions, places.counts)
    if len(forms) < FEWEST_NAMES:
        return []
    persons = _persons(forms)
    ranked = sorted(forms, key=lambda key: (key not in persons, -places.counts[key], key))[:MOST_NAMES]
    unread = {phrase.key: phrase.form for phrase in phrases}
    forms |= unread
    ranked += sorted(unread, key=lambda key: (-places.counts[key], key))[:MOST_PHRASES]
    ordered = _alike_together(ranked, forms)
    number_of = {key: number for number, key in enumerate(ordered, start=1)}
    calls = -(-len(ordered) // NAMES_PER_CALL)
    size = -(-len(ordered) // calls)
    batches = []
    for begin in range(0, len(ordered), size):
        some = ordered[begin : begin + size]
        anchors = [key for key in ranked[:ANCHOR_NAMES] if key not in some]
        keys = sorted([*some, *anchors], key=number_of.__getitem__)
        extracts = choose_extracts(places, keys, {*anchors}, TEXT_TOKENS)
        batches.append(_batch({number_of[key]: key for key in keys}, forms, unread, places.counts, extracts))
    return batches


def _forms(mentions: Iterable[Mention], counts: Mapping[str, int]) -> dict[str, str]:
    """Key -> form of the names that may be persons: proper names, and descriptions that recur."""
    forms_of: dict[str, str] = {}
    for mention in sorted(mentions, key=lambda mention: (len(mention.occurrences), mention.form)):
        if mention.key and not is_identifier(mention.form) and type_class(mention.type) != "date":
            name = parse(mention.form)
            somebody = name.role or name.kin or name.gender or type_class(mention.type) == "person"
            phrase = name.head < len(name.core) and not name.named  # "news of Jane Fairfax"
            recurs = counts.get(mention.key, 0) >= MIN_DESCRIPTION_PLACES
            if name.core and not phrase and (name.proper or (somebody and recurs)):
                forms_of[mention.key] = mention.form
    return forms_of


def _persons(forms: Mapping[str, str]) -> set[str]:
    """The keys of names written like a person's, or with a word of such a name: they are asked first."""
    names = {key: parse(form) for key, form in forms.items()}
    shaped = {key for key, name in names.items() if person_shaped(name) or name.role}
    words = {word for key in shaped for word in _words(names[key])}
    return {key for key, name in names.items() if key in shaped or not words.isdisjoint(_words(name))}


def _alike_together(ranked: Sequence[str], forms: Mapping[str, str]) -> list[str]:
    """Names that share a word follow each other, the most frequent first."""
    with_word: dict[str, list[str]] = defaultdict(list)
    words = {key: _words(parse(forms[key])) for key in ranked}
    for key in ranked:
        for word in words[key]:
            with_word[word].append(key)
    ordered: dict[str, None] = {}
    for first in ranked:
        ahead = [first]
        while ahead:
            key = ahead.pop(0)
            if key not in ordered:
                ordered[key] = None
                ahead += [other for word in words[key] for other in with_word[word] if other not in ordered]
    return [*ordered]


def _words(name: Name) -> list[str]:
    return [word for word in name.core if word not in FUNCTION_WORDS and len(word) > 1]


def _batch(
    names: Mapping[int, str],
    forms: Mapping[str, str],
    unread: Mapping[str, str],
    counts: Mapping[str, int],
    extracts: Sequence[Extract],
) -> CastBatch:
    listed = "\n".join(f"{number}. {forms[key]} ({counts[key]})" for number, key in names.items())
    numbered = {number: extract.text for number, extract in enumerate(extracts, start=1)}
    extract_lines = "\n".join(f"[{number}] {text}" for number, text in numbered.items())
    return CastBatch(
        names=names,
        unread={key: unread[key] for key in names.values() if key in unread},
        extracts=numbered,
        prompt=render("cast", tag=fence(listed, extract_lines), names=listed, extracts=extract_lines),
    )


def expected(chunks: int) -> Usage:
    """The expected calls and tokens for the cast of a document with this number of chunks, before its names are known;
    rather too high.
    """
    names = min(round(chunks * NAMES_IN_A_CHUNK), MOST_NAMES + MOST_PHRASES)
    if chunks < FEWEST_CHUNKS or names < FEWEST_NAMES:
        return Usage()
    calls = -(-names // NAMES_PER_CALL)
    names_sent = names + (calls - 1) * ANCHOR_NAMES
    tokens_in = min(calls * TEXT_TOKENS, chunks * 600) + names_sent * 10 + calls * 600
    return Usage(calls=calls, tokens_in=tokens_in, tokens_out=calls * REPLY_TOKENS + names_sent * REPLY_TOKENS_PER_NAME)
