"""Documents and chunks in the store."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.documents import Place, Recipe
from filigraph.graph.model.extraction import Alias, Extraction
from filigraph.graph.model.names import AliasGroup
from filigraph.graph.names.corrections import stored_correction
from filigraph.graph.records.documents import StoredKey
from filigraph.graph.store import Graph
from tests.store.world import LETTERS, chunk_rows, derive, document, ingest, read

PASSAGES = ["Sophie | aime | Jules.", "Rien.", "Jules | porte | chevalière."]


def test_a_document_comes_back_as_it_was_written(graph: Graph) -> None:
    row = replace(
        document(graph, "a.txt"),
        metadata={"date": "1912", "auteur": "Élise"},
        given={"date": "1912"},
        media_type="text/plain",
        places=(Place(kind="chapter", label="Chapitre I", start=0), Place(kind="page", label="3", start=90)),
        recipe=Recipe(extractor="local:6", strategy="sentence", size=256, overlap=0.15),
    )
    graph.write_documents([row])
    assert graph.document_rows([row.id]) == [row]
    assert graph.document_rows() == [replace(row, facts=0)]
    assert graph.document_rows(["no such id"]) == []


def test_a_document_is_complete_when_it_is_read_and_derived(graph: Graph) -> None:
    row = document(graph, "a.txt")
    graph.write_documents([row])
    rows = chunk_rows(row, PASSAGES)
    graph.write_chunks(rows[:2])
    graph.sweep()
    assert graph.document_rows()[0].status == "partial"
    graph.write_chunks(rows)
    graph.finish_reading({row.id: [row.chunk.id for row in rows]})
    graph.sweep()
    assert graph.document_rows()[0].status == "partial"
    derive(graph)
    (done,) = graph.document_rows()
    assert (done.status, done.chunks, done.facts) == ("complete", 3, 2)


def test_an_empty_document_is_complete_once_read(graph: Graph) -> None:
    read(graph, "empty.txt", [])
    derive(graph)
    assert graph.document_rows()[0].status == "complete"


def test_a_stored_extraction_comes_back_whole(graph: Graph) -> None:
    row = document(graph, "a.txt")
    graph.write_documents([row])
    (chunk,) = chunk_rows(row, ["The Claw, dite La Griffe"])
    extraction = Extraction(
        key="k",
        extractor="llm:mistral",
        triplets=chunk_rows(row, PASSAGES)[0].extraction.triplets,
        aliases=(Alias(first="The Claw", second="La Griffe", start=0, end=24),),
        names=("The Claw", "Ωμέγα \U0001f48d"),
        note="one triplet was dropped",
    )
    graph.write_chunks([replace(chunk, extraction=extraction)])
    (stored,) = graph.stale_chunks()
    assert stored.extraction == extraction
    assert stored.text == chunk.chunk.text
    assert graph.load_chunks([stored.id, "no such id"]) == [stored]
    assert graph.stored_chunks([row.id]) == {chunk.chunk.id: StoredKey(key="k", title=chunk.chunk.title)}


def test_a_chunk_that_is_known_is_only_moved(graph: Graph) -> None:
    document_id = read(graph, "a.txt", PASSAGES)
    derive(graph)
    row = document(graph, "a.txt")
    moved = chunk_rows(row, ["Un mot avant.", *PASSAGES])
    graph.write_documents([row])
    graph.write_chunks(moved)
    assert [chunk.text for chunk in graph.stale_chunks()] == ["Un mot avant."]
    assert graph.finish_reading({document_id: [row.chunk.id for row in moved]}) == []
    pool = graph.pool([row.chunk.id for row in moved])
    assert [chunk.index for chunk in pool] == [row.chunk.index for row in moved]


def test_a_chunk_that_is_extracted_again_forgets_what_was_found(graph: Graph) -> None:
    read(graph, "a.txt", PASSAGES)
    derive(graph)
    row = document(graph, "a.txt")
    again = chunk_rows(row, PASSAGES, extractor="another")
    silent = replace(again[0], extraction=Extraction(key="silent", extractor="another", note="nothing"))
    graph.write_chunks([silent])
    derive(graph)
    names = {mention.form for mention in graph.mentions()}
    assert names == {"Jules", "chevalière"}  # Jules is still read elsewhere in the document
    assert graph.stats().facts == 1


def test_chunks_are_in_order(graph: Graph) -> None:
    document_id = read(graph, "a.txt", PASSAGES)
    ids = [row.chunk.id for row in chunk_rows(document(graph, "a.txt"), PASSAGES)]
    order = {ids[0]: (None, ids[1]), ids[1]: (ids[0], ids[2]), ids[2]: (ids[1], None)}
    assert graph.next_chunks(ids) == order
    graph.finish_reading({document_id: ids})
    assert graph.next_chunks(ids) == order


def test_chunks_that_are_no_longer_in_the_document_go(graph: Graph) -> None:
    ingest(graph, LETTERS)
    passages = LETTERS["letters/sophie.txt"]
    row = document(graph, "letters/sophie.txt")
    first, second = (row.chunk.id for row in chunk_rows(row, passages))
    assert graph.finish_reading({row.id: [first]}) == [second]
    assert first in {chunk.id for chunk in graph.stale_chunks()}, "it shares the mention of Jules"
    assert graph.finish_reading({row.id: [first]}) == []
    assert "habite" not in str([mention.form for mention in graph.mentions()])
    derive(graph)
    assert "Jules porte chevalière" not in "\n".join(graph.dump())


def test_a_persons_decision_survives_an_update_of_its_document(graph: Graph) -> None:
    document_id = read(graph, "a.txt", ["Jules | aime | Sophie."])
    derive(graph)
    first, second = graph.mentions()
    graph.add_corrections([stored_correction(graph.workspace.name, "distinct", [first], [second])])
    (decision,) = graph.corrections()
    assert read(graph, "a.txt", ["Jules | aime | Sophie. Toujours."]) == document_id
    derive(graph)
    assert graph.corrections() == [decision]


def test_deleting_a_document_leaves_the_graph_as_without_it(graph: Graph) -> None:
    two = dict(list(LETTERS.items())[:2])
    ingest(graph, two)
    without = list(graph.dump())
    (third,) = LETTERS.keys() - two.keys()
    document_id = ingest(graph, {third: LETTERS[third]})[third]
    graph.add_alias_groups([AliasGroup(names=("Jules", "Jules D."), document_id=document_id)])
    own, *_ = (row for row in graph.mentions() if row.document_id == document_id)
    theirs, *_ = (row for row in graph.mentions() if row.document_id != document_id)
    graph.add_corrections([stored_correction(graph.workspace.name, "same", [own], [theirs])])
    assert list(graph.dump()) != without
    graph.delete_documents([document_id])
    derive(graph)
    assert list(graph.dump()) == without


def test_what_is_not_there(graph: Graph) -> None:
    with pytest.raises(NotFound, match="no document"):
        graph.delete_documents(["nothing"])
    with pytest.raises(InputError, match="not stored"):
        graph.finish_reading({"nothing": []})
    with pytest.raises(InputError, match="not stored"):
        graph.write_chunks(chunk_rows(document(graph, "never written"), PASSAGES))


@pytest.mark.parametrize(
    "bad",
    [np.zeros(8), np.full(8, np.nan), np.array([np.inf] + [0.0] * 7), np.ones(7), np.ones(384), np.ones((1, 8))],
    ids=["zero", "nan", "infinite", "short", "long", "matrix"],
)
def test_a_vector_that_cannot_be_indexed_is_named_and_nothing_is_written(bad: np.ndarray, graph: Graph) -> None:
    row = document(graph, "a.txt")
    graph.write_documents([row])
    rows = chunk_rows(row, PASSAGES)
    with pytest.raises(InputError, match=f"chunk {rows[1].chunk.id}"):
        graph.write_chunks([rows[0], replace(rows[1], vector=bad.astype(np.float32)), rows[2]])
    assert graph.stale_chunks() == []


def test_half_a_character_is_refused_in_words(graph: Graph) -> None:
    with pytest.raises(InputError, match="half of a character"):
        graph.write_documents([replace(document(graph, "a.txt"), title="\ud800")])


def test_a_row_that_the_server_refuses_is_named_and_the_others_are_written(graph: Graph) -> None:
    rows = [{"id": f"group {number}", "names": ["a"], "document_id": ""} for number in range(50)]
    rows[17]["names"] = {"a": "map is no property"}
    with pytest.raises(InputError, match=r"1 of 50 rows.*group 17"):
        graph.database.write_batches(
            rows, lambda run, batch: run("add_alias_groups", workspace=graph.workspace.name, rows=batch) and None
        )
    assert len(graph.alias_groups()) == 49
