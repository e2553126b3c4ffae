"""Notes on the page: at an entity, a hop, an answer and a passage; listed in the library."""

from __future__ import annotations

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Open, asked
from tests.e2e.site import Site


def note(fold: Locator, text: str, tags: str = "") -> None:
    """By the keyboard alone."""
    fold.locator("summary").first.press("Enter")
    fold.get_by_role("textbox", name="What you note").fill(text)
    fold.get_by_role("textbox", name="Tags").fill(tags)
    fold.get_by_role("textbox", name="Tags").press("Enter")
    expect(fold.locator(".note-text").first).to_have_text(text)


def library_notes(page: Page, site: Site) -> Locator:
    page.goto(site.at("/library"))
    fold = page.locator("details.notes")
    fold.locator("summary").first.click()
    return fold


def test_notes_at_an_answer_a_hop_and_a_passage_are_listed(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    note(page.locator(".answer details.notes"), "Not convinced.", "doubt")
    note(page.locator(".lanes details.notes").first, "Which ring?", "ring, doubt")
    page.locator(".lanes a.sentence").first.click()
    note(page.get_by_role("dialog").locator("details.notes"), "Read again <b>here</b>.")
    fold = library_notes(page, site)
    expect(fold.locator(".note-list li")).to_have_count(3)
    expect(fold.locator("summary").first).to_have_text("Notes (3)")
    address = f"{site.url}/v1/workspaces/{site.workspace}/notes"
    for row in httpx.get(address, timeout=240).json()["notes"]:
        httpx.delete(f"{address}/{row['id']}", timeout=240).raise_for_status()
