"""`ForceGraphRerank`: our reranking as a LlamaIndex node postprocessor, for use outside our engine.

    scorer = load_reranker("cross-encoder/mmarco-mMiniLMv2-L12-H384-v1")
    nodes = ForceGraphRerank(scorer=scorer).postprocess_nodes(nodes, query_str=question)

A node is a chunk or a path, according to its metadata; its score is the walk's hop score, 0..1:

    kind             "chunk" (default) or "path"
    hop_score        0..1; default: the node's own score
    chunk_ids        path only: node ids of the chunks behind its hops, in walking order

Each node that stays has `rerank_score` (None without a scorer) and `kept_by` ("rank" or "graph") in its metadata.
Importing this imports LlamaIndex, which takes seconds.
"""

from __future__ import annotations

from typing import Any

from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from filigraph.graph.ask.ranking.rerank import Scorer, joint_score, rerank
from filigraph.graph.model.retrieval import Evidence, Hop, Path


class ForceGraphRerank(BaseNodePostprocessor):
    """Rerank with a cross-encoder, if there is one, and keep the graph's paths regardless of its scores."""

    keep: int = Field(default=10, ge=1, description="How many nodes go on to the LLM.")
    reserved_paths: int = Field(default=3, ge=0, description="How many paths keep their place, with their chunks.")
    _scorer: Scorer | None = PrivateAttr()

    def __init__(self, *, scorer: Scorer | None = None, **settings: Any) -> None:
        super().__init__(**settings)
        self._scorer = scorer

    @classmethod
    def class_name(cls) -> str:
        return "ForceGraphRerank"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        by_id = {node.node.node_id: node for node in nodes}
        ordered = sorted((_evidence(node) for node in by_id.values()), key=lambda item: -item.score)
        paths = [_path(by_id[item.id], item) for item in ordered if item.kind == "path"]
        scorer = self._scorer if query_bundle is not None else None
        question = query_bundle.query_str if query_bundle is not None else ""
        reranked = rerank(question, ordered, paths, scorer, keep=self.keep, reserved_paths=self.reserved_paths)
        for item in reranked:
            by_id[item.id].node.metadata |= {"kept_by": item.kept_by, "rerank_score": item.rerank_score}
        return [
            NodeWithScore(
                node=by_id[item.id].node, score=item.score if item.rerank_score is None else joint_score(item)
            )
            for item in reranked
        ]


def _evidence(node: NodeWithScore) -> Evidence:
    metadata = node.node.metadata
    score = metadata.get("hop_score", node.score)
    return Evidence(
        id=node.node.node_id,
        kind="path" if metadata.get("kind") == "path" else "chunk",
        text=node.node.get_content(metadata_mode=MetadataMode.NONE),
        document_id=node.node.ref_doc_id or "",
        title="",
        source="",
        place="",
        score=float(score) if score is not None else 0.0,
    )


def _path(node: NodeWithScore, item: Evidence) -> Path:
    """The data of a path for reranking: its score, and the chunk of each hop."""
    hops = tuple(
        Hop(
            kind="fact",
            subject="",
            predicate="",
            object="",
            subject_id="",
            object_id="",
            chunk_id=str(chunk_id),
            sentence="",
            start=0,
            end=0,
            score=item.score,
        )
        for chunk_id in node.node.metadata.get("chunk_ids", ())
    )
    return Path(id=item.id, hops=hops, score=item.score, text=item.text)
