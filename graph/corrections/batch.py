"""Editor: checks new corrections of persons against earlier ones, writes them, and derives the graph once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from filigraph.graph import ids
from filigraph.graph.derive import DeriveGraph, derive
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.names import Occurrence, StoredCorrection, StoredCorrectionKind
from filigraph.graph.models.embed import Embedder
from filigraph.graph.names.corrections import check_correction, stored_correction
from filigraph.graph.names.fact_corrections import check_fact
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.text.names.parse import name_key

MAX_MENTIONS_PER_SIDE = 20  # mentions stored per side of a correction: it applies as long as one of them exists
MAX_NAME_CHARS = 200  # characters


class MergeGraph(DeriveGraph, Protocol):
    """Store of a workspace for corrections of names."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def add_corrections(self, corrections: Sequence[StoredCorrection]) -> None: ...
    def undo(self, correction_id: str) -> None: ...
    def twin_places(self, places: Mapping[str, Sequence[Occurrence]]) -> Mapping[str, Sequence[Occurrence]]: ...


class Editor:
    """The mentions and corrections of a workspace, and the new corrections of a request."""

    def __init__(self, graph: MergeGraph) -> None:
        self._graph = graph
        self._said = graph.corrections()
        self._aliases = graph.alias_groups()
        self.mentions = graph.mentions()
        self.new: list[StoredCorrection] = []

    def take(
        self,
        kind: StoredCorrectionKind,
        names: Sequence[MentionRow],
        others: Sequence[MentionRow],
        *,
        places: Iterable[Occurrence] = (),
        name: str = "",
        forms: Sequence[str] = (),
        note: str = "",
    ) -> None:
        """Add a correction to the new ones, without duplicates. Raises AlreadyDecided."""
        workspace = self._graph.workspace.name
        stored = stored_correction(workspace, kind, names, others, places=places, name=name, forms=forms, note=note)
        check_correction(stored, [*self._said, *self.new], self.mentions, self._aliases)
        check_fact(stored, [*self._said, *self.new], self.mentions)
        if stored.id not in {correction.id for correction in self.new}:
            self.new.append(stored)

    def write(self, embedder: Embedder) -> None:
        self._graph.add_corrections(self.new)
        derive(self._graph, embedder=embedder)

    def parts(
        self, members: dict[str, MentionRow], places: Sequence[Occurrence], whole: set[str]
    ) -> list[tuple[MentionRow, list[Occurrence]]]:
        """`places` grouped by mention, for the mentions not in `whole`, each also where chunks that overlap repeat it.

        Raises NotFound for a place that no mention has, InputError if all places of a mention are chosen or it is a
        part.
        """
        to_split = [row for row in members.values() if row.id not in whole]
        chunks = sorted({place.chunk_id for place in places})
        where = self._graph.places([row.id for row in to_split], chunks) if places else {}
        owner = {(chunk, *span): members[id_] for (id_, chunk), spans in where.items() for span in spans}
        chosen: dict[str, list[Occurrence]] = {}
        for place in dict.fromkeys(places):
            row = owner.get((place.chunk_id, place.start, place.end))
            if row is None:
                shown_place = f"{place.chunk_id}:{place.start}-{place.end}"
                raise NotFound(
                    f"There is no name of this entity at {shown_place}.",
                    cure=("`filigraph corrections places` lists its places."),
                )
            chosen.setdefault(row.id, []).append(place)
        for id_, again in (self._graph.twin_places(chosen) if chosen else {}).items():
            chosen[id_] = list(dict.fromkeys([*chosen[id_], *again]))
        for id_, own in chosen.items():
            every = self._graph.places([id_], self._graph.chunks_of_mentions([id_]))
            if len(own) >= sum(len(spans) for spans in every.values()):
                raise InputError(
                    f"These are all places of {members[id_].form!r} in its document.",
                    cure="Split the name off instead.",
                )
            if id_ in self._ids_of_split_parts():
                raise InputError(
                    f"{members[id_].form!r} was split off already.",
                    cure="Undo that split, and choose the places again.",
                )
        by_id = self.mentions.by_id  # places of a part that the text tells are split off its mention
        return [(by_id.get(members[id_].part_of, members[id_]), own) for id_, own in chosen.items()]

    def _ids_of_split_parts(self) -> set[str]:
        decisions = [decision for decision in (*self._said, *self.new) if decision.kind == "split_off"]
        return {ids.part_id(name.id, decision.id) for decision in decisions for name in decision.names}


def find_mentions(reference: str, mentions: Mentions) -> list[MentionRow]:
    """The mentions for a reference: the id of a mention, of a current or former entity, or a name of one entity.

    Raises NotFound, or InputError if several entities have the name.
    """
    if reference in mentions.by_id:
        return [mentions.by_id[reference]]
    if reference and reference in mentions.of_entity:
        return mentions.of_entity[reference]
    today = current_entity(reference, mentions)
    if today:
        return mentions.of_entity[today]
    entities = sorted({row.entity_id for row in mentions.by_key.get(name_key(reference[:MAX_NAME_CHARS]), ())})
    if len(entities) > 1:
        raise InputError(
            f"{len(entities)} entities have the name {reference[:80]!r}.",
            cure=f"Give the id of one: {', '.join(entities[:5])}.",
        )
    if not entities:
        raise NotFound(
            f"{reference[:80]!r} is neither a name nor the id of a name or an entity; it may have been changed or "
            "deleted.",
            cure="Look for the entity by its name.",
        )
    return mentions.of_entity[entities[0]]


def current_entity(entity_id: str, mentions: Mentions) -> str:
    """The current entity of a mention id, or of the smallest mention of a former entity id; "" if it is gone."""
    if entity_id in mentions.by_id:
        return mentions.by_id[entity_id].entity_id
    return next((row.entity_id for row in mentions if ids.entity_id(row.id) == entity_id), "")
