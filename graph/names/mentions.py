"""Mentions: one per name and document, with its places.

`read_mentions` takes the names of the extractions; `scan` finds known names in all other chunks, so that the order of
ingest does not matter. Both compare folded words, ignoring case and accents, and prefer the longest match: "Sherlock
Holmes" does not contain a second mention "Holmes".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache

from filigraph.graph import ids
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.names import Mention, Occurrence
from filigraph.graph.names.finder import NameFinder
from filigraph.graph.text.identifiers import is_identifier
from filigraph.graph.text.names.german import common_nouns
from filigraph.graph.text.names.parse import bare_title, content_words, name_key, parse
from filigraph.graph.text.names.usage import forms_not_used_as_names, never_names
from filigraph.graph.text.words import terms, tokens

# A common noun means one thing within this many chunks (a long chapter). With two content words ("young man") it may
# also span more, in fewer than OFTEN chunks; with DESCRIPTION content words or more it is specific enough.
ONE_STRETCH = 30
OFTEN = 4
DESCRIPTION = 3
MAX_NAME_CHARS = 200  # characters; a longer "name" is a sentence

ReadPlaces = Mapping[tuple[str, str], tuple[list[Span], list[str]]]  # see `read_places`
StatedNames = Mapping[tuple[str, str], Sequence[tuple[str, int, int]]]  # see `stated_names`
PlacesIn = Callable[[Chunk, Extraction], ReadPlaces]
Find = Callable[[str, str], Mapping[str, Sequence[Span]]]  # id and text of a chunk -> key of a name -> its spans


@dataclass(kw_only=True)
class _Places:
    """Accumulator of a mention: counts of its forms and languages, and its places."""

    forms: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    occurrences: set[tuple[str, int, int]] = field(default_factory=set)

    def add(self, chunk_id: str, text: str, spans: Iterable[tuple[int, int]]) -> None:
        for start, end in spans:
            self.forms[_single_spaced(text[start:end])] += 1
            self.occurrences.add((chunk_id, start, end))

    def mention(self, document_id: str, key: str, type_: str, *, scanned: bool) -> Mention:
        return Mention(
            id=ids.mention_id(document_id, key, type_),
            document_id=document_id,
            key=key,
            form=_most_frequent(self.forms),
            type=type_,
            language=_most_frequent(self.languages),
            occurrences=tuple(Occurrence(chunk_id=c, start=s, end=e) for c, s, e in sorted(self.occurrences)),
            scanned=scanned,
        )


def _single_spaced(text: str) -> str:
    return " ".join(text.split())


def _most_frequent(counts: Counter[str]) -> str:
    """The most frequent value; ties by code point."""
    return min(counts, key=lambda value: (-counts[value], value))


# --------------------------------------------------------------------------------------------------------------------
# Names from extractions


def _is_vague(place: _Places, index: Mapping[str, int]) -> bool:
    """Whether a form is a common noun whose chunks are too far apart to name one thing."""
    name = parse(_most_frequent(place.forms))
    words = content_words(name)
    if name.proper or words >= DESCRIPTION:
        return False
    indexes = sorted({index[chunk_id] for chunk_id, _, _ in place.occurrences})
    far = indexes[-1] - indexes[0] > ONE_STRETCH
    return far and (words < 2 or len(indexes) >= OFTEN)


def read_mentions(
    document_id: str, read: Iterable[tuple[Chunk, Extraction]], places_in: PlacesIn | None = None
) -> tuple[list[Mention], Counter[str]]:
    """The mentions of one document, sorted by id, and why names were rejected, with how many.

    Each subject, object, name and alias of the extractions becomes a mention, with all its places in its chunk. A name
    that its chunk does not contain (paraphrased by an LLM) gets the span of its triplet's sentence. Rejected are names
    without a letter or digit, names longer than MAX_NAME_CHARS, words that the text does not use as names, and common
    nouns without a type in chunks too far apart: "the woman" of one chapter is not that of another, and would join the
    facts of both. `places_in`: the result of `read_places` for a chunk, if known.
    """
    places: dict[tuple[str, str], _Places] = defaultdict(_Places)
    refused: Counter[str] = Counter()
    read = list(read)
    places_in = places_in or _read_places
    for chunk, extraction in read:
        for form, _, _, _ in _names_with_spans(extraction):
            if not _accepted_key(form):
                why = "no letter or digit" if len(form) <= MAX_NAME_CHARS else f"more than {MAX_NAME_CHARS} characters"
                refused[f"names dropped: {why}"] += 1
        for name, (spans, names) in places_in(chunk, extraction).items():
            place = places[name]
            place.languages[chunk.language] += 1
            if names:
                place.forms.update(map(_single_spaced, names))
                place.occurrences.update((chunk.id, start, end) for start, end in spans)
            else:
                place.add(chunk.id, chunk.text, spans)
    index = {chunk.id: chunk.index for chunk, _ in read}
    for key in _no_names(read, places):
        del places[key, ""]
        refused["names dropped: the text uses the word as no name"] += 1
    vague = sorted(
        key for key, type_ in places if not type_ and not is_identifier(key) and _is_vague(places[key, type_], index)
    )
    for key in vague:
        del places[key, ""]
        refused["common nouns dropped, facts included: they name too many things"] += 1
    mentions = [place.mention(document_id, *key, scanned=False) for key, place in places.items()]
    return sorted(mentions, key=lambda mention: mention.id), refused


def _no_names(read: Sequence[tuple[Chunk, Extraction]], places: Mapping[tuple[str, str], _Places]) -> list[str]:
    """Keys that the local extractor found by capitals only and that no text uses as names (`usage.never_names`), or
    this text does not (`usage.no_names`, `german.common_nouns`). Names that an LLM extracted are not checked.
    """
    local = [(chunk, extraction) for chunk, extraction in read if extraction.extractor == "local"]
    forms = {_most_frequent(place.forms): key for (key, type_), place in places.items() if not type_} if local else {}
    excluded = forms_not_used_as_names((chunk.text for chunk, _ in local), forms) | never_names(forms)
    german = [(chunk, extraction) for chunk, extraction in local if chunk.language == "de"]
    if german:
        in_lines = {_accepted_key(end) for _, extraction in german for end in _ends_in_lines(extraction)}
        by_capitals = [form for form, key in forms.items() if key not in in_lines and _is_german(places[key, ""])]
        excluded |= common_nouns([chunk.text for chunk, _ in german], by_capitals)
    return sorted(forms[form] for form in excluded)


def _ends_in_lines(extraction: Extraction) -> Iterator[str]:
    """The names in tables and in the heads of mails, with any capitals."""
    for triplet in extraction.triplets:
        if triplet.origin != "cooccurrence":
            yield from (triplet.subject, triplet.object)


def _is_german(place: _Places) -> bool:
    return _most_frequent(place.languages) == "de"


def _read_places(chunk: Chunk, extraction: Extraction) -> ReadPlaces:
    return read_places(chunk.text, extraction)


def read_places(text: str, extraction: Extraction) -> ReadPlaces:
    """(key, type) of each name of an extraction -> (its spans in the chunk's text, []). For a name that is absent or
    occurs only inside longer names ("Claw" in "The Claw"): (the spans of its sentences, its forms); omitted if no
    sentence is known."""
    stated = stated_names(extraction)
    return places_of(stated, NameFinder(forms_to_find(stated), as_written=False).all_in(text))


def stated_names(extraction: Extraction) -> StatedNames:
    """(key, type) of each name of an extraction -> its forms, each with the span of its sentence."""
    stated: dict[tuple[str, str], list[tuple[str, int, int]]] = defaultdict(list)
    for form, type_, start, end in _names_with_spans(extraction):
        if key := _accepted_key(form):
            stated[key, type_].append((form, start, end))
    return stated


def forms_to_find(stated: StatedNames) -> dict[str, str]:
    """Key -> the form in which the text is searched for it; not of identifiers, whose places the syntax tree has."""
    return {
        key: min(form for form, _, _ in seen) for (key, _), seen in sorted(stated.items()) if not is_identifier(key)
    }


def places_of(stated: StatedNames, matches: Mapping[str, list[Span]]) -> ReadPlaces:
    """`read_places`, from the matches of these names in the text."""
    places: dict[tuple[str, str], tuple[list[tuple[int, int]], list[str]]] = {}
    for (key, type_), seen in stated.items():
        stated_places = [(form, start, end) for form, start, end in seen if end > start]
        if key in matches:
            places[key, type_] = matches[key], []
        elif stated_places:
            places[key, type_] = (
                sorted({(start, end) for _, start, end in stated_places}),
                [form for form, _, _ in stated_places],
            )
    return places


def _accepted_key(form: str) -> str:
    """The key of an extracted name, "" if it is rejected."""
    return name_key(form) if len(form) <= MAX_NAME_CHARS or is_identifier(form) else ""


def _names_with_spans(extraction: Extraction) -> Iterator[tuple[str, str, int, int]]:
    """(form, type, start, end) of every name of an extraction; the span of its sentence is empty if unknown."""
    for triplet in extraction.triplets:
        yield triplet.subject, triplet.subject_type, triplet.start, triplet.end
        yield triplet.object, triplet.object_type, triplet.start, triplet.end
    for alias in extraction.aliases:
        yield alias.first, extraction.types.get(alias.first, ""), alias.start, alias.end
        yield alias.second, extraction.types.get(alias.second, ""), alias.start, alias.end
    for name in extraction.names:
        yield name, extraction.types.get(name, ""), 0, 0


# --------------------------------------------------------------------------------------------------------------------
# Known names


@lru_cache(maxsize=1 << 18)  # as many as the cache of `parse`
def scannable(form: str) -> bool:
    """Whether the scan may search for a name: a proper name, or a description with at least two content words, but not
    a bare noun ("ring"), an office ("the Judge"), an initial or a number.
    """
    if is_identifier(form):  # the syntax tree has all references of code
        return False
    name = parse(form)
    if not name.key or len(form) > MAX_NAME_CHARS or not any(letter.isalpha() for letter in name.key):
        return False
    if len(name.core) == 1:
        word = name.core[0]
        return name.proper and not name.role and (len(word) > 1 or word.upper() == word.lower())
    return content_words(name) >= 2 or (name.proper and content_words(name) >= 1)


def scan_terms(form: str, language: str) -> list[str]:
    """The index terms that every chunk in `language` with `form` contains. They depend on the language ("Jules" is
    "jul" in French, "jule" in English): call once per language of the chunks."""
    return list(dict.fromkeys(terms(parse(form).text, language)))


def scan(chunks: Iterable[tuple[str, str, str, str]], names: Mapping[str, str]) -> list[Mention]:
    """Every place of known names in `chunks`, as mentions without a type, sorted by id.

    `chunks` are (chunk id, document id, language, text), `names` maps a key to one form of it. A proper name matches
    only if one of its words has a capital in the text: "Rose" is not in "une rose". Time is linear in texts and names;
    if there are many names, pass only those that `is_made_of` accepts.
    """
    finder = NameFinder({key: form for key, form in names.items() if scannable(form)}, as_written=True)
    return mentions_found(chunks, lambda _, text: finder.all_in(text))


def mentions_found(chunks: Iterable[tuple[str, str, str, str]], find: Find) -> list[Mention]:
    """The matches of `find` in the chunks, as mentions without a type, sorted by id."""
    places: dict[tuple[str, str], _Places] = defaultdict(_Places)
    for chunk_id, document_id, language, text in chunks:
        for key, spans in find(chunk_id, text).items():
            place = places[document_id, key]
            place.languages[language] += len(spans)
            place.add(chunk_id, text, spans)
    mentions = [place.mention(document, key, "", scanned=True) for (document, key), place in places.items()]
    return sorted(mentions, key=lambda mention: mention.id)


def words_of(texts: Iterable[str]) -> set[str]:
    """The words of texts, folded in the same way as keys."""
    return {word.folded for text in texts for word in tokens(text)}


def needed_word(key: str) -> str:
    """A word that every text with the name contains; "" if there is none. Words in scripts that may be written without
    spaces do not count.
    """
    return next((word for word in key.split(" ") if word.isascii()), "")


def is_made_of(key: str, words: AbstractSet[str]) -> bool:
    """Whether a text with these words may contain the name."""
    return bool(words) and all(word in words or not word.isascii() for word in key.split(" "))


def as_written(places: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The most frequent form and language of a name, from (text, language) of its places."""
    forms: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for text, language in places:
        forms[_single_spaced(text)] += 1
        languages[language] += 1
    return _most_frequent(forms), _most_frequent(languages)


def find_titles(chunks: Iterable[tuple[str, str, str]], titles: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Chunk id -> sorted ids of the documents whose title it contains; chunks without a title are omitted.

    `chunks` are (chunk id, document id, text), `titles` (document id, title). A title also matches without a bracketed
    suffix. The title of a chunk's own document does not count.
    """
    chunks = list(chunks)
    if not chunks:
        return {}
    words = words_of(text for _, _, text in chunks)
    documents, forms = titles_by_key(titles)
    finder = NameFinder({key: form for key, form in forms.items() if is_made_of(key, words)}, as_written=True)
    return titles_found(chunks, documents, lambda _, text: finder.all_in(text))


def titles_by_key(titles: Iterable[tuple[str, str]]) -> tuple[dict[str, set[str]], dict[str, str]]:
    """Key of a title -> its documents; key -> one form of it."""
    documents: dict[str, set[str]] = defaultdict(set)
    forms: dict[str, str] = {}
    for document_id, title in titles:
        for key, form in title_keys(title):
            documents[key].add(document_id)
            forms[key] = min(form, forms.get(key, form))
    return documents, forms


def titles_found(
    chunks: Iterable[tuple[str, str, str]], documents: Mapping[str, AbstractSet[str]], find: Find
) -> dict[str, list[str]]:
    """As `find_titles`; `find` finds the keys of titles, and `documents` are the documents of each key."""
    named = {
        chunk_id: {document for key in find(chunk_id, text) for document in documents[key]} - {own}
        for chunk_id, own, text in chunks
    }
    return {chunk_id: sorted(document_ids) for chunk_id, document_ids in named.items() if document_ids}


def title_forms(title: str) -> list[str]:
    """The title, and the title without a bracketed suffix; only scannable forms."""
    return [form for form in dict.fromkeys((title, bare_title(title))) if scannable(form)]


@lru_cache(maxsize=1 << 16)
def title_keys(title: str) -> list[tuple[str, str]]:
    """(key, form) of the forms of a title."""
    return [(name_key(form), form) for form in title_forms(title)]
