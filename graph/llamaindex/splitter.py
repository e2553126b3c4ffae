"""`FiligraphSplitter`: our splitting as a LlamaIndex node parser.

    nodes = FiligraphSplitter(size=512).get_nodes_from_documents(documents)

A node is a chunk as `ingest` cuts it: whole sentences within one chapter, with offsets. Importing this imports
LlamaIndex, which takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.bridge.pydantic import Field
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship, TextNode
from llama_index.core.utils import get_tqdm_iterable

from filigraph.graph.ingest.load.chapters import chapters_of_plain_text
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import CutUnit, LoadedDocument, Strategy
from filigraph.graph.text import language


class FiligraphSplitter(NodeParser):
    """Splits documents into chunks; the settings are those of `filigraph ingest`.

    A node's id follows from its document's id and its text, so unchanged text keeps its ids. `place` in its metadata is
    the chapter, "" if the document has none. Raises InputError for a size or an overlap out of range.
    """

    strategy: Strategy = Field(default="paragraph", description="Where a chunk ends: paragraph, sentence or fixed.")
    size: int = Field(default=512, description="The most that a chunk holds, in `unit`.")
    overlap: float = Field(default=0.15, description="Share of a chunk that the next one repeats, 0 to 0.5.")
    unit: CutUnit = Field(default="tokens", description="tokens, characters or words.")

    @classmethod
    def class_name(cls) -> str:
        return "FiligraphSplitter"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        return [
            piece for node in get_tqdm_iterable(nodes, show_progress, "Splitting") for piece in self._pieces_of(node)
        ]

    def _pieces_of(self, node: BaseNode) -> list[TextNode]:
        text = node.get_content(metadata_mode=MetadataMode.NONE)
        document = LoadedDocument(
            source=node.node_id,
            title="",
            text=text,
            sha256="",
            media_type="text/plain",
            language=language.detect(text),
            places=chapters_of_plain_text(text),
        )
        chunks = split(
            document, node.node_id, strategy=self.strategy, size=self.size, overlap=self.overlap, unit=self.unit
        )
        return [
            TextNode(
                id_=chunk.id,
                text=chunk.text,
                start_char_idx=chunk.start,
                end_char_idx=chunk.end,
                metadata={"place": chunk.place},
                excluded_embed_metadata_keys=node.excluded_embed_metadata_keys,
                excluded_llm_metadata_keys=node.excluded_llm_metadata_keys,
                relationships={NodeRelationship.SOURCE: node.as_related_node_info()},
            )
            for chunk in chunks
        ]

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        """LlamaIndex would search each text again, and find a repeated one too early: keep our offsets."""
        spans = [(node.start_char_idx, node.end_char_idx) for node in nodes if isinstance(node, TextNode)]
        done = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, (start, end) in zip(done, spans, strict=True):
            node.start_char_idx, node.end_char_idx = start, end  # type: ignore[attr-defined]
        return done
