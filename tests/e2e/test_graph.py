"""Graph: an entity looked for, what is said around it with the sentences, and why its names are one."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Open, asked
from tests.e2e.site import HOPS, QUESTION, SENTENCES, Site

RING, CLAW = HOPS[0][2], HOPS[1][2]


def search(page: Page, name: str) -> None:
    page.get_by_role("searchbox", name="Search a name").fill(name)
    expect(page.get_by_role("heading", name="Found")).to_be_visible()


def opened(open_page: Open, site: Site, name: str, **options: object) -> Page:
    """The page with an entity on it."""
    params = {"name": name, "limit": 1}
    found = httpx.get(f"{site.url}/v1/workspaces/{site.workspace}/entities", params=params).json()["entities"]
    page = open_page(site.at("/graph", entity=found[0]["id"]), **options)
    expect(page.locator(".entity .name")).to_have_text(name)
    return page


def test_an_entity_is_found_as_one_types(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/graph"))
    expect(page.get_by_role("searchbox", name="Search a name")).to_be_focused()
    expect(page.get_by_role("heading", name="Most mentioned")).to_be_visible()
    search(page, "CLÀW")
    expect(page.locator(".found a")).to_have_text([CLAW])
    page.keyboard.press("Enter")
    expect(page.locator(".entity .name")).to_have_text(CLAW)
    expect(page.locator(".found [aria-current]")).to_have_text(CLAW)
    search(page, "zzz")
    expect(page.locator(".found")).to_contain_text("Try a part of the name")
    expect(page.get_by_role("status")).to_have_text("0 names found.")


def test_what_is_said_around_it_stands_left_and_right(open_page: Open, site: Site) -> None:
    page = opened(open_page, site, CLAW)
    into, out = page.locator(".side.into"), page.locator(".side.out")
    expect(into.locator(".group").filter(has_text="is the emblem of").locator(".row a")).to_have_text(RING)
    expect(into.locator(".group").filter(has_text="hunts").locator(".row a")).to_have_text("Inspector Brun")
    expect(out.locator(".row a")).to_have_text("society of thieves")
    boxes = [part.bounding_box() for part in (into, page.locator(".self"), out)]
    assert [box["x"] for box in boxes if box] == sorted(box["x"] for box in boxes if box)
    out.locator("summary").click()
    out.locator(".sentence").click()
    expect(page.get_by_role("dialog").locator("mark")).to_have_text(SENTENCES[2])


def test_a_neighbour_leads_one_hop_further(open_page: Open, site: Site) -> None:
    page = opened(open_page, site, CLAW)
    further = page.get_by_role("button", name=f"What {RING} leads to")
    further.click()
    expect(further).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".far li")).to_have_text("Jules → wears")
    further.click()
    expect(page.locator(".far")).to_be_hidden()
    further.click()
    page.locator(".far a").click()
    expect(page.locator(".entity .name")).to_have_text("Jules")
    page.go_back()
    expect(page.locator(".entity .name")).to_have_text(CLAW)


def test_its_names_and_why_they_are_one(open_page: Open, site: Site) -> None:
    page = opened(open_page, site, "Jules")
    expect(page.locator(".aliases")).to_have_text("Also: Jules Delmas")
    names = page.locator(".names")
    expect(names).to_contain_text(re.compile("(Jules Delmas = Jules|Jules = Jules Delmas) part of the full name"))
    names.get_by_role("link", name="Jules Delmas").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_have_text("Jules Delmas")


def test_a_path_leads_to_its_entities(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    page.locator(".path").first.get_by_role("link", name=RING, exact=True).click()
    expect(page.locator(".entity .name")).to_have_text(RING)
    page.go_back()
    expect(page.get_by_role("textbox", name="Question")).to_have_value(QUESTION)


def test_an_entity_that_is_gone(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/graph", entity="0123456789abcdef"))
    expect(page.get_by_role("alert")).to_contain_text("Not found")


def test_a_hub_is_drawn_in_part_and_all_of_it_on_demand(open_page: Open, site: Site) -> None:
    """200 facts, which no workspace of the tests has: told by the network layer, drawn by the page."""
    facts = [
        {
            "fact_id": f"f{n}", "subject_id": "hub", "subject": "Hub", "predicate": f"knows {n // 4}",
            "object_id": f"o{n}", "object": f"Friend {n}", "text": "", "weight": 1,
            "sentences": [{"chunk_id": "c", "document_id": "d", "source": "s", "place": "", "sentence": "So it is.",
                           "start": 0, "end": 9, "origin": "explicit" if n < 200 else "cooccurrence"}],
        }
        for n in range(203)
    ]  # fmt: skip
    entity = {"id": "hub", "name": "Hub", "type": "", "aliases": ["Hub"], "mentions": 1, "chunks": 1, "facts": facts}
    page = open_page(site.at("/graph"))
    page.route("**/entities/hub", lambda route: route.fulfill(json={"entity": entity}))
    page.route("**/entities/hub/names", lambda route: route.fulfill(json={"forms": [], "decisions": []}))
    page.goto(site.at("/graph", entity="hub"))
    expect(page.locator(".row")).to_have_count(12)
    page.get_by_role("button", name="47 more").click()
    expect(page.locator(".row")).to_have_count(200)
    page.get_by_role("checkbox", name="Show 3 that are only named together with it").check()
    page.get_by_role("button", name="48 more").click()
    expect(page.locator(".row")).to_have_count(203)
