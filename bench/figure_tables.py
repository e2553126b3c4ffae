"""The tables of figures in README and the documents, each made from results (see `figures.py`)."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


class NoSuchFigure(Exception):
    """A marker names a figure that no result has."""


@functools.cache
def read(name: str) -> Any:
    """A result file. Raises NoSuchFigure."""
    try:
        return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    except OSError:
        raise NoSuchFigure(name) from None


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _gain(mean: float, low: float, high: float) -> str:
    return f"{mean:+.1f} ({low:.1f} to {high:.1f})"


def recall() -> str:
    """Recall at five beside plain search: README's table. The learned weights had not seen the multi-hop questions."""
    narrative, trained = read("narrative"), read("train")

    def of_narrative(label: str, recalls: Mapping[str, Any]) -> list[str]:
        plain = [f"{recalls[method]['recall@5']:.1f}" for _, method in _METHODS]
        return [label, str(recalls["questions"]), *plain, _gain(*recalls["gain over both"]["recall@5"])]

    def of_trained(label: str, recalls: Mapping[str, Any]) -> list[str]:
        shares = [f"{recalls[column][0]:.1f}" for column in ("words", "both", "other_half")]
        return [label, str(recalls["questions"]), *shares, _gain(*recalls["other_half - both"])]

    head = ["", "questions", *(label for label, _ in _METHODS), "gain over words and vectors"]
    rows = [
        of_narrative("novels and case files", narrative["all, thorough"]),
        of_narrative("novels and case files, read without an LLM", narrative["all, local"]),
        of_trained("2WikiMultiHopQA, held out", trained["2wiki"]),
        of_trained("MuSiQue, held out", trained["musique"]),
    ]
    return table(head, rows)


def answers() -> str:
    """The answers of an excellent reader, and the paths that it names."""
    results = read("investigate")["investigation"]

    def row(label: str, key: str) -> list[str]:
        share = results["all"]["shares"][key]
        bounds = f"{share['share']:.1f} % ({share['low']:.0f} to {share['high']:.0f}) of {share['of']}"
        return [label, *(f"{results[name][key]:.0f} %" if key in results[name] else "" for name in CASES), bounds]

    rows = [
        row("answers that are right", "right"),
        row("the one path shown holds all that the answer needs", "gold behind the named path"),
        row("steps shown whose text says them", "shown steps that their text says"),
        row("refused where the documents do not say", "unanswerable refused"),
        row("refused although they say", "answerable refused"),
    ]
    calls = [f"{results[name]['calls']['mean']:.2f}" for name in (*CASES, "all")]
    head = ["", *(f"case file *{name}*" for name in CASES), "both"]
    return table(head, [*rows, ["calls a question, mean", *calls]])


CASES = ("phare", "vignoble")
_METHODS = [("words (BM25)", "bm25"), ("words and vectors", "hybrid"), ("**Filigraph**", "filigraph")]


def narrative() -> str:
    """Novels and case files, set by set."""
    results = read("narrative")
    sets = [
        ("six Sherlock Holmes stories", "holmes, thorough"),
        ("*Monsieur Lecoq*, first chapters, French", "lecoq, thorough"),
        *(
            (f"case file *{name}*", f"{name}, thorough")
            for name in ("filature", "harbour", "mairie", "musee", "theatre")
        ),
        ("**all of them**", "all, thorough"),
        ("the same, 8 and 2 facts a passage", "all, thrifty"),
        ("the same, read by spaCy", "all, local"),
    ]

    def row(label: str, key: str) -> list[str]:
        scores = results[key]
        both = [f"{scores[method]['recall@5']:.1f} / {scores[method]['recall@10']:.1f}" for _, method in _METHODS]
        return [label, str(scores["questions"]), *both, _gain(*scores["gain over words"]["recall@5"])]

    head = ["`bench.quality.narrative`, no LLM at question time", "questions"]
    return table(
        [*head, "words", "vectors and words", "Filigraph", "gain over words at 5"], [row(*named) for named in sets]
    )


