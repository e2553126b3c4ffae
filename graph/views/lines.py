"""A view as lines of an export: a view and a workspace that read only its documents have the same lines and hash."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise
from typing import Any

from filigraph.graph.ids import content_part
from filigraph.graph.model.facts import Support
from filigraph.graph.model.names import AliasGroup, StoredCorrection
from filigraph.graph.serialize import correction_json
from filigraph.graph.store.neo4j.edge_types import EdgeTypes
from filigraph.graph.store.workspace.documents import chunk_properties
from filigraph.graph.store.workspace.export import line_of
from filigraph.graph.views.derived import DerivedView, ViewFact

DERIVED = ("chunks", "mentions", "decisions", "person_decisions", "alias_groups", "entities", "facts")


def lines_of_view(view: DerivedView, settings: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the kinds in DERIVED, in export order. `settings`: of the workspace."""
    for kind, rows in (
        ("chunks", _chunks(view)),
        ("mentions", _mentions(view)),
        ("decisions", _decisions(view)),
        ("person_decisions", _person_decisions(view)),
        ("alias_groups", _alias_groups(view)),
        ("entities", _entities(view)),
        ("facts", _facts(view, EdgeTypes(settings))),
    ):
        for row in rows:
            yield line_of(kind, row)


def lines_of_links(view: DerivedView) -> Iterator[str]:
    """What an LLM said of who is who across visible documents, as lines of an export."""
    for link in sorted(view.names.split.links, key=lambda link: link.key):
        names = [[content_part(name.chunk_id), name.key, name.side] for name in link.names]
        chunks = [content_part(id_) for id_ in link.reads]
        yield line_of(
            "cast_links",
            {
                "id": link.key,
                "call": link.call,
                "says": link.kind,
                "reason": link.reason,
                "chunks": chunks,
                "names": names,
            },
        )


def _chunks(view: DerivedView) -> Iterator[dict[str, Any]]:
    in_order: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in view.visible.chunks:
        in_order[row.chunk.document_id].append((row.chunk.index, row.chunk.id))
    following = dict(
        chain.from_iterable(pairwise([id_ for _, id_ in sorted(numbered)]) for numbered in in_order.values())
    )
    for row in view.visible.chunks:
        chunk = row.chunk
        yield {
            "id": content_part(chunk.id),
            "document_id": content_part(chunk.document_id),
            **chunk_properties(chunk, row.terms, row.extraction),
            "embedded": row.embedded,
            "stale": False,
            "next": content_part(following[chunk.id]) if chunk.id in following else None,
            "titles": [content_part(id_) for id_ in view.titles_named.get(chunk.id, ())],
        }


def _mentions(view: DerivedView) -> Iterator[dict[str, Any]]:
    for row in view.names.mentions:
        yield {
            "id": content_part(row.id),
            "document_id": content_part(row.document_id),
            "key": row.key,
            "form": row.form,
            "type": row.type,
            "language": row.language,
            "scanned": row.scanned,
            "part_of": content_part(row.part_of),
            "entity": content_part(view.names.derived.entity_of[row.id]),
            "occurrences": [
                [content_part(chunk), start, end, scanned]
                for chunk, spans in view.occurrences[row.id].items()
                for (start, end), scanned in spans.items()
            ],
        }


def _decisions(view: DerivedView) -> Iterator[dict[str, Any]]:
    rows_of = defaultdict[str, list[list[Any]]](list)
    for edge, by, review in view.edges:
        row = [content_part(edge.second), edge.type, by, edge.rule, edge.score, review, content_part(edge.decision)]
        rows_of[edge.first].append(row)
    for id_ in sorted(rows_of):
        yield {"id": content_part(id_), "decisions": rows_of[id_]}


def _person_decisions(view: DerivedView) -> Iterator[dict[str, Any]]:
    for decision in view.decided:
        if isinstance(decision, StoredCorrection):
            yield {"id": content_part(decision.id), "body": correction_json(decision)}


def _alias_groups(view: DerivedView) -> Iterator[dict[str, Any]]:
    groups = [group for group in view.decided if isinstance(group, AliasGroup)]
    for group in sorted(groups, key=lambda group: group.id):
        document = content_part(group.document_id)
        yield {"id": content_part(group.id), "names": list(group.names), "document_id": document}


def _entities(view: DerivedView) -> Iterator[dict[str, Any]]:
    for id_ in sorted(view.entities):
        entity = view.entities[id_]
        yield {
            "id": content_part(id_),
            "name": entity.name,
            "aliases": list(entity.aliases),
            "type": entity.type,
            "embedded": True,
            "chunks": [content_part(chunk) for chunk in view.chunks_of_entity[id_]],
        }


def _facts(view: DerivedView, types: EdgeTypes) -> Iterator[dict[str, Any]]:
    for row in view.facts.values():
        fact = row.fact
        yield {
            "id": content_part(fact.id),
            "text": fact.text,
            "predicate": fact.predicate,
            "token": token_of(row, view, types),
            "weight": row.weight,
            "denied": True if row.denied else None,
            "embedded": True,
            "subject": content_part(fact.subject_id),
            "object": content_part(fact.object_id),
            "supports": [_support(support) for support in fact.supports],
            "drawn": [[fact.predicate, row.weight]],
        }


def token_of(row: ViewFact, view: DerivedView, types: EdgeTypes) -> str:
    """The relationship type of a fact."""
    return types.of(row.fact.predicate, view.entities[row.fact.object_id].name, row.languages).name


def _support(support: Support) -> list[Any]:
    premises = list(chain.from_iterable(support.premises))
    attribution = support.according_to, premises, support.when, support.when_date
    return [content_part(support.chunk_id), support.start, support.end, support.origin, *attribution]
