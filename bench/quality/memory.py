"""Questions about wholes, details, entities and recent events, with levels of summaries and without.

    python -m bench.quality.memory [SET ...] [--again] [--budget TOKENS]

Sets: holmes (six stories, recorded readings of an excellent LLM), lecoq (the whole of *Monsieur Lecoq*, read by spaCy)
and cases (five case files with the dates of their documents, recorded readings), summarized without an LLM. The
questions are in `bench/data/memory/`: 40 syntheses, 40 details, 20 entities, 20 about recent events. Gold of a
synthesis are scenes (of Holmes from one phrase to the next, of Lecoq chapters, of case files documents); of an entity
the chunks that name it; of a recent one documents by date; of a detail quoted sentences.

Kept for each profile, of levels, the walk without levels, and plain (hybrid) search, all within the same budget; of the
latter twice: its best passages, as many as have room, and forty of them cut to the sentences nearest to the question,
as a prompt of Filigraph holds them. The share of questions with gold in the first five pieces of evidence, MRR,
coverage (share of the gold from which a sentence is in the evidence), coverage of an oracle that knows the gold and
chooses whole chunks within that budget, tokens; and the differences with their intervals (paired bootstrap over
questions, 95 %).
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.common import OWN_DATA, data, lines, machine, save
from bench.intervals import bootstrap_means, bounds
from bench.quality.narrative import READINGS, RecordedLLM, extractor, folder, recorded, sources
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.ingest.extract.contract import Extractor
from filigraph.graph.ingest.extract.llm import LLMExtractor
from filigraph.graph.model.arrays import Floats, Vector
from filigraph.graph.model.documents import Source
from filigraph.graph.model.retrieval import Evidence, Retrieved
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import estimate_tokens
from filigraph.graph.pipeline import ingest
from filigraph.graph.records.summaries import SummaryHit
from filigraph.graph.store import Graph, Store
from filigraph.graph.summarize import summarize
from filigraph.graph.text.time.dates import days_of

HERE = OWN_DATA / "memory"
SETS = ("holmes", "lecoq", "cases")
CASES = ("filature", "harbour", "mairie", "musee", "theatre")
METHODS = ("levels", "walk", "hybrid", "hybrid, cut")
FIRST = 5
PLAIN = 40  # passages of plain search
HEADER = 35  # tokens around a chunk in a prompt
SHORTEST = 12  # characters of a text that is searched in a chunk

Place = tuple[str, int, int]  # document id, start, end


class WithoutLevels:
    """A workspace without its summaries."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)

    def filtered(self, document_ids: Sequence[str]) -> WithoutLevels:
        return WithoutLevels(self._graph.filtered(document_ids))  # type: ignore[arg-type]

    def search_summaries(self, vector: Vector, entity_ids: Sequence[str], k: int) -> list[SummaryHit]:
        return []