def ingest() -> str:
    """An ingest from nothing."""
    results = read("ingest")
    sets = [
        ("2WikiMultiHopQA, a quarter, ready triples", "2wiki-quarter"),
        ("2WikiMultiHopQA, all of it", "2wiki"),
        (f"a novel of {results['holmes']['words']:,} words (the Sherlock Holmes stories), local extractor", "holmes"),
        (f"a novel of {results['lecoq']['words']:,} words (*Monsieur Lecoq*, French), local extractor", "lecoq"),
    ]
    columns = ("documents", "chunks", "entities", "facts")
    rows = [
        [label, *(f"{results[key][column]:,}" for column in columns), *(f"{results[key][s]:.0f}" for s in _SECONDS)]
        for label, key in sets
    ]
    return table(["ingest, from nothing", *columns, "seconds", "again, nothing to do"], rows)


_SECONDS = ("seconds", "seconds_again")


def questions() -> str:
    """The results of every method on 2WikiMultiHopQA."""
    results = read("questions-2wiki")

    def row(label: str, method: str) -> list[str]:
        scores = results["methods"][method]
        recalls = [f"{_percent(scores[key])} %" for key in ("recall@2", "recall@5")]
        return [label, *recalls, f"{100 * scores['all_gold@5']:.0f} %", f"{scores['mrr']:.2f}"]

    head = f"{results['questions']} multi-hop questions on 2WikiMultiHopQA, no LLM (`bench.quality.questions`)"
    named = [("words (BM25)", "bm25"), ("vectors", "dense"), ("both", "hybrid"), ("the walk", "filigraph")]
    return table([head, "recall@2", "recall@5", "all gold in the first 5", "MRR"], [row(*each) for each in named])


def hop_ranker() -> str:
    """The results of the hop ranker on questions and corpora that it did not see."""
    results = read("train")

    def share(mean: float, low: float, high: float) -> str:
        return f"{mean:.1f} ({low:.1f} to {high:.1f})"

    columns = ("both", "by_hand", "other_sets", "other_half")
    rows = [
        [
            label,
            str(scores["questions"]),
            f"{scores['pool_recall']:.1f}",
            *(f"{scores[plain][0]:.1f}" for plain in ("words", "vectors")),
            *(share(*scores[column]) for column in columns),
        ]
        for label, scores in (("2WikiMultiHopQA", results["2wiki"]), ("MuSiQue", results["musique"]))
    ]
    head = [
        "`bench.training.hop_ranker`, no LLM",
        "questions",
        "gold in the pool",
        "words",
        "vectors",
        "both",
        "S, by hand",
    ]
    return table([*head, "trees, other corpus", "trees, other half"], rows)


def latency() -> str:
    """Milliseconds of retrieval, by kind of question, at three sizes."""
    results, scale = read("latency"), read("scale")["30000"]
    small, large = results["bench-2wiki-quarter"], results["bench-2wiki"]

    def both(times: Mapping[str, float] | None) -> str:
        return f"{times['p50_ms']:.0f} / {times['p95_ms']:.0f}" if times else ""

    rows = [
        ["words and vectors", both(small["hybrid"]), both(large["hybrid"]), both(scale["hybrid"])],
        ["the walk, 2 hops", both(small["depth 2"]), both(large["depth 2"]), ""],
        ["the walk, 4 hops (default)", both(small["depth 4"]), both(large["depth 4"]), both(scale["question"])],
        ["right after a change", *(f"{size['after a change']['question_p50_ms']:.0f}" for size in (small, large)), ""],
    ]
    head = ["milliseconds of retrieval, question encoding included (`bench.speed.latency`)"]
    sizes = [f"{size['chunks']:,} chunks, p50 / p95" for size in (small, large, scale)]
    return table([*head, *sizes], rows)


def changes() -> str:
    """The cost of one change."""
    sizes = [read("changes")[key] for key in ("1500", "6119")]
    rows = [
        [label, *(f"{size[f'{key}_cpu']['median']:.1f} ({size[key]['median']:.1f})" for size in sizes)]
        for label, key in (("one document added", "document"), ("one decision", "decision"), ("its undoing", "undo"))
    ]
    return table(["", *(f"{size['chunks']:,} chunks, {size['entities']:,} entities" for size in sizes)], rows)


