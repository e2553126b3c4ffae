"""Propose: values of a field without an LLM.

A name, a date or a number comes from the facts: from the sentences of the best paths, then from those of the passages.
It counts only if its sentence has the subject words of the question. It is marked as a proposal; a wrong one is worse
than none. Any other field shows its best passages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

from filigraph.graph.forms.check import occurrences
from filigraph.graph.model.forms import FieldEvidence, FormField
from filigraph.graph.model.retrieval import Evidence, Hop, Path, Retrieved
from filigraph.graph.text.language import detect
from filigraph.graph.text.names.parse import is_proper
from filigraph.graph.text.names.tables import FUNCTION_WORDS, PARTICLES
from filigraph.graph.text.names.type_class import types_of_classes
from filigraph.graph.text.numbers.answer_numbers import Figure, figures
from filigraph.graph.text.question_words import asks_for_a_place, asks_for_somebody
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.dates import date_of
from filigraph.graph.text.verbs.predicates import normalized
from filigraph.graph.text.words import query_terms, terms, tokens

OfTypes = Callable[[Sequence[str], Sequence[str]], Set[str]]  # ids of entities, types -> those of these types

RECIPE = "facts:7"  # bump whenever other values would be proposed
# Words for the kind of thing that is asked for, not for its subject.
_ASKING = frozenset(
    word
    for words in (
        "who whom whose what which when where how much many long did do does is are was were be been it its this that",
        "there has have had happen happened take took place date day month year time number amount sum price worth",
        "about qui que qu quoi quel quelle quels quelles quand combien est il elle ils elles etait fut sont ont ete",
        "cela ca ce c s se y t date jour mois annee an heure nombre numero montant somme prix passe produit lieu eu",
        "agit la le les",
    )
    for word in words.split()
)
MAX_PASSAGES_SHOWN = 3  # shown for a field without a value
MAX_PASSAGES_SEARCHED = 5  # passages searched for a date or a number


@dataclass(frozen=True, kw_only=True)
class ProposedValue:
    """A value for a person to look at, or the passages alone."""

    value: str = ""
    evidence: tuple[FieldEvidence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Sentence:
    """A sentence that may contain a value: `extract.text[start:end]`."""

    extract: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.extract.text[self.start : self.end]

    def evidence(self, at: int = 0, to: int = 0) -> FieldEvidence:
        """The sentence as evidence, with the place of the value in it."""
        return FieldEvidence(
            chunk_id=self.extract.id,
            start=self.start,
            end=self.end,
            value_start=self.start + at,
            value_end=self.start + to,
        )


@dataclass(frozen=True, kw_only=True)
class _End:
    """An entity at the end of a path."""

    id: str
    name: str


def propose(field: FormField, retrieved: Retrieved, of_types: OfTypes) -> ProposedValue:
    """The value that the facts propose for a field. `retrieved` is the result for its question only."""
    chunks = {extract.id: extract for extract in retrieved.evidence if extract.kind == "chunk"}
    value = None
    if field.type == "entity":
        value = _entity(field, retrieved.paths, chunks, of_types)
    elif field.type in ("date", "number"):
        value = _figure(field, retrieved, chunks)
    if value:
        return value
    best = [_best_sentence(field, extract) for extract in list(chunks.values())[:MAX_PASSAGES_SHOWN]]
    return ProposedValue(evidence=tuple(sentence.evidence() for sentence in best))


def _entity(
    field: FormField, paths: tuple[Path, ...], chunks: dict[str, Evidence], of_types: OfTypes
) -> ProposedValue | None:
    """The end of a path with no word of the question. Preferred: a sentence with most subject words of the question,
    then a proper name, then the best path."""
    question_words = {token.folded for token in tokens(field.question)} - FUNCTION_WORDS
    ends = [
        (end, _Sentence(extract=chunks[hop.chunk_id], start=hop.start, end=hop.end))
        for path in paths
        for end, hop in _far_ends(path)
        if hop.chunk_id in chunks and not question_words & {token.folded for token in tokens(end.name)}
    ]
    about = [end for end in ends if _is_about(field.question, end[1])]
    if about and (types := _types_asked(field.question)):
        fitting = of_types([end.id for end, _ in about], types)
        about = [(end, sentence) for end, sentence in about if end.id in fitting]
    if not about:
        return None
    best, sentence = max(
        about, key=lambda end: (_share_of_subject_words(field.question, end[1]), is_proper(end[0].name))
    )  # the first of equals
    at, to = next(iter(occurrences(best.name, sentence.text)), (0, 0))
    return ProposedValue(value=best.name, evidence=(sentence.evidence(at, to),))


def _types_asked(question: str) -> tuple[str, ...]:
    """The types of entities that may answer a question; () for any."""
    if asks_for_somebody(question):
        return types_of_classes("person", "organization")
    return types_of_classes("place", "organization") if asks_for_a_place(question) else ()


def _far_ends(path: Path) -> Iterator[tuple[_End, Hop]]:
    """The entities at the far end of a path: those of its last hop, without the one that links it to the hop before."""
    last = path.hops[-1]
    before = {end for hop in path.hops[:-1] for end in (hop.subject, hop.object)}
    if last.kind == "title":
        return
    for end in (_End(id=last.object_id, name=last.object), _End(id=last.subject_id, name=last.subject)):
        if end.name not in before:
            yield end, last


def _figure(field: FormField, retrieved: Retrieved, chunks: dict[str, Evidence]) -> ProposedValue | None:
    """The date of a fact, or from the first sentence about the field's question with only one of them: the date, or the
    number with a unit or of what it asks."""
    if field.type == "date" and (dated := _dated_fact(field, retrieved, chunks)):
        return dated
    for sentence in _sentences(field, retrieved, chunks):
        dates: dict[str, Figure] = {}
        for figure, date in _figures(sentence):
            if date and field.type == "date" and not date.startswith("--"):
                dates.setdefault(date, figure)
            if not date and field.type == "number" and _is_relevant_number(figure, field.question, sentence):
                dates.setdefault(sentence.text[figure.start : figure.end], figure)
        if len(dates) == 1:  # with several, the right one is unknown
            ((value, figure),) = dates.items()
            return ProposedValue(value=value, evidence=(sentence.evidence(figure.start, figure.end),))
    return None


def _dated_fact(field: FormField, retrieved: Retrieved, chunks: dict[str, Evidence]) -> ProposedValue | None:
    """The date of a fact on the best paths that answers the question."""
    for hop in (hop for path in retrieved.paths for hop in reversed(path.hops)):
        extract = chunks.get(hop.chunk_id)
        if extract is None or not hop.when_date or hop.when_date.startswith("--"):
            continue
        sentence = _Sentence(extract=extract, start=hop.start, end=hop.end)
        if _is_about(field.question, sentence):
            at, to = next(iter(occurrences(hop.when, sentence.text)), (0, 0))
            return ProposedValue(value=hop.when_date, evidence=(sentence.evidence(at, to),))
    return None


def _figures(sentence: _Sentence) -> Iterator[tuple[Figure, str]]:
    """The numbers and dates of a sentence; a date as ISO 8601."""
    language = detect(sentence.extract.text) or "en"
    for figure in figures(sentence.text, language):
        yield figure, date_of(figure, sentence.text, language)


def _sentences(field: FormField, retrieved: Retrieved, chunks: dict[str, Evidence]) -> Iterator[_Sentence]:
    """The sentences of the paths' facts, then those of the best passages, if they are about the field's question."""
    of_paths = (
        _Sentence(extract=chunks[hop.chunk_id], start=hop.start, end=hop.end)
        for path in retrieved.paths
        for hop in reversed(path.hops)
        if hop.chunk_id in chunks
    )
    near = (
        sentence for extract in list(chunks.values())[:MAX_PASSAGES_SEARCHED] for sentence in _sentences_of(extract)
    )
    for sentence in (*of_paths, *near):
        if _is_about(field.question, sentence):
            yield sentence


def _is_about(question: str, sentence: _Sentence) -> bool:
    """Whether a sentence has at least two thirds of a question's subject words. A question without any ("On which date
    did it happen?") needs a reader."""
    return _share_of_subject_words(question, sentence) >= 2 / 3