@dataclass(frozen=True, kw_only=True)
class Text:
    """The places of all texts in the documents of a workspace."""

    chunks: Mapping[str, tuple[str, int, str]]  # id -> document id, start, text
    sources: Mapping[str, str]  # document id -> source
    quotes: Mapping[str, Sequence[tuple[Place, str]]]  # summary id -> its sentences


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The results of a method for a question."""

    hit: float
    rank: float  # reciprocal
    coverage: float
    tokens: float


# --------------------------------------------------------------------------------------------------------------------
# Workspaces


def cases() -> list[Source]:
    dates = {row["document"]: row["date"] for row in lines(HERE / "dates.jsonl")}
    return [
        dataclasses.replace(source, name=f"{case}/{source.name}", metadata={"date": dates[f"{case}/{source.name[:2]}"]})
        for case in CASES
        for source in sources(case)
    ]


def texts(name: str) -> list[Source]:
    if name == "lecoq":
        return [Source(name="lecoq.txt", content=data("novels/monsieur_lecoq_fr.txt").read_bytes())]
    return cases() if name == "cases" else sources(name)


def reader(name: str) -> Extractor:
    if name == "lecoq":
        return extractor(name, "local")
    llm = RecordedLLM(folder("holmes") / "readings.jsonl", *READINGS["thorough"])
    if name == "cases":
        llm._readings = recorded().Readings([folder(case) / "readings.jsonl" for case in CASES])
    return LLMExtractor(llm)


def workspace(name: str, store: Store, embedder: Embedder, *, again: bool) -> tuple[Graph, dict[str, Any]]:
    """The set as read and summarized, and the cost of summarizing."""
    title = f"bench-memory-{name}"
    known = {row.name: row for row in store.workspaces()}
    if title in known and (again or known[title].fingerprint != embedder.fingerprint):
        store.delete_workspace(title)
        del known[title]
    if title not in known:
        store.create_workspace(title, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
    ingest(texts(name), graph=store.graph(title), embedder=embedder, extractor=reader(name))
    begun, used = time.perf_counter(), time.process_time()
    report = summarize(graph=store.graph(title), embedder=embedder)
    took = {"seconds": round(time.perf_counter() - begun, 1), "python_cpu": round(time.process_time() - used, 1)}
    counts = {"summaries": report.summaries, "written": report.written, "levels": report.levels}
    return store.graph(title), took | counts


def text_of(graph: Graph) -> Text:
    chunks: dict[str, tuple[str, int, str]] = {}
    quotes: dict[str, list[tuple[Place, str]]] = {}
    rows = graph.document_rows()
    for row in rows:
        places = graph.chunk_places(row.id)
        passages = graph.passages([place.id for place in places])
        chunks |= {place.id: (row.id, place.start, passages[place.id].text) for place in places}
    for id_ in ["", *(row.id for row in rows)]:
        for entry in graph.outline(id_):
            quotes[entry.summary.id] = [
                ((chunks[q.chunk_id][0], chunks[q.chunk_id][1] + q.start, chunks[q.chunk_id][1] + q.end), q.text)
                for q in entry.summary.quotes
            ]
    return Text(chunks=chunks, sources={row.id: row.source for row in rows}, quotes=quotes)


# --------------------------------------------------------------------------------------------------------------------
# Gold


def gold_of(row: Mapping[str, Any], graph: Graph, text: Text) -> list[list[Place]]:
    """The pieces of gold of a question; one of its places is enough to cover a piece."""
    if "of" in row:
        return _quoted(row, text)
    gold = row["gold"]
    if "scenes" in gold:
        scenes = _scenes(graph)
        return [[scenes[name]] for name in gold["scenes"]]
    if "chapters" in gold:
        chapters = _chapters(graph)
        return [[chapters[n - 1]] for n in gold["chapters"]]
    if "names" in gold:
        return [
            [(document, start, start + len(passage))]
            for document, start, passage in text.chunks.values()
            if _asked(row, text.sources[document]) and any(name in " ".join(passage.split()) for name in gold["names"])
        ]
    rows = [listed for listed in graph.document_rows() if _asked(row, listed.source)]
    if "documents" in gold:
        return [
            [(listed.id, 0, 1 << 30)]
            for listed in rows
            if listed.source[: listed.source.index("/") + 3] in gold["documents"]
        ]
    dated = sorted((days_of(listed.metadata["date"]), listed.id) for listed in rows)
    if "newest" in gold:
        return [[(id_, 0, 1 << 30)] for _, id_ in dated[-gold["newest"] :]]
    first, last = days_of(gold["since"]), days_of(gold.get("until", "9999"))
    assert first and last
    return [[(id_, 0, 1 << 30)] for days, id_ in dated if days and days[1] >= first[0] and days[0] <= last[1]]


def _asked(row: Mapping[str, Any], source: str) -> bool:
    return not row.get("sources") or source.startswith(tuple(row["sources"]))


def _quoted(row: Mapping[str, Any], text: Text) -> list[list[Place]]:
    """The places of the quoted sentences; a sentence that a border of chunks splits is left out."""
    quoted: list[list[Place]] = []
    for quote in asked_of(row)["gold"]:
        pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
        places = [
            (document, start + match.start(), start + match.end())
            for document, start, passage in text.chunks.values()
            if _asked(row, text.sources[document]) and (match := pattern.search(passage))
        ]
        quoted += [places] if places else []
    return quoted


def asked_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The question of the development data that a row means."""
    rows = lines(folder(row.get("case", row["set"])) / "questions.jsonl")
    return next(one for one in rows if one["id"] == row["of"])


