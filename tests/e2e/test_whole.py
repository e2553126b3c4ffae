"""The whole graph as a picture and as a list, and corrections at the place where the reader sees the mistake."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Open, settled
from tests.e2e.site import HOPS, IMAGE, SCRIPT, SENTENCES, Site, uploads
from tests.e2e.test_accessibility import SIZES, serious
from tests.e2e.test_safety import unbroken
from tests.slow import quick
from tests.workspace_pool import WorkspacePool

CLAW = HOPS[1][2]


@pytest.fixture(scope="module")
def mine(site: Site, workspace_pool: WorkspacePool) -> Iterator[str]:
    """A copy of the case that may be corrected."""
    with workspace_pool.one() as name:
        httpx.post(f"{site.url}/v1/workspaces/{name}/ingest", files=uploads(), timeout=240).raise_for_status()
        yield name


def drawn(open_page: Open, site: Site, **options: object) -> Page:
    page = open_page(site.at("/graph"), **options)
    expect(page.locator(".drawing canvas").first).to_be_attached()
    expect(page.locator(".drawing[data-drawn]")).to_be_visible()
    settled(page)
    return page


@pytest.mark.parametrize("scheme", quick(["light", "dark"], 1))
@pytest.mark.parametrize("size", quick([SIZES[0], SIZES[2]], 1))
def test_the_whole_is_drawn_and_keeps_nobody_out(
    open_page: Open, site: Site, scheme: str, size: tuple[int, int]
) -> None:
    page = drawn(open_page, site, color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
    page.get_by_text("As a list").click()
    expect(page.locator(".whole-list").get_by_role("link", name=CLAW).first).to_be_visible()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_name_is_found_and_its_edges_lead_to_their_sentences(open_page: Open, site: Site) -> None:
    page = drawn(open_page, site)
    find = page.get_by_role("searchbox", name="Find in the picture")
    find.fill("claw")
    find.press("Enter")
    picked = page.locator(".picked")
    expect(picked.get_by_role("link", name=CLAW)).to_be_visible()
    picked.get_by_role("button", name="society of thieves").click()
    picked.locator(".sentence").click()
    expect(page.get_by_role("dialog").locator("mark")).to_have_text(SENTENCES[2])


def test_the_picture_can_be_kept(open_page: Open, site: Site, tmp_path: Path) -> None:
    page = drawn(open_page, site)
    for name, begins in (("Save as SVG", b"<svg"), ("Save as PNG", b"\x89PNG"), ("Save as Cypher", b"CYPHER 5\nMATCH")):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.read_bytes().startswith(begins)
        assert b"<script" not in file.read_bytes()


def test_names_in_the_picture_lie_beside_their_discs_and_not_on_each_other(open_page: Open, site: Site) -> None:
    script = """([names, discs]) => import('/assets/page/graph/labels.js')
      .then(({ placeNames }) => placeNames(names, discs, { width: 200, height: 100 }))"""
    large, small, third = (
        {"x": x, "y": 50, "size": size, "width": 40, "height": 10} for x, size in ((60, 8), (95, 4), (96, 3))
    )
    page = open_page(site.at())
    first, second, last = page.evaluate(script, [[large, small, third], [large, small]])
    assert first == {"x": 60 - 8 - 3 - 40, "y": 45}, "its right side ends on the other's disc"
    assert second == {"x": 95 + 4 + 3, "y": 45}
    assert last not in (first, second)
    at_the_edge = {"x": 195, "y": 50, "size": 4, "width": 40, "height": 10}
    (turned,) = page.evaluate(script, [[at_the_edge], [at_the_edge]])
    assert turned["x"] + 40 <= 195
    (fixed,) = page.evaluate(script, [[{**at_the_edge, "fixed": True}], [at_the_edge]])
    assert fixed["x"] > 195, "where the picked name is written anew"
    crowd = [{"x": 100, "y": 50, "size": 4, "width": 150, "height": 90} for _ in range(6)]
    assert None in page.evaluate(script, [crowd, []]), "no room"


def test_only_the_strongest_links_are_drawn_until_a_name_is_picked(open_page: Open, site: Site, tmp_path: Path) -> None:
    hub, rest = f"{0:048x}", [f"{n:048x}" for n in range(1, 3102)]
    node = {"type": "", "chunks": 1, "facts": 1, "community": 0}
    nodes = [
        {**node, "id": one, "name": f"Name {n}", "x": n % 60 / 30 - 1, "y": n / 1600 - 1}
        for n, one in enumerate([hub, *rest])
    ]
    link = {"first": hub, "facts": 1, "predicates": ["knows"], "relations": ["KNOWS"]}
    links = [{**link, "second": one, "weight": 1 + (n >= 100)} for n, one in enumerate(rest)]
    whole = {"total_entities": len(nodes), "total_facts": len(links), "nodes": nodes, "links": links}
    page = open_page("about:blank")
    page.route("**/graph?entities=*", lambda route: route.fulfill(json=whole))
    page.goto(site.at("/graph"))
    expect(page.locator(".drawing[data-drawn]")).to_be_visible()
    expect(page.locator(".whole")).to_contain_text("The 3,000 strongest links are drawn")
    assert lines_of(page, tmp_path) == 3000
    find = page.get_by_role("searchbox", name="Find in the picture")
    find.fill("Name 0")
    find.press("Enter")
    expect(page.locator(".picked h3")).to_have_text("Name 0")
    assert lines_of(page, tmp_path) == 3101


def lines_of(page: Page, folder: Path) -> int:
    """How many links the picture that is to be kept shows."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    download.value.save_as(folder / "picture.svg")
    return (folder / "picture.svg").read_text(encoding="utf-8").count("<line")