def extrapolation() -> str:
    """The cost of up to ten million chunks, if every cost of `bench.speed.scale` grows in proportion."""
    results = read("scale")
    largest, decision = results["100000"], results["30000"]["decision"]["median"] / results["30000"]["chunks"]
    sizes = [10**5, 10**6, 10**7]

    def each(cost: Callable[[int], str]) -> list[str]:
        return [cost(size) for size in sizes]

    def gigabytes(megabytes: float) -> Callable[[int], str]:
        return lambda size: _space(megabytes / largest["chunks"] * size / 1000)

    def lasting(seconds: float) -> Callable[[int], str]:
        return lambda size: _duration(seconds * size)

    memory = each(gigabytes(largest["python_mb"]))
    rows = [
        ["memory of the server", f"{largest['python_mb'] / 1000:.1f} GB, measured", *memory[1:]],
        ["disk", *each(gigabytes(largest["disk"]))],
        ["reading by an LLM", *each(lasting(2 / 8))],
        ["embedding chunks", *each(lasting(0.018))],
        ["writing and deriving", *each(lasting(largest["seconds"] / largest["added_chunks"]))],
        ["one decision of a person", *each(lasting(decision))],
    ]
    return table(["chunks in one workspace", "100,000", "1 million", "10 million"], rows)


def load() -> str:
    """A hundred questions at once."""
    results = read("load")
    sizes = [("the demo's graph", "demo"), (f"{read('ingest')['2wiki']['chunks']:,} chunks", "bench-2wiki")]
    rows = []
    for label, key in sizes:
        for what, state in ((label, "nothing else"), ("the same while a job reads", "while a job reads")):
            result = results[f"{key}, {state}"]
            rows.append(
                [
                    what,
                    str(result["errors"]),
                    *(f"{result[p]:.1f} s" for p in ("p50_s", "p95_s")),
                    f"{result['a_second']:.1f}",
                ]
            )
    return table(["", "errors", "p50", "p95", "questions a second"], rows)


def workers() -> str:
    """Questions by the number of search processes, on two cores."""
    results = read("workers")

    def row(count: str) -> list[str]:
        result = results[f"{count} processes"]
        rates = [f"{result[key]:.1f}" for key in ("one_by_one_a_second", "twenty_at_once_a_second")]
        memory = " and ".join(f"{result[key] / 1000:.1f}" for key in ("memory_mb", "memory_at_once_mb"))
        return [count, *rates, f"{result['at_once_p95_ms'] / 1000:.1f} s", f"{memory} GB"]

    head = ["processes", "one by one, a second", "twenty at once, a second", "p95 at once"]
    return table([*head, "memory of the server, at rest and after"], [row("1"), row("2")])


def workers_16_cores() -> str:
    """The same on 16 cores."""
    results = read("workers_16_cores")["blas_on_one_thread"]

    def row(label: str, count: str) -> list[str]:
        result, twenty = results[count], results[count]["twenty at once"]
        seconds, memory = f"{twenty['p95_ms'] / 1000:.1f} s", f"{result['memory_at_once_mb'] / 1000:.1f} GB"
        rates = [f"{rate:.1f}" for rate in (result["one_by_one_a_second"], twenty["a_second"])]
        return [label, *rates, seconds, f"{result['forty at once']['a_second']:.1f}", memory]

    head = ["processes", "one by one, a second", "twenty at once, a second", "p95 at once"]
    rows = [row(count + (" (default there)" if count == "8" else ""), count) for count in results]
    return table([*head, "forty at once, a second", "memory of the server after"], rows)


def two_novels() -> str:
    """The cost of ingesting two novels, whole and in half."""
    results = [read("ingest")[key] for key in ("holmes", "holmes-half", "lecoq", "lecoq-half")]

    def rest(result: Mapping[str, Any]) -> float:
        stages = result["by_stage"]
        return float(result["seconds"] - stages["embed"] - stages["extract"])

    counts = {"words": "words", "chunks": "chunks", "of them without a fact": "empty_chunks"}
    counts |= {"entities": "entities", "facts": "facts"}
    seconds: list[tuple[str, Callable[[Mapping[str, Any]], float]]] = [
        ("seconds", lambda result: result["seconds"]),
        ("of them embedding", lambda result: result["by_stage"]["embed"]),
        ("reading with spaCy", lambda result: result["by_stage"]["extract"]),
        ("all the rest", rest),
        ("seconds, the same again", lambda result: result["seconds_again"]),
    ]
    rows = [[label, *(f"{result[key]:,}" for result in results)] for label, key in counts.items()]
    rows += [[label, *(f"{cost(result):.1f}" for result in results)] for label, cost in seconds]
    memory = [f"{result['python_mb']:,} / {result['neo4j_mb']:,}" for result in results]
    return table(["", "Holmes", "first half", "Lecoq", "first half"], [*rows, ["MB, Python / Neo4j", *memory]])


