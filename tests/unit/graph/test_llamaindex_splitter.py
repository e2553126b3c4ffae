"""Our splitting in LlamaIndex's own ingestion pipeline, with the offsets that its own splitters guess."""

from __future__ import annotations

from itertools import pairwise

import pytest
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import Document, NodeRelationship, TextNode

from filigraph.graph.errors import InputError
from filigraph.graph.llamaindex import FiligraphSplitter

NOVEL = (
    "CHAPITRE PREMIER\n\nLa Griffe\n\n"
    + "Trois est là. " * 60
    + "\n\nCHAPITRE II\n\nLe départ\n\n"
    + "Jules part à Lyon. " * 60
)


def test_its_pipeline_gets_our_chunks_where_they_stand() -> None:
    documents = [Document(text=NOVEL, id_="novel", metadata={"author": "Anon"}), Document(text="Brève.", id_="note")]
    run = IngestionPipeline(transformations=[FiligraphSplitter(size=64)]).run(documents=documents)
    nodes = [node for node in run if isinstance(node, TextNode)]
    assert len(nodes) == len(run)
    novel = [node for node in nodes if node.ref_doc_id == "novel"]
    assert len(novel) > 6 and [node.text for node in nodes if node.ref_doc_id == "note"] == ["Brève."]
    assert all(NOVEL[node.start_char_idx : node.end_char_idx] == node.text for node in novel)
    starts = [node.start_char_idx for node in novel]
    assert starts == sorted(set(starts)) and novel[-1].end_char_idx == len(NOVEL.rstrip())
    assert {node.metadata["place"] for node in novel} == {"chapter PREMIER", "chapter II"}
    assert all(node.metadata["author"] == "Anon" for node in novel)
    for one, other in pairwise(novel):
        assert one.relationships[NodeRelationship.NEXT].node_id == other.node_id
        assert other.relationships[NodeRelationship.PREVIOUS].node_id == one.node_id


def test_what_does_not_change_keeps_its_ids() -> None:
    splitter = FiligraphSplitter(size=64)
    before = splitter.get_nodes_from_documents([Document(text=NOVEL, id_="novel")])
    after = splitter.get_nodes_from_documents([Document(text=NOVEL + "\n\nFin.", id_="novel")])
    assert [node.node_id for node in before][:-1] == [node.node_id for node in after][: len(before) - 1]


def test_a_size_out_of_range_is_an_error_with_its_cure() -> None:
    with pytest.raises(InputError, match="Change size or overlap"):
        FiligraphSplitter(size=1).get_nodes_from_documents([Document(text=NOVEL)])
