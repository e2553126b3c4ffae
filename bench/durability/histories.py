"""Does a graph depend on its history? Documents and decisions are added, changed and removed at random.

python -m bench.durability.histories [--sequences 200] [--local 20] [--views]

A *history* is a sequence of steps: a document is put, edited or deleted; two names are joined or kept apart, an entity
is split, renamed or typed, a fact rejected or restated, predicates are folded, a decision is undone. After it the
canonical export must equal that of a fresh workspace which got only the final documents and decisions. The first is
derived from caches and changes, and at random from snapshots of a server that is started again, the other from all
stored data; after each step the caches must equal the stored data.
Names come in several forms, casings and languages, in documents of several chunks, read by patterns, as ready triples,
or not at all; `--local` adds so many read by the local extractor. `--views` compares views of the final state with
workspaces that read nothing else (`view_histories.py`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from bench.common import machine, save
from bench.durability.history_player import (
    LOCAL,
    QUICK,
    Player,
    Reader,
    Restarts,
    Step,
    drawn,
    fill,
    kept_otherwise,
    reading_all,
)
from bench.durability.view_histories import RESTARTED, differences, play
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.store import Graph, Store
from filigraph.graph.store.workspace import read_rows
from tests.making import word_embedder
from tests.store.world import empty

SHOWN = 20  # lines of a difference
WORKSPACES = ("bench-histories", "bench-histories-fresh")


def difference(history: Sequence[Step], lived: Graph, fresh: Graph) -> list[str]:
    """The lines in which the export of a history differs from that of a fresh workspace with its final state; empty if
    all is right. Both workspaces must be empty."""
    player, other = Player(lived), Player(fresh)
    other.graph = reading_all(fresh)
    random = Random(repr(history))
    with (
        patch.object(read_rows, "SMALL_CHANGE_RATIO", 0),  # only changes are read, however many
        TemporaryDirectory() as folder,
    ):
        restarts = Restarts(lived, Path(folder), random)
        for step in history:
            if random.random() < RESTARTED:
                restarts.restart(player.embedder)
                if restarts.unwritten:
                    return [f"before {step!r}", "no snapshot was written"]
            player.play(step)
            if lines := kept_otherwise(lived):
                return [repr(step), *lines]
    exported = list(lived.dump())
    decisions = [row for row in map(json.loads, exported) if row["kind"] == "person_decisions"]
    fill(other, list(player.documents.values()), decisions)
    expected = list(fresh.dump())
    lines = [f"- {line}" for line in exported if line not in set(expected)]
    return lines + [f"+ {line}" for line in expected if line not in set(exported)]


def views_differ(history: Sequence[Step], lived: Graph, fresh: Graph, store: Store) -> list[str]:
    """The lines in which views of a history's final state differ from workspaces that read nothing else; empty if all
    is right."""
    player, random = Player(lived), Random(repr(history))
    play(player, history, random)

    def emptied() -> Graph:
        empty(store, fresh.workspace.name)
        return store.graph(fresh.workspace.name)

    return differences(player, emptied, random)


def measure(count: int, readers: Sequence[Reader], store: Store, *, views: bool) -> Iterator[dict[str, Any]]:
    """Play `count` histories, and yield the counts after each; prints histories that differ from their final state."""
    begin = time.perf_counter()
    steps: Counter[str] = Counter()
    different = 0
    for number, history in enumerate(drawn(count, *readers), 1):
        for name in WORKSPACES:
            empty(store, name)
        steps.update(type(step).__name__ for step in history)
        lived, fresh = (store.graph(name) for name in WORKSPACES)
        lines = views_differ(history, lived, fresh, store) if views else difference(history, lived, fresh)
        different += bool(lines)
        print(f"{number} of {count}: {len(history)} steps, {len(lines)} lines differ", flush=True)
        if lines:
            print(*map(repr, history), *lines[:SHOWN], sep="\n", flush=True)
        seconds = round(time.perf_counter() - begin)
        yield {"histories": number, "different": different, "steps": dict(steps), "seconds": seconds}


def main() -> None:
    """Play the histories and store how many differed."""
    parser = argparse.ArgumentParser(description="Play histories at random, and compare each with its end.")
    parser.add_argument("--sequences", type=int, default=200, help="histories of documents that are read at once")
    parser.add_argument("--local", type=int, default=20, help="histories of documents that the local extractor reads")
    parser.add_argument("--views", action="store_true", help="compare views of the end instead")
    options = parser.parse_args()
    embedder = word_embedder()
    address = start_neo4j()
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in WORKSPACES:
            store.create_workspace(name, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
        result: dict[str, Any] = {"machine": machine()}
        for name, count, readers in (("read_at_once", options.sequences, QUICK), ("local", options.local, LOCAL)):
            for result[name] in measure(count, readers, store, views=options.views):
                # Each time: it takes hours on a busy machine.
                save("view_histories" if options.views else "histories", result)
        for name in WORKSPACES:
            store.delete_workspace(name)


if __name__ == "__main__":
    main()
