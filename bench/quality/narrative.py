"""Ask the questions of novels and case files by every method, on readings of an LLM and of spaCy.

    python -m bench.quality.narrative [SET[:READING] ...] [--again] [--embedder NAME]

Sets: holmes, lecoq and the case files in `cases/`; SET-renamed is the set under invented names. Readings: `thorough`
and `thrifty` replay recorded readings of an excellent LLM (`tools/recorded_llm.py` of the development data), `local` is
spaCy. A workspace is ingested once (with `--again`, once more). Kept and printed, for each set and over all of a
reading: recall@5 and @10 and all gold within 5 of words, vectors, both and Filigraph; the gain over words with its
interval (paired bootstrap over questions, 95 %); how many bridge questions have all gold behind the first paths, and
how many the end of the answer said by one; how many questions without an answer get no path, and how many with one lose
theirs.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import numpy as np

from bench.common import data, lines, machine, save
from bench.intervals import bootstrap_means, bounds
from bench.quality.recorded_replies import RecordedReplies
from bench.renamed import renamed
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.ingest.extract.contract import Extractor
from filigraph.graph.ingest.extract.llm import LLMExtractor
from filigraph.graph.measure.evaluate import ranking
from filigraph.graph.measure.gold import Gold, find_gold, parse_questions
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.documents import Source
from filigraph.graph.model.retrieval import Method
from filigraph.graph.model.retrieval import Path as Shown
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.readings.read_cast import CastReader
from filigraph.graph.store import Graph, Store

NOVELS = ("holmes", "lecoq")
RENAMED = "-renamed"  # after a set's name: the set under other names
READINGS = {"thorough": (99, 99), "thrifty": (8, 2)}  # facts and implied facts of a chunk
METHODS: tuple[Method, ...] = get_args(Method)
MEASURES = ("recall@5", "recall@10", "all_gold@5")
MOST_PROMPTS = 64  # that are written at once if they have no replies
LETTERS = 4  # a shorter word is not evidence of an answer


class RecordedLLM:
    """An LLM that replays recorded replies, in this process."""

    model = "recorded"
    usage = Usage()

    def __init__(self, readings: Path, facts: int, implied: int) -> None:
        self._readings = recorded().Readings([readings])
        self._most = facts, implied

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        return str(recorded().reply(self._readings.of(request.prompt, *self._most)))

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        raise NotImplementedError("only readings are recorded")


def recorded() -> ModuleType:
    """The tool beside the development data that replays readings."""
    spec = importlib.util.spec_from_file_location("recorded_llm", data("../tools/recorded_llm.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question of a set, and what each method found."""

    type: str
    scores: dict[str, tuple[float, ...]]  # method -> MEASURES; {} where there is no gold
    covered: bool  # its gold is behind the paths
    ends: bool  # a hop says the end of the answer
    shown: bool  # any path


def folder(name: str) -> Path:
    if name.endswith(RENAMED):
        return renamed(folder(name.removesuffix(RENAMED)))
    return data(f"readings/{name}" if name in NOVELS else f"cases/{name}")


def sources(name: str) -> list[Source]:
    """The texts of a set."""
    documents = folder(name) / "documents"
    files = sorted(documents.iterdir()) if documents.is_dir() else sorted(folder(name).glob("*.txt"))
    return [Source(name=file.name, content=file.read_bytes()) for file in files]


def extractor(name: str, reading: str) -> Extractor:
    if reading == "local":
        from filigraph.graph.ingest.extract.local import LocalExtractor
        from filigraph.graph.models.adapters import spacy_models

        return LocalExtractor(spacy_models.load)
    return LLMExtractor(RecordedLLM(folder(name) / "readings.jsonl", *READINGS[reading]))


