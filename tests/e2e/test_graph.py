"""Graph: search an entity, see the facts around it with their sentences, and why its names are one."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.api.near_misses import FILES
from tests.e2e.conftest import Open, asked, settled
from tests.e2e.site import HOPS, QUESTION, SENTENCES, Site
from tests.patience import PATIENCE

RING, CLAW = HOPS[0][2], HOPS[1][2]


def search(page: Page, name: str) -> None:
    page.get_by_role("searchbox", name="Search a name").fill(name)
    expect(page.get_by_role("heading", name="Found")).to_be_visible()


def opened(open_page: Open, site: Site, name: str, **options: object) -> Page:
    """The page with an entity on it."""
    params = {"name": name, "count": 1}
    found = httpx.get(f"{site.url}/v1/workspaces/{site.workspace}/entities", params=params, timeout=240).json()[
        "entities"
    ]
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
    further = page.get_by_role("button", name=f"Facts from {RING}")
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


def test_how_two_names_are_connected(open_page: Open, site: Site) -> None:
    page = opened(open_page, site, "Jules")
    page.get_by_text("How is Jules connected to").click()
    page.get_by_role("combobox", name="The other name").fill("society of thieves")
    page.keyboard.press("Enter")
    chain = page.locator(".connections > ol > li").first
    expect(chain.locator(".sentence")).to_have_text(SENTENCES)
    expect(page.locator(".connections .verdict")).to_have_count(0)
    page.get_by_role("combobox", name="The other name").fill("Baron Zorn")
    page.keyboard.press("Enter")
    expect(page.locator(".connections .verdict")).to_have_text("Nothing connects them.")
    page.get_by_role("combobox", name="The other name").fill("society of thieves")
    page.get_by_role("button", name="Ask the language model").click()
    expect(page.locator("#question")).to_have_value("How is Jules connected to society of thieves?")
    expect(page.locator(".path").first).to_be_visible()


def test_what_may_disagree_is_told_when_it_is_opened(open_page: Open, site: Site) -> None:
    page = opened(open_page, site, "Jules")
    page.get_by_text("What may disagree").click()
    expect(page.get_by_text("No two statements by different voices seem to disagree.")).to_be_visible()


def test_a_path_leads_to_its_entities(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    page.locator(".path").first.get_by_role("link", name=RING, exact=True).click()
    expect(page.locator(".entity .name")).to_have_text(RING)
    page.go_back()
    expect(page.get_by_role("textbox", name="Question")).to_have_value(QUESTION)


def test_a_workspace_in_which_nothing_was_read_says_what_to_do(open_page: Open, site: Site) -> None:
    for more in ("", "&review=1"):
        page = open_page(f"{site.url}/graph?workspace=test-nothing-here{more}")
        expect(page.get_by_role("heading", name="This workspace is empty.")).to_be_visible()
        expect(page.get_by_role("link", name="Open the library")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)


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
    page = open_page("about:blank")
    page.route("**/entities/hub", lambda route: route.fulfill(json={"entity": entity}))
    page.route("**/entities/hub/names", lambda route: route.fulfill(json={"forms": [], "decisions": []}))
    page.goto(site.at("/graph", entity="hub"))
    expect(page.locator(".row")).to_have_count(12)
    page.get_by_role("button", name="47 more").click()
    expect(page.locator(".row")).to_have_count(200)
    page.get_by_role("checkbox", name="Show 3 that are only mentioned with it").check()
    page.get_by_role("button", name="48 more").click()
    expect(page.locator(".row")).to_have_count(203)


PEOPLE = [
    f"{first} {last}"
    for first in ("Anna", "Bruno", "Carla", "Diego", "Elise", "Felix", "Greta")
    for last in ("Abbot", "Bianchi", "Castel", "Dupont", "Engel")
]


@pytest.fixture
def crowd(site: Site, workspace: str) -> str:
    """A workspace with more names than a page of them shows."""
    facts = json.dumps({"source": "crowd.txt", "triples": [[name, "sings in", "Nantes"] for name in PEOPLE]})
    text = " ".join(f"{name} sings in Nantes." for name in PEOPLE)
    files = [("files", ("crowd.txt", text.encode())), ("triples", ("triples.jsonl", facts.encode()))]
    ingested = httpx.post(f"{site.url}/v1/workspaces/{workspace}/ingest", files=files, timeout=240)
    assert '"report"' in ingested.text, ingested.text
    return workspace


def test_all_names_are_reached_page_by_page(open_page: Open, site: Site, crowd: str) -> None:
    total = httpx.get(f"{site.url}/v1/workspaces/{crowd}/entities", timeout=240).json()["total"]
    assert 30 < total <= 60
    page = open_page(f"{site.url}/graph?workspace={crowd}")
    found, before, after = (
        page.locator(".found"),
        page.get_by_role("button", name="Names before these"),
        page.get_by_role("button", name="Names after these"),
    )
    expect(found).to_contain_text(f"1 to 30 of {total}")
    expect(before).to_be_disabled()
    settled(page)
    seen = found.locator("li a").all_text_contents()
    after.click()
    expect(found).to_contain_text(f"31 to {total} of {total}")
    expect(after).to_be_disabled()
    expect(before).to_be_focused()  # the other one can do nothing now
    expect(page.locator("#news")).to_have_text(f"31 to {total} of {total}")
    seen += found.locator("li a").all_text_contents()
    assert sorted(seen) == sorted([*PEOPLE, "Nantes"])
    found.locator("li a").last.click()
    expect(page.locator(".entity .name")).to_have_text(seen[-1])
    expect(found).to_contain_text(f"31 to {total} of {total}")  # the list stays where it was
    search(page, "Nantes")
    expect(found.locator("li a")).to_have_text(["Nantes"])
    expect(before).to_have_count(0)


# --------------------------------------------------------------------------------------------------------------------
# Corrections


@pytest.fixture
def gazettes(site: Site, workspace: str) -> str:
    """A workspace with names that are nearly one; its address."""
    at = f"{site.url}/v1/workspaces/{workspace}"
    assert httpx.post(f"{at}/ingest", files=FILES, timeout=240).status_code == 200
    return workspace


def persons(site: Site, workspace: str) -> list[str]:
    """What persons decided, by kind."""
    told = httpx.get(f"{site.url}/v1/workspaces/{workspace}/corrections", params={"by": "person"}, timeout=240).json()
    return [row["kind"] for row in told["corrections"]]


def entity_of(site: Site, workspace: str, name: str) -> str:
    found = httpx.get(f"{site.url}/v1/workspaces/{workspace}/entities", params={"name": name}, timeout=240).json()
    return str(found["entities"][0]["id"])


@pytest.mark.parametrize("width", [1280, 390])
def test_the_way_to_near_misses_moves_nothing_out_of_its_place(
    open_page: Open, site: Site, gazettes: str, width: int
) -> None:
    entity = entity_of(site, gazettes, "Jean Delmas")
    address = f"{site.url}/graph?workspace={gazettes}&entity={entity}"
    page = open_page(address, viewport={"width": width, "height": 800})
    expect(page.get_by_role("link", name=re.compile("nearly merged"))).to_be_visible()
    expect(page.locator(".entity .name")).to_be_visible()
    expect(page.locator(".found li")).not_to_have_count(0)
    settled(page)
    names, body = page.locator(".found").bounding_box(), page.locator(".entity").bounding_box()
    assert names and body
    if width == 390:
        assert names["y"] > body["y"] + body["height"]  # one below the other, what was asked for first
    else:
        assert body["x"] > names["x"] + names["width"]
        assert body["width"] > 2 * names["width"]


def test_near_misses_are_decided_by_a_key_press(open_page: Open, site: Site, gazettes: str) -> None:
    page = open_page(f"{site.url}/graph?workspace={gazettes}")
    expect(page.get_by_role("link", name=re.compile("nearly merged"))).to_be_visible()
    settled(page)
    page.get_by_role("link", name=re.compile("nearly merged")).click()
    card = page.locator(".review")
    expect(card).to_contain_text("Nantes Gazette")
    expect(card.locator("q")).to_have_count(2)
    total = httpx.get(f"{site.url}/v1/workspaces/{gazettes}/corrections/review", timeout=240).json()["total"]
    expect(card).to_contain_text(f"1 of {total}")
    page.keyboard.press("y")
    expect(page.get_by_role("status")).to_have_text("Same.")
    page.keyboard.press("u")
    expect(card).to_contain_text(f"1 of {total}")
    page.keyboard.press("n")
    for _ in range(total - 1):
        page.keyboard.press("s")
    expect(card).to_contain_text("Review complete. Corrections: 1.")
    wait_for(lambda: persons(site, gazettes) == ["distinct"])
    card.get_by_role("button", name="Undo").click()
    wait_for(lambda: persons(site, gazettes) == [])
    expect(page.get_by_role("alert")).to_have_count(0)


def test_who_is_who_is_said_with_check_marks(open_page: Open, site: Site, gazettes: str) -> None:
    (first, *_) = httpx.get(f"{site.url}/v1/workspaces/{gazettes}/corrections/who", timeout=240).json()["questions"]
    page = open_page(f"{site.url}/graph?workspace={gazettes}")
    expect(page.get_by_role("link", name=re.compile("Who is who"))).to_be_visible()
    settled(page)
    page.get_by_role("link", name=re.compile("Who is who")).click()
    card = page.locator(".review")
    expect(card.get_by_role("checkbox")).to_have_count(len(first["others"]))
    card.get_by_role("checkbox").first.check()
    card.get_by_role("button", name="The checked ones, no other").click()
    wait_for(lambda: sorted(persons(site, gazettes)) == ["distinct"] * (len(first["others"]) - 1) + ["same"])
    expect(page.get_by_role("alert")).to_have_count(0)


def wait_for(true: Callable[[], bool]) -> None:
    """Until it is so: what is decided is applied behind the page."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


