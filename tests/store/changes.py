"""Changes of a workspace, each by a different way of writing."""

from __future__ import annotations

from filigraph.graph.store import Graph
from tests.store.world import derive, document, read, remove_mentions


def add_a_document(graph: Graph) -> None:
    read(graph, "c.txt", ["Jules | doute de | Sophie."])
    derive(graph)


def delete_and_derive(graph: Graph) -> None:
    graph.delete_documents([document(graph, "b.txt").id])
    derive(graph)


def name_a_title(graph: Graph) -> None:
    letter = document(graph, "a.txt").id
    first = min(graph.chunks_of_documents([letter])[letter])
    graph.replace_titles([first], {first: [document(graph, "b.txt").id]}, looked_up=[])


def sweep(graph: Graph) -> None:
    remove_mentions(graph, [mention.id for mention in graph.mentions()][:1])
    graph.sweep()
