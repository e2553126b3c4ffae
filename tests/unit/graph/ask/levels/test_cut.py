"""A cut through the levels covers everything once, within the budget, in more detail where the question asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from filigraph.graph.ask.evidence.build import evidence_of_summary
from filigraph.graph.ask.levels.cut import cut_of_summaries
from filigraph.graph.ask.levels.summary_retrieval import SUMMARY_HEADER_TOKENS
from filigraph.graph.models.llm import estimate_tokens
from filigraph.graph.records.summaries import SummaryHit

TEXT = "Jules stole the ring, and the inspector found it in the garden of the mill. " * 4
COST = estimate_tokens(TEXT) + SUMMARY_HEADER_TOKENS
VECTOR = np.array([1.0], dtype=np.float32)


def hit(id_: str, level: int, start: int = 0, *, cosine: float = 0.5, size: int = 1000, **more: Any) -> SummaryHit:
    of = {
        "document_id": "d",
        "document": "Novel",
        "source": "novel.txt",
        "date": "",
        "title": id_,
        "text": TEXT,
        **more,
    }
    return SummaryHit(id=id_, level=level, start=start, size=size, cosine=cosine, **of)


@dataclass
class Tree:
    """Summaries in memory."""

    tops: Sequence[SummaryHit]
    below: Mapping[str, Sequence[SummaryHit]]

    def top_summaries(self, vector: object) -> Sequence[SummaryHit]:
        return self.tops

    def summaries_below(self, summary_id: str, vector: object) -> Sequence[SummaryHit]:
        return self.below.get(summary_id, [])


def cut(tree: Tree, rooms: float) -> Sequence[SummaryHit]:
    return cut_of_summaries(VECTOR, tree, budget=int(rooms * COST) + 1).hits


NOVEL = Tree(
    [hit("all", 3, size=9000)],
    {
        "all": [hit("II", 2, 50, cosine=0.9, size=3000), hit("I", 2, 0, size=3000), hit("III", 2, 90, size=3000)],
        "I": [hit("I.1", 1, 0), hit("I.2", 1, 20)],
        "II": [hit("II.1", 1, 50, cosine=0.9), hit("II.2", 1, 70)],
        "III": [hit("III.1", 1, 90), hit("III.2", 1, 95)],
    },
)


def ids(found: Sequence[SummaryHit]) -> list[str]:
    return [evidence.id for evidence in found]


def test_with_little_room_the_whole_is_one_summary() -> None:
    assert ids(cut(NOVEL, 1)) == ["all"]
    assert ids(cut(NOVEL, 2)) == ["all"]


def test_what_is_opened_gives_way_to_its_parts_in_reading_order() -> None:
    assert ids(cut(NOVEL, 3)) == ["I", "II", "III"]


def test_the_part_that_the_question_is_about_is_opened_first() -> None:
    assert ids(cut(NOVEL, 4)) == ["I", "II.1", "II.2", "III"]
    assert len(cut(NOVEL, 99)) == 6


def test_documents_that_were_not_summarized_together() -> None:
    tops = [
        hit("late", 1, cosine=0.9, date="1912"),
        hit("early", 1, cosine=0.8, date="1911"),
        hit("far", 1, cosine=0.1),
    ]
    assert ids(cut(Tree(tops, {}), 2)) == ["early", "late"]


def test_what_a_summary_is_as_evidence() -> None:
    one = evidence_of_summary(hit("all", 3, date="1912-03-04"))
    assert (one.kind, one.title, one.place, one.source, one.branches) == (
        "summary",
        "Novel",
        "all",
        "novel.txt",
        ("summaries",),
    )
    assert (one.level, one.date) == (3, "1912-03-04")
    assert evidence_of_summary(hit("x", 1, title="Novel")).place == ""


def test_none() -> None:
    assert cut(Tree([], {}), 9) == []
    assert cut(NOVEL, 0.5) == []


def test_a_summary_whose_parts_went_meanwhile_stays() -> None:
    assert ids(cut(Tree([hit("all", 2)], {}), 9)) == ["all"]


def test_a_short_part_stays_closed_beside_a_long_one_without_room() -> None:
    parts = [hit(f"long {n}", 1, 100 + n) for n in range(9)]
    below = {"all": [hit("short", 2, 0, size=900), hit("long", 2, 50, size=9000)], "long": parts}
    below |= {"short": [hit("short 1", 1, 0), hit("short 2", 1, 20)]}
    assert ids(cut(Tree([hit("all", 3, size=9900)], below), 4)) == ["short", "long"]
