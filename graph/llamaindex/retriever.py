"""`FiligraphRetriever`: Filigraph's results as nodes for any LlamaIndex query engine.

    FiligraphRetriever.remote("http://127.0.0.1:8484", workspace="default")     a server, by its REST API
    FiligraphRetriever.local(graph, embedder, settings=AskSettings(keep=5))     the engine, in this process

Nodes are paths, best first, then chunks in their order; ids are Filigraph's own. Their metadata are those that
`ForceGraphRerank` (rerank.py) reads, so it can follow this as a postprocessor:

    kind             "path" or "chunk"
    hop_score        0..1, the node's score
    chunk_ids        path only: the chunks behind its hops, in walking order
    title, source, place, document_id, kept_by      chunk only

Importing this imports LlamaIndex, which takes seconds.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode

from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.reader import AskGraph
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.errors import InputError, ServerUnavailable
from filigraph.graph.models.embed import Embedder
from filigraph.graph.text.wording import path_in_full

TIMEOUT = httpx.Timeout(30.0, read=120.0)  # seconds
LOOPBACK = ("localhost", "127.0.0.1", "::1")

Find = Callable[[str], Mapping[str, Any]]  # a question -> the results, as REST returns them


class FiligraphRetriever(BaseRetriever):
    """Finds chunks and paths for a question."""

    def __init__(self, find: Find, **settings: Any) -> None:
        """`find` asks; `local` and `remote` provide one. `settings` are LlamaIndex's own."""
        super().__init__(**settings)
        self._find = find

    @classmethod
    def local(
        cls,
        graph: AskGraph,
        embedder: Embedder,
        *,
        reranker: Scorer | None = None,
        settings: AskSettings | None = None,
    ) -> FiligraphRetriever:
        """Asks a workspace in this process."""

        def find(question: str) -> Mapping[str, Any]:
            retrieved = retrieve(question, graph=graph, embedder=embedder, reranker=reranker, settings=settings)
            return dataclasses.asdict(retrieved)

        return cls(find)

    @classmethod
    def remote(cls, url: str, *, workspace: str = "default", key: str = "", **settings: Any) -> FiligraphRetriever:
        """Asks a server; `settings` are the fields of its `retrieve`. Asking raises InputError if the server refuses
        the request, ServerUnavailable if it does not answer.
        """
        address = f"{url.rstrip('/')}/v1/workspaces/{quote(workspace, safe='')}/retrieve"
        headers = {"authorization": f"Bearer {key}"} if key else {}
        proxies = urlsplit(url).hostname not in LOOPBACK  # a proxy in the environment is for other machines

        def find(question: str) -> Mapping[str, Any]:
            body = {**settings, "question": question}
            try:
                response = httpx.post(address, json=body, headers=headers, timeout=TIMEOUT, trust_env=proxies)
                data: dict[str, Any] = response.json()
                refusal = data["error"] if response.is_error else None
                cause, cure = (refusal["cause"], refusal["cure"]) if refusal else ("", "")
            except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
                cause, cure = f"No Filigraph server answers at {url}.", "Correct the address, or start the server."
                raise ServerUnavailable(cause, cure=cure) from error
            if refusal:
                raise (InputError if response.status_code < 500 else ServerUnavailable)(cause, cure=cure)
            return data

        return cls(find)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        result = self._find(query_bundle.query_str)
        paths = [_path_node(path) for path in result["paths"]]
        return [*paths, *(_chunk_node(item) for item in result["evidence"])]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _path_node(path: Mapping[str, Any]) -> NodeWithScore:
    text, chunk_ids = path_in_full(path)
    return _node(path["id"], text, path["score"], {"kind": "path", "chunk_ids": chunk_ids})


def _chunk_node(item: Mapping[str, Any]) -> NodeWithScore:
    fields = ("title", "source", "place", "document_id", "kept_by")
    node = _node(item["id"], item["text"], item["score"], {"kind": "chunk"} | {name: item[name] for name in fields})
    node.node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=item["document_id"])
    return node


def _node(id_: str, text: str, score: float, metadata: dict[str, Any]) -> NodeWithScore:
    hidden = ["kind", "hop_score", "chunk_ids", "document_id", "kept_by"]  # useless for a model
    node = TextNode(
        id_=id_,
        text=text,
        metadata=metadata | {"hop_score": score},
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
    )
    return NodeWithScore(node=node, score=score)
