"""`ask --explain`: paths as lanes from left to right, the stages on a time axis, and the address on the page."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from filigraph.app.cli.show.explain import show_lanes, show_timeline
from filigraph.app.path_lane import on_lane
from tests.api.serving import HandMade
from tests.cli.conftest import Run
from tests.cli.explained import BACKWARD, CASES, STRAIGHT, hop

CHUNK = {"id": "c", "kind": "chunk", "title": "Letter", "source": "l.txt", "place": "page 2", "kept_by": "graph"}


def shown(hops: list[dict[str, Any]], width: int = 110) -> list[str]:
    out = Console(file=StringIO(), width=width, color_system=None)
    show_lanes(out, [{"hops": hops, "score": 0.5}], [CHUNK])
    assert isinstance(out.file, StringIO)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]


@pytest.mark.parametrize("case", CASES)
def test_which_end_stands_left(case: str) -> None:
    hops, expected = CASES[case]
    assert [(step.left, step.right, step.joined, step.backward) for step in on_lane(hops)] == expected


def test_a_path_is_drawn_from_left_to_right() -> None:
    lines = shown(STRAIGHT)
    names = next(line for line in lines if "Jules" in line)
    assert names.index("Jules") < names.index("Ring") < names.index("The Claw")
    drawn = next(line for line in lines if "▸" in line)
    assert (
        "━▸" in drawn and "─▸" in drawn and drawn.index("━▸") < drawn.index("─▸")
    )  # the second is far from the question
    said = next(line for line in lines if "“" in line)
    assert said.index("“Jules wears Ring.”") < said.index("“Ring marks The Claw.”")
    assert sum("Letter, page 2" in line for line in lines) == 1 and any("kept by the graph" in line for line in lines)


def test_a_hop_is_drawn_as_what_it_is() -> None:
    assert any("◂━" in line for line in shown(BACKWARD))
    assert any("╍▸" in line for line in shown([hop("A", "is", "B", implied=True)]))
    assert any("┈▸" in line for line in shown([hop("A", "named together with", "B", kind="mention")]))
    assert any("═▸" in line for line in shown([hop("A", "is named in", "B", kind="title")]))
    assert any("according to Ann" in line for line in shown([hop("A", "is", "B", according_to="Ann")]))
    assert any("stated by a person" in line for line in shown([hop("A", "robs", "B", own=True)]))
    assert not any("stated by a person" in line for line in shown(STRAIGHT))


@pytest.mark.parametrize("width", [60, 110])
def test_a_step_that_is_not_found_shows_the_passage_that_it_cites(width: int) -> None:
    said = " ".join(" ".join(shown([hop("A", "met", "B", kind="unfound", sentence="")], width)).split())
    assert "not found in the texts" in said and "cites Letter, page 2, which does not say it in one sentence" in said
    assert "“" not in said
    nothing = " ".join(shown([hop("A", "met", "B", kind="unfound", sentence="", chunk_id="")], width))
    assert "not found in the texts" in nothing and "cites" not in nothing


def test_a_narrow_terminal_has_it_line_by_line() -> None:
    lines = shown([*STRAIGHT, hop("The Claw", "is", "Gang")], width=60)
    assert "  Jules ── wears ─→ Ring" in lines


def test_what_would_turn_a_terminal_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert not any("\x1b" in line or "\u202e" in line for line in shown([hop("J\x1b[31m", "is\u202e", "[bold]X[/]")]))
    assert any("[bold]X[/]" in line for line in shown([hop("J", "is", "[bold]X[/]")]))


def test_the_stages_stand_on_one_line_of_time() -> None:
    steps = [
        {"name": "search", "milliseconds": 30.0, "inputs": {}, "outputs": {"vector": [1, 2], "facts": [1]}},
        {"name": "walk", "milliseconds": 70.0, "inputs": {"depth": 4}, "outputs": {"pool": 12, "reached": 9}},
    ]
    out = Console(file=StringIO(), width=110, color_system=None)
    show_timeline(out, {"steps": steps})
    assert isinstance(out.file, StringIO)
    text = out.file.getvalue()
    assert "100 ms" in text and "2 by vectors, 0 by words, 1 facts" in text and "12 passages in play, 9 reached" in text
    first, second = (line for line in text.splitlines() if "━" in line)
    assert first.count("━") < second.count("━") and first.index("━") < second.index("━")


def test_ask_explain(run: Run, server: HandMade) -> None:
    ran = run("ask", "Pourquoi ?", "--workspace", "case", "--explain")
    assert ran.code == 0
    assert "graph, force-kept" in ran.out  # the evidence
    assert "How it came about" in ran.out and "read the question" in ran.out
    assert "/explain/trace-1?workspace=case" in ran.out