def _scenes(graph: Graph) -> dict[str, Place]:
    """From each phrase to the next."""
    (document,) = graph.document_rows()
    places = graph.chunk_places(document.id)
    passages = graph.passages([place.id for place in places])
    whole = ""
    for place in places:
        whole = whole.ljust(place.start) + passages[place.id].text[max(len(whole) - place.start, 0) :]
    plain = whole.replace("\n", " ")
    rows = [row for row in lines(HERE / "scenes.jsonl") if row["set"] == "holmes"]
    starts: list[int] = []
    for row in rows:
        at = plain.find(row["begins"], starts[-1] if starts else 0)
        if at < 0:
            raise SystemExit(f"{row['begins']!r} does not stand in the text.")
        starts.append(at)
    ends = [*starts[1:], len(whole)]
    return {row["scene"]: (document.id, *span) for row, span in zip(rows, zip(starts, ends, strict=True), strict=True)}


def _chapters(graph: Graph) -> list[Place]:
    (document,) = graph.document_rows()
    starts = [place.start for place in document.places if place.kind == "chapter"]
    return [(document.id, *span) for span in zip(starts, [*starts[1:], 1 << 30], strict=True)]


# --------------------------------------------------------------------------------------------------------------------
# Scores


def ask(row: Mapping[str, Any], question: str, method: str, graph: Graph, embedder: Embedder, budget: int) -> Retrieved:
    plain = method.startswith("hybrid")
    settings = AskSettings(
        method="hybrid" if plain else "filigraph",
        keep=PLAIN if plain else 10,
        profile=row["profile"],
        budget_tokens=None if method == "hybrid" else budget,
        sources=tuple(row.get("sources", ())),
        today=row.get("today", ""),
    )
    searched: Any = graph if method == "levels" else WithoutLevels(graph)
    retrieved = retrieve(question, graph=searched, embedder=embedder, settings=settings)
    return whole_within(retrieved, budget) if method == "hybrid" else retrieved


def whole_within(retrieved: Retrieved, budget: int) -> Retrieved:
    """The best whole passages, as many as have room."""
    shown = []
    for item in retrieved.evidence:
        if (needed := estimate_tokens(item.text) + HEADER) <= budget:
            shown.append(item)
            budget -= needed
    return dataclasses.replace(retrieved, evidence=tuple(shown))


def told(item: Evidence, text: Text) -> list[Place]:
    """The places whose sentences a piece of evidence contains."""
    if item.kind == "summary":
        return [place for place, passage in text.quotes[item.id] if " ".join(passage.split()) in item.text]
    document, start, whole = text.chunks[item.id]
    shown = item.text.removesuffix(" […]")
    at = max(whole.find(shown), 0)
    return [(document, start + at, start + at + len(shown))]


def scores(rank_array: Retrieved, gold: Sequence[Sequence[Place]], text: Text) -> Scores:
    shown = [told(item, text) for item in rank_array.evidence]
    hits = [any(_meets(place, piece) for place in places for piece in gold) for places in shown]
    first = next((n for n, hit in enumerate(hits) if hit), None)
    covered = [any(_meets(place, piece) for places in shown for place in places) for piece in gold]
    return Scores(
        hit=float(any(hits[:FIRST])),
        rank=1 / (1 + first) if first is not None else 0.0,
        coverage=float(np.mean(covered)),
        tokens=sum(estimate_tokens(item.text) + HEADER for item in rank_array.evidence),
    )


def _meets(place: Place, piece: Sequence[Place]) -> bool:
    return any(place[0] == other[0] and place[1] < other[2] and other[1] < place[2] for other in piece)


