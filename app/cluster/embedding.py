"""An embedding that the machines of a Ray cluster compute. Imports LlamaIndex: import it lazily."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from filigraph.app.cluster import worker
from filigraph.app.cluster.cluster_run import ClusterRun
from filigraph.graph.errors import Cancelled, ClusterUnavailable

if TYPE_CHECKING:
    from filigraph.graph.models.embed import Embedder, EncodesSpans, Span

MIN_TEXTS = 16  # fewer texts are not worth sending


def on_cluster(embedder: Embedder, run: ClusterRun, choice: str) -> Embedder:
    """`embedder`, which `choice` loads, with its `model` computed on a cluster; `exact` remains local."""
    model = ClusterEmbedding(cluster_run=run, local=embedder.model, fingerprint=embedder.fingerprint, choice=choice)
    return replace(embedder, model=model)


class ClusterEmbedding(BaseEmbedding):
    """`local`, with large numbers of texts embedded on the cluster. If the cluster is lost, or the run is cancelled,
    the server embeds immediately: extractions must not be lost because vectors are missing.
    """

    _run: ClusterRun = PrivateAttr()
    _local: Any = PrivateAttr()  # a BaseEmbedding that EncodesSpans
    _which: tuple[str, str] = PrivateAttr()  # its fingerprint, and the choice that loads it

    def __init__(self, *, cluster_run: ClusterRun, local: BaseEmbedding, fingerprint: str, choice: str) -> None:
        super().__init__(embed_batch_size=2048, model_name=local.model_name)  # the largest LlamaIndex allows
        self._run = cluster_run
        self._local = local
        self._which = fingerprint, choice

    @classmethod
    def class_name(cls) -> str:
        return "ClusterEmbedding"

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        if len(texts) > MIN_TEXTS:
            results = self._on_machines(worker.embed, ((part,) for part in self._split_rows(texts)))
            if results is not None:
                return [row for rows in results for row in rows.tolist()]
        rows: list[list[float]] = self._local.get_text_embedding_batch(texts)
        return rows

    @property
    def reads_parts(self) -> bool:
        """As in EncodesSpans."""
        local: EncodesSpans = self._local
        return local.reads_parts

    def get_span_embeddings(
        self, texts: list[str], spans: list[list[Span]]
    ) -> tuple[list[list[float]], list[list[list[float]]]]:
        """As in EncodesSpans."""
        if len(texts) > MIN_TEXTS:
            parts = zip(self._split_rows(texts), self._split_rows(spans), strict=True)
            results = self._on_machines(worker.embed_spans, parts)
            if results is not None:
                whole = [row for rows, _ in results for row in rows.tolist()]
                return whole, [
                    rows.tolist() for rows in chain.from_iterable(span_vectors for _, span_vectors in results)
                ]
        local: EncodesSpans = self._local
        return local.get_span_embeddings(texts, spans)

    def _get_query_embedding(self, query: str) -> list[float]:
        vector: list[float] = self._local.get_query_embedding(query)
        return vector

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _on_machines(self, function: Callable[..., Any], parts: Iterable[tuple[Any, ...]]) -> list[Any] | None:
        """The results of the machines; None if the server has to compute them."""
        calls = ((1, (*self._which, *part)) for part in parts)
        try:
            return list(self._run.map(function, calls, cancelled=self._run.abandoned))
        except ClusterUnavailable as error:
            self._run.say(str(error))
        except Cancelled:
            pass  # abandoned
        return None

    def _split_rows(self, rows: list[Any]) -> list[list[Any]]:
        size = self._run.part(len(rows))
        return [rows[start : start + size] for start in range(0, len(rows), size)]
