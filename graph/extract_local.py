"""The local extractor: French and English sentences read by spaCy's parsers and the patterns of `graph/patterns`.

It reads what a sentence says outright: subject, verb and object, copula, possessive, apposition, passive, relative
clause, and "X, dite Y". It gives no types (spaCy's are not evidence) and resolves no pronouns. In a language without a
parser it reads names by their capitals, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from filigraph.graph.extract import extraction_key
from filigraph.graph.llm import Usage
from filigraph.graph.model import Alias, Chunk, Extraction, Span, Triplet
from filigraph.graph.patterns import english, french
from filigraph.graph.patterns.phrases import Reading
from filigraph.graph.text.capitals import LONGEST_WORD, capitalised_names
from filigraph.graph.text.sentences import sentences

if TYPE_CHECKING:
    from spacy.language import Language

VERSION = "1"  # bump whenever a pattern changes: stored extractions of an older version are then read again

_READERS = {"en": english.read, "fr": french.read}
_CHUNKS_AT_ONCE = 64  # enough sentences for full batches, few enough that a crash loses seconds
_SENTENCES_AT_ONCE = 128
_LONGEST_CLAUSE = 300  # words; longer ones are lists, and the patterns walk down a parse once per word
_MOST_FACTS = 40  # per sentence: a list of a hundred names joined by commas gives no more


class LocalExtractor:
    """An Extractor without a language model. `load` gives the parser of a language, `adapters.spacy_models.load`."""

    name = "local"
    batch = 256
    dear = False
    usage = Usage()
    version = VERSION

    def __init__(self, load: Callable[[str], Language]) -> None:
        self._load = load

    def expected(self, chunk: Chunk) -> Usage:
        return Usage()

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        """One Extraction per chunk, in order. Raises ModelUnavailable."""
        for position in range(0, len(chunks), _CHUNKS_AT_ONCE):
            batch = chunks[position : position + _CHUNKS_AT_ONCE]
            spans = [sentences(chunk.text, chunk.language) for chunk in batch]
            readings = {
                language: self._read(
                    language, [(c, s) for c, s in zip(batch, spans, strict=True) if c.language == language]
                )
                for language in _READERS
            }
            for chunk, offsets in zip(batch, spans, strict=True):
                known = readings.get(chunk.language)
                yield self._names_only(chunk, offsets) if known is None else self._extraction(chunk, offsets, known)

    def _read(self, language: str, chunks: Sequence[tuple[Chunk, Sequence[Span]]]) -> Mapping[str, Reading]:
        """Sentence, whitespace collapsed -> what it says. Chunks overlap: a sentence in two of them is parsed once."""
        texts = dict.fromkeys(_plain(chunk.text[start:end]) for chunk, offsets in chunks for start, end in offsets)
        readings = {text: Reading() for text in texts if _is_prose(text)}
        if readings:
            clauses = (
                (clause, text) for text in readings for clause in _clauses(text) if clause and not _too_long(clause)
            )
            parsed = self._load(language).pipe(clauses, batch_size=_SENTENCES_AT_ONCE, as_tuples=True)
            for document, text in parsed:
                readings[text].extend(_READERS[language](document[:]))
        return readings

    def _extraction(self, chunk: Chunk, offsets: Sequence[Span], readings: Mapping[str, Reading]) -> Extraction:
        triplets: list[Triplet] = []
        aliases: list[Alias] = []
        names: dict[str, None] = {}
        skipped = cut = 0
        for start, end in offsets:
            reading = readings.get(_plain(chunk.text[start:end]))
            if reading is None:
                skipped += _has_long_word(chunk.text[start:end])
                continue
            skipped += any(map(_too_long, _clauses(_plain(chunk.text[start:end]))))
            cut += max(0, len(reading.facts) - _MOST_FACTS)
            triplets.extend(
                Triplet(subject=subject, predicate=predicate, object=object_, start=start, end=end)
                for subject, predicate, object_ in reading.facts[:_MOST_FACTS]
            )
            aliases.extend(Alias(first=first, second=second, start=start, end=end) for first, second in reading.aliases)
            names.update(dict.fromkeys(reading.names))
        taken = {form for triplet in triplets for form in (triplet.subject, triplet.object)}
        taken |= {form for alias in aliases for form in (alias.first, alias.second)}
        counts = {
            f"sentences not wholly read: words of over {LONGEST_WORD} characters, or clauses of over "
            f"{_LONGEST_CLAUSE} words": skipped,
            f"facts dropped: over {_MOST_FACTS} in one sentence": cut,
        }
        return Extraction(
            key=extraction_key(chunk, self),
            extractor=self.name,
            triplets=tuple(triplets),
            aliases=tuple(aliases),
            names=tuple(name for name in names if name not in taken and _stands_alone(name, taken, chunk.text)),
            note="" if triplets else "no sentence states a fact in a way that the patterns know",
            counts={what: count for what, count in counts.items() if count},
        )

    def _names_only(self, chunk: Chunk, offsets: Sequence[Span]) -> Extraction:
        language = chunk.language or "a language that could not be told"
        return Extraction(
            key=extraction_key(chunk, self),
            extractor=self.name,
            names=tuple(capitalised_names(chunk.text, offsets)),
            note=f"no local extractor for {language}: names only, by their capitals",
        )


def _stands_alone(name: str, longer: Iterable[str], text: str) -> bool:
    """Whether a name stands anywhere but inside longer ones: "Saint-Nizier" in "bibliothèque Saint-Nizier" does not."""
    rest = _plain(text)
    for form in longer:
        if name in form:
            rest = rest.replace(form, "\n")
    return name in rest


def _plain(sentence: str) -> str:
    """A sentence as the parser likes it: one line, single spaces, no underscores (italics), no lone surrogates."""
    return re.sub(r"[\s_]+", " ", re.sub(r"[\ud800-\udfff]", "\ufffd", sentence)).strip()


def _clauses(sentence: str) -> list[str]:
    """The parts of a sentence that could stand alone: a small parser gets them right, and the whole seldom."""
    return re.split(r"(?<=[;:])\s+|\s*--+\s*|\s*[—―]\s*", sentence)


def _is_prose(sentence: str) -> bool:
    """Whether a sentence is worth a parse: two words, none endless, not all in capitals."""
    return " " in sentence and not sentence.isupper() and not _has_long_word(sentence)


def _too_long(clause: str) -> bool:
    return clause.count(" ") >= _LONGEST_CLAUSE


def _has_long_word(sentence: str) -> bool:
    return any(len(word) > LONGEST_WORD for word in sentence.split())
