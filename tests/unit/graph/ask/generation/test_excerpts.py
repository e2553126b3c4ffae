"""Excerpts follow what is shown, and repeat nothing."""

from __future__ import annotations

from dataclasses import replace

from filigraph.graph.ask.generation.excerpts import excerpts, open_path, path_first
from tests.unit.graph.ask.generation.claw_evidence import CASE, CLAW, RING, THE_PATH, evidence, retrieved


def test_the_sentences_of_the_open_path_come_first() -> None:
    first = path_first(CASE)
    assert [item.id for item in first.evidence] == ["a", "b", "x"]
    assert [(one.number, one.text) for one in excerpts(first.evidence, first.paths)] == [
        (1, RING),
        (2, CLAW),
        (3, "Il pleut."),
    ]


def test_a_lead_moves_nothing() -> None:
    lead = replace(THE_PATH, lead=True)
    case = replace(CASE, paths=(lead,))
    assert open_path(case.paths) is None and path_first(case) == case
    assert [one.number for one in excerpts(case.evidence, case.paths)] == [1, 2, 3]


def test_no_sentence_is_shown_twice_although_chunks_overlap() -> None:
    told = "Jules porte une chevalière. Il la tient de son père."
    pieces = [evidence("a", told), evidence("b", told), evidence("c", f"{told} Il pleut sur la ville.")]
    shown = excerpts(retrieved(pieces).evidence, ())
    assert len({one.text for one in shown}) == len(shown)
    assert not any(one.text == other.text for one in shown for other in shown if one is not other)


def test_a_short_line_before_a_sentence_is_left_out() -> None:
    """In a chat another person may say it, and its time would be that of the excerpt."""
    chat = "What have you done?\n09/05/2023, 23:52 - Victor Stane: I was at the Anchor all evening, ask anyone there."
    head = "LEASE OF BOATHOUSE 7\n\nThis lease is made between Tern Holdings and Kestrel Marine."
    shown = excerpts([evidence("a", chat), evidence("b", head)], ())
    assert [one.text.split()[0] for one in shown] == ["09/05/2023,", "This"]


def test_summaries_stay_first() -> None:
    whole = replace(evidence("s", "Tout le roman."), kind="summary")
    case = retrieved([whole, *CASE.evidence], [THE_PATH])
    assert path_first(case) == case and all(one.number != 1 for one in excerpts(case.evidence, case.paths))