def _space(gigabytes: float) -> str:
    return f"{gigabytes:.0f} GB" if gigabytes < 500 else f"{gigabytes / 1000:.1f} TB"


def _duration(seconds: float) -> str:
    """Seconds in the largest unit that leaves more than one and a half."""
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 1.5 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def code() -> str:
    """Source code by its syntax and in pieces of 50 lines."""
    results = read("code")
    metrics = ("recall@5", "found@5", "precision@5", "R-precision", "MRR")

    def cell(method: str, metric: str, cut: str) -> str:
        mean, low, high = results[method][metric][cut]
        return f"{mean:.2f} ({low:.2f} to {high:.2f})"

    rows = [
        [f"{method}, {cut}", *(cell(method, metric, cut) for metric in metrics)]
        for method in ("filigraph", "hybrid", "dense", "bm25")
        for cut in ("syntax", "lines")
    ]
    return table(["", "recall@5", "any in 5", "precision@5", "R-precision", "MRR"], rows)


_PEERS: Sequence[tuple[str, str]] = (
    ("**neo4j-graphrag 1.22**", ""),
    ("VectorRetriever", "neo4j-graphrag VectorRetriever"),
    ("HybridRetriever", "neo4j-graphrag HybridRetriever"),
    ("HybridRetriever, linear ranker, alpha 0.7", "neo4j-graphrag HybridRetriever, linear ranker"),
    ("the same, ten times as many candidates by vector", "neo4j-graphrag HybridRetriever, linear ranker, wide"),
    ("HybridRetriever, raw question", "neo4j-graphrag HybridRetriever, raw question"),
    (
        "HybridCypherRetriever, one hop over shared entities",
        "neo4j-graphrag HybridCypherRetriever, one hop over entities",
    ),
    ("HybridCypherRetriever, one hop over facts", "neo4j-graphrag HybridCypherRetriever, one hop over facts"),
    ("**LlamaIndex 0.14 PropertyGraphIndex**, store for reading only", ""),
    ("VectorContextRetriever, as it comes", "LlamaIndex PropertyGraphIndex"),
    ("VectorContextRetriever, 20 entities, 200 triplets", "LlamaIndex PropertyGraphIndex, wide"),
    ("**HippoRAG 2, its algorithm without its LLM**", ""),
    ("as published", "HippoRAG 2"),
    ("no edges between similar names", "HippoRAG 2, no synonyms"),
    ("every entity of the five facts, not the best five", "HippoRAG 2, all entities"),
    ("both changes", "HippoRAG 2, no synonyms, all entities"),
    ("**Filigraph**", ""),
    ("words (`bm25`)", "bm25"),
    ("vectors (`dense`)", "dense"),
    ("both (`hybrid`)", "hybrid"),
    ("the walk, weights that never saw the set", "filigraph, never saw the set"),
    ("the walk, weights sized by hand", "filigraph, by hand"),
    ("the walk, cross-validated weights", "filigraph, cross-validated"),
    ("the walk as it ships, weights learned on these questions", "filigraph"),
)


def peers() -> str:
    """Published retrievers on the same graphs."""
    results = [read("peers")[key]["methods"] for key in ("2wiki", "musique-train")]

    def cells(result: Mapping[str, float]) -> list[str]:
        recalls = " / ".join(f"{100 * result[f'recall@{count}']:.1f}" for count in (2, 5, 10))
        return [recalls, f"{100 * result['all_gold@5']:.0f}", f"{result['mrr']:.2f}"]

    rows = [
        [label, *(cell for methods in results for cell in (cells(methods[method]) if method else [""] * 3))]
        for label, method in _PEERS
    ]
    columns = ["all gold in the first 5", "MRR"]
    heads = [f"{name}: recall@2 / 5 / 10" for name in ("2WikiMultiHopQA", "MuSiQue")]
    return table(["", heads[0], *columns, heads[1], *columns], rows)


TABLES: Mapping[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        *(recall, answers, narrative, ingest, questions, hop_ranker, latency, changes, extrapolation),
        *(load, workers, workers_16_cores, two_novels, code, peers),
    )
}
