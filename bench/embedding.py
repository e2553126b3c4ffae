"""Texts a second by precision, on the passages, facts and names of 2wiki, and the time to encode a question.

    python bench/embedding.py [--share 0.1] [--data ../shared/data/2wiki]

`--share` takes every n-th text; the seconds for all are extrapolated. Prints a table and writes
bench/results/embedding.json. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import statistics
import time
from pathlib import Path
from typing import Any

from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder, embed_chunks, embed_questions, embed_texts
from filigraph.graph.text.sentences import pieces

HERE = Path(__file__).parent
QUESTIONS = ["Who is the mother of the director of film Polish-Russian War?", "the mother", "the director of film"]


def read(data: Path) -> dict[str, list[Any]]:
    """Passages as (title, text), facts and names, each once."""
    passages = [json.loads(line) for line in (data / "passages.jsonl").read_text("utf-8").splitlines()]
    rows = [json.loads(line) for line in (data / "triples.jsonl").read_text("utf-8").splitlines()]
    triples = [triple for row in rows for triple in row["triples"] if len(triple) == 3]
    return {
        "passages": [(p["title"], p["text"]) for p in passages],
        "facts": sorted({" ".join(triple) for triple in triples}),
        "names": sorted({name for triple in triples for name in (triple[0], triple[2])}),
    }


def measure(embedder: Embedder, kind: str, texts: list[Any], share: float) -> dict[str, float]:
    """Embed a share of `texts` as the pipeline does, 256 chunks or 2,000 short texts at a time."""
    step = max(round(1 / share), 1)
    some = texts[::step]
    size = 256 if kind == "passages" else 2000
    begin, busy = time.perf_counter(), time.process_time()
    for start in range(0, len(some), size):
        batch = some[start : start + size]
        if kind == "passages":
            sentences = [pieces(text, "en") for _, text in batch]
            embed_chunks(embedder, [text for _, text in batch], [title for title, _ in batch], sentences)
        else:
            embed_texts(embedder, batch)
    wall, cpu = time.perf_counter() - begin, time.process_time() - busy
    return {
        "texts": len(some),
        "texts_per_second": round(len(some) / wall, 1),
        "seconds_for_all": round(wall * len(texts) / len(some), 1),
        "cpu_seconds_for_all": round(cpu * len(texts) / len(some), 1),
    }


def question_milliseconds(embedder: Embedder, questions: list[str]) -> float:
    """Median of 50."""
    times = []
    for _ in range(50):
        begin = time.perf_counter()
        embed_questions(embedder, questions)
        times.append((time.perf_counter() - begin) * 1000)
    return round(statistics.median(times), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "data" / "2wiki")
    options = parser.parse_args()
    begin = time.perf_counter()
    fast = load_embedder()
    load = round(time.perf_counter() - begin, 1)
    exact = dataclasses.replace(fast, model=fast.exact)
    texts = read(options.data)
    precisions = {"float32": exact} | ({} if fast.model is fast.exact else {"bfloat16": fast})
    results: dict[str, Any] = {
        "model": fast.name,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load_average": round(os.getloadavg()[0], 1),
        "share": options.share,
        "seconds_to_load": load,
        "question_ms": question_milliseconds(fast, QUESTIONS[:1]),
        "question_and_two_segments_ms": question_milliseconds(fast, QUESTIONS),
        "by_precision": {},
    }
    for precision, embedder in precisions.items():
        measure(embedder, "names", texts["names"][:2000], 0.1)  # the first pass sets up the kernels
        found = {kind: measure(embedder, kind, some, options.share) for kind, some in texts.items()}
        results["by_precision"][precision] = found
        for kind, row in found.items():
            print(
                f"{precision:9} {kind:9} {row['texts_per_second']:8.1f} texts/s, all {len(texts[kind]):,}: "
                f"{row['seconds_for_all']:6.1f} s"
            )
    print(f"question {results['question_ms']} ms, with two segments {results['question_and_two_segments_ms']} ms")
    out = HERE / "results" / "embedding.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(results, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
