"""A question that asks for a list: the items below the answer, sorted, counted, saved, and read by an LLM."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Route, expect

from filigraph.app.llm_provider import Choice
from filigraph.app.service.graph import readings
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from tests.e2e.conftest import Open, asked, settled
from tests.e2e.site import Site
from tests.slow import quick

QUESTIONS = {"en-GB": "How many things do people wear?", "fr-FR": "Combien de personnes portent une bague ?"}
WORDS = {
    "en-GB": ("List", "See the list", "Order", "Have the language model read all passages", "Save as CSV"),
    "fr-FR": ("Liste", "Voir la liste", "Ordre", "Faire lire tous les passages", "Enregistrer en CSV"),
}
RING = "Jules wears a heavy signet ring of the Moreau house."
NAMES = [f"ring {n}" for n in range(1, 22)]  # one more than a list shows at first
SAID = "\n".join(f"{name} | [{n}] | wears a heavy signet ring" for n in range(1, 6) for name in NAMES)


@pytest.fixture
def reader(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedLLM]:
    """An LLM that reads, in jobs that run."""
    llm = ScriptedLLM({"wears a heavy signet ring": SAID, "": "NONE"})
    monkeypatch.setattr(readings, "choose_llm", lambda settings: Choice(llm=llm, detail="scripted"))
    site.service.jobs.coordinator.start()
    yield llm
    site.service.jobs.coordinator.stop()


@pytest.mark.parametrize("screen", quick([("fr-FR", 360), ("en-GB", 1280)], 1), ids=str)
def test_a_list_is_below_its_answer(
    open_page: Open, site: Site, screen: tuple[str, int], reader: ScriptedLLM, tmp_path: Path
) -> None:
    locale, width = screen
    title, see, order, read, save = WORDS[locale]
    page = asked(open_page, site, QUESTIONS[locale], locale=locale, viewport={"width": width, "height": 740})
    found = page.get_by_role("region", name=title, exact=True)
    button = found.get_by_role("button", name=read)
    expect(button).to_be_visible()
    settled(page)
    page.get_by_role("button", name=see).press("Enter")
    expect(found.get_by_role("heading")).to_be_focused()
    assert not reader.prompts
    button.press("Enter")
    items = found.locator(".items > li:has(b)")
    expect(items).to_have_count(20)
    expect(items.first.locator("b")).to_have_text("ring 1")
    expect(items.first.locator("a.sentence")).to_contain_text(RING)
    expect(items.first).to_contain_text("letter ·")
    expect(found.get_by_role("heading")).to_contain_text("21 ")
    expect(found).to_contain_text("scripted")
    expect(button).to_have_count(0)  # nothing is left to read
    calls = len(reader.prompts)
    found.locator("button.more").press("Enter")
    expect(items.last.locator("b")).to_have_text("ring 21")
    expect(items).to_have_count(21)
    expect(items.last).to_be_focused()
    late = list[Route]()
    page.route("**/items?*order=date*", lambda route: late.append(route))
    found.get_by_label(order).select_option("date")
    found.get_by_label(order).select_option("amount")
    expect(items).to_have_count(20)
    for route in late:  # another order was asked for meanwhile
        route.fulfill(json={"error": {"code": "internal", "cause": "Too late.", "cure": ""}}, status=500)
    settled(page)
    expect(found).not_to_contain_text("Too late.")
    with page.expect_download() as download:
        found.get_by_role("button", name=save).click()
    download.value.save_as(file := tmp_path / "list.csv")
    assert file.read_bytes().startswith(b"\xef\xbb\xbf") and RING in file.read_text(encoding="utf-8")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.reload()
    expect(items).to_have_count(20)
    assert len(reader.prompts) == calls


def test_a_list_is_of_the_view_that_its_question_was_asked_in(open_page: Open, site: Site) -> None:
    question = {"question": "Which persons are named?", "view": {"without": ["letter.txt"]}, "llm": False}
    given = httpx.post(f"{site.url}/v1/workspaces/{site.workspace}/ask", json=question, timeout=240).json()
    page = open_page(site.at(f"/explain/{given['trace']['id']}"))
    items = page.get_by_role("region", name="List", exact=True).locator(".items > li")
    expect(items.first).to_be_visible()
    expect(items.filter(has_text="letter ·")).to_have_count(0)


def test_another_question_has_no_list(open_page: Open, site: Site) -> None:
    expect(asked(open_page, site).locator(".list")).to_have_count(0)
