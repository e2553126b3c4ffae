"""How far a reader has read: no answer contains what lies behind, until the reader moves or clears the mark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Open, ask, settled
from tests.e2e.site import Site

PARROT = "Who keeps a crimson parrot in the chart room?"


def marking(page: Page):  # type: ignore[no-untyped-def]
    return page.locator(".marking")


def choose(page: Page, chapter: str) -> None:
    """As people do: unfold, the novel, the chapter."""
    marking(page).locator("summary").click()
    choose_novel(page)
    marking(page).get_by_label("Chapter or page").select_option(chapter)


def choose_novel(page: Page) -> None:
    document = marking(page).get_by_label("Document")
    document.select_option(document.locator("option", has_text="novel.txt").get_attribute("value"))


@pytest.mark.essential
def test_what_is_behind_the_chapter_read_up_to_is_not_there(open_page: Open, site: Site) -> None:
    page = open_page(site.at())
    choose(page, "chapter I")
    expect(marking(page).locator("summary")).to_have_text("Read up to: chapter I")
    ask(page, PARROT)
    expect(page.locator(".steps")).to_be_visible()
    expect(page.locator("#main")).not_to_contain_text("Okoye")
    page.reload()  # it is kept
    expect(marking(page).locator("summary")).to_have_text("Read up to: chapter I")
    page.goto(site.at())
    choose(page, "chapter II")
    ask(page, PARROT)
    expect(page.locator("#main")).to_contain_text("Captain Okoye keeps a crimson parrot")


def test_a_late_answer_about_another_document_is_not_shown(open_page: Open, site: Site) -> None:
    page = open_page(site.at())
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        route.continue_() if held else held.append(route)

    page.route("**/documents/*", hold_the_first)
    with page.expect_request("**/documents/*"):
        marking(page).locator("summary").click()
    choose_novel(page)
    chapters = marking(page).get_by_label("Chapter or page")
    expect(chapters).to_be_visible()
    held[0].continue_()
    ask(page, PARROT)  # longer than the answer takes
    expect(page.locator(".steps")).to_be_visible()
    expect(chapters).to_be_visible()


def test_a_mark_is_set_moved_and_cleared_by_keys(open_page: Open, site: Site) -> None:
    page = open_page(site.at(), locale="fr-FR")
    summary = marking(page).locator("summary")
    expect(summary).to_have_text("Lu jusqu’à : la fin, ou une partie seulement, ou jusqu’à un jour")
    summary.focus()
    page.keyboard.press("Enter")
    choose_novel(page)
    share = marking(page).get_by_label("Part du texte, en %")
    share.fill("140")
    page.keyboard.press("Tab")
    expect(summary).to_have_text("Lu jusqu’à : la fin, ou une partie seulement, ou jusqu’à un jour")
    share.fill("20")
    page.keyboard.press("Tab")
    expect(summary).to_have_text("Lu jusqu’à : 20 %")
    marking(page).get_by_role("button", name="Effacer le repère").focus()
    page.keyboard.press("Enter")
    expect(summary).to_have_text("Lu jusqu’à : la fin, ou une partie seulement, ou jusqu’à un jour")
    expect(summary).to_be_focused()


def test_on_a_phone_the_mark_fits_and_a_place_that_is_gone_says_so(open_page: Open, site: Site) -> None:
    page = open_page(site.at(), viewport={"width": 360, "height": 740})
    choose(page, "chapter II")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.evaluate(
        "name => localStorage.setItem(`read:${name}`, JSON.stringify([{source: 'gone.txt', place: 'chapter 3'}]))",
        site.workspace,
    )
    page.reload()
    ask(page, PARROT)
    expect(page.locator(".failure")).to_contain_text("gone.txt")
    marking(page).get_by_role("button", name="Clear the mark").click()
    ask(page, PARROT)
    expect(page.locator("#main")).to_contain_text("Captain Okoye")


def test_the_graph_and_the_text_end_where_was_read_up_to(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/graph", name="Okoye"))
    found = page.locator(".found")
    expect(found).to_contain_text("Captain Okoye")
    choose(page, "chapter I")
    expect(found).not_to_contain_text("Captain Okoye")
    settled(page)  # what is being drawn when a page goes is a complaint of its own
    page.goto(site.at("/graph", name="Delmas"))
    expect(found).to_contain_text("Delmas")  # other documents are there
    settled(page)
    page.goto(site.at("/library"))
    expect(page.locator(".foundings")).not_to_contain_text("Okoye")
    page.locator(".documents a.where", has_text="novel").click()
    reader = page.locator("dialog.reader")
    expect(reader).to_contain_text("Read up to: chapter I. What follows is hidden.")
    expect(reader).not_to_contain_text("Okoye")
    page.keyboard.press("Escape")
    page.goto(site.at("/graph", review="1"))
    expect(page.locator(".failure")).to_contain_text("reading mark")


def test_a_part_of_a_book_alone_is_shown(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/graph", name="Okoye"))
    found = page.locator(".found")
    expect(found).to_contain_text("Captain Okoye")
    marking(page).locator("summary").click()
    choose_novel(page)
    marking(page).get_by_label("to the end of").select_option(label="chapter II")
    marking(page).get_by_label("Only from").select_option(label="chapter I")
    marking(page).get_by_role("button", name="Show this part").click()
    expect(marking(page).locator("summary")).to_have_text("Read up to: the end · only: chapter I – chapter II")
    expect(found).to_contain_text("Captain Okoye")
    settled(page)  # what is being drawn when a page goes is a complaint of its own
    page.reload()
    marking(page).locator("summary").click()
    expect(marking(page).get_by_label("to the end of").locator("option:checked")).to_have_text("chapter II")
    marking(page).get_by_label("to the end of").select_option(label="chapter I")
    marking(page).get_by_role("button", name="Show this part").click()
    expect(marking(page).locator("summary")).to_have_text("Read up to: the end · only: chapter I")
    expect(found).not_to_contain_text("Captain Okoye")
    settled(page)
    page.reload()  # it is kept
    expect(marking(page).locator("summary")).to_have_text("Read up to: the end · only: chapter I")
    settled(page)
    page.goto(site.at("/library"))
    expect(page.locator(".documents a.where", has_text="novel")).to_be_visible()
    page.goto(site.at("/graph", name="Okoye"))
    marking(page).get_by_role("button", name="Clear the mark").click()
    expect(marking(page).locator("summary")).to_have_text("Read up to: the end, or only a part, or as of a day")
    expect(found).to_contain_text("Captain Okoye")


def test_a_part_is_chosen_by_keys_on_a_phone_in_french(open_page: Open, site: Site) -> None:
    page = open_page(site.at(), locale="fr-FR", viewport={"width": 360, "height": 740})
    marking(page).locator("summary").focus()
    page.keyboard.press("Enter")
    document = marking(page).get_by_label("Document")
    document.select_option(document.locator("option", has_text="novel.txt").get_attribute("value"))
    start = marking(page).get_by_label("Seulement à partir de")
    start.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    marking(page).get_by_role("button", name="Montrer cette partie").focus()
    page.keyboard.press("Enter")
    expect(marking(page).locator("summary")).to_contain_text("seulement : chapitre II")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    ask(page, PARROT)
    expect(page.locator("#main")).to_contain_text("Captain Okoye")


def test_a_day_and_a_view_with_a_name(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/graph", name="Okoye"))
    found = page.locator(".found")
    expect(found).to_contain_text("Captain Okoye")
    choose(page, "chapter I")
    expect(found).not_to_contain_text("Captain Okoye")
    marking(page).locator("summary").click()  # the page was drawn anew
    marking(page).get_by_label("Name of the view").fill("first")
    marking(page).get_by_role("button", name="Save this view").click()
    expect(marking(page).locator("summary")).to_contain_text("saved view: first")
    settled(page)
    page.reload()  # it is kept, and shown in place of the mark
    expect(marking(page).locator("summary")).to_contain_text("saved view: first")
    expect(found).not_to_contain_text("Captain Okoye")
    marking(page).locator("summary").click()
    marking(page).get_by_role("button", name="What differs?").click()
    expect(marking(page)).to_contain_text("Captain Okoye keeps crimson parrot")
    settled(page)
    marking(page).get_by_role("button", name="Delete this view").click()
    expect(marking(page).locator("summary")).to_have_text("Read up to: chapter I")
    marking(page).get_by_role("button", name="Clear the mark").click()
    expect(found).to_contain_text("Captain Okoye")
    marking(page).locator("summary").click()
    marking(page).get_by_label("as of").fill("1900-01-01")
    expect(page.locator(".failure").first).to_contain_text("date")  # no document of this case has one
    expect(marking(page).locator("summary")).to_contain_text("as of 1900-01-01")
    marking(page).get_by_role("button", name="Clear the mark").click()
    expect(found).to_contain_text("Captain Okoye")
