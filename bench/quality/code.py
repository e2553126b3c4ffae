"""Code: chunks by syntax against chunks of 50 lines, on two packages from PyPI.

    python -m bench.quality.code

pip downloads the sources (pinned by name and version; nothing of them is run). 30 questions, `questions/code.json`,
each with the functions that answer it, were written from the sources before anything was measured; nothing was tuned on
them. A chunk is right if it contains half of the lines of a function that answers, or lies within one. recall@5: the
share of a question's functions that the first five chunks contain. precision@5 is bounded by the number of functions;
R-precision takes as many chunks as there are functions.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.common import OWN_DATA, RESULTS, machine, save, workspace
from bench.intervals import bootstrap_means, bounds
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.ingest.report import IngestSettings
from filigraph.graph.model.documents import Source
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph

PACKAGES = {"httpx": "0.28.1", "click": "8.1.8"}
LINES = 50  # of a chunk, in the other way
KEPT = 5
METHODS = ("filigraph", "hybrid", "dense", "bm25")
Lines = tuple[str, int, int]  # file, first and last line


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question and the functions that answer it."""

    package: str
    question: str
    gold: tuple[Lines, ...]


def download(folder: Path) -> dict[str, dict[str, str]]:
    """Package -> file name within it -> its text."""
    packages = {}
    for name, version in PACKAGES.items():
        how = ["--no-deps", "--no-binary", ":all:", "--quiet", "--dest", str(folder)]
        subprocess.run([sys.executable, "-m", "pip", "download", *how, f"{name}=={version}"], check=True)
        with tarfile.open(folder / f"{name}-{version}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        root = next(path for path in (folder / f"{name}-{version}").rglob(f"{name}/__init__.py")).parent
        packages[name] = {
            str(file.relative_to(root)): text
            for file in sorted(root.rglob("*.py"))
            if (text := file.read_text(encoding="utf-8")).strip()
        }
    return packages


def by_syntax(graph: Graph, embedder: Embedder, files: dict[str, str], package: str) -> None:
    sources = [Source(name=f"{package}/{name}", content=text.encode()) for name, text in files.items()]
    ingest(sources, graph=graph, embedder=embedder, extractor=TripleExtractor({}))


def by_lines(graph: Graph, embedder: Embedder, files: dict[str, str], package: str) -> None:
    """Ingest each 50 lines as a separate document of one chunk."""
    sources = []
    for name, text in files.items():
        lines = text.splitlines(keepends=True)
        for first in range(0, len(lines), LINES):
            part = lines[first : first + LINES]
            if "".join(part).strip():
                span = f"{package}/{name}:{first + 1}-{first + len(part)}"
                sources.append(
                    Source(name=span, content="".join(part).encode(), metadata={"title": f"{package}/{name}"})
                )
    whole = IngestSettings(size=8192, overlap=0.0)
    ingest(sources, graph=graph, embedder=embedder, extractor=TripleExtractor({}), settings=whole)


def place_by_syntax(source: str, place: str) -> Lines:
    first, last = place.rpartition("lines ")[2].split("-")
    return source, int(first), int(last)


def place_by_lines(source: str, place: str) -> Lines:
    name, _, span = source.rpartition(":")
    first, last = span.split("-")
    return name, int(first), int(last)


def is_right(chunk: Lines, gold: Lines) -> bool:
    file, first, last = chunk
    shared = min(last, gold[2]) - max(first, gold[1]) + 1
    return file == gold[0] and (shared * 2 >= gold[2] - gold[1] + 1 or (gold[1] <= first and last <= gold[2]))


def score(chunks: Sequence[Lines], gold: Sequence[Lines]) -> dict[str, float]:
    right = [any(is_right(chunk, one) for one in gold) for chunk in chunks]
    reached = [any(is_right(chunk, one) for chunk in chunks[:KEPT]) for one in gold]
    first = next((n for n, good in enumerate(right, 1) if good), 0)
    return {
        "recall@5": sum(reached) / min(len(gold), KEPT),
        "found@5": float(any(right[:KEPT])),
        "precision@5": sum(right[:KEPT]) / KEPT,
        "R-precision": sum(right[: len(gold)]) / len(gold),
        "MRR": 1 / first if first else 0.0,
    }


def with_interval(values: Sequence[float], rng: np.random.Generator) -> list[float]:
    """Mean, and the 95 % interval of the bootstrap over questions."""
    array = np.array(values)
    means = bootstrap_means(array, rng, samples=2000)
    return [round(float(x), 3) for x in (array.mean(), *bounds(means))]


def asked(files: dict[str, dict[str, str]], graph: Graph) -> list[Asked]:
    """The questions, with the lines of their functions, as the chunks by syntax have them."""
    named: dict[str, list[Lines]] = {}
    for passage in graph.passages(graph.chunk_ids()).values():
        kind, _, rest = passage.place.partition(" ")
        if kind != "module":
            name = rest.rpartition(", lines ")[0]
            named.setdefault(f"{passage.source}::{name}", []).append(place_by_syntax(passage.source, passage.place))
    rows = json.loads((OWN_DATA / "questions" / "code.json").read_text(encoding="utf-8"))
    questions = []
    for row in rows:
        gold = [f"{row['package']}/{name}" for name in row["gold"]]
        missing = [name for name in gold if name not in named]
        if missing:
            sys.exit(f"{missing[0]} is nowhere in {row['package']} {PACKAGES[row['package']]}.")
        # overloads: the longest definition of a name is the implementation
        spans = tuple(max(named[name], key=lambda span: span[2] - span[1]) for name in gold)
        questions.append(Asked(package=row["package"], question=row["question"], gold=spans))
    return questions


def measure(graph: Graph, embedder: Embedder, questions: Sequence[Asked], place: Callable[[str, str], Lines]) -> Any:
    scores: dict[str, list[dict[str, float]]] = {}
    for method in METHODS:
        settings = AskSettings(method=method, keep=KEPT, rerank=False)  # type: ignore[arg-type]
        for one in questions:
            evidence = retrieve(one.question, graph=graph, embedder=embedder, settings=settings).evidence
            chunks = [place(item.source, item.place) for item in evidence]
            scores.setdefault(method, []).append(score(chunks, one.gold))
    return scores


def main() -> None:
    embedder = load_embedder("")
    with tempfile.TemporaryDirectory() as folder:
        files = download(Path(folder))
    with workspace("bench-code-syntax", embedder) as graph:
        for package, texts in files.items():
            by_syntax(graph, embedder, texts, package)
        questions = asked(files, graph)
        syntax = measure(graph, embedder, questions, place_by_syntax)
        size = len(graph.chunk_ids())
    with workspace("bench-code-lines", embedder) as graph:
        for package, texts in files.items():
            by_lines(graph, embedder, texts, package)
        lines = measure(graph, embedder, questions, place_by_lines)
        result: dict[str, Any] = {
            "machine": machine(),
            "packages": PACKAGES,
            "questions": len(questions),
            "functions": round(float(np.mean([len(one.gold) for one in questions])), 2),
            "chunks": {"syntax": size, "lines": len(graph.chunk_ids())},
        }
    rng = np.random.default_rng(0)
    for method in METHODS:
        rows: dict[str, Any] = {}
        for name in syntax[method][0]:
            one = [row[name] for row in syntax[method]]
            other = [row[name] for row in lines[method]]
            ahead = [a - b for a, b in zip(one, other, strict=True)]
            rows[name] = {
                "syntax": with_interval(one, rng),
                "lines": with_interval(other, rng),
                "ahead": with_interval(ahead, rng),
            }
        result[method] = rows
    save("code", result)
    print(json.dumps(result, indent=1), RESULTS)


if __name__ == "__main__":
    main()
