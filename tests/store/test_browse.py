"""What people look at beside an answer: a document piece by piece, an entity, its names, its neighbours."""

from __future__ import annotations

import pytest
from neo4j import GraphDatabase

from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph import ids
from filigraph.graph.ask.evidence.between import connect_names
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.names import Decision
from filigraph.graph.store import Graph
from tests.store.world import ingest, read

PASSAGES = [f"Jules | porte | bague {number}." for number in range(6)]


@pytest.fixture
def novel(graph: Graph) -> str:
    """A document of six pieces."""
    return read(graph, "novel.txt", PASSAGES)


def chunk(document_id: str, number: int) -> str:
    return ids.chunk_id(document_id, PASSAGES[number], 0)


def test_a_document_is_read_piece_by_piece(graph: Graph, novel: str) -> None:
    pieces = graph.pieces(novel, first=1, count=2)
    assert [(piece.index, piece.text) for piece in pieces] == [(1, PASSAGES[1]), (2, PASSAGES[2])]
    assert [piece.start for piece in pieces] == [len(PASSAGES[0]) + 1, 2 * len(PASSAGES[0]) + 2]
    assert pieces[0].id == chunk(novel, 1)
    assert [piece.index for piece in graph.pieces(novel, first=4, count=10)] == [4, 5]
    assert graph.pieces(novel, first=6, count=10) == []


@pytest.mark.parametrize(("number", "shown"), [(0, [0, 1, 2]), (1, [0, 1, 2]), (4, [2, 3, 4]), (5, [3, 4, 5])])
def test_it_opens_a_little_before_a_chunk(graph: Graph, novel: str, number: int, shown: list[int]) -> None:
    pieces = graph.pieces(novel, chunk_id=chunk(novel, number), count=3)
    assert [piece.index for piece in pieces] == shown


def test_a_chunk_of_another_document_or_workspace_is_not_there(graph: Graph, other: Graph, novel: str) -> None:
    letter = read(graph, "letter.txt", ["Sophie | aime | Jules."])
    for where, document_id in ((graph, letter), (other, novel)):
        with pytest.raises(NotFound, match="changed or deleted"):
            where.pieces(document_id, chunk_id=chunk(novel, 1), count=3)
    assert other.pieces(novel, count=3) == []


NAMES = {
    "names.txt": [
        "Élodie d'Artois | connaît | Αθηνᾶ. Елена Семёнова | ищет | 張偉.",
        "Élodie d'Artois | habite | Nantes. Martin Nantes | vend | sel. Jean-Noël Étienne | craint | C++.",
        "Will | craint | The Claw.",
    ]
}


@pytest.fixture
def names(graph: Graph) -> Graph:
    ingest(graph, NAMES)
    return graph


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("elodie", "Élodie d'Artois"),
        ("ÉLODIE D’ARTOIS", "Élodie d'Artois"),
        ("artois", "Élodie d'Artois"),
        ("artois elodie", "Élodie d'Artois"),
        ("rtoi", "Élodie d'Artois"),
        ("αθηνα", "Αθηνᾶ"),
        ("Семенова", "Елена Семёнова"),
        ("семё", "Елена Семёнова"),
        ("偉", "張偉"),
        ("張偉", "張偉"),
        ("noel", "Jean-Noël Étienne"),
        ("jean-noël etienne", "Jean-Noël Étienne"),
        ("c++", "C++"),
        ("the claw", "The Claw"),
        ("will", "Will"),
    ],
)
def test_an_entity_is_found_in_any_script_without_accents(names: Graph, asked: str, found: str) -> None:
    assert [row.name for row in names.find_entities(asked, count=10)[0]][:1] == [found]


def test_the_whole_name_comes_first_and_then_the_most_mentioned(names: Graph) -> None:
    assert [row.name for row in names.find_entities("nantes", count=10)[0]] == ["Nantes", "Martin Nantes"]
    assert [row.name for row in names.find_entities("nantes", count=1)[0]] == ["Nantes"]
    assert names.find_entities("nantes", first=1, count=1)[1] == 2
    assert [row.name for row in names.find_entities("nantes", first=1, count=1)[0]] == ["Martin Nantes"]
    everybody, total = names.find_entities("", count=1000)
    assert total == len(everybody) and names.find_entities("", first=1, count=2) == (everybody[1:3], total)
    (first, *rest) = names.find_entities("", count=3)[0]
    assert (first.name, first.chunks, first.facts, len(rest)) == ("Élodie d'Artois", 2, 2, 2)


