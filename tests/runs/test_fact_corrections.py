"""What persons decide about facts and types: it holds through every reading, is exported, and is undone without a
trace.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from filigraph.graph import ids
from filigraph.graph.corrections.apply import Correction, correct, undo
from filigraph.graph.corrections.listing import list_decisions
from filigraph.graph.corrections.predicates import fold
from filigraph.graph.derive import derive
from filigraph.graph.errors import AlreadyDecided, InputError, NotFound
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.model.names import Occurrence
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.making import source, word_embedder
from tests.runs.conftest import World

RAIN = " It was raining in the town all day, and everybody stayed at home with the shutters closed."
TEXTS = {
    "letter.txt": "Jules Delmas stole the Blue Carbuncle. Jules Delmas hates Clara Vane." + RAIN,
    "report.txt": "Clara Vane stole the Blue Carbuncle. Somebody saw Jules Delmas." + RAIN,
}
TRIPLES = {
    "letter.txt": [("Jules Delmas", "stole", "Blue Carbuncle"), ("Jules Delmas", "hates", "Clara Vane")],
    "report.txt": [("Clara Vane", "stole", "Blue Carbuncle")],
}
STOLE, HATES, CLARA = (
    "Jules Delmas steals Blue Carbuncle",
    "Jules Delmas hates Clara Vane",
    "Clara Vane steals Blue Carbuncle",
)


@pytest.fixture
def graph(world: World) -> Graph:
    made = world.fresh()
    read(made)
    return made


def read(graph: Graph, **more: str) -> None:
    texts = TEXTS | {f"{name}.txt": text for name, text in more.items()}
    rows = TRIPLES | {f"{name}.txt": TRIPLES["letter.txt"] for name in more}
    triples = {ids.document_id(graph.workspace.name, name): found for name, found in rows.items()}
    sources = [source(name, text) for name, text in texts.items()]
    ingest(sources, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(triples))


def facts(graph: Graph) -> dict[str, str]:
    return {row.text: row.id for row in graph.facts(count=99)[0]}


def say(graph: Graph, *rows: Correction) -> list[str]:
    return [made.id for made in correct(rows, graph=graph, embedder=word_embedder()).corrections]


def wrong(fact: str, **more: str) -> Correction:
    return Correction(kind="rejected", about=fact, **more)


def test_a_wrong_fact_leaves_the_graph_and_no_reading_brings_it_back(graph: Graph) -> None:
    before = list(graph.dump())
    (made,) = say(graph, wrong(facts(graph)[STOLE], note="It was Clara."))
    assert set(facts(graph)) == {HATES, CLARA}
    corrected = list(graph.dump())
    read(graph)
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == corrected
    read(graph, again=TEXTS["letter.txt"] + " It rained.")
    assert set(facts(graph)) == {HATES, CLARA}, "another document says it too"
    graph.delete_documents([ids.document_id(graph.workspace.name, "again.txt")])
    derive(graph, embedder=word_embedder())
    (told,), total = list_decisions(by="person", graph=graph, first=0, count=9)
    assert (told.kind, told.name, told.names[0].form, told.others[0].form, told.note, total) == (
        *("rejected", "steals", "Jules Delmas", "Blue Carbuncle"),
        *("It was Clara.", 1),
    )
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_it_holds_for_what_its_entity_becomes(graph: Graph) -> None:
    before = list(graph.dump())
    (made,) = say(graph, wrong(facts(graph)[STOLE]))
    (one,) = say(graph, Correction(kind="same", about="Jules Delmas", other="Clara Vane"))
    assert facts(graph) == {}, "they are one, who did not steal it"
    undo([one], graph=graph, embedder=word_embedder())
    assert set(facts(graph)) == {HATES, CLARA}
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def stated(graph: Graph, document: str, sentence: str, **more: str) -> Correction:
    """That the sentence says that Jules Delmas knows Blue Carbuncle."""
    passages = graph.passages(graph.chunk_ids()).values()
    chunk = next(one for one in passages if one.source == document and sentence in one.text)
    start = chunk.text.index(sentence)
    place = Occurrence(chunk_id=chunk.id, start=start, end=start + len(sentence))
    asked = {"about": "Jules Delmas", "other": "Blue Carbuncle", "value": "knows where to find", **more}
    return Correction(kind="stated", places=[place], **asked)


SAW, KNOWS = "Somebody saw Jules Delmas.", "Jules Delmas knows where to find Blue Carbuncle"


def test_what_was_read_in_a_sentence_is_kept_as_a_fact(graph: Graph) -> None:
    before = list(graph.dump())
    (made,) = say(graph, stated(graph, "report.txt", SAW))
    assert set(facts(graph)) == {STOLE, HATES, CLARA, KNOWS}
    kept = list(graph.dump())
    read(graph)
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == kept, "no reading takes it away"
    (told,), _ = list_decisions(by="person", graph=graph, first=0, count=9)
    assert (told.kind, told.name, told.holds) == ("stated", "knows where to find", True)
    (fact,) = [row for chunk in graph.pool(graph.chunk_ids()) for row in chunk.facts if row.origin == "own"]
    assert (fact.subject, fact.object) == ("Jules Delmas", "Blue Carbuncle")
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"other": "Jules Delmas"}, "one entity"),
        ({"value": "?"}, "is not a predicate"),
        ({"other": "Nobody"}, "neither a name"),
    ],
)
def test_what_cannot_be_kept_is_refused(graph: Graph, more: dict[str, str], cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        say(graph, stated(graph, "report.txt", SAW, **more))
    with pytest.raises(InputError, match="no sentence"):
        say(graph, replace(stated(graph, "report.txt", SAW), places=()))


def test_a_fact_is_said_by_another_predicate(graph: Graph) -> None:
    before = list(graph.dump())
    (made,) = say(graph, Correction(kind="relabelled", about=facts(graph)[HATES], value="  is afraid  of "))
    fears = "Jules Delmas is afraid of Clara Vane"
    assert set(facts(graph)) == {STOLE, fears, CLARA}
    with pytest.raises(AlreadyDecided, match=made):
        say(graph, Correction(kind="relabelled", about=facts(graph)[fears], value="loves"))
    (gone,) = say(graph, wrong(facts(graph)[fears]))
    assert set(facts(graph)) == {STOLE, CLARA}
    undo([gone], graph=graph, embedder=word_embedder())
    assert fears in facts(graph)
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_corrections_and_folds_hold_in_any_order(graph: Graph) -> None:
    before = list(graph.dump())
    (made,) = say(graph, wrong(facts(graph)[STOLE]))
    folded = fold("hates", ["steals"], graph=graph, embedder=word_embedder())
    assert set(facts(graph)) == {HATES, "Clara Vane hates Blue Carbuncle"}
    undo([made], graph=graph, embedder=word_embedder())
    assert "Jules Delmas hates Blue Carbuncle" in facts(graph)
    (again,) = say(graph, wrong(facts(graph)["Jules Delmas hates Blue Carbuncle"]))
    undo([folded.id], graph=graph, embedder=word_embedder())
    assert set(facts(graph)) == {STOLE, HATES, CLARA}, "it is said by the predicate that the decision names no more"
    undo([again], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_a_type_is_given_and_taken_back(graph: Graph) -> None:
    before = list(graph.dump())
    (made,) = say(graph, Correction(kind="type", about="Blue Carbuncle", value="Jewel"))
    assert {row.type for row in graph.entity_rows().values() if row.name == "Blue Carbuncle"} == {"Jewel"}
    with pytest.raises(AlreadyDecided, match="of the type 'Jewel'"):
        say(graph, Correction(kind="type", about="Blue Carbuncle", value="Weapon"))
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_a_split_among_corrections_is_taken_whole_or_not_at_all(graph: Graph) -> None:
    before = list(graph.dump())
    own = [row for row in graph.mentions() if row.form == "Jules Delmas"]
    entity = own[0].entity_id
    assert {row.entity_id for row in own} == {entity} and len(own) == 2
    letter = next(row.id for row in own if row.document_id == ids.document_id(graph.workspace.name, "letter.txt"))
    split = Correction(kind="split", about=entity, names=[letter])
    rows = [split, replace(split, names=[row.id for row in own]), Correction(kind="type", about=entity, value="Thief")]
    outcome = correct(rows, graph=graph, embedder=word_embedder())
    assert [made.kind for made in outcome.corrections] == ["distinct", "type"]
    assert [(row.number, row.code) for row in outcome.refused] == [(2, "bad_input")]
    assert len({row.entity_id for row in graph.mentions() if row.form == "Jules Delmas"}) == 2
    undo([made.id for made in outcome.corrections], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_many_at_once_are_derived_once_and_what_cannot_be_taken_is_said(graph: Graph) -> None:
    hostile = Correction(kind="relabelled", about=facts(graph)[STOLE], value="x'}) DETACH DELETE (n) //")
    rows = [
        wrong(facts(graph)[HATES]),
        hostile,
        wrong("nothing"),
        replace(hostile, value=" "),
        replace(hostile, value="steals"),
    ]
    outcome = correct(rows, graph=graph, embedder=word_embedder())
    assert [made.kind for made in outcome.corrections] == ["rejected", "relabelled"]
    assert [(row.number, row.code) for row in outcome.refused] == [(3, "not_found"), (4, "bad_input"), (5, "bad_input")]
    assert set(facts(graph)) == {"Jules Delmas x'}) DETACH DELETE (n) // Blue Carbuncle", CLARA}
    with pytest.raises(NotFound, match="no fact"):
        say(graph, wrong("nothing"))
    with pytest.raises(InputError, match="is not a predicate"):
        say(graph, replace(hostile, about=facts(graph)[CLARA], value="?!"))
