"""The pages about people: the cast of a document, one click from its outline."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.site import Site
from tests.e2e.test_accessibility import SIZES, serious
from tests.slow import quick


@pytest.mark.parametrize("size", quick([SIZES[0], SIZES[2]], 1))
def test_the_cast_is_one_click_from_the_outline(open_page: Open, site: Site, size: tuple[int, int]) -> None:
    page = open_page(site.at("/library"), viewport={"width": size[0], "height": size[1]})
    page.locator(".documents tbody tr", has_text="report.txt").locator("a.where").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("link", name="Cast list").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".cast li h2 a")).to_have_text(["Paul Delmas"])
    expect(page.locator(".limit")).to_contain_text("report")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.get_by_role("link", name="All documents").press("Enter")
    expect(page.locator(".cast").get_by_role("link", name="Inspector Brun").first).to_be_visible()
    page.get_by_label("Order").select_option("appearance")
    expect(page.locator(".cast li").first).to_be_visible()
    page.locator(".cast .sentence").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_be_visible()


def test_the_cast_in_french(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/cast"), locale="fr-FR")
    expect(page.get_by_role("heading", name="Personnages")).to_be_visible()
    expect(page.locator(".cast li").first).to_contain_text("passage")
