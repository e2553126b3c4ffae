"""Ingest real corpora and measure the cost: counts, seconds by stage, memory; each novel also at half its size.

python -m bench.speed.ingest [2wiki] [musique] [musique-train] [2wiki-untitled] [musique-train-untitled] [holmes]
                             [lecoq]

`2wiki:3200` is a part of its passages (`bench/corpora.py`); musique holds the passages of musique-train as well.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from bench.common import data, machine, memory, save, workspace
from bench.corpora import Corpus, corpus
from filigraph.graph import ids
from filigraph.graph.ingest.extract.contract import Extractor
from filigraph.graph.model.documents import Source
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest

SETS = ["2wiki", "musique-train", "2wiki-untitled", "musique-train-untitled"]
NOVELS = {"holmes": "adventures_of_sherlock_holmes_en.txt", "lecoq": "monsieur_lecoq_fr.txt"}


def measure(name: str, sources: list[Source], extractor: Extractor, embedder: Embedder) -> dict[str, Any]:
    """One ingest from nothing, then the same again, which must have nothing to do."""
    with workspace(f"bench-{name}", embedder, keep=True) as graph:
        begin = time.perf_counter()
        report = ingest(sources, graph=graph, embedder=embedder, extractor=extractor)
        total = time.perf_counter() - begin
        begin = time.perf_counter()
        again = ingest(sources, graph=graph, embedder=embedder, extractor=extractor)
        row = {
            "documents": len(report.added),
            "words": sum(len(source.content.split()) for source in sources),
            "chunks": report.chunks,
            "triplets": report.triplets,
            "empty_chunks": report.empty_chunks,
            "entities": report.entities,
            "facts": report.facts,
            "seconds": round(total, 1),
            "seconds_again": round(time.perf_counter() - begin, 1),
            "unchanged_again": len(again.unchanged),
            "by_stage": report.seconds,
            **memory(),
        }
    print(name, row, flush=True)
    return row


def main() -> None:
    """Measure the sets in the arguments, or all of them."""
    wanted = sys.argv[1:] or [*SETS, "musique", *NOVELS]
    embedder = load_embedder(None)
    results: dict[str, Any] = {"machine": machine()}
    for name in wanted:
        if name in SETS:
            results |= passages(name, embedder)
        elif name.split(":")[0] in (*SETS, "musique"):
            results |= part(name, embedder)
        else:
            results |= novel(name, embedder)
    save("ingest", results)


def novel(name: str, embedder: Embedder) -> dict[str, Any]:
    """A whole novel with the local extractor, and its first half."""
    from filigraph.graph.ingest.extract.local import LocalExtractor
    from filigraph.graph.models.adapters import spacy_models

    text = data(f"novels/{NOVELS[name]}").read_text(encoding="utf-8")
    half = text[: text.rindex("\n\n", 0, len(text) // 2)]
    extractor = LocalExtractor(spacy_models.load)
    return {
        f"{label}": measure(label, [Source(name=f"{name}.txt", content=part.encode())], extractor, embedder)
        for label, part in ((f"{name}-half", half), (name, text))
    }


def passages(name: str, embedder: Embedder) -> dict[str, Any]:
    """A set's passages with ready triples: all, and a quarter of them; for an untitled copy only all, without
    titles.
    """
    from filigraph.graph.ingest.extract.triples import TripleExtractor, parse_triples

    folder = name.removesuffix("-untitled")
    whole = data(f"{folder}/passages.jsonl").read_bytes().splitlines(keepends=True)
    if folder != name:
        whole = [json.dumps(json.loads(line) | {"title": ""}).encode() + b"\n" for line in whole]
    rows = parse_triples(data(f"{folder}/triples.jsonl").read_bytes()).triples
    quarter = b"".join(whole[: len(whole) // 4])
    return {
        label: measure(
            label,
            [Source(name="passages.jsonl", content=content)],
            TripleExtractor({ids.document_id(f"bench-{label}", source): triples for source, triples in rows.items()}),
            embedder,
        )
        for label, content in ((f"{name}-quarter", quarter), (name, b"".join(whole)))
        if folder == name or label == name
    }


def part(name: str, embedder: Embedder) -> dict[str, Any]:
    """A set with those within it, or, for NAME:COUNT, that many of its passages in the workspace of the whole."""
    whole, _, most = name.partition(":")
    return {name: _corpus(whole, corpus(whole, int(most) if most else None), embedder)}


def _corpus(name: str, known: Corpus, embedder: Embedder) -> dict[str, Any]:
    from filigraph.graph.ingest.extract.triples import TripleExtractor

    by_document = {ids.document_id(f"bench-{name}", source): triples for source, triples in known.triples.items()}
    content = b"".join(known.passages)
    return measure(name, [Source(name="passages.jsonl", content=content)], TripleExtractor(by_document), embedder)


if __name__ == "__main__":
    main()
