"""`FiligraphRetriever`: what Filigraph finds, as documents for LangChain. Needs the package `langchain-core`.

    retriever = FiligraphRetriever(url="http://127.0.0.1:8484", workspace="default", options={"keep": 8})
    documents = retriever.invoke("Pourquoi se méfier de Jules ?")

Documents are paths, best first, then chunks in their order. Their ids are Filigraph's own; metadata:

    kind             "path", "chunk" or "summary"
    score            0..1
    chunk_ids        path only: the chunks behind its hops, in walking order
    title, source, place, document_id, kept_by      all but paths
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, SecretStr

from filigraph.app.client.filigraph import Filigraph
from filigraph.graph.model.retrieval import Evidence, Path
from filigraph.graph.text.wording import path_in_full


class FiligraphRetriever(BaseRetriever):
    """Finds chunks and paths for a question. Asking raises a FiligraphError: the server refuses, or does not answer."""

    url: str = Field(default="", description="The server; empty: FILIGRAPH_URL.")
    key: SecretStr = Field(default=SecretStr(""), description="An API key; empty: FILIGRAPH_KEY.")
    workspace: str = "default"
    options: dict[str, Any] = Field(default_factory=dict, description="The fields of REST's `retrieve`.")

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        with Filigraph(self.url, key=self.key.get_secret_value()) as filigraph:
            retrieved = filigraph.workspace(self.workspace).retrieve(query, **self.options)
        return [*map(_path, retrieved.paths), *map(_passage, retrieved.evidence)]


def _path(path: Path) -> Document:
    text, chunk_ids = path_in_full(asdict(path))
    return Document(
        id=path.id, page_content=text, metadata={"kind": "path", "score": path.score, "chunk_ids": chunk_ids}
    )


def _passage(item: Evidence) -> Document:
    shown = ("kind", "document_id", "title", "source", "place", "score", "kept_by")
    metadata = {name: getattr(item, name) for name in shown}
    return Document(id=item.id, page_content=item.text, metadata=metadata)
