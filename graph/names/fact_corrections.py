"""Corrections by persons on facts: a fact is wrong, has another predicate, or a person states it of a sentence.

A correction applies to the current entities of the mentions it refers to, and both to the predicate as read and to the
predicate it is folded into. It is applied when facts are derived, so a new reading does not restore a wrong fact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from filigraph.graph import ids
from filigraph.graph.errors import AlreadyDecided
from filigraph.graph.model.facts import CorrectedFact
from filigraph.graph.model.names import StoredCorrection
from filigraph.graph.names.corrections import folds
from filigraph.graph.tables.mention_table import Mentions

Key = tuple[str, str, str]  # subject entity, predicate, object entity
WRONG = ""  # in place of a predicate: the fact is wrong
STATED = ""  # in place of the predicate that was read: a person states the fact


@dataclass(frozen=True, kw_only=True)
class StatedCorrection:
    """A fact that a person states of a sentence: `chunk.text[start:end]`."""

    subject_id: str
    predicate: str
    object_id: str
    start: int
    end: int

    @property
    def row(self) -> CorrectedFact:
        return CorrectedFact(
            subject_id=self.subject_id, original_predicate=STATED, object_id=self.object_id, predicate=self.predicate
        )


@dataclass(frozen=True)
class FactCorrections:
    """Lookup tables: the corrected predicate of a fact as read, and the facts that persons state, by chunk."""

    folds: Mapping[str, str]  # predicate -> the predicate it is folded into
    wrong: frozenset[Key] = frozenset()
    restated: Mapping[Key, str] | None = None
    stated: Mapping[str, Sequence[StatedCorrection]] = field(default_factory=dict)

    def folded(self, predicate: str) -> str:
        return self.folds.get(predicate, predicate)

    def predicate(self, subject: str, read: str, object_: str) -> str:
        """The predicate of a fact whose predicate was read as `read`; WRONG if the fact is decided to be wrong."""
        folded = self.folded(read)
        if (subject, read, object_) in self.wrong or (subject, folded, object_) in self.wrong:
            return WRONG
        restated = self.restated or {}
        other = restated.get((subject, read, object_)) or restated.get((subject, folded, object_))
        if other is None:
            return folded
        other = self.folded(other)
        return WRONG if (subject, other, object_) in self.wrong else other

    def fact_ids(self) -> list[str]:
        """Ids of the facts that must no longer exist, sorted."""
        keys = {*self.wrong, *(self.restated or {})}
        fact_ids = {ids.fact_id(s, form, o) for s, read, o in keys for form in (read, self.folded(read))}
        return sorted(fact_ids)

    def changed(self, corrected: Mapping[str, Sequence[CorrectedFact]]) -> list[str]:
        """The chunks whose stored facts do not match the current corrections."""
        stated = {chunk: {row.row for row in rows} for chunk, rows in self.stated.items()}
        return [
            chunk
            for chunk in dict.fromkeys([*corrected, *stated])
            if {row for row in corrected.get(chunk, ()) if row.original_predicate == STATED} != stated.get(chunk, set())
            or not self._match_stored(corrected.get(chunk, ()))
        ]

    def _match_stored(self, corrected: Iterable[CorrectedFact]) -> bool:
        read = (row for row in corrected if row.original_predicate != STATED)
        return all(
            self.predicate(row.subject_id, row.original_predicate, row.object_id) == row.predicate for row in read
        )


def fact_corrections(
    corrections: Sequence[StoredCorrection], mentions: Mentions, entity_of: Mapping[str, str]
) -> FactCorrections:
    """The lookup tables for the current entities. If a merge leaves two predicates for one fact, the smaller correction
    id wins."""
    wrong: set[Key] = set()
    restated: dict[Key, tuple[str, str]] = {}
    stated: dict[str, list[StatedCorrection]] = defaultdict(list)
    for correction in corrections:
        for place, fact in _stated_fact(correction, mentions, entity_of):
            stated[place].append(fact)
        for key in _keys(correction, mentions, entity_of.__getitem__):
            if correction.kind == "rejected":
                wrong.add(key)
            elif correction.kind == "relabelled":
                restated[key] = min(
                    (correction.id, correction.name), restated.get(key, (correction.id, correction.name))
                )
    return FactCorrections(
        folds=folds(corrections),
        wrong=frozenset(wrong),
        restated={key: name for key, (_, name) in restated.items()},
        stated=stated,
    )


def _stated_fact(
    correction: StoredCorrection, mentions: Mentions, entity_of: Mapping[str, str]
) -> Iterator[tuple[str, StatedCorrection]]:
    """The fact that a correction states, with its chunk. None if its names do not exist any more, or are one entity
    now.
    """
    if correction.kind != "stated":
        return
    sides = [mentions.there(side)[:1] for side in (correction.names, correction.others)]
    subject, object_ = (next((entity_of[id_] for id_ in side), "") for side in sides)
    if subject and object_ and subject != object_:
        for place in correction.places:
            fact = StatedCorrection(
                subject_id=subject, predicate=correction.name, object_id=object_, start=place.start, end=place.end
            )
            yield place.chunk_id, fact


def check_fact(new: StoredCorrection, corrections: Iterable[StoredCorrection], mentions: Mentions) -> None:
    """Raises AlreadyDecided if an earlier correction restates the fact or makes the restated fact wrong."""
    if new.kind != "relabelled":
        return

    def entity_of(mention: str) -> str:
        return mentions.by_id[mention].entity_id

    new_keys = set(_keys(new, mentions, entity_of))
    renamed = {(subject, new.name, object_) for subject, _, object_ in new_keys}
    for earlier in corrections:
        if earlier.id == new.id or earlier.kind not in ("rejected", "relabelled"):
            continue
        keys = set(_keys(earlier, mentions, entity_of))
        if earlier.kind == "rejected":
            clash = keys & renamed
        else:
            clash = new_keys & (keys | {(subject, earlier.name, object_) for subject, _, object_ in keys})
        if clash:
            was = "said to be wrong" if earlier.kind == "rejected" else f"said by {earlier.name[:80]!r}"
            raise AlreadyDecided(
                f"This was {was} before, by correction {earlier.id}.",
                cure=f"Undo that first: `filigraph facts restore {earlier.id}`.",
            )


def _keys(correction: StoredCorrection, mentions: Mentions, entity_of: Callable[[str], str]) -> Iterator[Key]:
    """Keys of the facts that a correction applies to."""
    if correction.kind not in ("rejected", "relabelled"):
        return
    predicates = [correction.name] if correction.kind == "rejected" else correction.forms
    sides = [{entity_of(id_) for id_ in mentions.there(side)} for side in (correction.names, correction.others)]
    yield from product(sides[0], predicates, sides[1])
