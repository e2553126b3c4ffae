"""Every statement has a name and a description, is used, is valid on the real server, and is not built by hand."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest

import filigraph.graph.store as package
from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.model.facts import CorrectedFact
from filigraph.graph.store import Graph, JobClaim, Store, Upload
from filigraph.graph.store.neo4j.labels import safe_label, safe_token
from filigraph.graph.store.neo4j.statements import parse, statements
from tests.store.world import LETTERS, ingest, trace

NAMES = sorted(statements())
CODE = "\n".join(path.read_text(encoding="utf-8") for path in Path(package.__file__).parent.rglob("*.py"))


@pytest.fixture(scope="module")
def driver(neo4j_address: Neo4jAddress) -> Iterator[neo4j.Driver]:
    auth = (neo4j_address.username, neo4j_address.password)
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        yield driver


@pytest.fixture(scope="module", autouse=True)
def every_name_is_known(store: Store) -> None:
    """Store something of each kind, else the server warns of names that it has not met."""
    store.create_workspace("statements", fingerprint="test-embedder", dimensions=8)
    graph = store.graph("statements")
    ingest(graph, LETTERS)
    said = graph.facts(count=1)[0][0]
    wrong = CorrectedFact(
        subject_id=said.subject_id, original_predicate=said.predicate, object_id=said.object_id, predicate=""
    )
    chunks = graph.chunks_of_facts([said.id])
    graph.write_facts(chunks, [], {chunk: [wrong] for chunk in chunks})
    assert graph.corrected() == {chunk: [wrong] for chunk in chunks}
    store.keys.add(name="test-statements", digest="0", scope="admin", workspace="")
    store.keys.revoke("test-statements", keep_one=False)
    store.traces.write(trace("statements"), days=7, answer={"text": "Because."})
    store.graph("statements").keep_evaluation({"questions": 1})
    run_a_job(store)
    store.delete_workspace("statements")


def run_a_job(store: Store) -> None:
    """A job of each state that leaves words behind."""
    jobs = store.jobs
    jobs.create("statements", workspace="statements", kind="ingest", priority=0, options={})
    jobs.add("statements", [(0, Upload(name="a", content=io.BytesIO(b"a")))])
    jobs.sent("statements")
    token = jobs.acquire_or_renew_lease("statements", seconds=60)
    assert token is not None and jobs.claim("statements", token)
    fence = JobClaim(job_id="statements", token=token)
    jobs.note_progress(fence, {"documents": 1})
    failed = [replace(item, state="failed", cause="It is empty.") for item in jobs.waiting_items("statements")]
    jobs.finish(fence, "failed", items=failed, report={}, error=("internal", "cause", "cure"))
    jobs.retry("statements")
    jobs.cancel("statements")
    jobs.release_lease("statements")


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_is_valid(name: str, driver: neo4j.Driver) -> None:
    text = statements()[name].with_label("W_0123456789abcdef", 8)
    parameters = dict.fromkeys(re.findall(r"\$(\w+)", text))
    summary = driver.execute_query("EXPLAIN " + text, parameters).summary
    warnings = [status for status in summary.gql_status_objects if status.gql_status.startswith(("01N0", "01N3"))]
    assert not warnings, f"deprecated or wasteful: {[status.status_description for status in warnings]}"


def test_no_label_or_type_of_our_own_can_be_a_models(driver: neo4j.Driver, store: Store) -> None:
    """Asked of the server: what is constrained or indexed, and what nodes and relationships bear."""
    found = driver.execute_query("SHOW INDEXES YIELD labelsOrTypes").records
    ours = {name for record in found for name in record["labelsOrTypes"] or ()}
    assert {"Decision", "Extraction", "JobItem", "WorkspaceLock", "AccessKey"} <= ours
    store.create_workspace("statements", fingerprint="test-embedder", dimensions=8)
    ingest(store.graph("statements"), LETTERS)
    for question in (
        "MATCH (n) WHERE NOT n:__Entity__ UNWIND labels(n) AS name RETURN DISTINCT name",
        "MATCH (a)-[r]->(b) WHERE NOT (a:__Entity__ AND b:__Entity__) RETURN DISTINCT type(r) AS name",
    ):
        ours |= {record["name"] for record in driver.execute_query(question).records}
    store.delete_workspace("statements")
    assert {"Chunk", "FROM_CHUNK"} <= ours
    assert {name: (safe_label(name), safe_token(name)) for name in ours} == dict.fromkeys(ours, ("", ""))


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_is_told_which_cypher_it_is_and_what_it_does(name: str) -> None:
    statement = statements()[name]
    assert statement.cypher.startswith("CYPHER 5\n")
    assert ";" not in statement.cypher
    assert statement.purpose.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_is_used(name: str) -> None:
    parts = re.sub(r"^(create|delete|drop|dump|forget_waiting|unembedded|await|waiting|swap)_", "", name)
    assert f'"{name}"' in CODE or f'"{parts.removesuffix("_batch")}"' in CODE


def test_cypher_stands_in_its_files_alone() -> None:
    assert not re.search(r"\b(MATCH|MERGE|UNWIND|CALL|CREATE) ?[($]", CODE)


def test_only_a_label_of_ours_gets_into_a_statement() -> None:
    statement = statements()["create_chunk_words"]
    for label in ("Chunk", "W_xyz", "W_0123456789abcdef_C", "W_0123456789abcdef) DETACH DELETE n //", ""):
        with pytest.raises(ValueError, match="not a label of ours"):
            statement.with_label(label, 8)


def test_a_file_of_statements_is_read_by_its_headers() -> None:
    first, second = parse("// one: Does one thing.\nCYPHER 5\nRETURN 1\n\n// two: Another.\nCYPHER 5\nRETURN 2\n")
    assert (first.name, first.purpose, first.cypher) == ("one", "Does one thing.", "CYPHER 5\nRETURN 1")
    assert second.cypher == "CYPHER 5\nRETURN 2"


def test_reads_of_a_question_use_indexes(driver: neo4j.Driver, graph: Graph) -> None:
    """A scan of a label would make them slower with every workspace."""
    for name in (
        "pool_chunks",
        "pool_facts",
        "neighbours",
        "facts_about",
        "entities_named",
        "documents_titled",
        "passages",
        "next_chunks",
    ):
        text = statements()[name].cypher
        plan = str(driver.execute_query("EXPLAIN " + text, dict.fromkeys(re.findall(r"\$(\w+)", text))).summary.plan)
        assert "UniqueIndexSeek" in plan or "NodeIndexSeek" in plan, name
        assert "LabelScan" not in plan, name
        assert "AllNodesScan" not in plan, name
