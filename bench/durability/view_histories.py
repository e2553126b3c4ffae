"""Does a view equal a workspace that read nothing else? Compared line by line after a history (`histories.py`).

A view of all must have the lines of the workspace itself; a view of some documents, those of a fresh workspace with
these documents and the decisions about nothing else; a view up to a passage, those of a workspace without other chunks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bench.durability.history_player import Player, Put, Restarts, Step, fill
from filigraph.graph import ids
from filigraph.graph.derive import derive
from filigraph.graph.model.names import StoredCorrection
from filigraph.graph.names.mentions import read_mentions
from filigraph.graph.records.documents import ChunkRow
from filigraph.graph.serialize import correction_json
from filigraph.graph.store import Graph
from filigraph.graph.view import View
from filigraph.graph.views.lines import DERIVED, lines_of_view
from filigraph.graph.views.open import open_view
from filigraph.graph.views.reader import ViewGraph

Line = dict[str, Any]
LOOKED_AT = 0.3  # of the steps of a history
RESTARTED = 0.2  # of the steps


def play(player: Player, history: Sequence[Step], random: Random) -> None:
    """Play a history and sometimes open a view, so that later views begin from others; sometimes all caches are lost,
    and the next step is prepared as by a server that has started.
    """
    with TemporaryDirectory() as folder:
        restarts = Restarts(player.graph, Path(folder), random)
        for step in history:
            player.play(step)
            if player.documents and random.random() < LOOKED_AT:
                opened(player, View())
            if random.random() < RESTARTED:
                restarts.restart(player.embedder)


def opened(player: Player, view: View) -> ViewGraph:
    """The view, derived again from what earlier views have cached."""
    player.graph.memory.drop(lambda key: isinstance(key, tuple) and key[0] == "view")
    return open_view(player.graph, view, embedder=player.embedder)


def differs_from_all(player: Player) -> list[str]:
    """The lines in which the view of all differs from the workspace; empty if all is right."""
    view = opened(player, View())
    return _differing(_of_view(view), _of_graph(player.graph))


def differs_from_some(player: Player, fresh: Graph, sources: Sequence[str]) -> list[str]:
    """The lines in which the view of these documents differs from a workspace that read only them; empty if all is
    right."""
    view = opened(player, View(sources=tuple(sources)))
    there = {ids.document_id(player.graph.workspace.name, source) for source in sources}
    decisions = [row for row in player.graph.corrections() if _speaks_of(row, player.graph, there)]
    lines = [{"id": row.id[:32], "body": correction_json(row)} for row in decisions]
    documents: list[Put] = [put for source, put in player.documents.items() if source in sources]
    fill(Player(fresh), documents, lines)
    return _differing(_of_view(view), _of_graph(fresh))


def differs_up_to(player: Player, fresh: Graph, source: str, passage: int) -> list[str]:
    """The lines in which the view up to a passage differs from a workspace without other chunks; empty if all is
    right."""
    view = opened(player, View(until=(f"{source}:passage {passage}",), without_decisions=_all_decisions(player.graph)))
    part = player.graph.read_part()
    old, new = ids.workspace_tag(player.graph.workspace.name), ids.workspace_tag(fresh.workspace.name)

    def moved(id_: str) -> str:
        return id_.removesuffix(old) + new

    fresh.write_documents([_replaced(row, id=moved(row.id)) for row in part.documents.values()])
    for document, rows in part.chunks_of.items():
        shown = rows[:passage] if part.documents[document].source == source else rows
        read = [
            (_replaced(row.chunk, id=moved(row.chunk.id), document_id=moved(document)), row.extraction) for row in shown
        ]
        vector = np.zeros(fresh.workspace.dimensions, dtype=np.float32)
        vector[0] = 1.0
        chunks = [
            ChunkRow(chunk=chunk, terms=row.terms, vector=vector, sentences=vector[None], extraction=extraction)
            for (chunk, extraction), row in zip(read, shown, strict=True)
        ]
        fresh.write_chunks(chunks)
        fresh.replace_read([moved(document)], read_mentions(moved(document), read)[0])
        fresh.finish_reading({moved(document): [chunk.id for chunk, _ in read]})
    derive(fresh, embedder=player.embedder)
    return _differing(_of_view(view), _of_graph(fresh))


def differences(player: Player, fresh: Callable[[], Graph], random: Random) -> list[str]:
    """The lines in which views of a workspace differ: of all, of some documents, up to a passage. `fresh` empties the
    workspace to compare with."""
    if lines := differs_from_all(player):
        return ["all", *lines]
    sources = sorted(player.documents)
    if not sources:
        return []
    some = random.sample(sources, random.randint(1, len(sources)))
    if lines := differs_from_some(player, fresh(), some):
        return [f"only {some}", *lines]
    cut = random.choice(sources)
    chunks = player.graph.document_chunks(ids.document_id(player.graph.workspace.name, cut))
    passage = random.randint(1, len(chunks))
    if lines := differs_up_to(player, fresh(), cut, passage):
        return [f"{cut} up to passage {passage}", *lines]
    return []


def _replaced(row: Any, **fields: str) -> Any:
    return replace(row, **fields)


def _all_decisions(graph: Graph) -> tuple[str, ...]:
    return tuple(row.id for row in graph.corrections())


def _speaks_of(decision: StoredCorrection, graph: Graph, documents: set[str]) -> bool:
    """Whether everything that a decision is about is in these documents."""
    chunks = graph.load_chunks([place.chunk_id for place in decision.places])
    named = {name.document_id for name in (*decision.names, *decision.others)}
    gone = named - {row.id for row in graph.document_rows(facts=False)}
    return named - gone <= documents and {chunk.document_id for chunk in chunks} <= documents


def _of_view(view: ViewGraph) -> Iterator[str]:
    return lines_of_view(view.derived, view.workspace.settings)


def _of_graph(graph: Graph) -> Iterator[str]:
    return (line for line in graph.dump() if json.loads(line)["kind"] in DERIVED)


def _differing(view: Iterator[str], workspace: Iterator[str]) -> list[str]:
    lines, expected = list(view), list(workspace)
    if lines == expected:
        return []
    more, fewer = Counter(lines) - Counter(expected), Counter(expected) - Counter(lines)
    return [f"view {line}" for line in more] + [f"workspace {line}" for line in fewer] or ["another order"]
