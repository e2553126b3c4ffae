"""The pages about people and time: the cast of a document, one click from its outline; the time line and its range."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.site import Site
from tests.e2e.test_accessibility import SIZES, serious
from tests.slow import quick
from tests.workspace_pool import WorkspacePool


@pytest.mark.parametrize("size", quick([SIZES[0], SIZES[2]], 1))
def test_the_cast_is_one_click_from_the_outline(open_page: Open, site: Site, size: tuple[int, int]) -> None:
    page = open_page(site.at("/library"), viewport={"width": size[0], "height": size[1]})
    expect(page.locator(".foundings")).to_be_visible()  # the table below stays where it is now
    page.locator(".documents tbody tr", has_text="report.txt").locator("a.where").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", level=2)).to_have_text("report")
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


@pytest.fixture(scope="module")
def dated(site: Site, workspace_pool: WorkspacePool) -> Iterator[str]:
    """A workspace with two dated facts and a dated document."""
    facts = [["Paul Delmas", "left", "Lyon"], ["Anna Brun", "bought", "Hotel Moreau"]]
    text = "Paul Delmas left Lyon on 3 May 1904. Anna Brun bought the Hotel Moreau in 1911."
    triples = json.dumps({"source": "note.txt", "triples": facts})
    files = [("files", ("note.txt", text.encode())), ("triples", ("t", triples.encode()))]
    data = {"sources": json.dumps([{"name": "note.txt", "metadata": {"date": "1912-01-02"}}])}
    with workspace_pool.one() as name:
        sent = httpx.post(f"{site.url}/v1/workspaces/{name}/ingest", files=files, data=data, timeout=240)
        sent.raise_for_status()
        yield name


@pytest.mark.parametrize("size", quick([SIZES[0], SIZES[2]], 1))
def test_a_range_of_the_time_line_is_picked(open_page: Open, site: Site, dated: str, size: tuple[int, int]) -> None:
    page = open_page(f"{site.url}/timeline?workspace={dated}", viewport={"width": size[0], "height": size[1]})
    rows = page.locator(".time-line time")
    expect(rows).to_have_text(["3 May 1904", "1911", "2 January 1912"])
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.get_by_role("button", name="1904: 1 fact").press("Enter")
    expect(rows).to_have_text(["3 May 1904"])
    page.get_by_role("textbox", name="From").fill("1910")
    page.get_by_role("textbox", name="To").fill("1912-02")
    page.get_by_role("textbox", name="To").press("Enter")
    expect(rows).to_have_text(["1911", "2 January 1912"])


@pytest.fixture(scope="module")
def related(site: Site, workspace_pool: WorkspacePool) -> Iterator[str]:
    """A workspace with a family of three."""
    facts = [["Anna Brun", "is the daughter of", "Clara Brun"], ["Paul Brun", "is the husband of", "Clara Brun"]]
    text = "Anna Brun is the daughter of Clara Brun. Paul Brun is the husband of Clara Brun."
    triples = json.dumps({"source": "note.txt", "triples": facts})
    files = [("files", ("note.txt", text.encode())), ("triples", ("t", triples.encode()))]
    with workspace_pool.one() as name:
        httpx.post(f"{site.url}/v1/workspaces/{name}/ingest", files=files, timeout=240).raise_for_status()
        yield name


@pytest.mark.parametrize("size", quick([SIZES[0], SIZES[2]], 1))
def test_a_family_is_drawn_and_listed(open_page: Open, site: Site, related: str, size: tuple[int, int]) -> None:
    page = open_page(f"{site.url}/family?workspace={related}", viewport={"width": size[0], "height": size[1]})
    expect(page.locator(".tree text")).to_have_text(["Clara Brun", "Paul Brun", "Anna Brun"])
    expect(page.locator(".tree path")).to_have_count(2)
    expect(page.locator(".ties li").first).to_contain_text("parent of")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.locator(".ties .sentence").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_have_text("Anna Brun is the daughter of Clara Brun.")
