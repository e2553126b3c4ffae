"""Filigraph as parts of LlamaIndex: a splitter, a retriever, and a reranker that keeps the graph's evidence.

Importing this imports LlamaIndex, which takes seconds.
"""

from filigraph.graph.llamaindex.rerank import ForceGraphRerank
from filigraph.graph.llamaindex.retriever import FiligraphRetriever
from filigraph.graph.llamaindex.splitter import FiligraphSplitter

__all__ = ["FiligraphRetriever", "FiligraphSplitter", "ForceGraphRerank"]
