"""Contradictions: how many of the candidates are real, and how many real ones are found?

python -m bench.quality.contradictions [CASE ...] [--show] [--replies FOLDER]

Case files with `contradictions.jsonl` (real ones and look-alikes), read with recorded readings of an excellent LLM, and
the author and date of each document. A candidate is a matter; it is right if the two sentences of its first pair are
those of a real one. Every other candidate is wrong, also look-alikes and those that gold lacks; *holding*: one that has
a real one among all its pairs; *half*: a wrong one of which some sentence is one of a real one. `pairs`: the same of
all pairs of all matters. With `--replies` an LLM reads as well (`read`; `unchecked`: without the check of what it
read): nobody is asked while it runs; a prompt without a reply is written into the folder (HASH.prompt.md ->
HASH.reply.md), and its case has no such figures until a reader who is blind to gold has answered. `phare` took part in
development, `vignoble` did not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.cases import run
from bench.common import lines
from bench.intervals import wilson
from bench.quality.investigate import Recorded
from bench.quality.narrative import cast_reader, extractor, folder, sources
from bench.quality.recorded_replies import Waiting
from bench.quality.views import made, squeezed
from filigraph.graph.analysis.contradictions import Contradiction, find_contradictions
from filigraph.graph.analysis.matters import Matter, matters_of
from filigraph.graph.model.llm_readings import ContradictionReading
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.readings.contradictions.ask import ask
from filigraph.graph.readings.contradictions.check import CheckBatch, plan_checks
from filigraph.graph.readings.contradictions.merge import with_readings
from filigraph.graph.readings.contradictions.plan import ContradictionBatch, plan_contradictions
from filigraph.graph.readings.read_contradictions import found_matters
from filigraph.graph.records.facts import Statement
from filigraph.graph.store import Graph, Store


def case(name: str, store: Store, embedder: Embedder, cast: Path | None) -> Graph:
    """A case file with the authors and dates of its documents."""
    about = json.loads((folder(name) / "documents.json").read_text(encoding="utf-8"))
    dated = [replace(one, metadata={key: about[one.name][key] for key in ("author", "date")}) for one in sources(name)]
    graph = made(f"bench-contradictions-{name}{'-cast' if cast else ''}", store, embedder)
    reader = cast_reader(cast)
    ingest(dated, graph=graph, embedder=embedder, extractor=extractor(name, "thorough"), reader=reader)
    return graph


def fits(contradiction: Contradiction, row: dict[str, Any]) -> bool:
    """Whether the two sentences are those of a row of gold."""
    mine = [squeezed(end.sentence) for end in (contradiction.first, contradiction.other)]
    theirs = [squeezed(row[end]["quote"]) for end in ("a", "b")]
    return any(all(a in b or b in a for a, b in zip(mine, order, strict=True)) for order in (theirs, theirs[::-1]))


def half_fits(contradiction: Contradiction, row: dict[str, Any]) -> bool:
    """Whether one of the two sentences is one of a row of gold."""
    mine = [squeezed(end.sentence) for end in (contradiction.first, contradiction.other)]
    theirs = [squeezed(row[end]["quote"]) for end in ("a", "b")]
    return any(a in b or b in a for a in mine for b in theirs)


def measured(
    name: str, store: Store, embedder: Embedder, show: bool, replies: Path | None, cast: Path | None
) -> dict[str, Any]:
    """The figures of a case: by rules and, if there are replies, by an LLM."""
    graph = case(name, store, embedder, cast)
    gold = lines(folder(name) / "contradictions.jsonl")
    statements, vectors, alike = graph.statements()
    begin = time.perf_counter()
    candidates = find_contradictions(statements, vectors, alike)
    seconds = time.perf_counter() - begin
    ruled = matters_of(candidates)
    result = figures(ruled, gold) | {"statements": len(statements), "seconds": round(seconds, 2)}
    if show:
        tell(ruled, gold)
    if replies is not None:
        by_kind, calls, waiting = read_matters(graph, candidates, statements, replies)
        print(name, calls, "calls,", waiting, "wait for a reader, in", replies)
        if show:
            tell(by_kind["read"], gold)
        result |= {kind: {} if waiting else figures(matters, gold) for kind, matters in by_kind.items()}
        result["calls"] = calls
    return result


def read_matters(
    graph: Graph, candidates: Sequence[Contradiction], statements: Sequence[Statement], replies: Path
) -> tuple[dict[str, list[Matter]], int, int]:
    """What the reader calls contradictions, before and after the check; the number of calls, and of those that wait for
    a reply."""
    graph.forget_contradiction_readings(recipe="")
    llm, waiting, readings = Recorded(replies, "contradictions"), 0, list[ContradictionReading]()
    passages = graph.source_passages()
    by_kind, calls = dict[str, list[Matter]](), 0
    for kind in ("unchecked", "read"):
        batches: Sequence[ContradictionBatch | CheckBatch] = (
            plan_checks(found_matters(graph, readings), passages)
            if kind == "read"
            else plan_contradictions(passages, statements, ())  # without the candidates of the rules
        )
        for batch in () if waiting else batches:
            calls += 1
            try:
                readings.append(ask(batch, llm, timeout=60.0, cancelled=lambda: False).reading)
            except Waiting:
                waiting += 1
        places = {place for one in readings for pair in one.pairs for place in (pair.first, pair.other)}
        merged = with_readings(candidates, readings, graph.sentences_at(places), statements)
        by_kind[kind] = [matter for matter in merged if matter.lead.verdict == "contradiction"]
    return by_kind, calls, waiting


def figures(matters: Sequence[Matter], gold: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Counts by matter and by pair, with the Wilson interval of each share."""
    pairs = [pair for matter in matters for pair in matter.pairs]
    return counted([matter.lead for matter in matters], [matter.pairs for matter in matters], gold) | {
        "pairs": counted(pairs, [(pair,) for pair in pairs], gold)
    }


def counted(
    candidates: Sequence[Contradiction], whole: Sequence[Sequence[Contradiction]], gold: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """`whole`: the pairs of each candidate."""
    real, alike = ([row for row in gold if (row["kind"] == "none") == none] for none in (False, True))
    right = [any(fits(one, row) for row in real) for one in candidates]
    half = [any(half_fits(pair, row) for pair in pairs for row in real) for pairs in whole]
    known = [row for row in real if any(fits(one, row) for one in candidates)]
    holding = [any(fits(pair, row) for pair in pairs for row in real) for pairs in whole]
    return {
        "candidates": len(candidates),
        "right": sum(right),
        "holding": sum(holding),
        "half": sum(near and not fitting for near, fitting in zip(half, right, strict=True)),
        "precision": round(100 * sum(right) / max(len(candidates), 1), 1),
        "precision interval": [round(100 * bound) for bound in wilson(sum(right), len(candidates))],
        "real": len(real),
        "found": len(known),
        "recall": round(100 * len(known) / max(len(real), 1), 1),
        "recall interval": [round(100 * bound) for bound in wilson(len(known), len(real))],
        "look-alikes": sum(any(fits(one, row) for one in candidates) for row in alike),
    }


def tell(matters: Sequence[Matter], gold: Sequence[dict[str, Any]]) -> None:
    """Each pair of each matter with the rows of gold that it fits."""
    for matter in matters:
        print("#", matter.about)
        for one in matter.pairs:
            ids = [row["id"] for row in gold if fits(one, row)]
            quotes = [f"{end.voice} : {end.sentence}" for end in (one.first, one.other)]
            print(one.score, one.kind, one.verdict, ids, "|", " || ".join(quotes), "|", one.what)


if __name__ == "__main__":
    run("contradictions", measured)
