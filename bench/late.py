"""Chunks embedded late against chunks embedded one by one: what a question's vector finds, of novels and case files.

    python -m bench.late [SET ...] [--size 128 512]

Questions: those of the novels (`bench/questions`) and of the case files; their gold is quotes. A chunk is found by the
cosine of its vector with the question's, by nothing else. Kept and printed: recall@5, recall@10 and MRR, with the
difference to early and its interval (paired bootstrap over questions, 95 %), and the CPU seconds that embedding took.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.common import data, lines, machine, save
from bench.narrative import sources
from filigraph.graph.ingest.load import load
from filigraph.graph.ingest.split import split
from filigraph.graph.model import Chunk, LoadedDocument, Matrix, Source
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder, embed_chunks, embed_questions
from filigraph.graph.models.late import LateDocument

HERE = Path(__file__).parent
NOVELS = {"holmes": "adventures_of_sherlock_holmes_en.txt", "lecoq": "monsieur_lecoq_fr.txt"}
CASES = ("filature", "harbour", "mairie", "musee", "theatre")
MEASURES = ("recall@5", "recall@10", "mrr")
SAMPLES = 10_000  # of the bootstrap


def read(name: str) -> tuple[list[LoadedDocument], list[dict[str, Any]]]:
    """The documents of a set, and its questions that have gold."""
    if name in NOVELS:
        file = data(f"novels/{NOVELS[name]}")
        texts, asked = [Source(name=file.name, content=file.read_bytes())], HERE / "questions" / f"{name}.jsonl"
    else:
        texts, asked = sources(name), data(f"cases/{name}") / "questions.jsonl"
    return [load(text) for text in texts], [row for row in lines(asked) if row["gold"]]


def plain(text: str) -> str:
    return " ".join(text.split())


def embed(embedder: Embedder, chunks: Sequence[Chunk], *, late: bool) -> Matrix:
    """The vectors of the chunks of one document."""
    nothing: list[list[tuple[int, int]]] = [[] for _ in chunks]
    if late:
        return LateDocument(embedder, chunks).embed([(chunk.start, chunk.end) for chunk in chunks], nothing)[0]
    return embed_chunks(embedder, [chunk.text for chunk in chunks], [chunk.title for chunk in chunks], nothing)[0]


def scores(ranks: Sequence[int]) -> tuple[float, ...]:
    """MEASURES of a question, by the rank (from 0) of the first chunk that holds each piece of its gold."""
    found = np.array(ranks)
    return float(np.mean(found < 5)), float(np.mean(found < 10)), float(1 / (1 + found.min()))


def asked_of(embedder: Embedder, chunks: Sequence[Chunk], vectors: Matrix, rows: Sequence[dict[str, Any]]) -> Matrix:
    """MEASURES of each question, shape (questions, 3); gold that no chunk holds whole is left out."""
    texts = [plain(chunk.text) for chunk in chunks]
    cosines = embed_questions(embedder, [row["question"] for row in rows]) @ vectors.T
    found = []
    for row, near in zip(rows, cosines, strict=True):
        place = np.argsort(np.argsort(-near, kind="stable"), kind="stable")
        pieces = [[n for n, text in enumerate(texts) if plain(quote) in text] for quote in row["gold"]]
        if ranks := [int(place[holding].min()) for holding in pieces if holding]:
            found.append(scores(ranks))
    return np.array(found, np.float32)


def measure(embedder: Embedder, names: Sequence[str], size: int) -> dict[str, Any]:
    """Both ways of embedding, over these sets."""
    of: dict[bool, list[Matrix]] = {False: [], True: []}
    seconds, count = {False: 0.0, True: 0.0}, 0
    for name in names:
        documents, rows = read(name)
        cut = [split(document, document.source, size=size) for document in documents]
        count += sum(map(len, cut))
        for late, found in of.items():
            begin = time.process_time()
            vectors = np.vstack([embed(embedder, chunks, late=late) for chunks in cut])
            seconds[late] += time.process_time() - begin
            found.append(asked_of(embedder, [chunk for chunks in cut for chunk in chunks], vectors, rows))
    early, late_ = np.vstack(of[False]), np.vstack(of[True])
    drawn = np.random.default_rng(0).integers(0, len(early), (SAMPLES, len(early)))
    ends = np.percentile((late_ - early)[drawn].mean(axis=1), [2.5, 97.5], axis=0)
    rounded = {
        measure: {
            "early": round(float(early[:, n].mean()), 3),
            "late": round(float(late_[:, n].mean()), 3),
            "ahead": [round(float(x), 3) for x in ((late_ - early)[:, n].mean(), *ends[:, n])],
        }
        for n, measure in enumerate(MEASURES)
    }
    cpu = {"early": round(seconds[False], 1), "late": round(seconds[True], 1)}
    return {"questions": len(early), "chunks": count, "cpu_seconds": cpu, **rounded}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sets", nargs="*", default=[*NOVELS, *CASES], metavar="SET", help="holmes, lecoq or a case file"
    )
    parser.add_argument("--size", type=int, nargs="+", default=[128, 512], help="of a chunk, in tokens")
    options = parser.parse_args()
    embedder = load_embedder()
    result = {str(size): measure(embedder, options.sets, size) for size in options.size}
    print(json.dumps(result, indent=1))
    save("late", {"embedder": embedder.name, "machine": machine(), "sets": options.sets, "sizes": result})


if __name__ == "__main__":
    main()
