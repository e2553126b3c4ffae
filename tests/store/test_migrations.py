"""A database of an earlier Filigraph is updated, also after any interruption."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph import ids
from filigraph.graph.errors import Cancelled
from filigraph.graph.ids import content_id
from filigraph.graph.model.names import AliasGroup, Decision
from filigraph.graph.store import Graph, Store, migrations
from filigraph.graph.store.migrations import LATEST_VERSION
from filigraph.graph.store.neo4j.database import Database
from tests.store.world import LETTERS, empty, ingest

LAMP = {"twice.txt": ["Une lampe | est | verte.", "Une lampe | est | verte."]}  # one text twice: two ids


@pytest.fixture(scope="module")
def old(store: Store) -> Iterator[None]:
    """The workspace `old`, made once: its indexes take longer than a test."""
    store.create_workspace("old", fingerprint="test-embedder", dimensions=8)
    yield
    store.delete_workspace("old")


@pytest.fixture
def brought_up(store: Store, old: None) -> Iterator[list[str]]:
    """The dump of the workspace `old` as today's version makes it; afterwards the database is as it was."""
    yield filled(store.graph("old"))
    empty(store, "old")
    store.database.change("write_schema_version", version=LATEST_VERSION)


def filled(graph: Graph) -> list[str]:
    made = ingest(graph, LETTERS | LAMP)
    graph.add_alias_groups([AliasGroup(names=("Jules", "J."), document_id=made["letters/sophie.txt"])])
    first, second = sorted(row.id for row in graph.mentions())[:2]
    graph.write_pairs([Decision(first=first, second=second, same=False, rule="person", score=1.0, by="person")])
    return list(graph.dump())


def as_version_1(store: Store, patch: pytest.MonkeyPatch) -> None:
    """Fill the workspace `old` as version 1 did: every id hung on the workspace's name."""
    empty(store, "old")
    with patch.context() as one:
        one.setattr(ids, "document_id", lambda workspace, source: content_id("document", workspace, source))
        one.setattr(ids, "chunk_id", lambda document, text, n: content_id("chunk", document, text, str(n)))
        one.setattr(ids, "mention_id", lambda document, key, type_: content_id("mention", document, key, type_))
        one.setattr(ids, "entity_id", lambda mention: content_id("entity", mention))
        one.setattr(ids, "fact_id", lambda *parts: content_id("fact", *parts))
        one.setattr(
            "filigraph.graph.store.workspace.decide.alias_group_id",
            lambda workspace, document, names: content_id("aliases", workspace, document, *sorted(set(names))),
        )
        filled(store.graph("old"))
    assert all(len(row.id) == 32 for row in store.graph("old").document_rows())
    store.database.change("write_schema_version", version=1)


def undecided(lines: list[str]) -> list[str]:
    """A dump without the decision: between which two mentions it is depends on the ids."""
    return [line for line in lines if '"kind":"decisions"' not in line and '"kind":"end"' not in line][1:]