@pytest.mark.parametrize(
    "asked", ["nobody", "*", "?", "~", "+", "AND", "a OR b", 'x" OR *:*', "name:x", "/.*/", "\\", "((("]
)
def test_what_is_no_name_finds_nothing(names: Graph, asked: str) -> None:
    assert names.find_entities(asked, count=10) == ([], 0)


def test_a_name_of_another_workspace_is_not_found(names: Graph, other: Graph) -> None:
    assert other.find_entities("elodie", count=10) == other.find_entities("", count=10) == ([], 0)


def test_the_names_of_an_entity_and_what_was_decided_of_them(graph: Graph, other: Graph) -> None:
    ingest(graph, {"a.txt": ["Jules | porte | bague."], "b.txt": ["Jules | vole | bague.", "Jules | rit | fort."]})
    (jules,) = graph.find_entities("jules", count=10)[0]
    names = graph.entity_names(jules.id)
    assert [(name.form, name.source, name.count) for name in names.forms] == [
        ("Jules", "b.txt", 2),
        ("Jules", "a.txt", 1),
    ]
    first = names.forms[0].first
    assert (first.chunk_id, first.start, first.end) == (
        ids.chunk_id(names.forms[0].document_id, "Jules | vole | bague.", 0),
        0,
        5,
    )
    one, two = sorted(name.id for name in names.forms)
    bague = graph.entity_names(graph.find_entities("bague", count=1)[0][0].id).forms[0].id
    graph.write_rule_decisions([Decision(first=one, second=two, same=True, rule="exact", score=1.0)])
    low, high = sorted((one, bague))
    graph.write_near_misses([Decision(first=low, second=high, same=False, rule="vector", score=0.8)])
    same, missed = graph.entity_names(jules.id).decisions
    assert (same.form, same.other, same.same, same.rule, same.score, same.review) == (
        "Jules",
        "Jules",
        True,
        "exact",
        1.0,
        False,
    )
    assert (missed.form, missed.other, missed.same, missed.review, missed.other_name) == (
        "Jules",
        "bague",
        False,
        True,
        "bague",
    )
    for wrong in (graph, other):
        with pytest.raises(NotFound):
            wrong.entity_names("none" if wrong is graph else jules.id)


def test_names_without_a_passage_are_left_out_before_the_sweep(graph: Graph, neo4j_address: Neo4jAddress) -> None:
    ingest(graph, {"a.txt": ["Jules | porte | bague."], "b.txt": ["Jules | vole | bague."]})
    (jules,) = graph.find_entities("jules", count=10)[0]
    one, two = graph.entity_names(jules.id).forms
    login = (neo4j_address.username, neo4j_address.password)
    with GraphDatabase.driver(neo4j_address.uri, auth=login) as driver:
        cut = "MATCH (:Mention {id: $id})-[r:IN_CHUNK]->() DELETE r"  # as a writer does before it sweeps
        driver.execute_query(cut, id=two.id)
        assert graph.entity_names(jules.id).forms == (one,)
        driver.execute_query(cut, id=one.id)
        with pytest.raises(NotFound):
            graph.entity_names(jules.id)
        driver.execute_query("MATCH (e:__Entity__ {id: $id}) REMOVE e.name, e.aliases", id=jules.id)
    assert graph.find_entities("", count=10)[0] and jules.id not in {
        row.id for row in graph.find_entities("", count=9)[0]
    }


def test_a_neighbourhood_is_bounded(graph: Graph, other: Graph) -> None:
    hub = [f"Jules | connaît | Ami{number}." for number in range(12)]
    ingest(graph, {"a.txt": [*hub, "Jules | porte | bague.", "Jules | porte | bague.", "bague | brille | fort."]})
    (jules,) = graph.find_entities("jules", count=1)[0]
    near = graph.neighbourhood(jules.id, hops=1, limit=20)
    assert len(near) == 13 and {fact.hop for fact in near} == {1}
    assert (near[0].object, near[0].weight, near[0].together) == ("bague", 2, False)
    assert graph.neighbourhood(jules.id, hops=1, limit=5) == near[:5]
    far = graph.neighbourhood(jules.id, hops=2, limit=20)
    assert far[:13] == near
    assert [(fact.subject, fact.predicate, fact.hop) for fact in far[13:]] == [("bague", "brille", 2)]
    assert graph.neighbourhood(jules.id, hops=2, limit=13) == near
    with pytest.raises(NotFound):
        other.neighbourhood(jules.id, hops=1, limit=5)
    with pytest.raises(InputError):
        graph.neighbourhood(jules.id, hops=1, limit=0)


