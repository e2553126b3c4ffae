"""An extraction is kept under its key as long as a chunk exists in which it was read."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from filigraph.graph.model.extraction import Extraction
from filigraph.graph.records.documents import ChunkRow, Speed
from filigraph.graph.store import Graph, Store
from tests.store.world import chunk_rows, derive, document, read

PASSAGES = ["Sophie | aime | Jules.", "Rien."]


def by_llm(graph: Graph, source: str, key: str = "k") -> list[ChunkRow]:
    """The chunks of a document, as an LLM read them."""
    rows = chunk_rows(document(graph, source), PASSAGES)
    return [
        replace(
            row, extraction=replace(row.extraction, key=f"{key}{n}", extractor="llm:x", counts={"names dropped": 2})
        )
        for n, row in enumerate(rows)
    ]


def write(graph: Graph, source: str, rows: list[ChunkRow], *, keep: bool) -> str:
    row = document(graph, source)
    graph.write_documents([row])
    graph.write_chunks(rows, keep=keep)
    graph.finish_reading({row.id: [chunk.chunk.id for chunk in rows]})
    return row.id


def test_what_was_kept_comes_back_by_its_key(graph: Graph) -> None:
    rows = by_llm(graph, "a.txt")
    write(graph, "a.txt", rows, keep=True)
    assert graph.kept_extractions(["k0", "k1", "other"]) == {f"k{n}": row.extraction for n, row in enumerate(rows)}


def test_it_stays_when_the_chunk_is_read_otherwise(graph: Graph) -> None:
    write(graph, "a.txt", by_llm(graph, "a.txt"), keep=True)
    write(graph, "a.txt", chunk_rows(document(graph, "a.txt"), PASSAGES), keep=False)
    assert graph.kept_extractions(["k0", "k1"]).keys() == {"k0", "k1"}


def test_it_goes_with_the_last_chunk_it_was_read_in(graph: Graph) -> None:
    first = write(graph, "a.txt", by_llm(graph, "a.txt"), keep=True)
    second = write(graph, "b.txt", by_llm(graph, "b.txt"), keep=True)
    graph.delete_documents([first])
    assert graph.kept_extractions(["k0", "k1"]).keys() == {"k0", "k1"}
    graph.delete_documents([second])
    assert graph.kept_extractions(["k0", "k1"]) == {}


def test_what_could_not_be_read_is_not_kept(graph: Graph) -> None:
    row, *_ = by_llm(graph, "a.txt")
    write(graph, "a.txt", [replace(row, extraction=Extraction(key="", extractor="llm:x", note="no answer"))], keep=True)
    assert graph.kept_extractions([""]) == {}


def test_a_document_with_unread_chunks_is_partial_until_they_are_read(graph: Graph) -> None:
    row = document(graph, "a.txt")
    rows = by_llm(graph, "a.txt")
    graph.write_documents([row])
    graph.write_chunks(rows)
    chunks = {row.id: [chunk.chunk.id for chunk in rows]}
    for unread, status in ((1, "partial"), (0, "complete")):
        graph.finish_reading(chunks, unread={row.id: unread})
        derive(graph)
        (stored,) = graph.document_rows()
        assert (stored.status, stored.unread) == (status, unread)
    assert [chunk.text for chunk in graph.document_chunks(row.id)] == PASSAGES
    assert graph.document_chunks(row.id) == [chunk.chunk for chunk in rows]


def test_every_chunk_without_facts_is_listed_with_its_reason(graph: Graph) -> None:
    read(graph, "b.txt", ["Quelle nuit !", "Sophie | aime | Jules."])
    row, _ = by_llm(graph, "a.txt")
    unread = Extraction(key="", extractor="llm:x", note="no answer")
    dropped = Extraction(key="k", extractor="llm:x", note="none could be used", counts={"names dropped": 2})
    rows = [
        replace(row, extraction=unread),
        replace(row, chunk=replace(row.chunk, id="2", index=1, text="x" * 999), extraction=dropped),
    ]
    write(graph, "a.txt", rows, keep=False)
    gaps, count = graph.gaps(first=0, count=10)
    assert count == 3
    assert [(gap.source, gap.index, gap.unread, gap.reason) for gap in gaps] == [
        ("a.txt", 0, True, "no answer"),
        ("a.txt", 1, False, "none could be used; names dropped (2)"),
        ("b.txt", 0, False, "no bars"),
    ]
    assert len(gaps[1].excerpt) == 200
    assert graph.gaps(first=2, count=10) == (gaps[2:], 3)


def test_a_document_that_is_not_stored_to_its_end_is_a_gap(graph: Graph) -> None:
    """Also where not one of its chunks is: so an LLM that fails from the start leaves them."""
    never, begun = document(graph, "never.txt"), document(graph, "begun.txt")
    graph.write_documents([never, begun])
    row = chunk_rows(begun, ["Jules | aime | Sophie."])[0]
    graph.write_chunks([replace(row, extraction=Extraction(extractor="llm", key="", note="no answer"))], keep=False)
    gaps, count = graph.gaps(first=0, count=10)
    assert count == 3
    assert [(gap.source, gap.index, gap.unread) for gap in gaps] == [
        ("begun.txt", 0, True),
        ("begun.txt", None, False),
        ("never.txt", None, False),
    ]
    assert all("ingest it again" in gap.reason for gap in gaps if gap.index is None)
    assert graph.gaps(first=2, count=1) == (gaps[2:], 3)
    graph.finish_reading({never.id: [], begun.id: [row.chunk.id]}, unread={begun.id: 1})
    assert [gap.index for gap in graph.gaps(first=0, count=10)[0]] == [0]


def test_settings_stay(graph: Graph, store: Store) -> None:
    graph.save_settings({"schema": "name: x"})
    assert store.graph(graph.workspace.name).workspace.settings == {"schema": "name: x"}


def test_the_last_speed_of_an_extractor_is_known(store: Store) -> None:
    name = f"llm:{uuid.uuid4().hex}"
    assert store.speeds.read(name) is None
    for seconds in (9.0, 3.5):
        store.speeds.note(name, Speed(chunks=2, seconds=seconds, calls=2, tokens_in=1800, tokens_out=400))
    assert store.speeds.read(name) == Speed(chunks=2, seconds=3.5, calls=2, tokens_in=1800, tokens_out=400)


@pytest.mark.parametrize("dear", [True, False])
def test_what_is_read_is_kept_before_its_chunk_is_stored(dear: bool, graph: Graph) -> None:
    row = document(graph, "a.txt")
    graph.write_documents([row])
    (chunk,) = chunk_rows(row, ["Jules | aime | Sophie."])
    key = chunk.extraction.key
    graph.keep_reading(chunk.chunk, chunk.extraction)
    assert graph.kept_extractions([key]) == {key: chunk.extraction}
    graph.write_chunks([chunk], keep=dear)
    graph.finish_reading({row.id: [chunk.chunk.id]})
    assert graph.kept_extractions([key]).keys() == ({key} if dear else set()), "it hangs on its chunk now, or goes"


def test_what_was_read_in_a_document_that_goes_is_forgotten(graph: Graph) -> None:
    row = document(graph, "a.txt")
    graph.write_documents([row])
    (chunk,) = chunk_rows(row, ["Jules | aime | Sophie."])
    graph.keep_reading(chunk.chunk, chunk.extraction)
    graph.delete_documents([row.id])
    assert graph.kept_extractions([chunk.extraction.key]) == {}
