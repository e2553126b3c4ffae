"""Models can add only a limited number of labels and relationship types to a database."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from filigraph.graph.store import Graph, Store
from filigraph.graph.store.neo4j.registry import Registry
from tests.store.world import ingest


@pytest.fixture
def known(store: Store) -> Iterator[int]:
    """How many types there are; those that a test adds go again."""
    before = set(store.database.rows("tokens", kind="type")[0]["names"])
    yield len(before)
    with store.database.sessions.open() as session:
        session.run("MATCH (t:FiligraphToken {kind: 'type'}) WHERE NOT t.name IN $names DELETE t", names=list(before))


def registry(store: Store, room: int, known: int) -> Registry:
    return Registry(store.database, {"type": known + room, "label": 0})


def new(number: int) -> list[str]:
    return sorted(f"T{uuid.uuid4().hex}".upper() for _ in range(number))


def test_tokens_are_admitted_up_to_the_cap(store: Store, known: int) -> None:
    one, two, three, four = new(4)
    small = registry(store, 3, known)
    assert small.admit("type", [two, one, "", two]) == {one, two}
    assert small.admit("type", [three, four]) == {three}
    assert small.admit("type", [one, two, three, four]) == {one, two, three}
    assert small.admit("label", [one]) == frozenset()
    assert small.admit("type", []) == frozenset()


def test_what_one_program_registered_another_knows(store: Store, known: int) -> None:
    one, two = new(2)
    assert registry(store, 1, known).admit("type", [one]) == {one}
    assert registry(store, 1, known).admit("type", [one, two]) == {one}


def test_many_at_once_do_not_exceed_the_cap(store: Store, known: int) -> None:
    tokens = new(40)
    with ThreadPoolExecutor(4) as threads:
        admitted = [
            threads.submit(registry(store, 10, known).admit, "type", tokens[start : start + 10])
            for start in range(0, 40, 10)
        ]
        assert sum(len(done.result()) for done in admitted) == 10


def test_beyond_the_cap_facts_are_drawn_as_related(store: Store, graph: Graph, known: int) -> None:
    first, second = new(2)
    schema = f"relations: [{{name: {first}}}, {{name: {second}}}]"
    graph.save_settings({"schema": schema, "schema_mode": "guide"})
    graph = store.graph(graph.workspace.name)
    graph.registry = registry(store, 1, known)
    ingest(graph, {"a.txt": [f"Sophie | {first} | Jules. Sophie | {second} | Jules."]})
    with store.database.sessions.open() as session:
        result = session.run(
            "MATCH (:__Entity__ {workspace: $workspace})-[r]->(:__Entity__) RETURN type(r), r.predicate",
            workspace=graph.workspace.name,
        )
        drawn = sorted((record[0], record[1]) for record in result)
    assert sorted(predicate for _, predicate in drawn) == [first, second]
    assert [type_ for type_, _ in drawn].count("RELATED_TO") == 1