TOWNS = ("Nantes", "Lyon", "Metz", "Brest", "Dijon")


@pytest.fixture
def papers(site: Site, workspace: str) -> str:
    """The address of the review of a workspace with several near misses."""
    facts = {
        "one.txt": [(f"{town} Gazette", "praised", "mayor") for town in TOWNS],
        "two.txt": [(f"{town} Gazettes", "blamed", "harbour") for town in TOWNS],
    }
    texts = {name: " ".join(f"{s} {p} the {o}." for s, p, o in rows) for name, rows in facts.items()}
    triples = "\n".join(json.dumps({"source": name, "triples": rows}) for name, rows in facts.items())
    files = [*(("files", (name, text.encode())) for name, text in texts.items()), ("triples", ("t", triples.encode()))]
    ingested = httpx.post(f"{site.url}/v1/workspaces/{workspace}/ingest", files=files, timeout=240)
    assert '"report"' in ingested.text, ingested.text
    return f"{site.url}/graph?workspace={workspace}&review=1"


def may_leave(page: Page) -> bool:
    """Whether the browser asks nothing when the page is left."""
    return bool(page.evaluate("dispatchEvent(new Event('beforeunload', {cancelable: true}))"))


def test_decisions_go_together_and_are_told_as_the_server_has_them(
    open_page: Open, site: Site, workspace: str, papers: str
) -> None:
    page = open_page(papers)
    expect(page.locator(".review q")).to_have_count(2)
    held: list[Route] = []
    page.route("**/corrections", lambda route: held.append(route))
    underway, news = page.locator(".underway"), page.get_by_role("status")
    with page.expect_request("**/corrections") as first:
        page.keyboard.press("y")
    for key in "nnu":
        page.keyboard.press(key)
    expect(news).to_have_text("Undone.")  # the server never got it
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(underway).to_have_text("4 corrections are being applied.")
    assert not may_leave(page)
    assert len(first.value.post_data_json["corrections"]) == 1
    with page.expect_request("**/corrections") as second:
        held[0].continue_()
    assert [row["kind"] for row in second.value.post_data_json["corrections"]] == ["distinct"] * 3
    expect(underway).to_have_text("3 corrections are being applied.")
    held[1].continue_()
    expect(underway).to_have_text("4 corrections are applied.")
    assert may_leave(page)
    assert sorted(persons(site, workspace)) == ["distinct", "distinct", "distinct", "same"]
    page.route("**/corrections/*", lambda route: held.append(route))
    with page.expect_request("**/corrections/*"):
        page.keyboard.press("u")
    expect(underway).to_have_text("1 correction is being applied.")
    expect(news).to_have_text("Different.")
    held[2].continue_()
    expect(news).to_have_text("Undone.")
    expect(underway).to_have_text("3 corrections are applied.")
    assert sorted(persons(site, workspace)) == ["distinct", "distinct", "same"]


