"""Notes on the page: at an entity, a hop, an answer and a passage; listed in the library, and gone when deleted."""

from __future__ import annotations

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
    fold.get_by_role("searchbox").fill("#doubt ring")
    expect(fold.locator(".note-text")).to_have_text("Which ring?")
    fold.get_by_role("button", name="Star").click()
    fold.get_by_role("searchbox").fill("")
    fold.get_by_role("checkbox", name="with a star").check()
    expect(fold.locator(".note-text")).to_have_text("Which ring?")
    fold.get_by_role("button", name="Edit").click()
    fold.get_by_role("textbox", name="What you note").fill("The signet ring.")
    fold.get_by_role("button", name="Save").click()
    expect(fold.locator(".note-text")).to_have_text("The signet ring.")
    fold.get_by_role("checkbox", name="with a star").uncheck()
    for left in (2, 1, 0):
        fold.get_by_role("button", name="Delete").first.click()
        fold.get_by_role("button", name="Really delete?").click()
        expect(fold.locator(".note-list li")).to_have_count(left)


def test_notes_in_french_on_a_phone(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/library"), locale="fr-FR", viewport={"width": 390, "height": 844})
    fold = page.locator("details.notes")
    fold.locator("summary").first.click()
    expect(fold).to_contain_text("Il n’y a pas de note.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
