"""What an investigation has read so far, as the next prompt shows it."""

from dataclasses import replace

from filigraph.graph.ask.generation.notebook import UNCUT_TOKENS, Notebook
from filigraph.graph.model.retrieval import Evidence
from tests.unit.graph.ask.generation.claw_evidence import CASE, THE_PATH


def test_a_lead_that_two_searches_find_is_shown_once() -> None:
    notebook = Notebook()
    notebook.read(CASE, 3_000)
    notebook.read(replace(CASE, paths=(replace(THE_PATH, score=THE_PATH.score / 2),)), 3_000)
    assert notebook.context().count("Lead") == 1


def test_extracts_that_are_kept_come_uncut_while_there_is_room() -> None:
    notebook = Notebook()
    long = [
        Evidence(
            id=f"e{n}",
            kind="chunk",
            text=" ".join(f"The {day}th of {name} was a day without any news." for day in range(4, 84)),
            document_id=name,
            title=name,
            source="",
            place="",
            score=0.5,
        )
        for n, name in enumerate(("April", "May", "June"))
    ]
    notebook.read(replace(CASE, evidence=tuple(long), paths=()), 1_500)
    assert notebook.is_any_cut([1, 2, 3]) and not notebook.is_any_cut([4])
    assert notebook.put_away([2, 1, 3]) == [1, 2, 3]
    assert not notebook.is_any_cut([1, 2]) and notebook.is_any_cut([3]), "two in the order in which they are asked for"
    assert notebook.tokens <= UNCUT_TOKENS
    notebook.read(replace(CASE, evidence=tuple(long), paths=()), 1_500)
    notebook.put_away([2, 1, 3], alone=True)
    assert not notebook.is_any_cut([1, 2, 3]), "more room, as nothing will join them"