def test_version_1_is_brought_up(store: Store, brought_up: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    as_version_1(store, monkeypatch)
    store.ensure_schema()
    graph = store.graph("old")
    assert undecided(list(graph.dump())) == undecided(brought_up)
    assert graph.stats().decisions == {"person": 1}
    assert graph.needs_deriving(), "what hangs on the order of ids is decided again"
    assert store.database.rows("schema_version") == [{"version": LATEST_VERSION}]


@pytest.mark.parametrize("written", [0, 1, 2, 4, 5])
def test_bringing_up_is_finished_where_it_was_cut_short(
    written: int, store: Store, brought_up: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_version_1(store, monkeypatch)
    write, left = Database.write, [written]

    def until(database: Database, work: object) -> object:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return write(database, work)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", until)
        patch.setattr(migrations, "BATCH_DOCUMENTS", 2)
        with pytest.raises(KeyboardInterrupt):
            store.ensure_schema()
    store.ensure_schema()
    assert undecided(list(store.graph("old").dump())) == undecided(brought_up)


def test_it_says_how_far_it_is_and_can_be_stopped(
    store: Store, brought_up: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_version_1(store, monkeypatch)
    monkeypatch.setattr(migrations, "BATCH_DOCUMENTS", 2)
    told: list[str] = []

    def step(what: str) -> None:
        told.append(what)
        if len(told) == 2:
            raise Cancelled("Enough.")

    with pytest.raises(Cancelled):
        store.ensure_schema(step)
    count = len(LETTERS | LAMP)
    assert told == [f"workspace old: document {n} of {count}" for n in (1, 3)]
    store.ensure_schema(told.append)
    assert f"workspace old: document 1 of {count - 2}" in told, "what is done, it does not find any more"
    assert undecided(list(store.graph("old").dump())) == undecided(brought_up)


def test_labels_and_types_of_our_own_are_taken_from_what_models_said(
    store: Store, brought_up: list[str], neo4j_address: Neo4jAddress
) -> None:
    """Version 2 let a type "Decision" become the label of a person's decision: nothing could be derived any more."""
    auth = (neo4j_address.username, neo4j_address.password)
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        drawn = driver.execute_query(
            "MATCH (f:Fact {workspace: 'old'})-[:SUBJECT]->(s), (f)-[:OBJECT]->(o) WITH f, s, o ORDER BY f.id LIMIT 1 "
            "MATCH (s)-[r]->(o) WHERE r.fact_id = f.id "
            "SET s:Decision:JobItem, f.drawn = 'READ_AS' "
            "CREATE (s)-[new:READ_AS]->(o) SET new = properties(r) DELETE r "
            "MERGE (t:FiligraphToken {id: 'label:Decision'}) SET t.kind = 'label', t.name = 'Decision' "
            "RETURN properties(new) AS properties"
        ).records
        store.database.change("write_schema_version", version=2)
        labelled = "MATCH (e:__Entity__) WHERE e:Decision OR e:JobItem RETURN e"
        assert driver.execute_query(labelled).records
        store.ensure_schema()
        assert store.graph("old").corrections() == []
        assert not driver.execute_query(labelled).records
        assert not driver.execute_query("MATCH (:__Entity__)-[r:READ_AS]->(:__Entity__) RETURN r").records
        assert not driver.execute_query("MATCH (t:FiligraphToken {name: 'Decision'}) RETURN t").records
        (redrawn,) = driver.execute_query(
            "MATCH (f:Fact {id: $id})-[:SUBJECT]->(s), (f)-[:OBJECT]->(o) MATCH (s)-[r:RELATED_TO {fact_id: $id}]->(o) "
            "RETURN properties(r) AS properties, f.drawn AS drawn",
            id=drawn[0]["properties"]["fact_id"],
        ).records
        assert (redrawn["properties"], redrawn["drawn"]) == (drawn[0]["properties"], "RELATED_TO")
    assert store.database.rows("schema_version") == [{"version": LATEST_VERSION}]


def test_what_chunks_did_not_say_is_made_up_for_and_derived_anew(
    store: Store, brought_up: list[str], neo4j_address: Neo4jAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 3 knew no strangers; the facts of French documents had other predicates, and other weights."""
    monkeypatch.setattr(migrations, "BATCH_CHUNKS", 2)
    graph = store.graph("old")
    said = ["Un autre L. Marchetti | soigne | Sophie.", "Un autre Jules et un autre Jules."]
    made = ingest(graph, {"other.txt": said})
    auth = (neo4j_address.username, neo4j_address.password)
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        driver.execute_query("MATCH (c:Chunk {workspace: 'old'}) SET c.strangers = null, c.stale = null")
    assert not graph.document_strangers() and not graph.needs_deriving()
    store.database.change("write_schema_version", version=3)
    told: list[str] = []
    store.ensure_schema(told.append)
    assert told[:2] == ["chunks from 1 on", "chunks from 3 on"]
    assert graph.document_strangers() == {made["other.txt"]: {"l marchetti": 1, "jules": 2}}
    chunks = sum(row.chunks for row in graph.document_rows())
    assert len(graph.stale_chunks()) == chunks and graph.needs_deriving()
    assert len(told) == -(-chunks // 2)
    assert store.database.rows("schema_version") == [{"version": LATEST_VERSION}]
    told.clear()
    store.database.change("write_schema_version", version=3)
    store.ensure_schema(told.append)
    assert not told, "what is done, it does not find any more"


def test_facts_that_were_drawn_by_their_wording_are_drawn_by_types(
    store: Store, brought_up: list[str], neo4j_address: Neo4jAddress
) -> None:
    """Version 4 made a relationship type of every wording."""
    auth = (neo4j_address.username, neo4j_address.password)
    graph = store.graph("old")
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        driver.execute_query(
            "MATCH (s:__Entity__ {workspace: 'old'})-[r {predicate: 'aime'}]->(o) "
            "CREATE (s)-[new:AIME]->(o) SET new = properties(r) DELETE r"
        )
        driver.execute_query(
            "MATCH (f:Fact {workspace: 'old', predicate: 'aime'}) SET f.drawn = 'AIME', f.token = 'AIME'"
        )
        driver.execute_query("MATCH (w:Workspace) REMOVE w.drawn_by")
        store.database.change("write_schema_version", version=4)
        store.ensure_schema()
        assert graph.needs_deriving() and graph.stale_chunks() == [], "nothing is read or resolved anew"
        graph.sweep()
        assert list(graph.dump())[1:] == brought_up[1:] and not graph.needs_deriving()
        (row,) = driver.execute_query(
            "MATCH (:__Entity__ {workspace: 'old'})-[r {predicate: 'aime'}]->() RETURN collect(type(r)) AS types"
        ).records
    assert row["types"] == ["LOVES"]


def test_locks_of_another_label_are_deleted(store: Store, neo4j_address: Neo4jAddress) -> None:
    """Version 5 called a workspace lock a turn."""
    auth = (neo4j_address.username, neo4j_address.password)
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        driver.execute_query("CREATE CONSTRAINT filigraph_turn_id FOR (n:Turn) REQUIRE n.id IS UNIQUE")
        driver.execute_query("CREATE (:Turn {id: 'old', token: 'a', holder: 'b'})")
        store.database.change("write_schema_version", version=5)
        store.ensure_schema()
        assert not driver.execute_query("MATCH (t:Turn) RETURN t").records
        assert not driver.execute_query("SHOW CONSTRAINTS WHERE name = 'filigraph_turn_id'").records
    assert store.database.rows("schema_version") == [{"version": LATEST_VERSION}]