def workspace(
    name: str, reading: str, store: Store, embedder: Embedder, *, again: bool = False, cast: Path | None = None
) -> Graph:
    """The set as read; an existing workspace is not read again. `cast`: a folder of recorded replies on who is who
    across documents. Raises Waiting if one is missing; then all prompts are in it."""
    title = f"bench-{name}-{reading}{'-cast' if cast else ''}"
    known = {row.name: row for row in store.workspaces()}
    if title in known and (again or known[title].fingerprint != embedder.fingerprint):
        store.delete_workspace(title)
        del known[title]
    if title not in known:
        store.create_workspace(title, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
    ingest(
        sources(name),
        graph=store.graph(title),
        embedder=embedder,
        extractor=extractor(name, reading),
        reader=cast_reader(cast),
    )
    return store.graph(title)


def cast_reader(replies: Path | None) -> CastReader | None:
    """The reader of who is who whose replies are in a folder."""
    return CastReader(llm=RecordedReplies(replies), in_flight=MOST_PROMPTS) if replies else None


def questions(name: str) -> list[dict[str, Any]]:
    return lines(folder(name) / "questions.jsonl")


def gold_of(questions: Sequence[dict[str, Any]], graph: Graph) -> dict[str, Gold]:
    """The gold of each question; questions without gold are left out."""
    rows = "\n".join(json.dumps(row) for row in questions if row["gold"])
    gold, _ = find_gold(parse_questions(rows.encode()).questions, graph)
    return dict(gold)


def ask_all(name: str, graph: Graph, embedder: Embedder) -> list[Asked]:
    """Every question by every method."""
    rows = questions(name)
    gold = gold_of(rows, graph)
    result = []
    for row in rows:
        answers = {
            method: retrieve(row["question"], graph=graph, embedder=embedder, settings=AskSettings(method=method))
            for method in METHODS
        }
        known = gold.get(row["id"])
        paths = answers["filigraph"].paths
        scores: dict[str, tuple[float, ...]] = {}
        if known:
            scores = {
                method: measures(ranking(retrieved, known), len(known.pieces)) for method, retrieved in answers.items()
            }
        behind = [id_ for path in paths for id_ in path.chunk_ids]
        result.append(
            Asked(
                type=row["type"],
                scores=scores,
                covered=known is not None and known.in_chunks(behind),
                ends=says_the_end(row, paths),
                shown=bool(paths),
            )
        )
    return result


def measures(ranked: Sequence[str], pieces: int) -> tuple[float, ...]:
    """MEASURES of one ranking, in which gold has names of its own."""
    within = [len({id_ for id_ in ranked[:most] if id_.startswith("gold ")}) / pieces for most in (5, 10)]
    return within[0], within[1], float(within[0] == 1.0)


def says_the_end(row: dict[str, Any], paths: Sequence[Shown]) -> bool:
    """Whether the hops say half of the words of the gold chain's last object, or of the answer."""
    end = words(row["chain"][-1][2] if row.get("chain") else row["answer"])
    hop_words = words(" ".join(f"{hop.subject} {hop.predicate} {hop.object}" for path in paths for hop in path.hops))
    return bool(end) and len(end & hop_words) >= max(1, len(end) // 2)


def words(text: str) -> set[str]:
    return set(re.findall(rf"\w{{{LETTERS},}}", text.lower()))


# --------------------------------------------------------------------------------------------------------------------
# Figures


def figures(answered: Sequence[Asked]) -> dict[str, Any]:
    """What is kept of a set, or of several."""
    scored = [row for row in answered if row.scores]
    table = {method: np.array([row.scores[method] for row in scored]) for method in METHODS}
    bridges = [row for row in scored if row.type == "bridge"]
    none = [row for row in answered if row.type == "unanswerable"]
    return {
        "questions": len(scored),
        **{method: percent(dict(zip(MEASURES, values.mean(axis=0), strict=True))) for method, values in table.items()},
        "gain over words": gain(table["filigraph"] - table["bm25"]),
        "gain over both": gain(table["filigraph"] - table["hybrid"]),
        **percent(
            {
                "bridges with all gold behind the paths": share([row.covered for row in bridges]),
                "bridges whose paths say the end": share([row.ends for row in bridges]),
                "unanswerable, no path shown": share([not row.shown for row in none]),
                "answerable, no path shown": share([not row.shown for row in scored]),
            }
        ),
    }


def gain(differences: Floats) -> dict[str, list[float]]:
    """Mean and 95 % interval of each measure: paired bootstrap over questions (Efron 1979)."""
    low, high = bounds(bootstrap_means(differences, np.random.default_rng(7)))
    mean = differences.mean(axis=0)
    return {name: [round(100 * float(x), 1) for x in (mean[n], low[n], high[n])] for n, name in enumerate(MEASURES)}


def share(values: Sequence[bool]) -> float:
    return float(np.mean(values)) if values else float("nan")


def percent(values: dict[str, Any]) -> dict[str, float]:
    return {name: round(100 * float(value), 1) for name, value in values.items()}


def all_sets() -> list[str]:
    return [*NOVELS, *sorted(case.name for case in data("cases").iterdir())]


def main() -> None:
    """Ingest what is missing, ask, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.narrative")
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--embedder", help="as in FILIGRAPH_EMBEDDER")
    options = parser.parse_args()
    wanted = options.sets or [f"{name}:{reading}" for reading in (*READINGS, "local") for name in all_sets()]
    embedder = load_embedder(options.embedder)
    address = start_neo4j()
    results: dict[str, Any] = {"machine": machine(), "embedder": embedder.name}
    by_reading: dict[str, list[Asked]] = {}
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name, reading in ((*item.partition(":")[::2],) for item in wanted):
            reading = reading or "thorough"
            graph = workspace(name, reading, store, embedder, again=options.again)
            answered = ask_all(name, graph, embedder)
            by_reading.setdefault(reading, []).extend(answered)
            results[f"{name}, {reading}"] = {"facts": graph.stats().facts, **figures(answered)}
            print(name, reading, json.dumps(results[f"{name}, {reading}"]), flush=True)
    for reading, answered in by_reading.items():
        results[f"all, {reading}"] = figures(answered)
        print("all", reading, json.dumps(results[f"all, {reading}"]), flush=True)
    save("narrative", results)


if __name__ == "__main__":
    main()
