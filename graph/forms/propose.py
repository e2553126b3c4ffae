"""Propose: what can be said of a field without an LLM.

A name, a date or a number is read off the facts: off the sentences of the best paths to the question, then off the
sentences of the passages that share words with it. It is a proposal, and marked as one. Any other field shows its best
passages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from filigraph.graph.forms.check import occurrences
from filigraph.graph.model import Evidence, FieldEvidence, FormField, Hop, Path, Retrieved
from filigraph.graph.text.answer_numbers import Figure, figures
from filigraph.graph.text.dates import date_of
from filigraph.graph.text.language import detect
from filigraph.graph.text.names.parse import is_proper
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import query_terms, terms, tokens

RECIPE = "facts:1"  # bump it whenever other values would be proposed
PASSAGES = 3  # shown of a field without a value
LOOKED_AT = 5  # passages in which a date or a number is looked for


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A value for a person to look at, or the passages alone."""

    value: str = ""
    evidence: tuple[FieldEvidence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Sentence:
    """A sentence in which a value may stand: `extract.text[start:end]`."""

    extract: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.extract.text[self.start : self.end]

    def evidence(self, at: int = 0, to: int = 0) -> FieldEvidence:
        """The place, with that of the value in the sentence."""
        return FieldEvidence(
            chunk_id=self.extract.id,
            start=self.start,
            end=self.end,
            value_start=self.start + at,
            value_end=self.start + to,
        )


def propose(field: FormField, found: Retrieved) -> Proposal:
    """What the facts propose for a field, by what was found for its question alone."""
    chunks = {extract.id: extract for extract in found.evidence if extract.kind == "chunk"}
    value = None
    if field.type == "entity":
        value = _entity(field, found.paths, chunks)
    elif field.type in ("date", "number"):
        value = _figure(field, found, chunks)
    if value:
        return value
    best = [_best(field, extract) for extract in list(chunks.values())[:PASSAGES]]
    return Proposal(evidence=tuple(sentence.evidence() for sentence in best))


def _entity(field: FormField, paths: tuple[Path, ...], chunks: dict[str, Evidence]) -> Proposal | None:
    """The end of a path of which the question names no word, one with a name of its own first."""
    asked = {token.folded for token in tokens(field.question)} - FUNCTION_WORDS
    ends = [
        (name, hop)
        for path in paths
        for name, hop in _ends(path)
        if not asked & {token.folded for token in tokens(name)}
    ]
    for name, hop in sorted(ends, key=lambda end: not is_proper(end[0])):  # stable: the best path first
        extract = chunks.get(hop.chunk_id)
        if extract is None:
            continue
        sentence = _Sentence(extract=extract, start=hop.start, end=hop.end)
        at, to = next(iter(occurrences(name, sentence.text)), (0, 0))
        return Proposal(value=name, evidence=(sentence.evidence(at, to),))
    return None


def _ends(path: Path) -> Iterator[tuple[str, Hop]]:
    """The names at the far end of a path: of its last hop, but for the one over which it was reached."""
    last = path.hops[-1]
    before = {end for hop in path.hops[:-1] for end in (hop.subject, hop.object)}
    if last.kind != "title":
        yield from ((name, last) for name in (last.object, last.subject) if name not in before)


def _figure(field: FormField, found: Retrieved, chunks: dict[str, Evidence]) -> Proposal | None:
    for sentence in _sentences(field, found, chunks):
        language = detect(sentence.extract.text) or "en"
        for figure in figures(sentence.text, language):
            date = date_of(figure, sentence.text, language)
            if (field.type == "date") == bool(date) and _counts(figure, date):
                value = date
                written = sentence.text[figure.start : figure.end]
                return Proposal(value=value or written, evidence=(sentence.evidence(figure.start, figure.end),))
    return None


def _sentences(field: FormField, found: Retrieved, chunks: dict[str, Evidence]) -> Iterator[_Sentence]:
    """Those of the paths' facts, then those of the passages that share most words with the question."""
    for path in found.paths:
        for hop in reversed(path.hops):
            if hop.chunk_id in chunks:
                yield _Sentence(extract=chunks[hop.chunk_id], start=hop.start, end=hop.end)
    near = [sentence for extract in list(chunks.values())[:LOOKED_AT] for sentence in _of(extract)]
    asked = set(query_terms(field.question, found.language, *(detect(e.text) for e in chunks.values())))
    shared = [(len(asked & set(terms(sentence.text, detect(sentence.extract.text)))), sentence) for sentence in near]
    yield from (sentence for count, sentence in sorted(shared, key=lambda one: -one[0]) if count)


def _counts(figure: Figure, date: str) -> bool:
    """Whether it is a date with its year, or a number that is no hour."""
    return not date.startswith("--") if date else figure.kind == "number" and not figure.time


def _best(field: FormField, extract: Evidence) -> _Sentence:
    """The sentence of a passage that shares most words with the question."""
    language = detect(extract.text)
    asked = set(query_terms(field.question, detect(field.question), language))
    spoken = list(_of(extract)) or [_Sentence(extract=extract, start=0, end=len(extract.text))]
    return max(spoken, key=lambda one: len(asked & set(terms(one.text, language))))


def _of(extract: Evidence) -> Iterator[_Sentence]:
    for start, end in sentences(extract.text, detect(extract.text)):
        yield _Sentence(extract=extract, start=start, end=end)
