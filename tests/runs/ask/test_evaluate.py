"""Evaluation on the real Neo4j: gold by document, by chunk and by quote; unusable gold is reported."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from filigraph.graph.errors import Cancelled, InputError
from filigraph.graph.ingest.report import Progress
from filigraph.graph.measure.evaluate import METHODS, Evaluation, evaluate, to_json
from filigraph.graph.measure.gold import find_gold, parse_questions
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from tests.making import DIMENSIONS, source, word_embedder
from tests.runs.claw_case import TEXTS, triples
from tests.runs.conftest import World

NOVEL = "\n\n".join(f"On day {n} it rained, and nobody in Lyon wondered at it any more. " * 12 for n in range(40))
SECRET = "The lawyer Moreau had burnt the will in the stove of the mill."
WARY = {"id": "wary", "question": "Why be wary of Jules Delmas?", "type": "bridge"}


@pytest.fixture(scope="module")
def case(world: World) -> Graph:
    """The case of the ring, and a document of several chunks with one sentence that matters in its middle."""
    graph = world.fresh()
    novel = NOVEL.replace("On day 20 it", SECRET.replace(" in ", "\n  in ") + " On day 20 it", 1)
    texts = {**TEXTS, "novel.txt": novel}
    ingest(
        [source(name, text) for name, text in texts.items()],
        graph=graph,
        embedder=word_embedder(),
        extractor=triples(graph),
    )
    return graph


def measure(graph: Graph, *rows: dict[str, Any], **how: Any) -> Evaluation:
    content = "\n".join(map(json.dumps, rows)).encode()
    return evaluate(parse_questions(content), graph=graph, embedder=word_embedder(), **how)


def test_hybrid_search_with_weights_of_vectors(case: Graph) -> None:
    rows = [{**WARY, "gold": ["letter.txt", "cutting.txt"]}]
    measured = measure(case, *rows, methods=["bm25", "dense", "filigraph"], weights=[1.0, 0.7, 0.0])
    assert list(measured.methods) == ["bm25", "dense", "filigraph", "hybrid 1", "hybrid 0.7", "hybrid 0"]

    def shares(method: str) -> dict[str, float]:
        return {name: value for name, value in measured.methods[method].items() if not name.endswith("_ms")}

    assert shares("hybrid 1") == shares("dense") and shares("hybrid 0") == shares("bm25")
    assert set(measured.gains) == {"bm25", "dense"}
    for method, figures in measured.methods.items():
        assert figures["precision@10"] == pytest.approx(figures["recall@10"] * 2 / 10)
        assert figures["precision@2"] == pytest.approx(figures["recall@2"])
        assert measured.targets[method] == {
            "recall@5": figures["recall@5"] > 0.8,
            "precision@5": False,
            "mrr": figures["mrr"] > 0.7,
            "mean_ms": figures["mean_ms"] < 100,
        }
    assert measured.highest_precision == 0.4
    assert set(to_json(measured)["targets"]) == set(measured.methods)


def test_every_method_on_the_same_questions(case: Graph) -> None:
    rows = [
        {**WARY, "gold": ["letter.txt", "inventory.txt", "cutting.txt"]},
        {"id": "baker", "question": "Who is a baker in Lyon?", "type": "single", "gold": ["report.txt"]},
        {"id": "both", "question": "Who hunts The Claw and who wears the ring?", "type": "comparison",
         "gold": ["cutting.txt", "letter.txt"]},
        {"id": "none", "question": "How old is Jules Delmas?", "type": "unanswerable", "gold": []},
    ]  # fmt: skip
    told: list[Progress] = []
    measured = measure(case, *rows, progress=told.append)
    assert list(measured.methods) == list(METHODS)
    for figures in measured.methods.values():
        assert all(0.0 <= share <= 1.0 for name, share in figures.items() if not name.endswith("_ms"))
        assert 0.0 < figures["p50_ms"] <= figures["p95_ms"]
    assert measured.methods["filigraph"]["recall@10"] == 1.0
    assert (measured.passages, measured.questions, measured.skipped) == (5, 3, 0)
    assert measured.chunks > 5 and measured.facts == 6 and measured.entities
    assert {kind: part.questions for kind, part in measured.by_type.items()} == {
        "bridge": 1,
        "comparison": 1,
        "single": 1,
    }
    assert measured.path_coverage[3]["bridge"] == 1.0 and measured.path_coverage[1]["comparison"] in (0.0, 1.0)
    assert measured.fact_connected is not None and measured.fact_connected > 0
    assert measured.without_path == 0.0
    assert measured.unanswerable == 1 and measured.refused in (0.0, 1.0)
    assert measured.answer_said == {1: None, 3: None}
    assert set(measured.gains) == set(METHODS) - {"filigraph"}
    for method, gain in measured.gains.items():
        above = measured.methods["filigraph"]["recall@5"] - measured.methods[method]["recall@5"]
        assert gain.low <= gain.mean <= gain.high
        assert gain.mean == pytest.approx(above, abs=2e-4)
    assert [event.stage for event in told if event.done == event.total == 3] == list(METHODS)


def test_the_same_questions_give_the_same_figures(case: Graph) -> None:
    rows = [{**WARY, "gold": ["letter.txt", "cutting.txt"]}]
    first, second = (to_json(measure(case, *rows)) for _ in range(2))
    for figures in [*first["methods"].values(), *second["methods"].values()]:
        del figures["mean_ms"], figures["p50_ms"], figures["p95_ms"]
    assert first["methods"] == second["methods"]
    assert first["path_coverage@3"] == second["path_coverage@3"]
    assert first["question_set"] == second["question_set"]
    assert measure(case, {**WARY, "gold": ["letter.txt"]}).question_set != first["question_set"]


def test_gold_by_chunk_and_by_quote(case: Graph) -> None:
    (letter,) = (row for row in case.document_rows() if row.source == "letter.txt")
    (chunk_id,) = case.chunks_of_documents([letter.id])[letter.id]
    rows = [
        {"id": "chunk", "question": "What does Jules wear?", "gold": [chunk_id]},
        {"id": "quote", "question": "Where had the lawyer burnt the will?", "gold": [SECRET]},
        {"id": "all", "question": "The will?", "gold": [SECRET, "letter.txt"]},
    ]
    read: list[tuple[int, int]] = []
    file = parse_questions("\n".join(map(json.dumps, rows)).encode())
    gold, problems = find_gold(file.questions, case, progress=lambda done, total: read.append((done, total)))
    assert problems == [] and read[-1] == (5, 5)
    assert gold["chunk"].pieces == (frozenset({chunk_id}),) and not gold["chunk"].by_document
    texts = {
        text.id: text.text for row in case.document_rows() for part in case.document_texts([row.id]) for text in part
    }
    (places,) = gold["quote"].pieces
    assert places and all(SECRET in " ".join(texts[id_].split()) for id_ in places)
    assert len(gold["all"].pieces) == 2 and not gold["all"].by_document
    measured = measure(case, *rows[:2])
    assert list(measured.by_type) == ["untyped"]
    assert measured.methods["bm25"]["recall@10"] == 1.0


def test_what_cannot_be_used_is_told_and_counted(case: Graph) -> None:
    good = {**WARY, "gold": ["letter.txt"]}
    bad = [
        {**WARY, "id": "unknown", "gold": ["letter.txt", "letter-9.txt"]},
        {**WARY, "id": "short", "gold": ["Jules"]},  # what could be an id is not looked for in texts
        {**WARY, "id": "quote", "gold": ["A sentence that stands nowhere."]},
        {**WARY, "id": "none", "gold": []},
    ]
    measured = measure(case, good, *bad, methods=["bm25"])
    assert (measured.questions, measured.skipped) == (1, 4)
    assert [problem.partition(":")[0] for problem in measured.problems] == [
        "line 5", "question unknown", "question short", "question quote",
    ]  # fmt: skip
    assert "letter-9.txt" in measured.problems[1]
    with pytest.raises(InputError, match="gold is not in the workspace"):
        measure(case, bad[0])


def test_some_methods_and_the_first_questions_only(case: Graph) -> None:
    rows = [{**WARY, "id": f"q{n}", "gold": ["letter.txt"]} for n in range(9)]
    measured = measure(case, *rows, methods=["dense", "bm25", "dense"], limit=4)
    assert list(measured.methods) == ["dense", "bm25"] and measured.questions == 4
    assert measured.path_coverage == {1: {"bridge": None, "comparison": None}, 3: {"bridge": None, "comparison": None}}
    assert measured.fact_connected is None


def test_who_goes_away_stops_it(case: Graph) -> None:
    told: list[Progress] = []
    rows = [{**WARY, "id": f"q{n}", "gold": ["letter.txt"]} for n in range(9)]
    with pytest.raises(Cancelled):
        measure(case, *rows, progress=told.append, cancelled=lambda: len(told) == 5)
    assert len(told) == 5


def test_runs_are_kept_with_the_workspace_alone(case: Graph, store: Store) -> None:
    measured = to_json(measure(case, {**WARY, "gold": ["letter.txt"]}, methods=["bm25"]))
    kept = case.keep_evaluation(measured)
    again = case.keep_evaluation(measured)
    assert case.evaluations(count=10) == ([again, kept], 2)
    assert case.evaluations(first=1, count=1) == ([kept], 2)
    name = f"test-{uuid.uuid4().hex[:12]}"
    store.create_workspace(name, fingerprint="words-64", dimensions=DIMENSIONS)
    other = store.graph(name)
    assert other.evaluations(count=10) == ([], 0)
    other.keep_evaluation(measured)
    store.delete_workspace(name)
    other.keep_evaluation(measured)  # too late: nothing is left behind
    assert other.evaluations(count=10) == ([], 0)
    assert case.evaluations(count=1)[1] == 2
