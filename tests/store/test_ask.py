"""What a question finds, compared with a slow and simple version."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np
import pytest

from filigraph.graph.ask.explore.fact_terms import fact_terms
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.store import Graph
from filigraph.graph.store.workspace import detail as tell
from tests.store.world import LETTERS, chunk_rows, derive, document, ingest, noted, read, vector

ALL = [text for passages in LETTERS.values() for text in passages]
CLOSE = 1e-5
PACKED = 5e-4  # what a byte a number costs a cosine that is 1


@pytest.fixture
def letters(graph: Graph) -> Graph:
    ingest(graph, LETTERS)
    return graph


def ids_of(graph: Graph) -> dict[str, str]:
    """Text -> chunk id."""
    rows = [row for source, texts in LETTERS.items() for row in chunk_rows(document(graph, source), texts)]
    return {row.chunk.text: row.chunk.id for row in rows}


def entity_ids(graph: Graph) -> dict[str, str]:
    return {row.name: id_ for id_, row in graph.entity_rows().items()}


def test_cosines_are_true_cosines(letters: Graph) -> None:
    question, ids = vector("Qui porte la chevalière ?"), ids_of(letters)
    wanted = {ids[text]: float(vector(text) @ question) for text in ALL}
    found = letters.search_chunks(question, 50)
    assert [id_ for id_, _ in found] == sorted(wanted, key=lambda id_: (-wanted[id_], id_))
    assert dict(found) == pytest.approx(wanted, abs=CLOSE)
    assert [id_ for id_, _ in letters.search_chunks(question, 2)] == [id_ for id_, _ in found[:2]]
    assert letters.search_chunks(-vector(ALL[0]), 50)[-1] == (ids[ALL[0]], pytest.approx(-1.0, abs=CLOSE))


def test_words_find_the_chunks_that_hold_them(letters: Graph) -> None:
    ids, question = ids_of(letters), vector("question")
    texts = {id_: text for text, id_ in ids.items()}
    found = letters.search_words("chevalière griffe", question, 10)
    assert found[0].id == ids["chevalière | est emblème de | La Griffe."]
    assert len(found) == 4
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert [hit.cosine for hit in found] == pytest.approx(
        [float(vector(texts[hit.id]) @ question) for hit in found], abs=CLOSE
    )
    assert letters.search_words("chevalière griffe", question, 1) == found[:1]
    assert letters.search_words("chevalière griffe", question, 1, 2) == [
        found[0],
        *(dataclasses.replace(hit, cosine=None) for hit in found[1:3]),
    ]
    assert letters.search_words("  ", question, 10) == []
    assert letters.search_words("introuvable", question, 10) == []


def test_facts_come_with_their_entities_and_chunks(letters: Graph) -> None:
    best = letters.search_facts(vector("Jules porte chevalière"), 3)[0]
    entities, ids = entity_ids(letters), ids_of(letters)
    assert best.cosine == pytest.approx(1.0, abs=CLOSE)
    assert (best.subject_id, best.object_id) == (entities["Jules"], entities["chevalière"])
    assert best.chunk_ids == (ids["Jules | porte | chevalière. Sophie | habite | Nantes."],)


def test_entities_by_vector_and_by_name(letters: Graph) -> None:
    entities = entity_ids(letters)
    (hit,) = letters.search_entities(vector("La Griffe"), 1)
    assert (hit.entity_id, hit.name, hit.chunks) == (entities["La Griffe"], "La Griffe", 3)
    assert hit.cosine == pytest.approx(1.0, abs=CLOSE)
    named = letters.entities_named(["la griffe", "jules", "jules", "nobody", ""])
    assert [(found.key, found.name, found.chunks) for found in named] == [
        ("jules", "Jules", 3),
        ("la griffe", "La Griffe", 3),
    ]


def test_neighbours_share_an_entity_that_is_no_hub(letters: Graph) -> None:
    ids, question = ids_of(letters), vector("question")
    texts = {id_: text for text, id_ in ids.items()}
    first = "Sophie | aime | Jules."

    def near(hub: int, per_chunk: int = 10) -> list[str]:
        return [texts[id_] for id_ in letters.neighbours([ids[first]], question, hub=hub, per_chunk=per_chunk)]

    shares = [text for text in ALL if text != first and ("Sophie" in text or "Jules" in text)]
    by_cosine = sorted(shares, key=lambda text: -float(vector(text) @ question))
    assert near(hub=3) == by_cosine
    assert near(hub=3, per_chunk=2) == by_cosine[:2]
    assert near(hub=2) == []
    assert letters.neighbours([], question, hub=3, per_chunk=3) == []
    assert letters.neighbours(["no such id"], question, hub=3, per_chunk=3) == []


def test_facts_about_entities_nearest_first(letters: Graph) -> None:
    entities, question = entity_ids(letters), vector("question")
    texts = ["Sophie aime Jules", "Sophie habite Nantes", "Sophie est née à Nantes"]
    wanted = sorted(texts, key=lambda text: -float(vector(text) @ question))
    hits = letters.facts_about([entities["Sophie"], entities["Nantes"]], question, limit=10)
    assert [hit.text for hit in hits] == wanted
    assert [hit.cosine for hit in hits] == pytest.approx([float(vector(text) @ question) for text in wanted], abs=1e-4)
    assert letters.facts_about([entities["Sophie"]], question, limit=1) == hits[:1]
    assert letters.facts_about(["nobody"], question, limit=10) == []


def test_of_a_hub_the_best_supported_facts_are_compared(letters: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    read(letters, "again.txt", ["Sophie | habite | Nantes."])
    derive(letters)
    monkeypatch.setattr("filigraph.graph.store.workspace.ask.MAX_SCORED_FACTS_PER_ENTITY", 1)
    (only,) = letters.facts_about([entity_ids(letters)["Sophie"]], vector("question"), limit=10)
    assert only.text == "Sophie habite Nantes"


def test_the_pool_holds_what_the_walk_needs(letters: Graph) -> None:
    ids = ids_of(letters)
    text = "Jules | porte | chevalière. Sophie | habite | Nantes."
    order = [ids[text], ids["Sophie | aime | Jules."]]
    first, second = letters.pool([*order, "no such id", order[0]])
    assert [first.id, second.id] == order
    assert (first.index, first.title, second.index) == (1, "sophie.txt", 0)
    assert first.document_id == second.document_id == document(letters, "letters/sophie.txt").id
    assert first.language == document(letters, "letters/sophie.txt").language
    own = fact_terms(first).places
    assert own == {"jul": (0,), "port": (0,), "chevalier": (0,), "soph": (1,), "habit": (1,), "nant": (1,)}
    assert first.terms == {"jules", "porte", "chevalière", "sophie", "habite", "nantes"}
    assert first.titles == frozenset()
    assert {(entity.name, entity.chunks) for entity in first.entities} == {
        ("Jules", 3),
        ("Sophie", 3),
        ("Nantes", 3),
        ("chevalière", 2),
    }
    said = [(fact.subject, fact.predicate, fact.object, text[fact.start : fact.end]) for fact in first.facts]
    assert said == [
        ("Jules", "porte", "chevalière", "Jules | porte | chevalière"),
        ("Sophie", "habite", "Nantes", " Sophie | habite | Nantes"),
    ]
    assert first.fact_vectors[0] @ vector("Jules porte chevalière") == pytest.approx(1.0, abs=PACKED)
    assert first.facts[0].origin == "explicit"
    assert letters.pool([]) == []
    assert letters.pool(["no such id"]) == []


def test_all_chunks_are_known_by_id(letters: Graph) -> None:
    assert sorted(letters.chunk_ids()) == sorted(ids_of(letters).values())
    letters.delete_documents([document(letters, "letters/sophie.txt").id])
    assert len(letters.chunk_ids()) == len(ALL) - len(LETTERS["letters/sophie.txt"])


def test_the_pool_has_a_row_for_the_chunk_and_for_each_of_its_sentences(graph: Graph) -> None:
    row = document(graph, "a.txt")
    graph.write_documents([row])
    rows = chunk_rows(row, ["Rien.", "Jules | porte | chevalière. Sophie | habite | Nantes. Fin.", "Tout."])
    told = [["Rien."], ["Jules", "Sophie", "Fin"], []]
    graph.write_chunks(
        [
            replace(row, sentences=np.array([vector(text) for text in of], dtype=np.float32).reshape(-1, 8))
            for row, of in zip(rows, told, strict=True)
        ]
    )
    for order in ([0, 1, 2], [2, 0, 1], [1]):
        pool = graph.pool([rows[n].chunk.id for n in order])
        for chunk, n in zip(pool, order, strict=True):
            expected = np.array([vector(rows[n].chunk.text), *map(vector, told[n])])
            assert chunk.vectors.shape == expected.shape
            assert chunk.vectors.dtype == np.float32
            np.testing.assert_allclose((chunk.vectors * expected).sum(axis=1), 1.0, atol=PACKED)
            np.testing.assert_allclose(np.linalg.norm(chunk.vectors, axis=1), 1.0, atol=CLOSE)


def test_passages_are_chunks_as_they_are_shown(letters: Graph) -> None:
    ids = ids_of(letters)
    text = "chevalière | est emblème de | La Griffe."
    (passage,) = letters.passages([ids[text], "no such id", ids[text]]).values()
    assert passage == Passage(
        id=ids[text],
        document_id=document(letters, "police/report.txt").id,
        title="report.txt",
        source="police/report.txt",
        place="",
        language="fr",
        text=text,
    )
    assert letters.passages([]) == {}


def test_an_overview_is_what_was_last_noted(graph: Graph) -> None:
    assert noted(graph) == (0, ())
    ingest(graph, LETTERS)
    assert noted(graph) == (0, ()), "counted when it is noted, not when it is asked for"
    graph.note_overview()
    assert noted(graph) == (6, ("fr",))
    graph.delete_documents([document(graph, "press/cutting.txt").id])
    graph.note_overview()
    assert noted(graph) == (4, ("fr",))


def test_a_language_of_hardly_any_document_is_left_out(graph: Graph) -> None:
    """It is often mistaken in a short text, and each language more is one more word to look up."""
    rows = [replace(document(graph, f"{n}.txt"), language="en" if n else "fr") for n in range(101)]
    graph.write_documents([*rows, replace(document(graph, "unknown"), language="")])
    graph.note_overview()
    assert noted(graph) == (0, ("en",))
    graph.write_documents([replace(rows[1], language="fr")])
    graph.note_overview()
    assert noted(graph) == (0, ("en", "fr"))


def test_an_entity_in_full(letters: Graph) -> None:
    detail = letters.entity_detail(entity_ids(letters)["Sophie"])
    assert (detail.name, detail.aliases, detail.mentions, detail.chunks) == ("Sophie", ("Sophie",), 2, 3)
    assert {fact.text: [sentence.sentence.strip() for sentence in fact.sentences] for fact in detail.facts} == {
        "Sophie aime Jules": ["Sophie | aime | Jules"],
        "Sophie habite Nantes": ["Sophie | habite | Nantes"],
        "Sophie est née à Nantes": ["Sophie | est née à | Nantes"],
    }
    with pytest.raises(NotFound):
        letters.entity_detail("nobody")


def test_a_frequent_fact_shows_some_sentences_and_their_number(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tell, "MAX_SENTENCES_PER_FACT", 2)
    ingest(graph, {f"{n}.txt": [f"Lettre {n}. Sophie | aime | Jules."] for n in range(5)})
    (fact,) = graph.entity_detail(entity_ids(graph)["Sophie"]).facts
    assert fact.weight == 5 and [sentence.source for sentence in fact.sentences] == ["0.txt", "1.txt"]


def test_sentences_are_cut_by_characters_not_by_bytes(graph: Graph) -> None:
    ingest(graph, {"💥.txt": ["💥💥 Un feu. Jules \U0001d504 | voit | Sophie. Ω"]})
    (fact,) = graph.entity_detail(entity_ids(graph)["Sophie"]).facts
    assert fact.sentences[0].sentence == " Jules \U0001d504 | voit | Sophie"


def test_counts(letters: Graph) -> None:
    stats = letters.stats()
    assert (stats.documents, stats.complete, stats.partial, stats.chunks) == (3, 3, 0, 6)
    assert (stats.entities, stats.facts, stats.relationships, stats.empty_extractions) == (7, 7, 7, 1)
    assert (stats.near_misses, stats.decisions) == (0, {})


def test_an_empty_workspace_answers(graph: Graph) -> None:
    question = vector("question")
    assert graph.search_chunks(question, 5) == []
    assert graph.search_words("mot", question, 5) == []
    assert graph.search_facts(question, 5) == []
    assert graph.search_entities(question, 5) == []
    assert graph.documents_titled(["mot"], question) == []
    assert graph.neighbours(["mot"], question, hub=9, per_chunk=9) == []
    assert not graph.mentions()
    assert len(list(graph.dump())) == 3
    assert graph.stats().documents == 0


@pytest.mark.parametrize("bad", [np.zeros(8), np.full(8, np.nan), np.ones(3)])
def test_a_question_without_a_vector(bad: np.ndarray, graph: Graph) -> None:
    with pytest.raises(InputError, match="the question"):
        graph.search_chunks(bad, 5)
    with pytest.raises(InputError, match="at least 1"):
        graph.search_facts(vector("x"), 0)
