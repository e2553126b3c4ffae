"""Any embedding of LlamaIndex's as an embedder: Ollama, an OpenAI-compatible server, HuggingFace, ...

FILIGRAPH_EMBEDDER names its class and, in JSON, its arguments:

    llama_index.embeddings.ollama.OllamaEmbedding {"model_name": "nomic-embed-text"}

It embeds only whole texts and reports no tokens, so chunks are read as far as it reads them, and each sentence is
embedded alone.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any, TypeVar

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from filigraph.graph.errors import ModelUnavailable
from filigraph.graph.ids import content_id
from filigraph.graph.models.embed import Embedder

EXAMPLE = 'llama_index.embeddings.ollama.OllamaEmbedding {"model_name": "nomic-embed-text"}'

T = TypeVar("T")


class LlamaindexEmbedding(BaseEmbedding):
    """Another embedding, whose errors become ModelUnavailable."""

    _inner: BaseEmbedding = PrivateAttr()

    def __init__(self, inner: BaseEmbedding) -> None:
        super().__init__(embed_batch_size=inner.embed_batch_size, model_name=inner.model_name)
        self._inner = inner

    @classmethod
    def class_name(cls) -> str:
        return "LlamaindexEmbedding"

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._with_mapped_errors(lambda: self._inner.get_text_embedding(text))

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._with_mapped_errors(lambda: self._inner.get_text_embedding_batch(texts))

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._with_mapped_errors(lambda: self._inner.get_query_embedding(query))

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _with_mapped_errors(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except Exception as error:  # each integration has its own
            raise ModelUnavailable(
                f"The embedder {self.model_name} gave no vector: {str(error)[:300]}",
                cure="Check that its server runs and has the model, then try again.",
            ) from error


def load_llamaindex(choice: str) -> Embedder:
    """The embedder that `choice` names. Asks it for one vector, to learn their length. Raises ModelUnavailable."""
    path, _, arguments = choice.partition(" ")
    model = LlamaindexEmbedding(_create(path, arguments))
    prompts = [str(getattr(model._inner, name, None) or "") for name in ("query_instruction", "text_instruction")]
    dimensions = len(model.get_text_embedding("a"))
    return Embedder(
        model=model,
        exact=model,
        name=model.model_name,
        dimensions=dimensions,
        fingerprint=content_id("embedder", path, model.model_name, str(dimensions), *prompts),
    )


def _create(path: str, arguments: str) -> BaseEmbedding:
    module, _, name = path.rpartition(".")
    try:
        options: dict[str, Any] = json.loads(arguments or "{}")
        embedding = getattr(importlib.import_module(module), name)(**options)
    except ImportError as error:
        package = "-".join(module.split(".")[:3]).replace("_", "-")
        raise ModelUnavailable(
            f"FILIGRAPH_EMBEDDER names {path}, which is not installed ({error}).", cure=f"Run pip install {package}."
        ) from error
    except Exception as error:  # a class may raise anything for wrong arguments
        raise ModelUnavailable(
            f"FILIGRAPH_EMBEDDER cannot be used: {type(error).__name__}: {str(error)[:300]}",
            cure=f"Write the class and its arguments, like {EXAMPLE}.",
        ) from error
    if not isinstance(embedding, BaseEmbedding):
        raise ModelUnavailable(f"{path} is not an embedding of LlamaIndex.", cure=f"Name one, like {EXAMPLE}.")
    return embedding
