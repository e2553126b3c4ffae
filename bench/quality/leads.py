"""The threshold for folding paths without an LLM: how many open paths help to answer.

    python -m bench.quality.leads [SET ...] [--replies FOLDER]

The first two paths of every question of the development sets, read thoroughly. A judge says of each, with the right
answer beside it, whether it answers, holds a step that is needed, or is noise: prompts and replies are files, as in
`bench.quality.investigate`. Printed and kept for each threshold: the share of open paths that help, and of helping ones
that are folded.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.common import DATA, machine, save
from bench.quality.investigate import Waiting, reply_to
from bench.quality.narrative import NOVELS, questions, workspace
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.engine import retrieve
from filigraph.graph.model.retrieval import Path as Shown
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.store import Store

DEVELOPMENT = (*NOVELS, "filature", "harbour", "mairie", "musee", "theatre")
FIRST = 2  # paths of a question
TOGETHER = 15  # in one prompt
BARS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
JUDGE = """You judge chains of facts that a search shows for questions about a story or a case file. For each item you
get the question, the right answer, and one chain with the sentence behind each fact. Say `answers` where the chain and
its sentences say the answer, `step` where it does not but holds a step that is needed to get there (who or what is meant,
or a fact from which the answer follows), else `noise`.

Reply with one line for each item and nothing else: its number, a colon, the verdict. Like this:
1: step
2: noise
"""  # noqa: E501 - replies are found by the hash of this text


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A path that a question was shown."""

    place: int  # among the paths, from 1
    path: Shown
    item: str
    verdict: str = ""


def item(row: dict[str, Any], path: Shown) -> str:
    hops = [f"- {hop.subject} | {hop.predicate} | {hop.object}: {' '.join(hop.sentence.split())}" for hop in path.hops]
    return "\n".join([f"Question: {row['question']}", f"Right answer: {row['answer']}", *hops])


def judge(judged: Sequence[Judged], folder: Path) -> tuple[list[str], int]:
    """The verdicts, and how many paths wait for a judge."""
    order = sorted(range(len(judged)), key=lambda n: hashlib.blake2b(judged[n].item.encode()).hexdigest())
    verdicts, waiting = [""] * len(judged), 0
    for begin in range(0, len(order), TOGETHER):
        some = order[begin : begin + TOGETHER]
        listed = "\n\n".join(f"Item {place}\n{judged[n].item}" for place, n in enumerate(some, start=1))
        try:
            reply = reply_to(folder, "paths-", f"{JUDGE}\n{listed}\n")
        except Waiting:
            waiting += len(some)
            continue
        parsed = dict(re.findall(r"(\d+)\s*[:.]\s*(answers|step|noise)", reply))
        for place, n in enumerate(some, start=1):
            verdicts[n] = parsed.get(str(place), "noise")
    return verdicts, waiting


def figures(judged: Sequence[Judged], verdicts: Sequence[str]) -> dict[str, Any]:
    """For each threshold the number of open paths, the share of them that help, and the share of helping paths that are
    folded; of first paths and of all."""
    result: dict[str, Any] = {"paths": len(judged), "help": sum(v != "noise" for v in verdicts)}
    for which, most in (("first", 1), ("all", FIRST)):
        rows = [(one.path.score, v != "noise") for one, v in zip(judged, verdicts, strict=True) if one.place <= most]
        helps = sum(good for _, good in rows)
        for bar in BARS:
            open_ = [good for score, good in rows if score >= bar]
            result[f"{which}, bar {bar}"] = {
                "open": len(open_),
                "of open helps": round(100 * sum(open_) / max(1, len(open_)), 1),
                "of helping folded": round(100 * (1 - sum(open_) / max(1, helps)), 1),
            }
    return result


def main() -> None:
    """Ask, judge, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.leads")
    parser.add_argument("sets", nargs="*", default=DEVELOPMENT)
    parser.add_argument("--replies", type=Path, default=DATA.parent / "replies")
    options = parser.parse_args()
    embedder, address = load_embedder(None), start_neo4j()
    judged: list[Judged] = []
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in options.sets:
            graph = workspace(name, "thorough", store, embedder)
            for row in (row for row in questions(name) if row["type"] != "unanswerable"):
                paths = retrieve(row["question"], graph=graph, embedder=embedder).paths[:FIRST]
                judged += [Judged(place=n, path=path, item=item(row, path)) for n, path in enumerate(paths, start=1)]
            print(name, len(judged), flush=True)
    verdicts, waiting = judge(judged, options.replies)
    print(waiting, "of", len(judged), "paths wait for a judge, in", options.replies)
    if not waiting:
        results = figures(judged, verdicts)
        for name, row in results.items():
            print(name, row)
        save("leads", {"machine": machine(), "embedder": embedder.name, **results})


if __name__ == "__main__":
    main()
