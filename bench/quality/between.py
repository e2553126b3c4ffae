"""What connects two names: is the right chain among the first three, and is the result "not connected" if nothing does?

python -m bench.quality.between [CASE ...] [--show] [--replies FOLDER] [--cast FOLDER]

Case files with `between.jsonl`, read with recorded readings of an excellent LLM; no LLM is asked. With `--replies`
each pair is also a question of an investigation (`asked`), whose prompts and replies are files of the folder as in
`bench.quality.investigate`; its named path takes the place of the chains, a refusal that of "not connected". With
`--cast` an LLM also says who is who across the documents, with prompts and replies in that folder as in
`bench.quality.people`; results are stored as `between_cast`.

For each pair with a chain: *whole*, the sentences that one of the first three chains shows hold all sentences of gold;
*most*, all but one, of three or more; *shown*, how many sentences of gold the best of the three shows. For each pair
without: whether the result says so ("not connected", or "not connected but by" a hub; or that nothing has the name).
Connected *in text* are names that no facts connect, but names that are near each other in a text. `phare` took part in
development, `vignoble` did not.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.cases import run
from bench.common import lines
from bench.intervals import wilson
from bench.quality.investigate import Recorded
from bench.quality.narrative import folder, workspace
from bench.quality.recorded_replies import Waiting
from bench.quality.views import squeezed
from filigraph.graph.answer import answer
from filigraph.graph.ask.evidence.between import Between, connect_names
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import find_evidence
from filigraph.graph.errors import NotFound
from filigraph.graph.models.embed import Embedder, embed_texts
from filigraph.graph.records.facts import Connection
from filigraph.graph.store import Graph, Store

FIRST = 3


def chains(pair: Between) -> list[Connection]:
    """The first connections over other entities; facts about both are shown beside them."""
    return [path for path in pair.paths if len(path.facts) + len(path.alike) > 1][:FIRST]


def quoted(path: Connection, quotes: Sequence[str]) -> int:
    """The number of gold sentences that a chain shows."""
    texts = [squeezed(text) for fact in path.facts for one in fact.sentences for text in (one.sentence, *one.premises)]
    return sum(any(own in text or text in own for text in texts) for own in map(squeezed, quotes))


def measured(row: dict[str, Any], graph: Graph, embedder: Embedder, *, show: bool) -> dict[str, Any]:
    begin = time.perf_counter()
    pair: Between | None = None
    try:
        (pair,) = connect_names(
            [row["a"], row["b"]],
            graph=graph,
            embed=lambda name: embed_texts(embedder, [name], exact=True)[0],
            in_text=True,
        )
    except NotFound as error:
        verdict = f"unknown: {error.cause}"
    else:
        verdict = pair.verdict
    best = max((quoted(path, row["quotes"]) for path in chains(pair)), default=0) if pair else 0
    if show:
        print(row["id"], row["a"], "|", row["b"], "|", verdict, f"{best}/{len(row['quotes'])}")
        if pair:
            print("   ", *(one.name for one in pair.first_entities), "|", *(one.name for one in pair.other_entities))
        for path in pair.paths if pair else ():
            steps = [f"{fact.subject} -{fact.predicate}- {fact.object}" for fact in path.facts]
            alike = [f"{one.after}: {one.first} ~ {one.other}" for one in path.alike]
            print("   ", quoted(path, row["quotes"]), " ; ".join(steps), alike, path.hubs)
    return _row(row, verdict.partition(":")[0], best, begin)


def _row(row: dict[str, Any], verdict: str, best: int, begin: float) -> dict[str, Any]:
    count = len(row["quotes"])
    return {
        "id": row["id"],
        "chain": bool(row["chain"]),
        "verdict": verdict,
        "gold": count,
        "shown": best,
        "whole": bool(count) and best == count,
        "most": bool(count) and best >= max(2, count - 1),
        "seconds": round(time.perf_counter() - begin, 3),
    }


def figures(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Counts, with the Wilson interval of each share."""
    joined, apart = [row for row in rows if row["chain"]], [row for row in rows if not row["chain"]]
    denied, connected_apart = (
        sum(row["verdict"] not in ("connected", "text") for row in part) for part in (joined, apart)
    )
    counts = {name: sum(row[name] for row in joined) for name in ("whole", "most")}
    return {
        "pairs": len(joined),
        **counts,
        "gold sentences": sum(row["gold"] for row in joined),
        "shown": sum(row["shown"] for row in joined),
        "interval": {
            name: [round(100 * bound) for bound in wilson(count, len(joined))] for name, count in counts.items()
        },
        "denied": denied,
        "in text": sum(row["verdict"] == "text" for row in joined),
        "unconnected": len(apart),
        "said": connected_apart,
        "slowest": max(row["seconds"] for row in rows),
    }


def measure(
    name: str, store: Store, embedder: Embedder, show: bool, replies: Path | None, cast: Path | None
) -> dict[str, Any]:
    """The figures of a case."""
    graph = workspace(name, "thorough", store, embedder, cast=cast)
    pairs = lines(folder(name) / "between.jsonl")
    result = figures([measured(row, graph, embedder, show=show) for row in pairs])
    if replies is None:
        return result
    answered = [row for pair in pairs if (row := asked_of(pair, graph, embedder, replies, show=show))]
    print(name, len(pairs) - len(answered), "of", len(pairs), "pairs wait for a reader, in", replies)
    return result | {"asked": figures(answered) if len(answered) == len(pairs) else {}}


def asked_of(
    row: dict[str, Any], graph: Graph, embedder: Embedder, replies: Path, *, show: bool
) -> dict[str, Any] | None:
    """The result of an investigation of a pair; None if a prompt waits for its reply."""
    begin = time.perf_counter()
    try:
        answered = answer(
            f"How is {row['a']} connected to {row['b']}?",
            search=partial(find_evidence, graph=graph, embedder=embedder),
            graph=graph,
            embedder=embedder,
            llm=Recorded(replies, "investigation"),
            settings=AskSettings(rounds=4, seconds=3600),
        )
    except Waiting:
        return None
    hops = [hop for path in answered.paths if path.id in answered.rests_on for hop in path.hops]
    texts = [squeezed(text) for hop in hops for text in (hop.sentence, *hop.premises) if text]
    best = sum(any(own in text or text in own for text in texts) for own in map(squeezed, row["quotes"]))
    if show:
        print(row["id"], row["a"], "|", row["b"], "|", f"{best}/{len(row['quotes'])}", answered.text)
    verdict = "connected" if answered.answered and hops else "none"
    return _row(row, verdict, best, begin)


if __name__ == "__main__":
    run("between", measure)
