"""The contradictions on the paths of an answer."""

from __future__ import annotations

from dataclasses import replace

from filigraph.graph.analysis.contradictions import Contradiction
from filigraph.graph.analysis.matters import Matter
from filigraph.graph.analysis.path_contradictions import path_contradictions
from filigraph.graph.model.retrieval import Hop, Path
from tests.unit.graph.analysis.statements import NEVER, STRUCK

ELSEWHERE = replace(NEVER, chunk_id="b.txt", document_id="b.txt")
PAIR = Contradiction(kind="denial", first=STRUCK, other=ELSEWHERE, score=0.9)
MATTER = Matter("", (PAIR,))


def path(chunk_id: str = "a.txt", *, start: int = 0, end: int = 9, fact_id: str = "", lead: bool = False) -> Path:
    hop = Hop(
        kind="fact",
        subject="Le Dantec",
        predicate="struck out",
        object="the line",
        subject_id="",
        object_id="",
        chunk_id=chunk_id,
        sentence="",
        start=start,
        end=end,
        score=1.0,
        fact_id=fact_id,
    )
    return Path(id="p", hops=(hop,), score=1.0, text="", lead=lead)


def test_a_sentence_of_a_path_that_another_voice_denies() -> None:
    (one,) = path_contradictions([path()], [MATTER])
    assert (one.path_id, one.hop, one.kind, one.verdict) == ("p", 1, "denial", "")
    assert (one.said.voice, one.against.voice, one.against.denied) == ("Malgorn", "Le Dantec", True)
    (other,) = path_contradictions([path("b.txt")], [MATTER])
    assert (other.said.voice, other.against.voice) == ("Le Dantec", "Malgorn")


def test_another_sentence_of_the_same_fact_counts() -> None:
    assert path_contradictions([path("c.txt", fact_id=STRUCK.fact_id)], [MATTER])


def test_what_the_path_does_not_use_does_not() -> None:
    assert not path_contradictions([path("c.txt")], [MATTER])
    assert not path_contradictions([path(start=100, end=120)], [MATTER])
    assert not path_contradictions([path(lead=True)], [MATTER])
    assert not path_contradictions([path()], [Matter("", (replace(PAIR, verdict="not"),))])


def test_a_matter_is_shown_once_with_all_its_sides() -> None:
    cat = replace(NEVER, chunk_id="c.txt", document_id="c.txt", according_to="the cook", sentence="It was the cat.")
    matter = Matter("who struck it out", (PAIR, replace(PAIR, other=cat)))
    (one,) = path_contradictions([path(), path("b.txt"), path("c.txt")], [matter])
    assert (one.about, one.against.voice) == ("who struck it out", "Le Dantec")
    assert [(said.voice, said.side) for said in one.further] == [("the cook", 2)]
    (other,) = path_contradictions([path("c.txt")], [matter])
    assert (other.said.voice, other.against.voice) == ("the cook", "Malgorn")
    assert [(said.voice, said.side) for said in other.further] == [("Le Dantec", 1)]


def test_a_pair_is_shown_once() -> None:
    assert len(path_contradictions([path(), path("b.txt")], [MATTER])) == 1
