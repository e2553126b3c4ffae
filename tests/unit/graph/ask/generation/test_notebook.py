"""What an investigation has read so far, as the next prompt shows it."""

from dataclasses import replace

from filigraph.graph.ask.generation.notebook import Notebook
from tests.unit.graph.ask.generation.claw_evidence import CASE, THE_PATH


def test_a_lead_that_two_searches_find_is_shown_once() -> None:
    notebook = Notebook()
    notebook.read(CASE, 3_000)
    notebook.read(replace(CASE, paths=(replace(THE_PATH, score=THE_PATH.score / 2),)), 3_000)
    assert notebook.context().count("Lead") == 1
