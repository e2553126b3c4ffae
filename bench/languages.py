"""Join vector and word search with every weight, in four languages: what `graph/ask/explore/fusion.py` was decided by.

    python -m bench.languages [en] [fr] [es] [zh]

French, Spanish and Chinese are ingested here, without facts (bench-languages-fr, ...); English are the two sets that
`bench.ingest` has ingested. Each question is searched once by vector and once by words; the weights are then tried on
these two lists. Printed and kept: recall@5, recall@10 and reciprocal rank of words alone, of vectors alone, and of
reciprocal rank fusion with each weight of the vectors; for each also the chance that, on other questions like these,
recall@5 or recall@10 (the worse of the two) would be below that of words alone (a paired bootstrap).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.common import data, lines, machine, save, workspace
from filigraph.app.neo4j import start_neo4j
from filigraph.graph import ids
from filigraph.graph.ask.explore.fusion import UNKNOWN, reciprocal_rank_fusion
from filigraph.graph.ask.explore.search import SEARCHED, embed_question
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.measure.evaluate import KEPT, quality
from filigraph.graph.model import Source
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from filigraph.graph.text.language import detect
from filigraph.graph.text.words import lucene_query

SETS = {"en": ["2wiki", "musique-train"], "fr": ["languages/fr"], "es": ["languages/es"], "zh": ["languages/zh"]}
WEIGHTS = sorted([UNKNOWN, *(round(0.05 * n, 2) for n in range(21))])
MEASURES = ("recall@5", "recall@10", "mrr")
DRAWS = 4000  # of the bootstrap


@dataclass(frozen=True, kw_only=True)
class Searched:
    """What one question found by vector and by words."""

    id: str
    language: str  # as detected
    vectors: list[str]  # chunk ids
    words: list[str]
    documents: dict[str, str]  # of the chunks
    gold: list[str]  # documents

    def ranking(self, chunks: Sequence[str]) -> list[str]:
        """Document names as `quality` counts them: `gold 0`, or the id of what is no gold."""
        documents = dict.fromkeys(self.documents[id_] for id_ in chunks[:KEPT])
        return [f"gold {self.gold.index(id_)}" if id_ in self.gold else id_ for id_ in documents]


def search(graph: Graph, embedder: Embedder, questions: Sequence[dict[str, Any]]) -> list[Searched]:
    """Ask both searches every question that has a text."""
    found = []
    for row in questions:
        text = row["question"].strip()
        if not text:
            continue
        language = detect(text)
        read = embed_question(text, language, graph, embedder)
        vectors = [id_ for id_, _ in graph.search_chunks(read.vector, SEARCHED)]
        words = [hit.id for hit in graph.search_words(lucene_query(read.terms), read.vector, SEARCHED)]
        documents = {id_: passage.document_id for id_, passage in graph.passages([*vectors, *words]).items()}
        gold = [ids.document_id(graph.workspace.name, passage) for passage in row["gold"]]
        found.append(
            Searched(id=row["id"], language=language, vectors=vectors, words=words, documents=documents, gold=gold)
        )
    return found


def joined(one: Searched, weight: float) -> list[str]:
    """The fusion of both lists with a weight of the vectors."""
    found = reciprocal_rank_fusion([(weight, one.vectors), (1 - weight, one.words)])
    return one.ranking([id_ for id_, _ in found])


def figures(asked: Sequence[Searched], rankings: Sequence[list[str]]) -> dict[str, float]:
    """The MEASURES of one ranking for each question."""
    found = {one.id: ranking for one, ranking in zip(asked, rankings, strict=True)}
    measured = quality(found, {one.id: len(one.gold) for one in asked})
    return {name: measured[name] for name in MEASURES}


def chance_below(asked: Sequence[Searched], rankings: Sequence[list[str]], words: Sequence[list[str]]) -> float:
    """How often recall@5 or recall@10 is below that of words when the questions are drawn anew."""

    def recalls(of: Sequence[list[str]]) -> Any:
        found = [
            [sum(name.startswith("gold ") for name in ranking[:k]) / len(one.gold) for k in (5, 10)]
            for one, ranking in zip(asked, of, strict=True)
        ]
        return np.array(found)

    gain = recalls(rankings) - recalls(words)
    drawn = np.random.default_rng(0).integers(len(gain), size=(DRAWS, len(gain)))
    below = (gain[drawn].mean(axis=1) < 0).mean(axis=0)
    return round(float(below.max()), 3)


def measure(asked: Sequence[Searched]) -> dict[str, Any]:
    """Words, vectors, and every weight between them."""
    words = [one.ranking(one.words) for one in asked]
    by_weight = {str(weight): [joined(one, weight) for one in asked] for weight in WEIGHTS}
    return {
        "questions": len(asked),
        "detected": dict(Counter(one.language for one in asked).most_common()),
        "words": figures(asked, words),
        "vectors": figures(asked, [one.ranking(one.vectors) for one in asked]),
        "weights": {
            weight: {**figures(asked, rankings), "below words": chance_below(asked, rankings, words)}
            for weight, rankings in by_weight.items()
        },
    }


def main() -> None:
    """Ingest, search, try the weights, print, keep."""
    codes = sys.argv[1:] or list(SETS)
    embedder = load_embedder(None)
    results: dict[str, Any] = {"machine": machine(), "embedder": embedder.name}
    address = start_neo4j()
    with Store.connect(address.uri, address.username, address.password) as store:
        for name in (name for code in codes for name in SETS[code]):
            rows = lines(data(f"{name}/questions.jsonl"))
            label = f"bench-{name.replace('/', '-')}"
            if name.startswith("languages/"):
                passages = Source(name="passages.jsonl", content=data(f"{name}/passages.jsonl").read_bytes())
                with workspace(label, embedder, keep=True) as graph:
                    ingest([passages], graph=graph, embedder=embedder, extractor=TripleExtractor({}))
            results[name] = measure(search(store.graph(label), embedder, rows))
            _print(name, results[name])
    save("languages", results)


def _print(name: str, result: dict[str, Any]) -> None:
    print(f"{name}: {result['questions']} questions, detected as {result['detected']}")
    columns = (*MEASURES, "below words")
    print(f"  {'weight':8}" + "".join(f"{column:>12}" for column in columns))
    rows = {"words": result["words"], **result["weights"], "vectors": result["vectors"]}
    for label, row in rows.items():
        print(f"  {label:8}" + "".join(f"{100 * row[name]:12.1f}" for name in columns if name in row), flush=True)


if __name__ == "__main__":
    main()
