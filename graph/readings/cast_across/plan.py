"""The prompts for who is who across documents: documents that name the same people and things, their sentences and
their names numbered. They depend on the documents alone, so the same ones are asked about once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil

from filigraph.graph.ids import content_id
from filigraph.graph.model.llm_readings import NamePlace
from filigraph.graph.model.names import MentionLike
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, render
from filigraph.graph.readings.cast_across.groups import MOST_PARTS, MOST_SHARING, ROUNDS, TEXT_TOKENS, document_groups
from filigraph.graph.records.documents import PlacedChunk
from filigraph.graph.text.identifiers import is_identifier
from filigraph.graph.text.names.pairs import person_shaped
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.names.type_class import type_class
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.dates import dates_in
from filigraph.graph.text.words import tokens

VERSION = "2"  # bump whenever a reply would be interpreted differently
MOST_CHUNKS = 40  # of a document: longer ones have a cast of their own, and few names in common
MOST_NAMES = 40  # of a document
FEWEST_NAMES = 4  # in all documents, that are worth a call
WHOLE_DOCUMENT_TOKENS = 900  # tokens of a document that is shown whole; of a longer one, sentences with names
MIN_LETTERS = 3  # letters of a word beside figures: shorter ones are units
MAX_SENTENCE_CHARS = 500  # of a sentence
SENTENCE_TOKENS = 2  # tokens of a number and a line
NAME_TOKENS = 7  # tokens of a name of the list
HEADING_TOKENS = 24  # tokens of what says which document it is
REPLY_TOKENS = 1500  # tokens
CALL_TOKENS = 900  # of the instructions, at most
TOKENS_OF_A_NAME = 25  # of a text, before it is read; not measured
MAX_CHANGED_CALLS = 10  # calls of a large workspace that new documents change; too high
MAX_CHANGED_CALLS_PER_DOCUMENT = 6  # further ones for each new document; too high


@dataclass(frozen=True, kw_only=True)
class AcrossDocument:
    id: str
    source: str
    title: str
    author: str
    date: str
    language: str
    chunks: Sequence[PlacedChunk]  # in order; the names are ids of `mentions`
    mentions: Mapping[str, MentionLike]  # by id


@dataclass(frozen=True, kw_only=True)
class ShownSentence:
    """A sentence as a prompt shows it."""

    document_id: str
    chunk_id: str
    text: str
    keys: frozenset[str]  # the names in it


@dataclass(frozen=True, kw_only=True)
class AcrossBatch:
    """Documents whose names one call is about."""

    names: Mapping[int, str]  # number -> key
    proper: frozenset[str]  # the keys that are names and not descriptions
    places: Mapping[str, Mapping[int, NamePlace]]  # key -> number of a document -> the name there
    sentences: Mapping[int, ShownSentence]
    prompt: Prompt

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """All that a reply may rest on."""
        named = {place.chunk_id for places in self.places.values() for place in places.values()}
        return tuple(sorted(named | {sentence.chunk_id for sentence in self.sentences.values()}))

    def key(self, model: str) -> str:
        """A hash of all that the reply depends on."""
        return content_id("cast-across", VERSION, model, self.prompt.system, self.prompt.user)

    @property
    def usage(self) -> Usage:
        """The calls and tokens of the batch, at most."""
        tokens = estimate_tokens(self.prompt.system + self.prompt.user)
        return Usage(calls=1, tokens_in=tokens, tokens_out=REPLY_TOKENS)


def plan_across(documents: Iterable[AcrossDocument], alike: Iterable[tuple[str, str]] = ()) -> list[AcrossBatch]:
    """The calls for some documents, in any order; none if there are not two with names. `alike`: pairs of keys that
    rules compare, because they may be one name."""
    short = (document for document in documents if len(document.chunks) <= MOST_CHUNKS)
    return [batch_of(members) for members in groups_across(map(shown_document, short), alike)]


def groups_across(documents: Iterable[ShownDocument], alike: Iterable[tuple[str, str]]) -> list[list[ShownDocument]]:
    by_id = {one.id: one for one in documents if one.names}
    words = {id_: set(one.words()) for id_, one in by_id.items()}
    having: dict[str, list[str]] = defaultdict(list)
    for id_, one in by_id.items():
        for key in one.names:
            having[key].append(id_)
    for first, second in alike:
        ids = having.get(first, []), having.get(second, [])
        if max(map(len, ids)) <= MOST_SHARING:  # more would not be linked, and many names may be like a frequent one
            for id_ in chain(*ids):
                words[id_].add(f"{first} ~ {second}")
    if len(having) < FEWEST_NAMES:
        return []
    groups = document_groups({id_: one.size for id_, one in by_id.items()}, words)
    return [[by_id[id_] for id_ in members] for members in groups]


@dataclass(frozen=True, kw_only=True)
class ShownDocument:
    """A document as a prompt shows it."""

    id: str
    heading: str
    order: tuple[str, str, str]
    names: Mapping[str, str]  # key -> form
    counts: Mapping[str, int]
    first: Mapping[str, str]  # key -> the first chunk that has it
    sentences: Sequence[ShownSentence]

    @property
    def size(self) -> int:
        return HEADING_TOKENS + NAME_TOKENS * len(self.names) + sum(map(_size, self.sentences))

    def words(self) -> Iterator[str]:
        for key, form in self.names.items():
            yield key
            yield from (word for word in parse(form).core if word not in FUNCTION_WORDS and len(word) > 1)


def _size(sentence: ShownSentence) -> int:
    return estimate_tokens(sentence.text) + SENTENCE_TOKENS


def shown_document(document: AcrossDocument) -> ShownDocument:
    """What a prompt shows of a document."""
    names = _names(document)
    spans: dict[str, set[tuple[int, int, str]]] = defaultdict(set)
    first: dict[str, str] = {}
    places: set[tuple[int, str]] = set()
    for chunk in document.chunks:
        for mention, start, end in chunk.names:
            key = document.mentions[mention].key if mention in document.mentions else ""
            if key in names:
                spans[chunk.id].add((start, end, key))
                first.setdefault(key, chunk.id)
                places.add((chunk.start + start, key))
    counts = Counter(key for _, key in places)
    persons = {mention.key for mention in document.mentions.values() if type_class(mention.type) == "person"}

    def rank(key: str) -> tuple[bool, bool, int, str]:
        name = parse(names[key])
        return not (key in persons or _is_person(name)), not name.proper, -counts[key], key

    shown_names = {key: names[key] for key in sorted(names, key=rank) if counts[key]}
    shown_names = dict([*shown_names.items()][:MOST_NAMES])
    about = (document.source, document.title if document.title != document.source else "")
    voice = (document.author and f"by {document.author}", document.date and f"of {document.date}")
    return ShownDocument(
        id=document.id,
        heading=", ".join(" ".join(part.split()) for part in (*about, *voice) if part),
        order=(document.date, document.source, document.id),
        names=shown_names,
        counts=counts,
        first=first,
        sentences=_chosen(list(_sentences(document, spans, shown_names)), counts),
    )


def _names(document: AcrossDocument) -> dict[str, str]:
    """Key -> form of the names, and of descriptions that may be somebody or have a type; the most frequent form."""
    forms: dict[str, str] = {}
    for mention in sorted(document.mentions.values(), key=lambda mention: (mention.count, mention.form)):
        if mention.key and not mention.part_of and not is_identifier(mention.form):
            name, kind = parse(mention.form), type_class(mention.type)
            phrase = name.head < len(name.core) and not name.named  # "news of Jane Fairfax"
            described = name.role or name.kin or name.gender or mention.type
            is_name = kind == "person" or (not phrase and (name.proper or described))
            if is_name and name.core and kind not in ("date", "event") and not _is_figure(mention.form):
                forms[mention.key] = " ".join(mention.form.split())
    return forms


def _is_figure(form: str) -> bool:
    """Whether a name is a date, an hour, a sum or a measure: "8 h 10", "39 kg", not "compte 2206" or "O.L.B. 31"."""
    if not any(letter.isalpha() for letter in form) or (not form[0].isupper() and any(dates_in(form, ""))):
        return True
    words = [word.text for word in tokens(form) if any(letter.isalpha() for letter in word.text)]
    return any(letter.isdigit() for letter in form) and all(
        word.islower() and len(word) < MIN_LETTERS for word in words
    )


def _is_person(name: Name) -> bool:
    return person_shaped(name) or name.role or bool(name.kin) or bool(name.gender)


def _sentences(
    document: AcrossDocument, spans: Mapping[str, Collection[tuple[int, int, str]]], names: Collection[str]
) -> Iterator[ShownSentence]:
    """All sentences of a document, each once: chunks may overlap."""
    read_to = 0
    for chunk in document.chunks:
        for start, end in sentences(chunk.text, document.language):
            if chunk.start + start < read_to:
                continue
            text = " ".join(chunk.text[start:end].split())
            keys = {key for at, to, key in spans.get(chunk.id, ()) if start <= at and to <= end and key in names}
            if any(letter.isalnum() for letter in text):
                yield ShownSentence(
                    document_id=document.id,
                    chunk_id=chunk.id,
                    text=text if len(text) <= MAX_SENTENCE_CHARS else f"{text[:MAX_SENTENCE_CHARS]} …",
                    keys=frozenset(keys),
                )
        read_to = chunk.start + len(chunk.text)


def _chosen(shown_sentences: Sequence[ShownSentence], counts: Mapping[str, int]) -> list[ShownSentence]:
    """All sentences of a short document; of a longer one the first of each name, the rarest name first, then those with
    the most names."""
    if sum(map(_size, shown_sentences)) <= WHOLE_DOCUMENT_TOKENS:
        return list(shown_sentences)
    chosen_numbers: set[int] = set()
    left = WHOLE_DOCUMENT_TOKENS
    by_key: dict[str, list[int]] = defaultdict(list)
    for number, sentence in enumerate(shown_sentences):
        for key in sentence.keys:
            by_key[key].append(number)
    firsts = [by_key[key][0] for key in sorted(by_key, key=lambda key: (counts[key], key))]
    most = sorted(range(len(shown_sentences)), key=lambda n: (-len(shown_sentences[n].keys), n))
    for number in (*firsts, *most):
        if number not in chosen_numbers and _size(shown_sentences[number]) <= left and shown_sentences[number].keys:
            chosen_numbers.add(number)
            left -= _size(shown_sentences[number])
    return [shown_sentences[number] for number in sorted(chosen_numbers)]


def batch_of(members: Sequence[ShownDocument]) -> AcrossBatch:
    """The call for some documents."""
    ordered = sorted(members, key=lambda one: one.order)
    numbered: dict[int, ShownSentence] = {}
    blocks: list[str] = []
    places: dict[str, dict[int, NamePlace]] = defaultdict(dict)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for place, one in enumerate(ordered, start=1):
        lines = [f"--- D{place}: {one.heading}"]
        for sentence in one.sentences:
            numbered[len(numbered) + 1] = sentence
            lines.append(f"[{len(numbered)}] {sentence.text}")
        blocks.append("\n".join(lines))
        for key, form in one.names.items():
            places[key][place] = NamePlace(document_id=one.id, key=key, chunk_id=one.first[key])
            forms[key][form] += one.counts[key]
    form_of = {key: min(counted, key=lambda form: (-counted[form], form)) for key, counted in forms.items()}
    names = dict(enumerate(sorted(places, key=lambda key: _together(form_of[key], key)), start=1))
    listed = "\n".join(
        f"{number}. {form_of[key]} ({', '.join(f'D{place}' for place in places[key])})" for number, key in names.items()
    )
    extracts = "\n\n".join(blocks)
    return AcrossBatch(
        names=names,
        proper=frozenset(key for key, form in form_of.items() if parse(form).proper),
        places=places,
        sentences=numbered,
        prompt=render("cast_across", tag=fence(listed, extracts), names=listed, documents=extracts),
    )


def _together(form: str, key: str) -> tuple[str, str]:
    """The order of the list: names with the same last word follow each other."""
    core = parse(form).core
    return (core[-1] if core else "", key)


def expected_across(new: Sequence[int], stored: Sequence[int] = (), *, asked: bool = True) -> Usage:
    """The expected calls and tokens for new documents of so many tokens each beside stored ones, before their names are
    known; rather too high. `asked`: an LLM has answered who is who across the stored ones."""
    texts = [min(tokens, WHOLE_DOCUMENT_TOKENS) for tokens in (*new, *stored) if tokens]
    sizes = [tokens + HEADING_TOKENS + NAME_TOKENS * min(tokens // TOKENS_OF_A_NAME, MOST_NAMES) for tokens in texts]
    total = sum(sizes)
    # A few lines change calls that there are; beside documents that needed none they need none.
    counted = sum(texts) if asked else sum(new)
    if len(sizes) < 2 or not any(new) or counted < FEWEST_NAMES * TOKENS_OF_A_NAME:
        return Usage()
    if total <= TEXT_TOKENS:
        calls, tokens_read = 1, total
    elif parts := next((count for count in range(3, MOST_PARTS + 1) if 2 * total <= 0.9 * count * TEXT_TOKENS), 0):
        calls, tokens_read = parts * (parts - 1) // 2, (parts - 1) * total
    else:
        calls = ceil(1.1 * ROUNDS * total / TEXT_TOKENS)
        if asked:
            calls = min(calls, MAX_CHANGED_CALLS + MAX_CHANGED_CALLS_PER_DOCUMENT * sum(map(bool, new)))
        tokens_read = calls * TEXT_TOKENS
    return Usage(calls=calls, tokens_in=tokens_read + calls * CALL_TOKENS, tokens_out=calls * REPLY_TOKENS)
