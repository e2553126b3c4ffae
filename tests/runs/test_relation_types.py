"""The demo's case file can be asked for by relation type, in Cypher."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.making import case_file, word_embedder
from tests.runs.conftest import World

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def graph(world: World) -> Graph:
    made = world.fresh()
    ingest(case_file(), graph=made, embedder=word_embedder(), extractor=LocalExtractor(spacy_models.load))
    return made


def asked(graph: Graph, statement: str) -> list[tuple[object, ...]]:
    with graph.database.sessions.open() as session:
        return [tuple(record.values()) for record in session.run(statement, workspace=graph.workspace.name)]


def test_facts_are_found_by_their_type_and_told_by_their_wording(graph: Graph) -> None:
    stolen = "MATCH (thief {workspace: $workspace})-[r:GETS {inverse: true}]->(what) "
    stolen += "RETURN thief.name, r.predicate, what.name"
    assert asked(graph, stolen) == [("La Griffe", "were stolen by", "Carfax pearls")]
    leads = "MATCH (who {workspace: $workspace})-[r:HAS_ROLE_IN]->({name: 'La Griffe'}) RETURN who.name, r.predicate"
    assert asked(graph, leads) == [("Octave Ferrand", "est le chef de")]
    known = "MATCH (:__Entity__ {workspace: $workspace})-[r]->(:__Entity__) RETURN collect(DISTINCT type(r))"
    ((types,),) = asked(graph, known)
    assert isinstance(types, list) and 10 < len(types) < 30
    read = "MATCH (s)<-[:SUBJECT]-(f:Fact {workspace: $workspace})-[:OBJECT]->(o) "
    read += "MATCH (s)-[r]-(o) WHERE r.fact_id = f.id RETURN f.text = s.name + ' ' + r.predicate + ' ' + o.name"
    assert {told for (told,) in asked(graph, read)} == {True}
