"""Passages that name several entities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from filigraph.graph.analysis.passages import FactFilter, NamingPassages, passages_naming
from filigraph.graph.model.retrieval import Passage, PoolChunk, PoolFact
from filigraph.graph.records.entities import MentioningChunk

TEXTS = {
    "a0": ("novel", 0, "Rachel came in. It rained. Rosanna saw Rachel, and left."),
    "a1": ("novel", 40, "a saw Rachel, and left. Nobody spoke to Rosanna. Rachel slept."),
    "a2": ("novel", 200, "Rachel was alone."),
    "b0": ("letter", 0, "Rosanna wrote it."),
    "c0": ("report", 0, "La dame Verinder vit Rosanna. On parla peu."),
}
FORMS = {"Rachel": "rachel", "Verinder": "rachel", "Rosanna": "rosanna", "Dame": "other"}
NAMES = {"Rachel": {"rachel"}, "Rosanna": {"rosanna"}}


class Texts:
    def chunks_mentioning(self, entity_ids: Sequence[str]) -> list[MentioningChunk]:
        rows = []
        for id_, (document, start, text) in TEXTS.items():
            found = [(entity, text.find(form), 0) for form, entity in FORMS.items() if form in text]
            found += [("rachel", text.rfind("Rachel"), 0)] if text.count("Rachel") > 1 else []
            places = tuple(sorted(((e, at, at + 1) for e, at, _ in found if e in entity_ids), key=lambda one: one[1]))
            if places:
                rows.append(
                    MentioningChunk(
                        chunk_id=id_,
                        document_id=document,
                        source=f"{document}.txt",
                        title="",
                        start=start,
                        end=start + len(text),
                        occurrences=places,
                    )
                )
        return rows

    def pool(self, chunk_ids: Sequence[str]) -> list[PoolChunk]:
        raise AssertionError("no fact was asked")

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        return {
            id_: Passage(
                id=id_,
                document_id=TEXTS[id_][0],
                title="",
                source="",
                place="chapter 1",
                language="en",
                text=TEXTS[id_][2],
            )
            for id_ in chunk_ids
        }


def pool_chunk(id_: str, facts: Sequence[tuple[str, int, int]]) -> PoolChunk:
    said = tuple(
        PoolFact(
            fact_id=fact,
            subject_id="rosanna",
            subject="Rosanna",
            predicate="saw",
            object_id="rachel",
            object="Rachel",
            start=start,
            end=end,
            origin="pattern",
        )
        for fact, start, end in facts
    )
    none = np.zeros((0, 1), dtype=np.float32)
    return PoolChunk(
        id=id_,
        document_id="",
        index=0,
        title="",
        language="en",
        terms=frozenset(),
        vectors=none,
        entities=(),
        facts=said,
        fact_vectors=none,
        titles=frozenset(),
    )


def ids(found: NamingPassages) -> list[str]:
    return [row.chunk_id for row in found.passages]


def test_both_in_one_passage_by_any_of_their_names() -> None:
    found = passages_naming(NAMES, Texts(), count=10)
    assert ids(found) == ["a0", "a1", "c0"] and (found.total, found.documents) == (3, 2)
    (one,) = found.passages[0].sentences
    assert one.text.startswith("Rosanna saw Rachel") and one.names == ("Rachel", "Rosanna") and one.place == "chapter 1"


def test_a_page_of_them_and_of_some_documents() -> None:
    assert ids(passages_naming(NAMES, Texts(), first=1, count=1)) == ["a1"]
    found = passages_naming(NAMES, Texts(), document_ids={"report"}, count=10)
    assert ids(found) == ["c0"] and (found.total, found.documents) == (1, 1)


def test_both_in_one_document() -> None:
    found = passages_naming(NAMES, Texts(), in_document=True, count=10)
    assert ids(found) == ["a0", "a1", "a2", "c0"] and found.documents == 2
    assert found.passages[2].sentences[0].names == ("Rachel",)


def test_words_in_their_order_too() -> None:
    assert ids(passages_naming(NAMES, Texts(), phrase="nobody spoke", count=10)) == ["a1"]
    assert passages_naming(NAMES, Texts(), phrase="nobody sang", count=10).total == 0


def test_passages_that_state_a_fact() -> None:
    said = {"a0": [("f1", 32, 56)], "a1": [("f2", 24, 48)], "b0": [("f1", 0, 17)]}

    class WithFacts(Texts):
        def pool(self, chunk_ids: Sequence[str]) -> list[PoolChunk]:
            return [pool_chunk(id_, said[id_]) for id_ in chunk_ids if id_ in said]

    graph = WithFacts()
    alone = passages_naming({}, graph, stated=FactFilter(facts={"f1"}, ends={"rachel", "rosanna"}), count=10)
    assert ids(alone) == ["a0", "b0"]
    assert [[one.text for one in row.sentences] for row in alone.passages] == [
        ["Rosanna saw Rachel, and left."],
        ["Rosanna wrote it."],
    ]
    both = passages_naming(NAMES, graph, stated=FactFilter(facts={"f1", "f2"}, ends=set()), count=10)
    assert ids(both) == ["a0", "a1"] and both.passages[1].sentences[0].text.startswith("Nobody spoke")


def test_what_two_passages_share_is_counted_once() -> None:
    alone = {"Rachel": {"rachel"}}
    shared = [id_ for id_ in ids(passages_naming(alone, Texts(), count=10)) if id_ != "c0"]
    assert shared == ["a0", "a1", "a2"]  # of a1 only "Rachel slept" is new
    TEXTS["a1"] = ("novel", 40, "a saw Rachel, and left. Nobody spoke.")
    try:
        assert "a1" not in ids(passages_naming(alone, Texts(), count=10))
    finally:
        TEXTS["a1"] = ("novel", 40, "a saw Rachel, and left. Nobody spoke to Rosanna. Rachel slept.")
