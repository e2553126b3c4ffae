"""The share of multi-hop gold among the first five passages after a language model has read.

    python -m bench.quality.multi_hop [SET[=COUNT] ...] [--replies FOLDER]

Sets: musique, 2wiki, after `bench.speed.ingest` of the whole set; COUNT of the questions, spread over the set. Only
the fifth of the questions is asked on which the hop ranker that ships was not trained.
Passages behind the path that the reader names rank first, then those that its answer cites, then those of the first
search. Replies are files, as in `bench.quality.investigate`: prompts that have none wait for a reader.

Printed and kept, for each set: recall@5 of the first search and with the reader, with the bounds of 95 % (paired
bootstrap over questions), all gold among the first five, and calls a question.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.common import DATA, data, lines, machine, save
from bench.corpora import held_out, workspace_of
from bench.quality.investigate import Recorded, spread
from bench.quality.recorded_replies import Waiting
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.answer import CITED, answer
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import find_evidence
from filigraph.graph.measure.gold import Gold, find_gold, parse_questions
from filigraph.graph.model.answers import Answer
from filigraph.graph.model.retrieval import Retrieved
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.store import Graph, Store

ROUNDS = 4  # readings, as in use
FIRST = 5
SAMPLES = 10_000  # of the bootstrap


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """One question: the share of its gold among the first five, before and after a reader."""

    searched: float
    read: float
    calls: int


def passages_of(reply: Answer, first: Sequence[str]) -> list[str]:
    """Chunk ids, best first: behind the named path, cited, found by the first search."""
    named = [id_ for path in reply.paths[:1] if path.origin == "named" for id_ in path.chunk_ids]
    numbers = [int(number) for number in CITED.findall(reply.text)] if reply.generated else []
    cited = [reply.citations[number - 1].id for number in numbers if 0 < number <= len(reply.citations)]
    return list(dict.fromkeys([*named, *cited, *first]))


def recall(ranked: Sequence[str], gold: Gold) -> float:
    """The share of the pieces of gold of which a chunk is among the first five; a piece takes one place."""
    pieces = {id_: f"gold {n}" for n, piece in enumerate(gold.pieces) for id_ in piece}
    first = list(dict.fromkeys(pieces.get(id_, id_) for id_ in ranked))[:FIRST]
    return sum(name in first for name in set(pieces.values())) / len(gold.pieces)


class Unnumbered(Recorded):
    """A recorded LLM that does not see the passages' numbers: those of one question are neighbours."""

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        prompt = re.sub(r" \([\w-]+-\d{4,}\)$", "", request.prompt, flags=re.MULTILINE)
        return super().complete(replace(request, prompt=prompt), cancel=cancel)


def ask_all(name: str, count: int, graph: Graph, embedder: Embedder, folder: Path) -> tuple[list[Ranked], int]:
    """The answered questions, and the number of those that wait for a reader."""
    file = data(f"{name}/questions.jsonl")
    gold, _ = find_gold(parse_questions(file.read_bytes()).questions, graph)
    search = partial(find_evidence, graph=graph, embedder=embedder)
    ranked: list[Ranked] = []
    waiting = 0
    unseen = [row for row in lines(file) if row["id"] in gold and held_out(row["id"])]
    for row in spread(unseen, count):
        llm = Unnumbered(folder, "investigation")
        first: list[Retrieved] = []
        settings = AskSettings(rounds=ROUNDS, seconds=3600)
        ask = partial(answer, search=search, graph=graph, embedder=embedder, llm=llm, settings=settings)
        try:
            reply = ask(row["question"], on_retrieved=first.append)
        except Waiting:
            waiting += 1
            continue
        ids = [evidence.id for evidence in first[0].evidence if evidence.kind == "chunk"]
        of_question = gold[row["id"]]
        read = recall(passages_of(reply, ids), of_question)
        ranked.append(Ranked(searched=recall(ids, of_question), read=read, calls=llm.usage.calls))
    return ranked, waiting


def figures(rows: Sequence[Ranked]) -> dict[str, Any]:
    """What is kept of a set."""
    generator = np.random.default_rng(0)
    picked = generator.integers(0, len(rows), (SAMPLES, len(rows)))
    result: dict[str, Any] = {"questions": len(rows), "calls": round(float(np.mean([row.calls for row in rows])), 2)}
    for kind in ("searched", "read"):
        shares = np.array([getattr(row, kind) for row in rows])
        low, high = np.quantile(shares[picked].mean(axis=1), (0.025, 0.975))
        result[kind] = {
            "recall@5": float(shares.mean()),
            "low": float(low),
            "high": float(high),
            "all_gold@5": float((shares == 1).mean()),
        }
    return result


def main() -> None:
    """Ask as far as replies carry, print and keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.multi_hop")
    parser.add_argument("sets", nargs="*", default=("musique",))
    parser.add_argument("--replies", type=Path, default=DATA.parent / "replies")
    options = parser.parse_args()
    options.replies.mkdir(parents=True, exist_ok=True)
    embedder = load_embedder(None)
    address = start_neo4j()
    results: dict[str, Any] = {}
    with Store.connect(address.uri, address.username, address.password) as store:
        for wanted in options.sets:
            name, _, count = wanted.partition("=")
            rows, waiting = ask_all(
                name, int(count or 10_000), store.graph(workspace_of(name)), embedder, options.replies
            )
            print(name, len(rows), "answered,", waiting, "prompts wait for a reader in", options.replies, flush=True)
            if rows:
                results[name] = figures(rows) | {"waiting": waiting}
                print(name, results[name], flush=True)
    save("multi_hop", {"machine": machine(), **results})


if __name__ == "__main__":
    main()
