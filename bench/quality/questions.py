"""Ask the questions of a set that `bench.speed.ingest` has ingested, by every method: what `filigraph eval` measures.

    python -m bench.quality.questions [2wiki | musique-train | holmes | lecoq] [--limit N]

The same as `filigraph eval --workspace bench-NAME --questions FILE`, with the figures kept beside the code.
"""

from __future__ import annotations

import argparse

from bench.common import OWN_DATA, data, machine, save
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.ingest.report import Progress
from filigraph.graph.measure.evaluate import evaluate, to_json
from filigraph.graph.measure.gold import parse_questions
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.store import Store

OURS = OWN_DATA / "questions"  # sets made for this project; others come with their data


def main() -> None:
    """Ask, count, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.questions")
    parser.add_argument("name", nargs="?", default="2wiki")
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    ours = OURS / f"{options.name}.jsonl"
    file = ours if ours.exists() else data(f"{options.name}/questions.jsonl")
    address = start_neo4j()
    with Store.connect(address.uri, address.username, address.password) as store:
        measured = evaluate(
            parse_questions(file.read_bytes()),
            graph=store.graph(f"bench-{options.name}"),
            embedder=load_embedder(None),
            limit=options.limit,
            progress=_say,
        )
    save(f"questions-{options.name}", {"machine": machine(), **to_json(measured)})
    for method, figures in measured.methods.items():
        print(method, dict(figures), flush=True)


def _say(now: Progress) -> None:
    if now.done == now.total:
        print(f"{now.stage}: {now.total} done", flush=True)


if __name__ == "__main__":
    main()