def test_connections_follow_every_change_and_pass_a_date_only_at_need(graph: Graph) -> None:
    told = [f"Marie{n} | naît en | 1884." for n in range(12)]
    ingest(graph, {"a.txt": [*told, "Jules | arrive en | 1884.", "Sophie | part en | 1884."]})
    ids_of = {entity.name: entity.id for entity in graph.find_entities("", count=30)[0]}
    (way,) = graph.connections([ids_of["Jules"]], [ids_of["Sophie"]], hops=4, count=3)
    assert (len(way.facts), way.hubs) == (2, ("1884",))
    ingest(graph, {"b.txt": ["Jules | écrit à | Paul.", "Paul | épouse | Anne.", "Anne | connaît | Sophie."]})
    (way,) = graph.connections([ids_of["Jules"]], [ids_of["Sophie"]], hops=4, count=3)
    assert ([fact.predicate for fact in way.facts], way.hubs) == (["écrit à", "épouse", "connaît"], ())


def test_between_says_what_connects_names_and_what_does_not(graph: Graph) -> None:
    told = [f"Marie{n} | naît en | 1884." for n in range(12)]
    more = [
        "Jules | arrive en | 1884.",
        "Sophie | part en | 1884.",
        "Jules | porte | bague.",
        "bague | désigne | Griffe.",
    ]
    ingest(graph, {"a.txt": [*told, *more, "Paul | est | seul.", "Jules | ne connaît pas | Paul."]})
    by_date, by_ring = connect_names(["Sophie", "Jules", "Griffe"], graph=graph)
    assert (by_date.verdict, by_date.hubs) == ("hubs", ("1884",))
    assert (by_ring.verdict, [len(path.facts) for path in by_ring.paths]) == ("connected", [2])
    (denied,) = connect_names(["Jules", "Paul"], graph=graph)
    assert denied.verdict == "none"
    assert [fact.denied for path in denied.paths for fact in path.facts] == [True]
    (same,) = connect_names(["Jules", by_ring.first_entities[0].id], graph=graph)
    assert (same.verdict, same.paths) == ("same", ())
    with pytest.raises(NotFound, match="Nobody"):
        connect_names(["Nobody", "Jules"], graph=graph)
    with pytest.raises(InputError, match="One entity"):
        connect_names(["Jules"], graph=graph)


def test_where_no_facts_connect_names_those_near_each_other_in_the_text_do(graph: Graph) -> None:
    ingest(graph, {"a.txt": ["Jules | porte | bague. Paul | est | seul."], "b.txt": ["Sophie | trouve | Paul."]})
    ingest(graph, {"c.txt": ["Anne | vit | loin."]})
    assert connect_names(["Jules", "Sophie"], graph=graph)[0].verdict == "none"
    (found,) = connect_names(["Jules", "Sophie"], graph=graph, in_text=True)
    assert found.verdict == "text"
    together, fact = found.paths[0].facts
    assert (together.fact_id, together.subject, together.object) == ("", "Jules", "Paul")
    assert together.sentences[0].sentence == "Jules | porte | bague. Paul | est | seul."
    assert fact.predicate == "trouve"
    assert connect_names(["Jules", "Anne"], graph=graph, in_text=True)[0].verdict == "none"


