"""A view as the read part of other views, which can see nothing else."""

from __future__ import annotations

from dataclasses import replace

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.ids import content_id
from filigraph.graph.model.names import AliasGroup, StoredCorrection
from filigraph.graph.names.cast import links_shown
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadPart
from filigraph.graph.view import View
from filigraph.graph.views.derived import DerivedView
from filigraph.graph.views.reader import ViewGraph
from filigraph.graph.views.visible import Visible, visible_part


def narrowed_part(part: ReadPart, outer: ViewGraph) -> ReadPart:
    """The visible part of a read part: documents with their visible places, and the decisions that are valid there."""
    derived = outer.derived
    documents = {row.id: row for row in outer.document_rows(facts=False)}
    chunks = {row.chunk.id: row for row in derived.visible.chunks}
    decisions = [one for one in derived.decided if isinstance(one, StoredCorrection)]
    groups = [one for one in derived.decided if isinstance(one, AliasGroup)]
    whole = {id_ for id_, row in documents.items() if row.chunks == len(part.chunks_of[id_])}
    hashes = (f"{id_} {row.sha256}" for id_, row in sorted(documents.items()))
    decided = sorted([one.id for one in decisions] + [one.id for one in groups])
    return replace(
        part,
        version=content_id("part", *hashes, *sorted(chunks), *decided),
        documents=documents,
        chunks=chunks,
        decisions=decisions,
        alias_groups=groups,
        casts={id_: readings for id_, readings in part.casts.items() if id_ in whole},
        cast_links=list(links_shown(part.cast_links, chunks.keys())),
        mentions=outer.mentions() if derived.decided else Mentions(()),
    )


def narrowed_derivation(part: ReadPart, outer: ViewGraph, view: View) -> DerivedView:
    """The derivation of a narrowed part: it was derived with the view that narrowed it."""
    visible = replace(outer.derived.visible, documents=part.documents, dated="")
    return replace(outer.derived, view=view, visible=visible)


def shows_all_of(graph: ViewGraph, other: View) -> bool:
    """Whether a view shows everything that another one of the same part shows, including decisions and facts."""
    try:
        inside = visible_part(graph.part, other.narrowing)
    except (InputError, NotFound):
        return False  # what it names was deleted, or is hidden
    shown, view = graph.derived.visible, graph.derived.view
    chunks = {row.chunk.id for row in shown.chunks}
    return (
        inside.documents.keys() <= shown.documents.keys()
        and all(row.chunk.id in chunks for row in inside.chunks)
        and _decided(inside) <= _decided(shown)
        and set(view.without_facts) <= set(other.without_facts)
    )


def _decided(shown: Visible) -> set[str]:
    return {decided.id for decided in shown.decisions} | {decided.id for decided in shown.alias_groups}
