"""One workspace that grows to 100,000 passages: time, memory and disk at each size, and how long questions take.

    python -m bench.speed.scale [--passages 6000 30000 100000] [--questions 100] [--changes 1]

The passages are those of `bench.speed.large`, with their ready triples. Vectors have the length of the default
embedder's and are drawn from the words by chance, not computed by it: the cost of a model grows only with the texts,
and `docs/scale.md` adds it. Each size adds to the one before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding

from bench.common import data, lines, machine, memory, save, workspace
from bench.speed.changes import Timed, spread, time_changes
from bench.speed.large import rows
from bench.speed.latency import alone
from filigraph.app.neo4j.folders import folders_of
from filigraph.app.neo4j.lock import DEFAULT_VERSION
from filigraph.graph import ids
from filigraph.graph.ask.explore.read_ahead import read_ahead
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.ingest.extract.triples import TripleExtractor, parse_triples
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.documents import Source
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.gc_tuning import FrozenObjects
from filigraph.graph.store import Graph
from filigraph.graph.text.words import terms

WORKSPACE = "bench-scale"
DIMENSIONS = 384  # of the default embedder
FILE = 6000  # passages in one file, so that none is larger than an upload may be


class ChanceEmbedding(BaseEmbedding):
    """The mean of the words' vectors, each word's drawn by chance: texts that share words are near each other."""

    def _get_text_embedding(self, text: str) -> list[float]:
        vectors = [_drawn(term) for term in terms(text, "")] or [_drawn("")]
        vector: list[float] = np.mean(vectors, axis=0).tolist()
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


@lru_cache(maxsize=200_000)
def _drawn(word: str) -> Vector:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
    return np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)


def chance_embedder() -> Embedder:
    """An embedder that knows no language and costs nearly nothing."""
    model = ChanceEmbedding()
    return Embedder(model=model, exact=model, name="chance", dimensions=DIMENSIONS, fingerprint="chance-384")


def grow(
    passages: Iterator[tuple[dict[str, Any], dict[str, Any]]], count: int, number: int, graph: Graph, embedder: Embedder
) -> dict[str, Any]:
    """Add `count` passages to the workspace."""
    sources: list[Source] = []
    triples: list[str] = []
    while count > 0 and (batch := list(islice(passages, min(FILE, count)))):
        lines_of = "".join(json.dumps(passage, ensure_ascii=False) + "\n" for passage, _ in batch)
        triples += [json.dumps(row, ensure_ascii=False) + "\n" for _, row in batch]
        sources.append(Source(name=f"passages-{number}-{len(sources)}.jsonl", content=lines_of.encode()))
        count -= len(batch)
    parsed = parse_triples("".join(triples).encode()).triples
    extractor = TripleExtractor({ids.document_id(WORKSPACE, source): rows for source, rows in parsed.items()})
    begin, used = time.perf_counter(), time.process_time()
    report = ingest(sources, graph=graph, embedder=embedder, extractor=extractor)
    return {
        "added_chunks": report.chunks,
        "seconds": round(time.perf_counter() - begin, 1),
        "cpu_seconds": round(time.process_time() - used, 1),
        "by_stage": report.seconds,
    }


def disk_mb() -> int:
    """The disk space of Neo4j in megabytes, with transaction logs."""
    folder = folders_of(DEFAULT_VERSION).server / "data"
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) >> 20


def main() -> None:
    """Grow, measure at each size, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.scale")
    parser.add_argument("--passages", type=int, nargs="+", default=[6000, 30_000, 100_000])
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--changes", type=int, default=1, help="of each kind at each size; the first reads everything")
    options = parser.parse_args()
    embedder, passages, before = chance_embedder(), rows(), disk_mb()
    questions = [row["question"] for row in lines(data("2wiki/questions.jsonl"))][: options.questions]
    FrozenObjects().begin()  # as a server does
    results: dict[str, Any] = {"machine": machine(), "questions": len(questions)}
    with workspace(WORKSPACE, embedder) as graph:
        there = 0
        for number, size in enumerate(options.passages):
            row = grow(passages, size - there, number, graph, embedder)
            there = size
            overview = graph.stats()
            row |= {"chunks": overview.chunks, "entities": overview.entities, "facts": overview.facts}
            print(size, row, flush=True)
            list(read_ahead(graph))  # as a server does soon after the first question
            row |= {"question": alone(graph, embedder, questions, settings=AskSettings())}
            row |= {"hybrid": alone(graph, embedder, questions, settings=AskSettings(method="hybrid"))}
            timed: Timed = {}
            for change in range(options.changes):
                time_changes(number * options.changes + change, graph, embedder, timed)
            row |= {what: spread(seconds) for what, seconds in timed.items()}
            row |= {"disk_mb": disk_mb() - before, **memory()}
            results[str(size)] = row
            print(size, row, flush=True)
            save("scale", results)


if __name__ == "__main__":
    main()