def test_a_server_that_does_not_take_decisions_loses_none(
    open_page: Open, site: Site, workspace: str, papers: str
) -> None:
    page = open_page(papers)
    expect(page.locator(".review q")).to_have_count(2)
    page.route("**/corrections", lambda route: route.abort())
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(page.locator(".underway")).to_contain_text("2 corrections are not sent yet.")
    page.unroute("**/corrections")
    page.get_by_role("button", name="Send again").click()
    expect(page.locator(".underway")).to_have_text("2 corrections are applied.")
    assert persons(site, workspace) == ["distinct", "distinct"]


def test_a_tab_that_hangs_loses_no_decision(open_page: Open, site: Site, workspace: str, papers: str) -> None:
    page = open_page(papers)
    expect(page.locator(".review q")).to_have_count(2)
    page.route("**/corrections", lambda route: None)  # what this tab sends never arrives
    for key in "nnn":
        page.keyboard.press(key)
    expect(page.locator(".underway")).to_have_text("3 corrections are being applied.")
    again = page.context.new_page()
    again.goto(papers)
    expect(again.locator(".underway")).to_have_text("3 corrections are applied.")
    assert persons(site, workspace) == ["distinct"] * 3


def test_a_closed_tab_loses_no_decision(open_page: Open, site: Site, workspace: str, papers: str) -> None:
    page = open_page(papers)
    expect(page.locator(".review q")).to_have_count(2)
    again = page.context.new_page()
    for key in "nnn":
        page.keyboard.press(key)
    page.close()
    again.goto(papers)  # it sends what the closed one could not send any more
    wait_for(lambda: persons(site, workspace) == ["distinct"] * 3)


