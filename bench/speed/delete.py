"""Delete a tenth of many small documents: how the time grows with their number, and whether anything of them remains.

python -m bench.speed.delete [2500 10000]

The first passages of `bench.speed.large` with their ready triples. `same_graph`: the canonical dump equals that of a
workspace which never had the deleted documents.
"""

from __future__ import annotations

import sys
import time
from itertools import islice
from typing import Any

from bench.common import machine, save, workspace
from bench.speed import large
from filigraph.graph import ids
from filigraph.graph.derive import derive
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.model.documents import Source
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest

NAME = "bench-delete"
SHARE = 10  # one in this many is deleted


def main() -> None:
    """Measure each size."""
    sizes = [int(size) for size in sys.argv[1:]] or [2500, 10_000]
    embedder = load_embedder(None)
    results: dict[str, Any] = {"machine": machine(), "embedder": embedder.name}
    for size in sizes:
        results[str(size)] = row = measure(size, embedder)
        print(size, row, flush=True)
    save("delete", results)


def measure(size: int, embedder: Embedder) -> dict[str, Any]:
    """Ingest that many passages, then delete one in ten, all at once."""
    sources, triples_by_document = [], {}
    for passage, read in islice(large.rows(), size):
        name = passage["id"]
        sources.append(Source(name=name, content=passage["text"].encode(), metadata={"title": passage["title"]}))
        triples_by_document[ids.document_id(NAME, name)] = read["triples"]
    triples = TripleExtractor(triples_by_document)
    gone = {source.name for source in sources[::SHARE]}
    with workspace(NAME, embedder) as graph:
        report = ingest(sources, graph=graph, embedder=embedder, extractor=triples)
        before = graph.stats()
        begin = time.perf_counter()
        graph.delete_documents([ids.document_id(NAME, name) for name in gone])
        removed = time.perf_counter()
        derive(graph, embedder=embedder)
        done = time.perf_counter()
        after = graph.stats()
        left = list(graph.dump())
    row = {
        "documents": size,
        "deleted": len(gone),
        "facts_before": before.facts,
        "facts_after": after.facts,
        "seconds_ingest": round(sum(report.seconds.values()), 1),
        "seconds_remove": round(removed - begin, 1),
        "seconds_derive": round(done - removed, 1),
        "seconds": round(done - begin, 1),
    }
    with workspace(NAME, embedder) as graph:
        remaining = [source for source in sources if source.name not in gone]
        ingest(remaining, graph=graph, embedder=embedder, extractor=triples)
        return row | {"same_graph": list(graph.dump()) == left}


if __name__ == "__main__":
    main()