def oracle(gold: Sequence[Sequence[Place]], text: Text, budget: int) -> float:
    """Coverage by whole chunks, chosen greedily with knowledge of the gold: each time the one with most new pieces a
    token."""
    open_ = set(range(len(gold)))
    meets = {
        id_: {n for n, piece in enumerate(gold) if _meets((document, start, start + len(passage)), piece)}
        for id_, (document, start, passage) in text.chunks.items()
    }
    cost = {id_: estimate_tokens(text.chunks[id_][2]) + HEADER for id_ in meets}
    while open_:
        useful = [id_ for id_, pieces in meets.items() if pieces & open_ and cost[id_] <= budget]
        if not useful:
            break
        best = max(useful, key=lambda id_: (len(meets[id_] & open_) / cost[id_], id_))
        open_ -= meets[best]
        budget -= cost[best]
    return 1 - len(open_) / len(gold)


def figures(rows: Sequence[tuple[Mapping[str, Scores], float]]) -> dict[str, Any]:
    """What is kept of the questions of a profile."""
    table = {method: np.array([dataclasses.astuple(by_method[method]) for by_method, _ in rows]) for method in METHODS}
    result: dict[str, Any] = {"questions": len(rows), "oracle coverage": _percent([limit for _, limit in rows])}
    for method, values in table.items():
        hit, rank, coverage, tokens = values.mean(axis=0)
        result[method] = {
            "hit@5": round(100 * hit, 1),
            "MRR": round(rank, 3),
            "coverage": round(100 * coverage, 1),
            "tokens": round(tokens),
        }
    for other in METHODS[1:]:
        result[f"coverage, levels minus {other}"] = _gain(table["levels"][:, 2] - table[other][:, 2])
        result[f"hit@5, levels minus {other}"] = _gain(table["levels"][:, 0] - table[other][:, 0])
    for other in METHODS[2:]:
        result[f"coverage, levels / {other}"] = _ratio(table["levels"][:, 2], table[other][:, 2])
    return result


def _gain(differences: Floats) -> list[float]:
    means = bootstrap_means(differences, np.random.default_rng(7))
    return [round(100 * float(x), 1) for x in (differences.mean(), *bounds(means))]


def _ratio(values: Floats, others: Floats) -> list[float]:
    means, of_others = bootstrap_means(np.stack([values, others], axis=1), np.random.default_rng(7)).T
    ratios = means / np.maximum(of_others, 1e-9)
    return [round(float(x), 2) for x in (values.mean() / max(others.mean(), 1e-9), *bounds(ratios))]


def _percent(values: Sequence[float]) -> float:
    return round(100 * float(np.mean(values)), 1)


def main() -> None:
    """Ingest and summarize what is missing, ask, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.memory")
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--budget", type=int, default=3000)
    options = parser.parse_args()
    embedder = load_embedder(None)
    address = start_neo4j()
    rows: list[tuple[str, str, dict[str, Scores], float]] = []  # set, profile, scores by method, oracle
    results: dict[str, Any] = {"machine": machine(), "embedder": embedder.name}
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in options.sets or SETS:
            graph, took = workspace(name, store, embedder, again=options.again)
            if took["written"]:
                results[f"summarized, {name}"] = took
                print(name, json.dumps(took), flush=True)
            text = text_of(graph)
            for row in lines(HERE / "questions.jsonl"):
                if row["set"] != name:
                    continue
                question = row.get("question") or asked_of(row)["question"]
                gold = gold_of(row, graph, text)
                if not gold:
                    print("no gold:", row["id"], flush=True)
                    continue
                by_method = {
                    method: scores(ask(row, question, method, graph, embedder, options.budget), gold, text)
                    for method in METHODS
                }
                rows.append((name, row["profile"], by_method, oracle(gold, text, options.budget)))
    for profile in dict.fromkeys(profile for _, profile, *_ in rows):
        chosen = [(by_method, limit) for _, group, by_method, limit in rows if group == profile]
        results[f"{profile}, {options.budget} tokens"] = figures(chosen)
        print(profile, json.dumps(results[f"{profile}, {options.budget} tokens"]), flush=True)
    for name in dict.fromkeys(name for name, *_ in rows):
        chosen = [
            (by_method, limit) for group, profile, by_method, limit in rows if (group, profile) == (name, "synthesis")
        ]
        if chosen:
            results[f"synthesis, {options.budget} tokens, {name}"] = figures(chosen)
            print("synthesis", name, json.dumps(results[f"synthesis, {options.budget} tokens, {name}"]), flush=True)
    save("memory", results)


if __name__ == "__main__":
    main()
