"""Facts are edges with relation types that people can query, and are redrawn when the types change."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

import pytest

from filigraph.graph.store import Graph, Store
from filigraph.graph.store.neo4j import edge_types
from filigraph.graph.store.neo4j.edge_types import EdgeTypes
from filigraph.graph.store.neo4j.registry import Registry
from filigraph.graph.text.verbs.relation_lists import RelationType
from tests.store.world import derive, ingest

FAMILY = "Sophie | est la fille de | Jules. Jules | est arrêté par | Hale. Sophie | zorble | Jules."
SCHEMA = """
name: waltz
types: {Person: }
relations:
  - {name: zorbles with, fr: zorble}
  - {name: met, fr: est la fille de}
  - {name: read as, fr: est arrêté par}
examples: [{sentences: [Ann zorbles with Bo.], names: {Person: [Ann, Bo]}, facts: [[1, Ann, zorbles with, Bo]]}]
"""


def drawn(graph: Graph) -> list[tuple[Any, ...]]:
    """(from, type, to, predicate, inverse, weight) of what Neo4j Browser shows."""
    with graph.database.sessions.open() as session:
        result = session.run(
            "MATCH (a:__Entity__ {workspace: $workspace})-[r]->(b:__Entity__) "
            "RETURN a.name, type(r), b.name, r.predicate, coalesce(r.inverse, false), r.weight ORDER BY r.predicate",
            workspace=graph.workspace.name,
        )
        return [tuple(record.values()) for record in result]


def with_settings(store: Store, graph: Graph, settings: Mapping[str, Any]) -> Graph:
    graph.save_settings(settings)
    return store.graph(graph.workspace.name)


def test_facts_are_drawn_by_their_types_the_right_way_round(graph: Graph) -> None:
    made = ingest(graph, {"a.txt": [FAMILY], "b.txt": ["Jules | est arrêté par | Hale."]})
    assert drawn(graph) == [
        ("Hale", "ACTS_AGAINST", "Jules", "est arrêté par", True, 2),
        ("Sophie", "IS_CHILD_OF", "Jules", "est la fille de", False, 1),
        ("Sophie", "RELATED_TO", "Jules", "zorble", False, 1),
    ]
    told = {row.predicate: (row.type, row.inverse, row.facts) for row in graph.predicates()}
    assert told == {
        "est arrêté par": ("ACTS_AGAINST", True, 1),
        "est la fille de": ("IS_CHILD_OF", False, 1),
        "zorble": ("RELATED_TO", False, 1),
    }
    graph.delete_documents([made["b.txt"]])
    derive(graph)
    assert [row[-1] for row in drawn(graph)] == [1, 1, 1]
    graph.delete_documents([made["a.txt"]])
    derive(graph)
    assert drawn(graph) == []


def test_the_export_tells_the_type_of_what_is_drawn(graph: Graph) -> None:
    ingest(graph, {"a.txt": [FAMILY]})
    facts = [line for line in graph.dump() if '"kind":"facts"' in line]
    assert sum('"token":"ACTS_AGAINST"' in line and '"drawn":[["est arrêté par",1]]' in line for line in facts) == 1


def test_what_the_schema_names_has_a_type_of_its_own(store: Store, graph: Graph) -> None:
    ingest(graph, {"a.txt": [FAMILY]})
    assert not graph.needs_deriving()
    before = list(graph.dump())
    graph = with_settings(store, graph, {"schema": SCHEMA, "schema_mode": "guide"})
    assert graph.needs_deriving() and '"derived":false' in next(graph.dump())
    derive(graph)
    assert [row[:3] for row in drawn(graph)] == [
        ("Hale", "ACTS_AGAINST", "Jules"),  # READ_AS is a type of ours
        ("Sophie", "MEETS", "Jules"),
        ("Sophie", "ZORBLES_WITH", "Jules"),
    ]
    assert not graph.needs_deriving()
    graph = with_settings(store, graph, {})
    derive(graph)
    assert list(graph.dump()) == before


def test_other_lists_draw_anew_what_is_there(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(graph, {"a.txt": [FAMILY, "Hale | habite | Nantes."]})
    monkeypatch.setattr(edge_types, "lists_version", lambda: "another")
    monkeypatch.setattr(edge_types, "relation_type", lambda *_: RelationType("WALTZES_WITH"))
    monkeypatch.setattr("filigraph.graph.store.workspace.sweep.SWEEP_BATCH_NODES", 3)
    assert graph.needs_deriving()
    graph.sweep()
    assert [row[1] for row in drawn(graph)] == ["WALTZES_WITH"] * 4
    assert all(row[4] is False for row in drawn(graph)), "none runs from its object any more"
    assert not graph.needs_deriving()


def test_a_schema_relation_without_room_is_drawn_by_the_lists(store: Store, graph: Graph) -> None:
    schema = SCHEMA.replace("zorbles with", f"T{uuid.uuid4().hex}").replace("met", f"T{uuid.uuid4().hex}")
    graph = with_settings(store, graph, {"schema": schema, "schema_mode": "guide"})
    graph.registry = Registry(store.database, {"type": 0, "label": 0})
    ingest(graph, {"a.txt": [FAMILY]})
    assert [row[1] for row in drawn(graph)] == ["ACTS_AGAINST", "IS_CHILD_OF", "RELATED_TO"]


def test_the_language_of_the_text_decides() -> None:
    types = EdgeTypes({})
    assert types.of("is the son of", "Ann", ["en"]).name == "IS_CHILD_OF"
    assert types.of("is the son of", "Ann", ["de", "en"]).name == "IS_CHILD_OF"
    assert types.of("is the son of", "Ann", ["de"]) == types.of("is the son of", "Ann", []) == edge_types.UNTYPED
    assert types.of("goes to", "8 June 1912", ["en"]).name == "ON_DATE"
    assert types.of("mentioned with", "Ann", ["ru"]).name == "MENTIONED_WITH"
    named = EdgeTypes({"schema": SCHEMA})
    assert named.of("zorble", "Ann", ["xx"]).name == "ZORBLES_WITH" and types.version != named.version
