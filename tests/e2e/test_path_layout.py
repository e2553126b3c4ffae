"""The page lays out a path as the terminal does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from filigraph.app.path_lane import on_lane
from tests.cli.explained import CASES, STRAIGHT, hop
from tests.e2e.conftest import Open
from tests.e2e.site import Site


@pytest.fixture
def page(open_page: Open, site: Site) -> Page:
    return open_page(site.at())


def test_the_page_and_the_terminal_agree(page: Page) -> None:
    script = "hops => import('/assets/page/ask/path-layout.js').then(({ lane }) => lane(hops))"
    for name, (hops, _) in CASES.items():
        drawn: list[dict[str, Any]] = page.evaluate(script, hops)
        there = [(item["left"]["name"], item["right"]["name"], item["joined"], item["reversed"]) for item in drawn]
        assert there == [(step.left, step.right, step.joined, step.backward) for step in on_lane(hops)], name


def test_a_thick_line_is_near(page: Page) -> None:
    layout = "import('/assets/page/ask/path-layout.js')"
    script = f"hops => {layout}.then(({{ lane }}) => lane(hops).map(({{ weight }}) => weight))"
    hops = [{"score": score} for score in (-0.3, 0, 0.3, 0.6, 2)]
    assert page.evaluate(script, hops) == [1, 1, 2.6, 4.2, 5]


def test_a_step_that_is_not_found_is_drawn_apart_with_the_passage_that_it_cites(page: Page) -> None:
    unfound = hop("Jules", "met", "Paul", kind="unfound", sentence="", place="page 2", subject_id="", object_id="")
    script = "path => import('/assets/page/ask/drawing.js').then(({ pictureText }) => pictureText(path))"
    drawn: str = page.evaluate(script, {"text": "", "hops": [STRAIGHT[0], unfound]})
    words = " ".join(re.sub("<[^>]+>", " ", drawn).split())
    assert 'stroke-dasharray="1 9"' in drawn and "not found in the texts" in words
    assert "which does not say it in one sentence" in words and "page 2" in words and words.count("“") == 1