def test_why_names_were_joined_is_undone_and_a_name_is_split_off(open_page: Open, site: Site, gazettes: str) -> None:
    at = f"{site.url}/v1/workspaces/{gazettes}"
    said = {"corrections": [{"kind": "same", "about": "The Claw", "other": "La Griffe"}]}
    assert httpx.post(f"{at}/corrections", json=said, timeout=240).status_code == 200
    page = open_page(f"{site.url}/graph?workspace={gazettes}&entity={entity_of(site, gazettes, 'The Claw')}")
    names = page.locator(".names")
    expect(names).to_contain_text("decided by a person")
    names.get_by_role("button", name="Undo").click()
    expect(names).not_to_contain_text("decided by a person")
    assert persons(site, gazettes) == []
    delmas = entity_of(site, gazettes, "Jules Delmas")
    page.goto(f"{site.url}/graph?workspace={gazettes}&entity={delmas}")
    expect(names).to_contain_text(re.compile("same name|similar spelling"))
    names.get_by_text("These are two: split").click()
    names.get_by_role("checkbox", name=re.compile("^Delmas")).check()
    names.get_by_role("button", name="Split off").click()
    expect(names.get_by_role("heading", name="Names kept separate")).to_be_visible()
    assert persons(site, gazettes) == ["distinct"]


def test_places_are_split_off_and_the_part_is_called_otherwise(open_page: Open, site: Site, gazettes: str) -> None:
    page = open_page(f"{site.url}/graph?workspace={gazettes}&entity={entity_of(site, gazettes, 'Jean Delmas')}")
    names = page.locator(".names")
    names.get_by_text("These are two: split").click()
    names.get_by_text("3 places").click()
    names.get_by_role("checkbox", name=re.compile("stole")).check()
    names.get_by_role("button", name="Split off").click()
    expect(names.get_by_role("heading", name="Names kept separate")).to_be_visible()
    assert persons(site, gazettes) == ["split_off"]
    page.get_by_text("Correct: name, type").click()
    page.get_by_role("textbox", name="New name").fill("Jean the singer")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(".entity .name")).to_have_text("Jean the singer")


def test_a_contradiction_is_told_in_words(open_page: Open, site: Site, gazettes: str) -> None:
    at = f"{site.url}/v1/workspaces/{gazettes}"
    near = httpx.get(f"{at}/corrections/review", timeout=240).json()["near_misses"][0]
    page = open_page(f"{site.url}/graph?workspace={gazettes}&review=1")
    expect(page.locator(".review")).to_contain_text(near["names"][0]["form"])
    said = {"kind": "distinct", "about": near["names"][0]["id"], "other": near["others"][0]["id"]}
    assert httpx.post(f"{at}/corrections", json={"corrections": [said]}, timeout=240).status_code == 200
    page.get_by_role("button", name="y Yes").click()
    expect(page.get_by_role("alert")).to_contain_text("Contradicts an earlier correction")
