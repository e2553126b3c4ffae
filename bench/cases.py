"""The command of benches that measure the two case files with gold, some or all of them; only a run of all is
stored."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.common import machine, save
from bench.quality.recorded_replies import Waiting
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Store

CASES = ("phare", "vignoble")  # the first took part in development, the second did not

# a case's figures; whether details are printed; the folder of replies, where an LLM is asked; that of replies on who is
# who across documents, where an LLM reads that too
Measure = Callable[[str, Store, Embedder, bool, Path | None, Path | None], dict[str, Any]]


def run(bench: str, measure: Measure) -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog=f"python -m bench.quality.{bench}")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--show", action="store_true", help="print what was found")
    parser.add_argument("--replies", type=Path, help="a folder of recorded replies: an LLM is asked as well")
    parser.add_argument("--cast", type=Path, help="likewise: an LLM says who is who across documents")
    options = parser.parse_args()
    embedder = load_embedder(None)
    address = start_neo4j()
    result: dict[str, Any] = {"machine": machine(), "embedder": embedder.name}
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in options.cases or CASES:
            try:
                result[name] = measure(name, store, embedder, options.show, options.replies, options.cast)
            except Waiting:
                print(name, "has prompts that wait for a reader, in", options.cast)
            else:
                print(name, result[name], flush=True)
    if not options.cases and result.keys() >= {*CASES}:
        save(f"{bench}_cast" if options.cast else bench, result)
