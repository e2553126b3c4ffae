"""Link: find the entities that a question names: by string match, in any script; if that fails, by similarity.

The longest span wins: "Sherlock Holmes" before "Holmes". Fact vectors alone miss passages that the question names; this
costs a millisecond and was the second largest gain measured (docs/decisions/0006-walk.md). A name that no entity has
("Holms") is searched among the vectors of names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from filigraph.graph.ask.question.compared_pronouns import compares_a_pronoun
from filigraph.graph.text.connection_questions import connection_asked
from filigraph.graph.text.names.parse import is_proper, key_of
from filigraph.graph.text.numbers.answer_numbers import MONTHS
from filigraph.graph.text.question_words import asks_to_choose, asks_to_compare
from filigraph.graph.text.time.relative_date_rules import WEEKDAYS
from filigraph.graph.text.wording import wording
from filigraph.graph.text.words import Token, tokens

MAX_NAME_WORDS = 10  # words of the longest name looked for
MIN_NAME_COSINE = 0.6  # least cosine of a name with the entity it is taken for
MAX_UNKNOWN_NAMES = 4  # names looked for by likeness, the longest

# What is between two names that a question puts side by side: "or", "et", and articles, offices, given names.
_AND_OR = frozenset(["and", "or", "et", "ou", "y", "e", "o", "und", "oder", "и", "или", "和", "与", "或", "还是"])
_MAX_WORDS_BETWEEN = 5  # words
_COMMAS = frozenset([",", "،", "，", "、"])
# The same between two names that a question compares: "Compare A with B", « Comparez A à B ».
_WITH = frozenset(["with", "to", "against", "versus", "vs", "avec", "a", "con", "mit", "с", "со", "跟", "同"])
MAX_COMPARED_NAMES = 4  # names

_QUOTED = re.compile(r"«\s*([^«»]{2,80}?)\s*»|“([^“”]{2,80})”|„([^„“]{2,80})“|「([^「」]{1,80})」|\"([^\"]{2,80})\"")


@dataclass(frozen=True, kw_only=True)
class Span:
    """A run of words of the question that may be a name: `question[start:end]`."""

    key: str
    start: int
    end: int
    words: int


class Named(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def entity_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def chunks(self) -> int: ...


@dataclass(frozen=True, kw_only=True)
class Linked:
    """An entity that the question names."""

    entity_id: str
    name: str
    chunks: int  # how many chunks mention it
    span: str  # the words of the question
    cosine: float = 1.0  # of the span with the name, where they are not the same by string


def candidate_spans(question: str) -> list[Span]:
    """Every run of at most `MAX_NAME_WORDS` words of the question, with its normal form as a name.

    A single lower-case word ("ring", "pourquoi") is not a name: too many entities have it.
    """
    words = tokens(question)[:400]
    candidates = []
    for first in range(len(words)):
        for last in range(first, min(first + MAX_NAME_WORDS, len(words))):
            start, end = words[first].start, words[last].end
            key = key_of(words[first : last + 1], question)
            if key and (last > first or is_proper(question[start:end])):
                candidates.append(Span(key=key, start=start, end=end, words=last - first + 1))
    return candidates


def link(question: str, candidates: Sequence[Span], named: Iterable[Named]) -> list[Linked]:
    """The entities named in the question: longest span first, spans never overlap.

    A name of several entities brings all of them; the walk distinguishes them by their facts.
    """
    by_key: dict[str, list[Named]] = {}
    for entity in named:
        by_key.setdefault(entity.key, []).append(entity)
    taken: list[tuple[int, int]] = []
    linked: dict[str, Linked] = {}
    for span in sorted(candidates, key=lambda span: (-span.words, span.start - span.end, span.start)):
        if span.key not in by_key:
            continue
        if any(span.start < end and start < span.end for start, end in taken):
            continue
        taken.append((span.start, span.end))
        for entity in sorted(by_key[span.key], key=lambda entity: (-entity.chunks, entity.entity_id)):
            linked.setdefault(
                entity.entity_id,
                Linked(
                    entity_id=entity.entity_id,
                    name=entity.name,
                    chunks=entity.chunks,
                    span=question[span.start : span.end],
                ),
            )
    return list(linked.values())


def side_by_side(question: str, linked: Iterable[Linked]) -> tuple[frozenset[str], ...]:
    """The entities that it names side by side ("Who is older, Gévrol or Lecoq?"), for each name all entities with it;
    empty if it joins no two names."""
    bearing = _entities_by_place(question, linked)
    joined = _joined_places(question, sorted(bearing), _joining(question))
    return tuple(frozenset(bearing[place]) for place in joined)


def names_to_compare(question: str, linked: Collection[Linked]) -> tuple[str, ...]:
    """The entities that it asks to compare ("Compare Rachel and Rosanna", "Was it Gévrol, Lecoq or Absinthe?"), for
    each name the one that most passages mention; empty if it asks for something else."""
    if not asks_to_compare(question):
        return ()
    bearing = _entities_by_place(question, linked)
    places = sorted(bearing)
    joined = _joined_places(question, places, _joining(question))
    names = [bearing[place] for place in _enumerated_places(question, places, joined)]
    if len(names) < 2 or len(set().union(*names)) < sum(map(len, names)):
        return ()
    chunks = {entity.entity_id: entity.chunks for entity in linked}
    return tuple(min(ids, key=lambda id_: (-chunks[id_], id_)) for ids in names)


def names_to_connect(question: str, linked: Collection[Linked]) -> tuple[frozenset[str], ...]:
    """The entities of each of the two names whose connection it asks for ("How is Ann linked to The Claw?"); empty if
    it asks for something else, or if a name means none."""
    for parts in connection_asked(question):
        meant = [frozenset(one.entity_id for one in linked if one.span in part or part in one.span) for part in parts]
        if all(meant) and meant[0].isdisjoint(meant[1]):
            return tuple(meant)
    return ()


def comparison_remark(
    question: str, compared: Sequence[str], linked: Iterable[Linked], language: str, *, has_period: bool = False
) -> str:
    """Which of more than four names are compared; that a name must be written, where a pronoun is compared; or that the
    period of the question does not limit the comparison."""
    words, names = wording(language), {entity.entity_id: entity.name for entity in linked}
    if len(compared) > MAX_COMPARED_NAMES:
        return words.compared.format(names=", ".join(names[id_] for id_ in compared[:MAX_COMPARED_NAMES]))
    if compared:
        return words.compares_all_dates if has_period else ""
    return words.compares_pronoun if compares_a_pronoun(question) else ""


Place = tuple[int, int]  # of a name in the question


def _entities_by_place(question: str, linked: Iterable[Linked]) -> Mapping[Place, set[str]]:
    """Place in the question -> the entities with the name there."""
    bearing: dict[Place, set[str]] = defaultdict(set)
    place_of: dict[str, Place] = {}
    for entity in sorted(linked, key=lambda entity: -len(entity.span)):  # "Anna" before "Ann"
        if entity.span not in place_of:
            place_of[entity.span] = _free_place(question, entity.span, place_of.values())
        bearing[place_of[entity.span]].add(entity.entity_id)
    return bearing


def _free_place(question: str, span: str, taken: Collection[Place]) -> Place:
    """The first place of a name that is no part of another name; the first at all if there is none."""
    first = start = question.find(span)
    while start >= 0 and any(start < end and begin < start + len(span) for begin, end in taken):
        start = question.find(span, start + 1)
    start = start if start >= 0 else first
    return start, start + len(span)


def _joined_places(question: str, places: Sequence[Place], joining: Collection[str]) -> list[Place]:
    """The places that one of the words `joining` joins to the next or the last one."""
    joined: dict[Place, None] = {}
    for before, after in pairwise(places):
        between = [word.folded for word in tokens(question[before[1] : after[0]])]
        if (
            between
            and len(between) <= _MAX_WORDS_BETWEEN
            and between[0] in joining
            and "?" not in question[before[1] : after[0]]
        ):
            joined |= {before: None, after: None}
    return list(joined)


def _joining(question: str) -> frozenset[str]:
    return _AND_OR | _WITH if asks_to_compare(question) and not asks_to_choose(question) else _AND_OR


def _enumerated_places(question: str, places: Sequence[Place], joined: Sequence[Place]) -> list[Place]:
    """With the places before the first joined one that only commas part: "A, B and C"."""
    row = list(joined)
    before = places[: places.index(row[0])] if row else ()
    for place in reversed(before):
        if question[place[1] : row[0][0]].strip() not in _COMMAS:
            break
        row.insert(0, place)
    return row


def names_nowhere(question: str, names: Iterable[str], holds: Callable[[str], bool]) -> tuple[str, ...]:
    """The names of the question, of `names`, that occur in no text; `holds` says whether a text contains a word.

    The question's first word does not count: its capital comes from its place.
    """
    first = next(iter(tokens(question)), None)
    absent = []
    for name in names:
        words = [word.text for word in tokens(name)]
        if first and question.startswith(name, first.start):
            words = words[1:]
        absent.append(" ".join(word for word in words if not holds(word)))
    return tuple(dict.fromkeys(filter(None, absent)))


def unknown_names(question: str, linked: Iterable[Linked]) -> list[str]:
    """The quoted or capitalised words of the question that match no name by string, the longest first.

    A capital at the very beginning says nothing, unless another one follows; nor does that of a month or a weekday in a
    date ("in March", "on Friday").
    """
    known = {entity.span for entity in linked}
    names = [next(filter(None, match.groups())) for match in _QUOTED.finditer(question)]
    run: list[Token] = []
    words = tokens(question)[:400]
    dates = {word.start for n, word in enumerate(words) if _is_in_date(words, n)}
    for word in [*words, None]:
        if (
            word is not None
            and question[word.start].isupper()
            and word.start not in dates
            and (not run or question[run[-1].end : word.start] == " ")
        ):
            run.append(word)
            continue
        if run and not (len(run) == 1 and run[0] is words[0]):
            names.append(question[run[0].start : run[-1].end])
        opens = word is not None and question[word.start].isupper() and word.start not in dates
        run = [word] if word is not None and opens else []
    unknown = [
        name
        for name in dict.fromkeys(names)
        if len(name) > 1 and not any(name in span or span in name for span in known)
    ]
    return sorted(unknown, key=lambda name: -len(name))[:MAX_UNKNOWN_NAMES]


def _is_in_date(words: Sequence[Token], n: int) -> bool:
    """Whether a word is the month or weekday of a date: beside a number, after "in", "since", "last", "and"."""
    if words[n].folded not in MONTHS and words[n].folded not in WEEKDAYS:
        return False
    beside = {word.folded for word in (*words[max(0, n - 1) : n], *words[n + 1 : n + 2])}
    return any(one[0].isdigit() or one in MONTHS or one in WEEKDAYS for one in beside) or (
        n > 0 and words[n - 1].folded in _BEFORE_DATES
    )


_BEFORE_DATES = frozenset(
    word
    for listed in (
        "in on of since until till before after by during from to between and through early late mid last next this",
        "every each en au aux de depuis avant apres jusqu le la du mois debut fin mi ce et im am ab seit bis vor nach",
        "und anfang ende mitte zwischen letzten nachsten de desde antes hasta entre y di dal fino tra e",
    )
    for word in listed.split()
)
