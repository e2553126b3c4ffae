"""The order that the answer receives, and what the graph keeps against the reranker. Scorers are tables, not models."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import pytest
from llama_index.core.schema import NodeWithScore, TextNode

from filigraph.graph.ask.ranking.rerank import MAX_RERANKED, rerank
from filigraph.graph.llamaindex import ForceGraphRerank
from filigraph.graph.model.retrieval import Evidence, Hop, Path

QUESTION = "Pourquoi se méfier de Jules ?"


class Table:
    """Scores by the passage, whatever way is told before it; what the table does not hold gets `rest`."""

    name = "table"

    def __init__(self, scores: Mapping[str, float] | None = None, rest: float = 0.5) -> None:
        self.scores = scores or {}
        self.rest = rest
        self.asked: list[str] = []

    def score(self, question: str, texts: Sequence[str], *, cancelled: object = None) -> list[float]:
        self.asked += texts
        return [self.scores.get(text.rpartition(" | ")[2], self.rest) for text in texts]


def chunk(id_: str, score: float = 0.5) -> Evidence:
    return Evidence(id=id_, kind="chunk", text=id_, document_id=f"d-{id_}", title="", source="", place="", score=score)


def path(*chunk_ids: str, score: float = 0.5, id_: str = "path") -> Path:
    hops = tuple(
        Hop(
            kind="fact",
            subject="a",
            predicate="b",
            object="c",
            subject_id="a",
            object_id="c",
            chunk_id=chunk_id,
            sentence="",
            start=0,
            end=0,
            score=0.0,
        )
        for chunk_id in chunk_ids
    )
    return Path(id=id_, hops=hops, score=score, text="a b c")


def ids(evidence: Sequence[Evidence]) -> list[str]:
    return [item.id for item in evidence]


def pool(count: int, score: float = 0.5) -> list[Evidence]:
    return [chunk(f"c{n:02}", score) for n in range(count)]


def kept_by(evidence: Sequence[Evidence], why: str) -> list[str]:
    return [item.id for item in evidence if item.kept_by == why]


# ---- without a reranker


def test_without_a_scorer_the_walk_has_the_last_word() -> None:
    evidence = [chunk(id_, score) for id_, score in (("a", 0.9), ("b", 0.1), ("c", 0.8))]
    assert rerank(QUESTION, evidence, [], None) == evidence


def test_without_a_scorer_paths_keep_their_chunks() -> None:
    kept = rerank(QUESTION, pool(40), [path("c00", "c25", "c39")], None, keep=5)
    assert ids(kept) == ["c00", "c01", "c02", "c25", "c39"]
    assert kept_by(kept, "graph") == ["c25", "c39"]
    assert [item.rerank_score for item in kept] == [None] * 5


# ---- with one


def test_the_reranker_has_four_fifths_of_the_order() -> None:
    evidence = [chunk("walked", 1.0), chunk("said", 0.5)]
    assert ids(rerank(QUESTION, evidence, [], Table({"walked": 0.5, "said": 0.7}))) == ["said", "walked"]
    assert ids(rerank(QUESTION, evidence, [], Table({"walked": 0.5, "said": 0.6}))) == ["walked", "said"]


def test_the_weak_goes_unless_the_walk_trusts_it() -> None:
    evidence = [chunk("trusted", 0.55), chunk("weak", 0.54), chunk("fair", 0.15)]
    kept = rerank(QUESTION, evidence, [], Table({"trusted": 0.0, "weak": 0.3, "fair": 0.4}))
    assert ids(kept) == ["fair", "trusted"]
    assert {item.kept_by for item in kept} == {"rank"}
    assert kept[0].rerank_score == 0.4
    assert kept[0].score == 0.15


def test_ties_stay_as_the_walk_had_them() -> None:
    evidence = [chunk(id_) for id_ in "qwertyuiop"]
    assert ids(rerank(QUESTION, evidence, [], Table())) == list("qwertyuiop")


def test_only_the_best_thirty_and_the_reserved_are_shown_to_the_reranker() -> None:
    table = Table()
    rerank(QUESTION, pool(100), [path("c90")], table)
    assert table.asked == [f"c{n:02}" for n in range(MAX_RERANKED)] + ["a b c | c90"]


# ---- force-keep


def test_a_passage_is_shown_behind_the_best_path_that_leads_to_it() -> None:
    table = Table()
    ways = [path("c00", "c01"), dataclasses.replace(path("c01", "c02", id_="other"), text="d e f")]
    rerank(QUESTION, pool(4), ways, table)
    assert table.asked == ["a b c | c00", "a b c | c01", "d e f | c02", "c03"]


def test_the_gold_path_stays_with_the_lowest_score_of_all() -> None:
    """Jules wears the ring; the ring is the emblem; La Griffe steals: each hop the reranker's last choice."""
    evidence = [*pool(30, 0.6), chunk("jules", 0.3), chunk("ring", 0.3), chunk("griffe", 0.3)]
    table = Table({"jules": 0.02, "ring": 0.01, "griffe": 0.0}, rest=0.9)
    kept = rerank(QUESTION, evidence, [path("jules", "ring", "griffe")], table)
    assert len(kept) == 10
    assert ids(kept)[-3:] == ["jules", "ring", "griffe"]
    assert kept_by(kept, "graph") == ["jules", "ring", "griffe"]


