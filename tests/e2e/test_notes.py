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
    expect(page.locator(".foundings")).to_be_visible()  # the notes below stay where they are now
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


def test_a_fact_of_ones_own_in_a_document(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    names = page.locator(".lanes .node").all_inner_texts()
    page.locator(".lanes a.sentence").first.click()
    fold = page.get_by_role("dialog").locator("details.own-fact")
    fold.locator("summary").press("Enter")
    for label, words in (("Name", names[-1]), ("is, has or does", "is feared by"), ("Other name", names[0])):
        fold.get_by_role("textbox", name=label, exact=True).fill(words)
    text = page.get_by_role("dialog").get_by_role("document")
    letter = "mark => getSelection().setBaseAndExtent(mark.firstChild, 0, mark.firstChild, 1)"
    text.locator("mark").first.evaluate(letter)  # it stands there many times
    fold.get_by_role("button").click()
    expect(fold).to_contain_text("select more of it")
    text.dispatch_event("pointerdown")
    fold.get_by_role("textbox", name="Other name").press("Enter")
    expect(fold.get_by_role("status")).to_be_visible()
    address = f"{site.url}/v1/workspaces/{site.workspace}/facts"
    facts = httpx.get(address, params={"count": 1000}, timeout=240).json()["facts"]
    assert [row["predicate"] for row in facts if row["own"]] == ["is feared by"]
    fold.get_by_role("button", name="Undo").click()
    expect(fold.get_by_role("status")).to_have_count(0)
    facts = httpx.get(address, params={"count": 1000}, timeout=240).json()["facts"]
    assert not [row for row in facts if row["own"]]


def test_the_notes_of_the_library_on_a_french_phone(open_page: Open, site: Site) -> None:
    address = f"{site.url}/v1/workspaces/{site.workspace}/notes"
    at = {"document": "letter.txt"}
    for body in ({"text": "Relire la bague.", "tags": ["bague"]}, {"text": "Qui est la tante ?", "starred": True}):
        httpx.post(address, json={"at": at, **body}, timeout=240).raise_for_status()
    page = open_page(site.at("/library"), locale="fr-FR", viewport={"width": 390, "height": 800})
    expect(page.locator(".foundings")).to_be_visible()  # the notes below stay where they are now
    fold = page.locator("details.notes")
    fold.locator("summary").first.click()
    rows = fold.locator(".note-list li")
    expect(rows).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    fold.get_by_label("avec une étoile").check()
    expect(rows.locator(".note-text")).to_have_text(["Qui est la tante ?"])
    fold.get_by_label("avec une étoile").uncheck()
    fold.get_by_placeholder("Mots, ou #étiquette").fill("#bague")
    expect(rows.locator(".note-text")).to_have_text(["Relire la bague."])

    rows.get_by_role("button", name="Étoile").click()
    expect(rows.get_by_role("button", name="Étoile")).to_have_attribute("aria-pressed", "true")
    rows.get_by_role("button", name="Modifier").click()
    rows.get_by_role("textbox", name="Ce que vous notez").fill("Relire la bague, page 2.")
    rows.get_by_role("button", name="Enregistrer").click()
    expect(rows.locator(".note-text")).to_have_text("Relire la bague, page 2.")
    (kept,) = httpx.get(address, params={"tag": "bague"}, timeout=240).json()["notes"]
    assert (kept["text"], kept["tags"], kept["starred"]) == ("Relire la bague, page 2.", ["bague"], True)

    rows.get_by_role("button", name="Supprimer").click()
    rows.get_by_role("button", name="Vraiment supprimer ?").click()
    expect(fold).to_contain_text("Il n’y a pas de note.")
    (left,) = httpx.get(address, timeout=240).json()["notes"]
    assert left["text"] == "Qui est la tante ?"
    httpx.delete(f"{address}/{left['id']}", timeout=240).raise_for_status()