def test_a_name_in_few_chunks_is_read_before_one_in_many(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filigraph.graph.store.workspace.connections.MAX_CHUNKS_OF_ENDS", 3)
    ingest(graph, {"a.txt": [f"Jules | voit | oiseau {number}." for number in range(4)]})
    ingest(graph, {"b.txt": ["Paul | nourrit | oiseau 3."], "z.txt": ["Rose | porte | bague. Paul | est | seul."]})
    (found,) = connect_names(["Jules", "Rose"], graph=graph, in_text=True)
    assert (found.verdict, [fact.fact_id == "" for fact in found.paths[0].facts]) == ("text", [False, False, True])


def test_a_text_leads_to_a_date_only_where_it_is_asked_about(graph: Graph) -> None:
    ingest(
        graph,
        {"a.txt": ["Jules | porte | bague. 1884 | suit | 1883."], "b.txt": ["Rose | vend | lait. 1884 | suit | 1883."]},
    )
    assert connect_names(["Jules", "Rose"], graph=graph, in_text=True)[0].verdict == "none"
    (found,) = connect_names(["Jules", "1884"], graph=graph, in_text=True)
    assert (found.verdict, [len(path.facts) for path in found.paths][:1]) == ("text", [1])


def test_a_text_leads_to_a_hub_that_is_asked_about(graph: Graph) -> None:
    told = [f"Marie{n} | naît en | 1884." for n in range(12)]
    ingest(graph, {"a.txt": [*told, "Jules | porte | bague. Marie3 | naît en | 1884."]})
    (found,) = connect_names(["Jules", "1884"], graph=graph, in_text=True)
    assert found.verdict == "text"
    assert [{fact.subject, fact.object} for fact in found.paths[0].facts] == [{"Jules", "1884"}]


def test_chains_over_a_text_come_after_denials_and_before_hubs_and_are_counted_with_them(graph: Graph) -> None:
    told = [f"Marie{n} | naît en | 1884." for n in range(12)]
    more = ["Jules | arrive en | 1884.", "Sophie | part en | 1884.", "Jules | ne connaît pas | Sophie."]
    ingest(
        graph,
        {"a.txt": [*told, *more], "b.txt": ["Jules | porte | bague. Paul | est | seul.", "Sophie | trouve | Paul."]},
    )
    (found,) = connect_names(["Jules", "Sophie"], graph=graph, in_text=True)
    assert (found.verdict, found.hubs) == ("text", ("1884",))
    assert [(path.facts[0].denied, path.passes_text, path.hubs) for path in found.paths] == [
        (True, False, ()),
        (False, True, ()),
        (False, True, ()),
        (False, False, ("1884",)),
    ]
    (one,) = connect_names(["Jules", "Sophie"], graph=graph, in_text=True, count=1)
    assert (one.paths, one.hubs) == (found.paths[:2], ("1884",))


@pytest.mark.parametrize("opaque", ["de" * 16, "deadbeef-dead-beef-dead-beefdeadbeef"])
def test_an_id_is_not_taken_for_a_description(graph: Graph, opaque: str) -> None:
    ingest(graph, {"a.txt": ["Jules | porte | bague."]})
    embedded: list[str] = []

    def embed(name: str) -> Vector:
        embedded.append(name)
        raise NotFound(name)

    for name in (opaque, "jewel"):
        with pytest.raises(NotFound, match=name):
            connect_names([name, "Jules"], graph=graph, embed=embed)
    assert embedded == ["jewel"]


def test_a_chain_goes_on_between_names_that_are_alike(graph: Graph) -> None:
    ingest(graph, {"a.txt": ["Voss | pays into | account 2206."], "b.txt": ["Pell | holds | compte 2206."]})
    (told,) = connect_names(["Voss", "Pell"], graph=graph)
    assert [(one.after, {one.first, one.other}) for path in told.paths for one in path.alike] == [
        (1, {"account 2206", "compte 2206"})
    ]
    assert [fact.predicate for fact in told.paths[0].facts] == ["pays into", "holds"]


def test_statements_are_facts_by_sentence_with_their_vectors(graph: Graph, other: Graph) -> None:
    ingest(graph, {"a.txt": ["Jules | porte | bague."], "b.txt": ["Jules | porte | bague.", "Paul | nie | tout."]})
    told, vectors, _ = graph.statements()
    assert [(one.source, one.subject, one.sentence) for one in told] == [
        ("a.txt", "Jules", "Jules | porte | bague"),
        ("b.txt", "Jules", "Jules | porte | bague"),
        ("b.txt", "Paul", "Paul | nie | tout"),
    ]
    assert vectors.shape == (3, graph.workspace.dimensions)
    assert other.statements()[0] == []


def test_how_two_entities_are_connected(graph: Graph, other: Graph) -> None:
    ingest(
        graph,
        {
            "a.txt": ["Jules | porte | bague.", "bague | désigne | Griffe.", "Griffe | paie | Sophie."],
            "b.txt": ["Jules | porte | bague.", "Sophie | mentioned with | Jules.", "Paul | est | seul."],
        },
    )
    ids_of = {entity.name: entity.id for entity in graph.find_entities("", count=10)[0]}
    jules, sophie = ids_of["Jules"], ids_of["Sophie"]
    (way,) = graph.connections([jules], [sophie], hops=4, count=3)
    assert [(fact.subject, fact.predicate, fact.object) for fact in way.facts] == [
        ("Jules", "porte", "bague"),
        ("bague", "désigne", "Griffe"),
        ("Griffe", "paie", "Sophie"),
    ]
    assert way.facts[0].sentences[0].sentence == "Jules | porte | bague"
    assert graph.connections([sophie], [jules], hops=4, count=3)[0].facts[0].object == "Sophie"
    assert graph.connections([jules], [sophie], hops=2, count=3) == []
    assert graph.connections([jules], [ids_of["Paul"]], hops=4, count=3) == []
    with pytest.raises(InputError, match="one entity"):
        graph.connections([jules], [jules], hops=4, count=3)
    for where, first in ((graph, "nobody"), (other, jules)):
        with pytest.raises(NotFound):
            where.connections([first], [sophie], hops=4, count=3)