def _share_of_subject_words(question: str, sentence: _Sentence) -> float:
    """The share of a question's subject words that a sentence has; 0 if the question has none."""
    language = detect(sentence.extract.text)
    present = " ".join(normalized(token.text, language) for token in tokens(sentence.text))  # "met" is "meets"
    own, sentence_terms = _own_words(question, language), {*terms(sentence.text, language), *terms(present, language)}
    return sum(bool(sentence_terms & word) for word in own) / len(own) if own else 0.0


def _own_words(question: str, language: str) -> list[set[str]]:
    """The subject words of a question, each with its forms in texts. A name counts as one word, however long: a
    sentence with the name alone does not answer."""
    word_forms: list[set[str]] = []
    in_name = False
    for index, token in enumerate(tokens(question)):
        if token.folded in _ASKING | FUNCTION_WORDS:
            in_name = in_name and token.folded in PARTICLES
            continue
        forms = set(query_terms(token.text, language, detect(question)))
        capital = index > 0 and token.text[0].isupper()
        if capital and in_name:
            word_forms[-1] |= forms
        else:
            word_forms.append(forms)
        in_name = capital
    return word_forms


def _is_relevant_number(figure: Figure, question: str, sentence: _Sentence) -> bool:
    """Whether a number has a unit, or counts what is asked for ("nine pearls"); not an hour or "article 14"."""
    if figure.kind != "number" or figure.time:
        return False
    language = detect(sentence.extract.text)
    counted = set(terms(sentence.text[figure.end :], language)[:1])
    return bool(figure.unit) or any(counted & word for word in _own_words(question, language))


def _best_sentence(field: FormField, extract: Evidence) -> _Sentence:
    """The sentence of a passage that shares most words with the question."""
    language = detect(extract.text)
    question_terms = set(query_terms(field.question, detect(field.question), language))
    spoken = list(_sentences_of(extract)) or [_Sentence(extract=extract, start=0, end=len(extract.text))]
    return max(spoken, key=lambda one: len(question_terms & set(terms(one.text, language))))


def _sentences_of(extract: Evidence) -> Iterator[_Sentence]:
    for start, end in sentences(extract.text, detect(extract.text)):
        yield _Sentence(extract=extract, start=start, end=end)
