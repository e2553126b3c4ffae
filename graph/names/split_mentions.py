"""Split mentions: before names are resolved, some places of a name become a separate mention, because a person split
them off or the text shows that they mean another person of the name (see `homonyms`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Protocol

from filigraph.graph import ids
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import Occurrence, Part, StoredCorrection, are_alike
from filigraph.graph.names.cast import Casts
from filigraph.graph.names.facts import PlaceBearer
from filigraph.graph.names.homonyms import may_share_forms, parts_by_context
from filigraph.graph.records.documents import NameOccurrences
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.text_parts import KeptTextParts, TextParts


class PartWriter(Protocol):
    """The mentions of a workspace, and those that are parts of others."""

    def mentions(self) -> Mentions: ...
    def cached_text_parts(self) -> KeptTextParts | None: ...
    def cache_text_parts(self, parts: TextParts) -> None: ...
    def name_occurrences(self, document_ids: Sequence[str]) -> Iterable[NameOccurrences]: ...
    def write_parts(self, parts: Sequence[Part], stored: Sequence[str]) -> None: ...


class FindParts(Protocol):
    """`parts_by_context`, or the same from a cache."""

    def __call__(
        self,
        document: NameOccurrences,
        rows: Sequence[MentionRow],
        *,
        taken: Set[Occurrence],
        cast: Sequence[CastReading],
    ) -> Sequence[Part]: ...


class PlaceReader(Protocol):
    """The occurrences of mentions."""

    def places(self, mention_ids: Sequence[str], chunk_ids: Sequence[str]) -> Mapping[tuple[str, str], list[Span]]: ...


def split_mentions(
    graph: PartWriter, by_persons: Sequence[StoredCorrection], casts: Casts, find_parts: FindParts = parts_by_context
) -> Sequence[Part]:
    """Make separate mentions of the places that persons split off, and of those that the text gives to a certain
    person. Returns all of these parts.
    """
    parts = parts_of_mentions(graph, by_persons, casts, find_parts)
    graph.write_parts(parts, list(chain.from_iterable(graph.mentions().by_id.each(_ids_of_parts))))
    return parts


def parts_of_mentions(
    graph: PartWriter, by_persons: Sequence[StoredCorrection], casts: Casts, find_parts: FindParts = parts_by_context
) -> Sequence[Part]:
    """The parts that `split_mentions` makes; nothing is written."""
    mentions = graph.mentions()
    persons = _parts_of_persons(by_persons, mentions)
    return [*persons, *_parts_of_texts(graph, mentions, persons, casts, find_parts)]


def _ids_of_parts(mentions: Mapping[str, MentionRow]) -> list[str]:
    return [mention.id for mention in mentions.values() if mention.part_of]


def _parts_of_persons(by_persons: Iterable[StoredCorrection], mentions: Mentions) -> list[Part]:
    """The parts that persons split off from existing mentions."""
    parts = []
    for decision in by_persons:
        mention = _mention_to_split(decision, mentions) if decision.kind == "split_off" else ""
        if mention:
            parts.append(Part(id=ids.part_id(mention, decision.id), of=mention, places=decision.places))
    return parts


def mentions_at_places(graph: PlaceReader, parts: Iterable[Part]) -> dict[tuple[str, str], list[PlaceBearer]]:
    """(chunk id, mention id) of a mention that was split -> the mention that each occurrence belongs to."""
    bearers: dict[tuple[str, str], list[PlaceBearer]] = defaultdict(list)
    for part in parts:
        chunks = sorted({place.chunk_id for place in part.places})
        for (id_, chunk), spans in graph.places([part.of, part.id], chunks).items():
            bearers[chunk, part.of] += [PlaceBearer(start=start, mention_id=id_) for start, _ in spans]
    return {key: sorted(set(places), key=lambda place: place.start) for key, places in bearers.items()}


def _mention_to_split(part: StoredCorrection, mentions: Mentions) -> str:
    """The mention that a decision of kind `split_off` splits; "" if the document no longer has the name."""
    existing = mentions.there(part.names)
    given_all = [name.id for name in part.names if ids.part_id(name.id, part.id) in mentions.by_id]
    return next(iter([*existing, *given_all]), "")


# Parts that texts determine


def _parts_of_texts(
    graph: PartWriter, mentions: Mentions, persons: Iterable[Part], casts: Casts, find_parts: FindParts
) -> list[Part]:
    """The parts that texts determine. A document is read again if its names or their places may have changed, if
    persons split off other places in it, or if its cast changed.
    """
    taken: dict[str, set[Occurrence]] = defaultdict(set)
    for part in persons:
        row = mentions.by_id.get(part.of) or mentions.by_id.get(part.id)
        if row:
            taken[row.document_id].update(part.places)
    before = graph.cached_text_parts()
    again = _documents_changed(before, mentions, casts, taken) if before else None
    rows: dict[str, list[MentionRow]] = defaultdict(list)
    for row in mentions if again is None or again else ():
        if again is None or row.document_id in again:
            rows[row.document_id].append(row)
    parts_of: dict[str, Sequence[Part]] = {}
    if before and again is not None:
        parts_of = {id_: parts for id_, parts in before.text_parts.parts.items() if id_ not in again}
    shared_rows = sorted(id_ for id_, own in rows.items() if may_share_forms(row.key for row in own))
    for document in graph.name_occurrences(shared_rows):
        id_ = document.id
        if parts := find_parts(document, rows[id_], taken=taken.get(id_, set()), cast=casts.get(id_, ())):
            parts_of[id_] = parts
    graph.cache_text_parts(TextParts(mentions, casts, taken, parts_of))
    return list(chain.from_iterable(parts_of[id_] for id_ in sorted(parts_of)))


def _documents_changed(
    before: KeptTextParts, mentions: Mentions, casts: Casts, taken: Mapping[str, Set[Occurrence]]
) -> set[str]:
    documents, last = {*before.touched}, before.text_parts
    for _, old, new in mentions.by_id.differences(last.mentions.by_id):
        if old is None or new is None or not are_alike(old, new):
            documents.update(row.document_id for row in (old, new) if row)
    inputs: list[tuple[Mapping[str, object], Mapping[str, object]]] = [(last.casts, casts), (last.taken, taken)]
    for old_of, new_of in inputs:
        documents.update(id_ for id_ in old_of.keys() | new_of.keys() if old_of.get(id_) != new_of.get(id_))
    return documents


def with_places_told(rows: Iterable[MentionRow], parts: Iterable[Part], mentions: Mentions) -> Iterator[MentionRow]:
    """The mentions, each counted with the places that its text gives to its parts: the frequency of a form is evidence
    of whom it means, even if some places mean somebody else.
    """
    more: Counter[str] = Counter()
    for part in parts:
        if part.id in mentions.by_id:
            more[part.of] += mentions.by_id[part.id].count
    return (replace(row, count=row.count + more[row.id]) if row.id in more else row for row in rows)
