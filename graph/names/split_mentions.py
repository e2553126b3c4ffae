"""Split mentions: places of a name that a person split off become a mention of their own, before names are resolved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol

from filigraph.graph import ids
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.names import StoredCorrection
from filigraph.graph.names.facts import Bearer
from filigraph.graph.tables.mention_table import Mentions


class PartWriter(Protocol):
    """The mentions of a workspace, and those that are parts of others."""

    def mentions(self) -> Mentions: ...
    def write_parts(self, parts: Sequence[StoredCorrection], mention_of: Mapping[str, str]) -> None: ...


class PlaceReader(Protocol):
    """The occurrences of mentions."""

    def places(self, mention_ids: Sequence[str], chunk_ids: Sequence[str]) -> Mapping[tuple[str, str], list[Span]]: ...


def split_mentions(graph: PartWriter, by_persons: Sequence[StoredCorrection]) -> None:
    """Give the places that persons split off to mentions of their own."""
    parts = [decision for decision in by_persons if decision.kind == "split_off"]
    mentions = graph.mentions() if parts else Mentions(())
    mention_of = {part.id: mention for part in parts if (mention := _mention_to_split(part, mentions))}
    graph.write_parts(parts, mention_of)


def mentions_at_places(
    graph: PlaceReader, by_persons: Sequence[StoredCorrection], mentions: Mentions
) -> dict[tuple[str, str], list[Bearer]]:
    """(chunk id, mention id) -> of a mention that was split: which mention each occurrence belongs to."""
    bearers: dict[tuple[str, str], list[Bearer]] = defaultdict(list)
    for part in by_persons:
        mention = _mention_to_split(part, mentions) if part.kind == "split_off" else ""
        if mention:
            own = ids.part_id(mention, part.id)
            for (id_, chunk), spans in graph.places([mention, own], sorted({p.chunk_id for p in part.places})).items():
                bearers[chunk, mention] += [Bearer(start=start, mention_id=id_) for start, _ in spans]
    return {key: sorted(set(places), key=lambda place: place.start) for key, places in bearers.items()}


def _mention_to_split(part: StoredCorrection, mentions: Mentions) -> str:
    """The mention that a decision of kind `split_off` splits; "" if the document no longer has the name."""
    existing = mentions.there(part.names)
    given_all = [name.id for name in part.names if ids.part_id(name.id, part.id) in mentions.by_id]
    return next(iter([*existing, *given_all]), "")
