"""The case of The Claw: four texts, their facts, and an ingest of them."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph import ids
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.model.documents import Source
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.making import source, word_embedder

TEXTS = {
    "letter.txt": "Dear aunt, Jules Delmas came to dinner. Jules wears a heavy signet ring of the Moreau house.",
    "inventory.txt": "Lot 3. The heavy signet ring of the Moreau house is the emblem of The Claw.",
    "cutting.txt": "The police say that The Claw is a society of thieves. Inspector Brun hunts The Claw.",
    "report.txt": "Paul Delmas is a baker in Lyon. Nobody ever saw The Claw near Delmas.",
}

TRIPLES = {
    "letter.txt": [("Jules", "wears", "heavy signet ring of the Moreau house"), ("Jules Delmas", "came to", "dinner")],
    "inventory.txt": [("heavy signet ring of the Moreau house", "is the emblem of", "The Claw")],
    "cutting.txt": [("The Claw", "is", "society of thieves"), ("Inspector Brun", "hunts", "The Claw")],
    "report.txt": [("Paul Delmas", "is", "baker")],
}


def sources(*names: str) -> list[Source]:
    return [source(name, TEXTS[name]) for name in names or TEXTS]


def triples(graph: Graph) -> TripleExtractor:
    return TripleExtractor({ids.document_id(graph.workspace.name, name): rows for name, rows in TRIPLES.items()})


def run(graph: Graph, what: Sequence[Source], **more: object):  # type: ignore[no-untyped-def]
    return ingest(what, graph=graph, embedder=word_embedder(), extractor=triples(graph), **more)