def test_what_would_have_stayed_anyway_is_kept_by_rank() -> None:
    kept = rerank(QUESTION, pool(30), [path("c03", "c29")], Table({"c03": 0.9, "c29": 0.0}), keep=3)
    assert ids(kept) == ["c03", "c00", "c29"]
    assert kept_by(kept, "graph") == ["c29"]


def test_three_paths_have_places_and_the_fourth_has_none() -> None:
    paths = [path(f"c{n}", id_=f"p{n}") for n in (26, 27, 28, 29)]
    table = Table({f"c{n}": 0.0 for n in (26, 27, 28, 29)})
    kept = rerank(QUESTION, pool(30), paths, table, keep=5)
    assert ids(kept) == ["c00", "c01", "c26", "c27", "c28"]


def test_the_floor_of_a_path_is_the_walks_own_score() -> None:
    table = Table({"c28": 1.0, "c29": 0.0}, rest=0.9)
    weak, strong = path("c28", score=0.05, id_="weak"), path("c29", score=0.3, id_="strong")
    kept = rerank(QUESTION, pool(30), [strong, weak], table, keep=4)
    assert ids(kept) == ["c28", "c00", "c01", "c29"]  # c28 by the reranker's word alone
    assert kept_by(kept, "graph") == ["c29"]
    assert "c28" not in ids(rerank(QUESTION, pool(30), [weak], Table({"c28": 0.0}, rest=0.9)))


def test_reserved_chunks_are_never_cut_to_fit() -> None:
    paths = [path(*(f"c{n}" for n in range(start, start + 4)), id_=f"p{start}") for start in (12, 16, 20)]
    kept = rerank(QUESTION, pool(30), paths, Table({"c00": 0.99}))
    assert ids(kept) == [f"c{n}" for n in range(12, 24)]


def test_a_path_that_is_evidence_itself_is_reserved_too() -> None:
    shown = Evidence(id="path", kind="path", text="a b c", document_id="", title="", source="", place="", score=0.5)
    kept = rerank(QUESTION, [*pool(30), shown], [path("c29")], Table({"a b c": 0.0, "c29": 0.0}), keep=4)
    assert ids(kept) == ["c00", "c01", "c29", "path"]


# ---- neighbours


def test_the_best_chunks_neighbour_comes_along() -> None:
    kept = rerank(
        QUESTION, pool(5), [], Table({"c03": 0.9}), keep=3, neighbours={"c03": chunk("next"), "c00": chunk("n")}
    )
    assert ids(kept) == ["c03", "next", "c00"]
    assert kept_by(kept, "neighbour") == ["next"]


def test_a_neighbour_that_is_there_already_does_not_come_twice() -> None:
    kept = rerank(QUESTION, pool(3), [], Table({"c02": 0.9}), neighbours={"c02": chunk("c00"), "c01": chunk("next")})
    assert ids(kept) == ["c02", "c00", "c01", "next"]


def test_a_neighbour_pushes_no_path_out() -> None:
    kept = rerank(QUESTION, pool(3), [path("c01", "c02")], Table(), keep=3, neighbours={"c00": chunk("next")})
    assert ids(kept) == ["c00", "c01", "c02"]


def test_nothing_in_nothing_out() -> None:
    assert rerank(QUESTION, [], [], None) == []
    assert rerank(QUESTION, [], [path("gone")], Table()) == []


# ---- as a LlamaIndex postprocessor


def node(id_: str, score: float, **metadata: object) -> NodeWithScore:
    return NodeWithScore(node=TextNode(id_=id_, text=id_, metadata=dict(metadata)), score=score)


def test_the_postprocessor_keeps_a_path_and_its_chunks() -> None:
    nodes = [node(f"c{n:02}", 0.6) for n in range(12)]
    nodes += [
        node("ring", 0.2),
        node("griffe", 0.2),
        node("walked", 0.0, kind="path", hop_score=0.4, chunk_ids=["ring", "griffe"]),
    ]
    table = Table({"ring": 0.0, "griffe": 0.0, "walked": 0.0}, rest=0.9)
    kept = ForceGraphRerank(scorer=table, keep=6).postprocess_nodes(nodes, query_str=QUESTION)
    assert [item.node.node_id for item in kept] == ["c00", "c01", "c02", "walked", "ring", "griffe"]
    assert [item.node.metadata["kept_by"] for item in kept] == ["rank"] * 3 + ["graph"] * 3
    assert kept[0].score == pytest.approx(0.2 * 0.6 + 0.8 * 0.9)
    assert kept[0].node.metadata["rerank_score"] == 0.9


def test_the_postprocessor_without_a_scorer_goes_by_hop_score() -> None:
    nodes = [node("low", 0.9, hop_score=0.1), node("high", 0.1, hop_score=0.9), node("plain", 0.5)]
    kept = ForceGraphRerank().postprocess_nodes(nodes, query_str=QUESTION)
    assert [(item.node.node_id, item.score) for item in kept] == [("high", 0.9), ("plain", 0.5), ("low", 0.1)]
    assert {item.node.metadata["rerank_score"] for item in kept} == {None}


def test_the_postprocessor_without_a_question_asks_nobody() -> None:
    table = Table()
    assert len(ForceGraphRerank(scorer=table).postprocess_nodes([node("a", 0.5)])) == 1
    assert table.asked == []
