"""Two names that a question compares, side by side; and what an answer depends on."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open, ask, asked, settled
from tests.e2e.site import Site
from tests.slow import quick

WORDS = {
    "en-GB": ("Side by side", "What hangs on this?", "Without it"),
    "fr-FR": ("Côte à côte", "À quoi cela tient-il ?", "Sans lui"),
}


@pytest.mark.parametrize("screen", quick([("fr-FR", 360), ("en-GB", 1280)], 1), ids=str)
def test_two_that_a_question_compares_are_side_by_side(open_page: Open, site: Site, screen: tuple[str, int]) -> None:
    locale, width = screen
    question = "Compare Jules Delmas and The Claw."
    page = asked(open_page, site, question, locale=locale, viewport={"width": width, "height": 740})
    sides = page.get_by_role("region", name=WORDS[locale][0])
    expect(sides.get_by_role("columnheader")).to_have_text(["Jules", "The Claw"])
    wears = sides.get_by_role("row").filter(has=page.get_by_role("rowheader", name="wears", exact=True))
    expect(wears.get_by_role("cell").first).to_contain_text("signet ring")
    expect(wears.get_by_role("cell").last).to_have_text("–")
    expect(sides.locator(".sentence").first).to_be_visible()
    quotation = wears.get_by_role("link", name="signet ring of the Moreau house.")
    expect(quotation).to_have_text("“…”")
    expect(quotation).to_have_attribute("href", re.compile("#document=.*chunk="))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.reload()
    expect(page.get_by_role("region", name=WORDS[locale][0])).to_be_visible()


def test_a_fact_about_both_is_shown_with_its_sentence(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, "Compare Inspector Brun and The Claw.")
    between = page.get_by_role("region", name="Side by side").locator(".between li")
    expect(between).to_have_count(1)
    expect(between).to_contain_text("hunts")
    expect(between.locator(".sentence")).to_be_visible()


def test_three_that_a_question_compares_have_three_columns(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, "Compare Jules Delmas, The Claw and Captain Okoye.")
    sides = page.get_by_role("region", name="Side by side")
    expect(sides.get_by_role("columnheader")).to_have_text(["Jules", "The Claw", "Captain Okoye"])
    keeps = sides.get_by_role("row").filter(has=page.get_by_role("rowheader", name="keeps", exact=True))
    expect(keeps.get_by_role("cell")).to_have_text(["–", "–", re.compile("crimson parrot")])
    expect(sides.get_by_role("heading", level=4)).to_have_count(3)


@pytest.mark.parametrize(("locale", "title"), [("fr-FR", "Ce qui les relie"), ("en-GB", "How they are connected")])
def test_a_question_how_two_are_linked_shows_the_chains(open_page: Open, site: Site, locale: str, title: str) -> None:
    page = open_page(site.at(), locale=locale, viewport={"width": 360, "height": 740})
    ask(page, "How is Jules linked to The Claw?")
    chains = page.get_by_role("region", name=title)
    expect(chains.locator("ol > li").first).to_contain_text("is the emblem of")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("part", [{"view": {"without": ["novel.txt"]}}, {"sources": ["*"]}], ids=str)
def test_what_a_kept_answer_compares_is_as_it_saw_it(open_page: Open, site: Site, part: dict[str, object]) -> None:
    question = {"question": "Compare Jules Delmas and The Claw.", "llm": False, **part}
    trace = httpx.post(f"{site.url}/v1/workspaces/{site.workspace}/ask", json=question, timeout=240).json()["trace"]
    assert next(step["outputs"]["compared"] for step in trace["steps"] if step["name"] == "search")
    page = open_page(site.at(f"/explain/{trace['id']}"))
    expect(page.locator(".steps")).to_be_visible()
    settled(page)
    expect(page.locator(".sides")).to_have_count(int("view" in part))


def test_a_question_about_one_compares_nothing(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    expect(page.locator(".sides")).to_have_count(0)


@pytest.mark.parametrize("locale", quick(list(WORDS), 1))
def test_what_an_answer_hangs_on(open_page: Open, site: Site, locale: str) -> None:
    page = asked(open_page, site, locale=locale)
    label = WORDS[locale][1]
    page.locator(".answer").get_by_role("button", name=label).click()
    found = page.locator(".answer").get_by_role("region", name=label)
    expect(found.get_by_role("listitem").first).to_be_visible()
    expect(found).to_contain_text("cutting.txt")
    cutting = found.get_by_role("listitem").filter(has_text="cutting.txt").first
    cutting.get_by_role("button", name=WORDS[locale][2]).click()
    expect(cutting).to_contain_text(re.compile("(hop|pas) [1-4]"))
    expect(cutting).to_contain_text(re.compile("becomes|devient|No path is left|reste aucun"))
    hop = page.locator(".hop").filter(has_text="wears").first
    hop.get_by_role("button", name=label).click()
    expect(hop.get_by_role("region", name=label)).to_contain_text("letter.txt")
    hop.locator("a.sentence").click()
    expect(page.get_by_role("dialog").locator("mark")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name=label).click()
    expect(page.get_by_role("dialog").get_by_role("region", name=label)).to_contain_text("wears")
