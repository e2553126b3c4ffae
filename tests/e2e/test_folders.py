"""Watched folders on the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.site import Site
from tests.e2e.test_accessibility import SIZES, serious
from tests.slow import quick

WORDS = {
    "en-GB": ("Watched folders", "Watch", "Stop watching", "0 files sent"),
    "fr-FR": ("Dossiers surveillés", "Surveiller", "Ne plus surveiller", "0 fichier envoyé"),
}


@pytest.mark.parametrize("screen", quick([("en-GB", SIZES[0]), ("fr-FR", SIZES[2])], 1), ids=str)
def test_a_folder_is_watched_and_left(open_page: Open, site: Site, screen: tuple[str, tuple[int, int]]) -> None:
    locale, size = screen
    title, watch, stop, sent = WORDS[locale]
    page = open_page(site.at("/library"), locale=locale, viewport={"width": size[0], "height": size[1]})
    expect(page.locator(".foundings")).to_be_visible()  # the fold below stays where it is now
    page.get_by_text(title).click()
    fold = page.locator("details.folders")
    path = fold.get_by_role("textbox")
    path.fill("/")
    path.press("Enter")
    expect(fold).to_contain_text("FILIGRAPH_FOLDERS")  # what is not allowed is said with its cure
    path.fill(str(site.folder))
    fold.get_by_role("button", name=watch, exact=True).click()
    row = fold.get_by_role("listitem")
    expect(row).to_contain_text(str(site.folder))
    expect(row).to_contain_text(sent)
    expect(path).to_have_value("")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    row.get_by_role("button", name=stop).click()
    expect(row).to_have_count(0)