def test_hostile_names_stay_text_in_the_picture(open_page: Open, site: Site) -> None:
    page = drawn(open_page, site)
    find = page.get_by_role("searchbox", name="Find in the picture")
    find.fill("baron")
    find.press("Enter")
    expect(page.locator(".picked h3")).to_contain_text(SCRIPT)
    page.locator(".picked .linked button").filter(has_text=IMAGE[:20]).click()
    expect(page.locator(".picked .said")).to_contain_text(IMAGE)
    unbroken(page)


def test_the_dates_of_a_fact_stand_beside_it(open_page: Open, site: Site) -> None:
    at = f"{site.url}/v1/workspaces/{site.workspace}/entities"
    claw = httpx.get(at, params={"name": CLAW}, timeout=240).json()["entities"][0]["id"]
    told = httpx.get(f"{at}/{claw}", timeout=240).json()
    (fact,) = [fact for fact in told["entity"]["facts"] if fact["object"] == "society of thieves"]
    fact["sentences"][0] |= {"when": "in May 1911", "when_date": "1911-05"}
    page = open_page("about:blank")
    page.route(f"**/entities/{claw}", lambda route: route.fulfill(json=told))
    page.goto(site.at("/graph", entity=claw))
    expect(page.locator(".side.out details summary").first).to_have_text("1 sentence · in May 1911")


def test_a_wrong_fact_goes_and_comes_back(open_page: Open, site: Site, mine: str) -> None:
    claw = httpx.get(f"{site.url}/v1/workspaces/{mine}/entities", params={"name": CLAW}, timeout=240).json()[
        "entities"
    ][0]["id"]
    page = open_page(f"{site.url}/graph?workspace={mine}&entity={claw}")
    society = page.locator(".side.out .row a")
    expect(society).to_have_text("society of thieves")
    page.get_by_role("button", name="Correct The Claw · is · society of thieves").click()
    assert serious(page) == []
    page.get_by_role("button", name="This is wrong").click()
    expect(page.locator(".pending")).to_contain_text("1 correction made.")
    expect(society).to_have_count(0)
    page.locator(".pending").get_by_role("button", name="Undo").click()
    expect(society).to_have_text("society of thieves")


def test_corrections_are_collected_and_made_together(open_page: Open, site: Site, mine: str) -> None:
    claw = httpx.get(f"{site.url}/v1/workspaces/{mine}/entities", params={"name": CLAW}, timeout=240).json()[
        "entities"
    ][0]["id"]
    page = open_page(f"{site.url}/graph?workspace={mine}&entity={claw}")
    page.get_by_role("button", name="Correct The Claw · is · society of thieves").click()
    page.get_by_role("textbox", name="What it should say").fill("<b>poses as</b>")
    page.locator(".side .fixing p").nth(1).get_by_role("button", name="Later").click()
    page.get_by_text("Correct: name, type").click()
    page.get_by_role("textbox", name="Type").fill("Gang")
    page.locator(".correct form").nth(1).get_by_role("button", name="Later").click()
    page.get_by_text("These are two: split").click()
    split = page.locator(".names .correct")
    split.get_by_role("checkbox", name=CLAW).first.check()
    split.get_by_role("button", name="Later").click()
    page.goto(f"{site.url}/graph?workspace={mine}")  # what is pending is kept, and shown wherever the graph is
    bar = page.locator(".pending")
    expect(bar).to_contain_text("3 corrections pending")
    bar.get_by_role("button", name="Discard The Claw ≠ The Claw").click()
    expect(bar).to_contain_text("2 corrections pending")
    settled(page)  # what is being drawn when a page goes is a complaint of its own
    page.goto(f"{site.url}/graph?workspace={mine}&entity={claw}")
    expect(page.locator(".side.out .predicate")).to_have_text("is")
    bar.get_by_role("button", name="Apply all 2").click()
    expect(page.locator(".side.out .predicate")).to_have_text("<b>poses as</b>")
    expect(page.locator(".entity header")).to_contain_text("Gang")
    unbroken(page)
    page.goto(f"{site.url}/graph?workspace={mine}&decisions=1")
    for left in (1, 0):
        page.locator(".decided").get_by_role("button", name="Undo").first.click()
        expect(page.locator(".decided li")).to_have_count(left)
