"""The figures, on rankings and paths whose figures can be computed by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from filigraph.graph.measure.evaluate import (
    answer_said,
    fact_connected,
    gain,
    mean_measures,
    path_coverage,
    ranking,
    recall_at_5,
)
from filigraph.graph.measure.gold import Gold, GoldQuestion
from filigraph.graph.model.retrieval import Evidence, Hop, HopKind, Path, Retrieved
from filigraph.graph.model.traces import Trace

TRACE = Trace(id="t", workspace="w", question="q", steps=(), settings={})


def chunk(id_: str, document: str = "", *, path: bool = False) -> Evidence:
    return Evidence(
        id=id_,
        kind="path" if path else "chunk",
        text="",
        document_id=document,
        title="",
        source="",
        place="",
        score=0.0,
    )


def found(*evidence: Evidence) -> Retrieved:
    return Retrieved(question="q", language="en", evidence=evidence, paths=(), trace=TRACE)


def path(*chunk_ids: str, kind: HopKind = "fact") -> Path:
    hops = tuple(
        Hop(
            kind=kind if n else "fact",
            subject="",
            predicate="",
            object="",
            subject_id="",
            object_id="",
            chunk_id=id_,
            sentence="",
            start=0,
            end=0,
            score=0.0,
        )
        for n, id_ in enumerate(chunk_ids)
    )
    return Path(id="-".join(chunk_ids), hops=hops, score=0.0, text="")


def gold(*pieces: set[str], by_document: bool = False) -> Gold:
    return Gold(pieces=tuple(map(frozenset, pieces)), by_document=by_document)


def question(id_: str, kind: str) -> GoldQuestion:
    return GoldQuestion(id=id_, text="?", type=kind, gold=())


def test_a_document_counts_where_its_first_chunk_stands() -> None:
    evidence = [chunk("a1", "A"), chunk("b1", "B"), chunk("a2", "A"), chunk("p", path=True), chunk("c2", "C")]
    by_document = gold({"b1", "b2"}, {"c1", "c2"}, by_document=True)
    assert ranking(found(*evidence), by_document) == ["A", "gold 0", "gold 1"]


def test_chunks_that_are_no_gold_count_one_by_one_where_gold_is_chunks() -> None:
    evidence = [chunk("a1", "A"), chunk("a2", "A"), chunk("b1", "B"), chunk("b2", "B")]
    assert ranking(found(*evidence), gold({"b1", "b2"})) == ["a1", "a2", "gold 0"]


def test_the_first_ten_chunks_are_looked_at() -> None:
    evidence = [chunk(f"{n}") for n in range(10)]
    assert ranking(found(*evidence, chunk("late")), gold({"late"})) == [f"{n}" for n in range(10)]


def test_the_figures_of_three_questions() -> None:
    rankings = {
        "both": ["gold 0", "x", "gold 1"],  # recall@2 1/2, R-precision 1/2
        "late": ["1", "2", "3", "4", "5", "6", "gold 0"],  # found among the first ten only
        "nothing": [],
    }
    figures = mean_measures(rankings, {"both": 2, "late": 1, "nothing": 1})
    assert figures == {
        "recall@2": pytest.approx(0.5 / 3, abs=1e-4),
        "recall@5": pytest.approx(1 / 3, abs=1e-4),
        "recall@10": pytest.approx(2 / 3, abs=1e-4),
        "precision@2": pytest.approx(1 / 2 / 3, abs=1e-4),
        "precision@5": pytest.approx(2 / 5 / 3, abs=1e-4),
        "precision@10": pytest.approx((2 / 10 + 1 / 10) / 3, abs=1e-4),
        "r_precision": pytest.approx(0.5 / 3, abs=1e-4),
        "mrr": pytest.approx((1 + 1 / 7) / 3, abs=1e-4),
        "all_gold@5": pytest.approx(1 / 3, abs=1e-4),
    }


def test_nothing_found_at_all() -> None:
    assert set(mean_measures({"q": []}, {"q": 2}).values()) == {0.0}


def test_the_gold_of_bridges_and_comparisons_on_the_first_paths() -> None:
    questions = [question("b", "compositional"), question("c", "bridge_comparison"), question("s", "single")]
    pieces = {"b": gold({"1"}, {"2"}), "c": gold({"1"}, {"3", "4"}), "s": gold({"9"})}
    paths = {"b": [path("1", "2")], "c": [path("1"), path("4")], "s": [path("9")]}
    assert path_coverage(questions, pieces, paths, 1) == {"bridge": 1.0, "comparison": 0.0}
    assert path_coverage(questions, pieces, paths, 3) == {"bridge": 1.0, "comparison": 1.0}
    assert path_coverage(questions[2:], pieces, paths, 3) == {"bridge": None, "comparison": None}
    assert path_coverage(questions, pieces, {}, 1) == {"bridge": None, "comparison": None}
    assert path_coverage(questions[:1], pieces, {"b": []}, 1) == {"bridge": 0.0, "comparison": None}


def test_answers_that_paths_say() -> None:
    def asked(text: str, answer: str) -> GoldQuestion:
        return GoldQuestion(id=text, text=text, type="", answer=answer, gold=())

    def says(*objects: str) -> Path:
        whole = path("1")
        return dataclasses.replace(whole, hops=tuple(dataclasses.replace(whole.hops[0], object=o) for o in objects))

    questions = [
        asked("Who wears the ring?", "Jules Delmas wears it"),  # "wears" is the question's
        asked("Wann starb er?", "Er starb 1912"),
        asked("谁戴戒指？", "朱尔"),
        asked("Why?", ""),
    ]
    paths = {
        questions[0].id: [says("the ring"), says("a ring", "DELMAS")],
        questions[1].id: [says("1913"), says("1912")],
        questions[2].id: [says("朱尔"), says("x")],
        questions[3].id: [says("x")],
    }
    assert answer_said(questions, paths, 1) == 0.3333
    assert answer_said(questions, paths, 3) == 1.0
    assert answer_said(questions[3:], paths, 3) is None
    assert answer_said(questions, {}, 3) is None


def test_the_share_of_paths_that_facts_alone_carry() -> None:
    assert fact_connected([[path("1", "2"), path("1", "2", kind="mention")], [], [path("3")]]) == 0.6667
    assert fact_connected([]) is None


def test_a_gain_has_an_interval_that_narrows_with_questions() -> None:
    few, many = (gain(np.tile([0.0, 0.5, 0.5, -0.5], count)) for count in (5, 50))
    assert few.mean == many.mean == 0.125
    assert few.low < 0 < few.high, "twenty questions do not tell"
    assert few.low < many.low < 0.125 < many.high < few.high
    same = gain(np.zeros(9))
    assert (same.mean, same.low, same.high) == (0.0, 0.0, 0.0)


def test_recall_counts_pieces_of_gold_among_the_first_five() -> None:
    gold = Gold(pieces=(frozenset("a"), frozenset("b"), frozenset("c"), frozenset("d")), by_document=False)
    assert recall_at_5(["gold 2", "x", "gold 0", "y", "z", "gold 1"], gold) == 0.5
