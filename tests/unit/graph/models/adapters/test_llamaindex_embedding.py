"""LlamaIndex's embeddings as embedders, by the name of their class."""

from __future__ import annotations

import numpy as np
import pytest
from llama_index.core.embeddings.mock_embed_model import MockEmbedding

from filigraph.graph.errors import ModelUnavailable, NotSetUp
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import embed_chunks, embed_questions
from filigraph.graph.models.late import check_late

MOCK = "llama_index.core.embeddings.mock_embed_model.MockEmbedding"


def test_a_class_and_its_arguments() -> None:
    embedder = load_embedder(MOCK + ' {"embed_dim": 4, "model_name": "four"}')
    assert (embedder.name, embedder.dimensions) == ("four", 4)
    chunks, sentences = embed_chunks(embedder, ["Jules met Nora. They left."], ["Letter"], [[(0, 15), (16, 26)]])
    assert np.allclose(chunks, 0.5) and sentences[0].shape == (2, 4)
    assert np.allclose(embed_questions(embedder, ["Who met Nora?"]), 0.5)
    assert embedder.fingerprint != load_embedder(MOCK + ' {"embed_dim": 8, "model_name": "four"}').fingerprint
    with pytest.raises(NotSetUp, match="four"):
        check_late(embedder)


@pytest.mark.parametrize(
    ("choice", "cause"),
    [
        ("llama_index.embeddings.nobody.NobodyEmbedding", "not installed"),
        (MOCK, "embed_dim"),
        (MOCK + ' {"embed_dim"', "JSONDecodeError"),
        (MOCK + " 7", "TypeError"),
        ("llama_index.core.schema.TextNode", "is not an embedding"),
    ],
)
def test_what_cannot_be_used(choice: str, cause: str) -> None:
    with pytest.raises(ModelUnavailable, match=cause):
        load_embedder(choice)


def test_a_server_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = load_embedder(MOCK + ' {"embed_dim": 4, "model_name": "four"}')

    def refuse(*_: object) -> None:
        raise ConnectionError("connection refused")

    monkeypatch.setattr(MockEmbedding, "_get_query_embedding", refuse)
    with pytest.raises(ModelUnavailable, match="four gave no vector: connection refused"):
        embed_questions(embedder, ["Who?"])
