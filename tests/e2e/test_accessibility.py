"""Every size, light and dark, only the keyboard, a screen reader, reduced motion, two languages, empty pages."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from filigraph.graph.errors import StoreUnavailable
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from tests.e2e.conftest import Open, ask, asked, settled
from tests.e2e.site import HOPS, QUESTION, Site
from tests.slow import quick

SIZES = [(380, 800), (820, 1180), (1280, 800), (2560, 1440)]


def opened(page: Page) -> None:
    """Wait until a view is there, with all that it asked for."""
    expect(page.locator("#main h1")).to_be_attached()
    settled(page)


def serious(page: Page) -> list[str]:
    """What axe-core finds that keeps somebody out."""
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:120]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scheme", quick(["light", "dark"], 1))
@pytest.mark.parametrize("size", quick([SIZES[0], SIZES[2]], 1))
def test_axe_finds_nothing_serious(open_page: Open, site: Site, scheme: str, size: tuple[int, int]) -> None:
    site.runtime.model = ScriptedLLM({"": "He wears the ring [1].\n\nAsk Gaspard.\nMISSING: why"})
    page = asked(open_page, site, color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
    page.get_by_role("button", name="Without").click()
    expect(page.locator(".ranked li").first).to_be_visible()
    page.locator(".steps summary").first.click()
    assert serious(page) == []
    page.locator(".sentence").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_be_visible()
    assert serious(page) == []


def test_axe_finds_nothing_serious_where_nothing_was_asked(open_page: Open, site: Site) -> None:
    httpx.post(
        f"{site.url}/v1/workspaces/{site.workspace}/ask", json={"question": QUESTION}, timeout=240
    ).raise_for_status()
    page = open_page(site.at())
    expect(page.get_by_role("heading", name="Recent questions")).to_be_visible()
    assert serious(page) == []


@pytest.mark.parametrize("scheme", quick(["light", "dark"], 1))
@pytest.mark.parametrize("size", quick([SIZES[0], SIZES[2]], 1))
def test_axe_finds_nothing_serious_in_the_graph(
    open_page: Open, site: Site, scheme: str, size: tuple[int, int]
) -> None:
    params = {"name": "The Claw"}
    found = httpx.get(f"{site.url}/v1/workspaces/{site.workspace}/entities", params=params, timeout=240).json()[
        "entities"
    ]
    viewport = {"width": size[0], "height": size[1]}
    page = open_page(site.at("/graph", entity=found[0]["id"]), color_scheme=scheme, viewport=viewport)
    page.locator(".unfold").first.click()
    page.locator(".side summary").first.click()
    expect(page.locator(".far, .said").first).to_be_visible()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("scheme", quick(["light", "dark"], 1))
@pytest.mark.parametrize("size", quick([SIZES[0], SIZES[2]], 1))
def test_axe_finds_nothing_serious_in_the_library(
    open_page: Open, site: Site, scheme: str, size: tuple[int, int], tmp_path: Path
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = open_page(site.at("/library"), color_scheme=scheme, viewport=viewport)
    expect(page.locator(".documents tbody tr").first).to_be_visible()
    (tmp_path / "a.txt").write_text("Jules wears a ring.")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    page.locator("input[type=file]").first.set_input_files([tmp_path / "a.txt", tmp_path / "b.png"])
    expect(page.locator(".staging .skipped")).to_be_visible()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("scheme", quick(["light", "dark"], 1))
def test_the_settings_on_a_phone(open_page: Open, site: Site, scheme: str) -> None:
    page = open_page(site.at("/settings"), color_scheme=scheme, viewport={"width": 390, "height": 800})
    for said in ("What works here", "Schema of", "No keys", "Set by the environment"):
        expect(page.locator(".settings")).to_contain_text(said)
    opened(page)
    page.locator(".settings summary").last.click()
    expect(page.get_by_text("FILIGRAPH_TRACE_DAYS")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("size", SIZES)
def test_it_fits_every_width(open_page: Open, site: Site, size: tuple[int, int]) -> None:
    page = asked(open_page, site, viewport={"width": size[0], "height": size[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for element in page.locator(".path:visible, .answer, .steps, #head, .question").all():
        box = element.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= size[0]
    overlaps = page.evaluate(
        """() => [...document.querySelectorAll('.track')].flatMap((track) => {
          const boxes = [...track.children].map((child) => child.getBoundingClientRect());
          const apart = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
          return boxes.slice(1).filter((box, n) => !apart(boxes[n], box));
        }).length"""
    )
    assert overlaps == 0
    page.locator(".sentence").first.click()
    sheet = page.get_by_role("dialog").bounding_box()
    assert sheet and sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= size[0]


def test_on_a_small_screen_the_path_runs_down(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, viewport={"width": 380, "height": 800})
    nodes = [node.bounding_box() for node in page.locator(".path").first.locator(".node").all()]
    assert len(nodes) == len(HOPS) + 1
    assert [box["y"] for box in nodes] == sorted(box["y"] for box in nodes)


@pytest.mark.essential
def test_with_the_keyboard_alone(open_page: Open, site: Site) -> None:
    page = open_page(site.at())
    page.locator("h1").wait_for(state="attached")
    expect(page.get_by_role("textbox", name="Question")).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".steps")).to_be_visible()
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.className || document.activeElement.textContent"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", f"{seen[-1]} does not show that it has the focus"
        if seen[-1] == "sentence":
            break
    assert seen[-1] == "sentence"
    page.keyboard.press("Enter")
    reader = page.get_by_role("dialog")
    expect(reader.locator("mark")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(reader).to_have_count(0)
    page.keyboard.press("/")
    expect(page.get_by_role("textbox", name="Question")).to_be_focused()


def test_a_screen_reader_hears_the_path(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    expect(page.get_by_role("status")).to_have_text("The answer is complete.")
    snapshot = page.get_by_role("region", name="Reasoning paths").aria_snapshot()
    for hop in HOPS:
        assert f'group "{" ".join(hop)}"' in snapshot
    assert 'heading "Path 1" [level=2]' in snapshot
    assert page.locator("html").get_attribute("lang") == "en"


def test_less_motion_is_none(open_page: Open, site: Site) -> None:
    page = open_page(site.at())
    page.locator(".result").wait_for(state="attached")
    page.evaluate("document.body.append(Object.assign(document.createElement('p'), {className: 'waiting'}))")
    assert page.evaluate("document.getAnimations().length") == 0
    page.emulate_media(reduced_motion="no-preference")
    # the paragraph moves now: it stood still for the sake of less motion
    page.wait_for_function("document.querySelector('body > .waiting').getAnimations().length === 1")


@pytest.mark.essential
def test_the_interface_speaks_french_and_english(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    page.get_by_role("button", name="FR", exact=True).click()
    expect(page.get_by_role("link", name="Question", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Chemin 1")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "fr"
    expect(page.get_by_role("button", name="FR", exact=True)).to_be_focused()
    page.reload()
    expect(page.get_by_role("heading", name="Chemin 1")).to_be_visible()
    page.get_by_role("button", name="EN", exact=True).click()
    expect(page.get_by_role("heading", name="Path 1")).to_be_visible()
    words = "import('/assets/page/base/words-{}.js').then((words) => Object.keys(words.default).sort())"
    assert page.evaluate(words.format("en")) == page.evaluate(words.format("fr"))


def test_checks_and_settings_are_told_in_french(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/settings"), locale="fr-FR")
    opened(page)
    page.locator("details summary").click()
    expect(page.get_by_text("Où Ollama répond.")).to_be_visible()
    expect(page.get_by_text(re.compile("version .* ; espaces : "))).to_be_visible()
    english = [text for text in page.locator("dl span[lang=en]").all_inner_texts() if " " in text]
    assert [text for text in english if not text.endswith("dimensions")] == []  # one word for both


def test_it_speaks_the_language_of_the_browser(open_page: Open, site: Site) -> None:
    page = open_page(site.at(), locale="fr-CA")
    expect(page.get_by_role("button", name="Demander")).to_be_visible()


@pytest.mark.parametrize("view", ["", "graph", "forms"])
def test_nothing_was_read_yet(open_page: Open, site: Site, view: str) -> None:
    page = open_page(f"{site.url}/{view}?workspace=nobody")
    expect(page.get_by_role("heading", name="This workspace is empty.")).to_be_visible()
    expect(page.get_by_role("button", name="Load the demo case")).to_be_visible()
    assert page.get_by_role("link", name="Open the library").get_attribute("href") == "/library?workspace=nobody"
    assert page.get_by_role("heading", level=1).count() == 1
    assert serious(page) == []


def test_what_does_not_answer_is_named_with_its_cure(
    open_page: Open, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(site.at(), locale="fr-FR")

    def gone(workspace: str) -> None:
        raise StoreUnavailable("Neo4j does not answer.", cure="Start it.")

    monkeypatch.setattr(site.runtime, "graph", gone)
    page.get_by_role("textbox", name="Question").fill("Pourquoi ?")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Neo4j ne répond pas")
    expect(alert).to_contain_text("Start it.")
    monkeypatch.undo()


def test_a_server_that_is_gone(open_page: Open, site: Site) -> None:
    page = open_page(site.at())
    page.route("**/ask", lambda route: route.abort())
    page.get_by_role("textbox", name="Question").fill("Why?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("`filigraph up` starts it")


@pytest.mark.parametrize("visited", [False, True], ids=["never opened", "opened before"])
def test_every_view_says_that_the_server_is_gone(open_page: Open, site: Site, *, visited: bool) -> None:
    page = open_page(site.at())
    tabs = ("Library", "Graph", "Forms", "Settings", "Ask")
    for tab in tabs if visited else ():
        page.get_by_role("navigation").get_by_role("link", name=tab).click()
        opened(page)
    settled(page)
    page.route("**/*", lambda route: route.abort())
    for tab in tabs:
        page.get_by_role("navigation").get_by_role("link", name=tab).click()
        expect(page.locator("#main").get_by_role("alert").first).to_contain_text("The server does not answer.")
        settled(page)  # no other part of the view will say so any more
        said = page.locator("#main").inner_text()
        assert said.count("The server does not answer.") == 1 and "Error" not in said, (tab, said)


def test_the_first_paint_takes_less_than_its_budget(open_page: Open, site: Site) -> None:
    """No clock is asserted: what would make it slow is, its size and its requests."""
    page = open_page(site.at())
    opened(page)
    loaded = page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => [entry.name, entry.encodedBodySize])"
    )
    assert sum(size for _, size in loaded) < 300_000
    assert len(loaded) < 45


SMALL = """
() => [...document.querySelectorAll("a, button, input, select, summary, textarea, [role=button]")]
  .filter((one) => one.offsetParent && getComputedStyle(one).display !== "inline")
  .filter((one) => !one.closest("label") && !one.closest("svg"))
  .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < 23.9 || box.height < 23.9))
  .map(([html, box]) => `${html} ${Math.round(box.width)}x${Math.round(box.height)}`)
"""


@pytest.mark.parametrize("view", ["", "library", "graph", "forms", "settings"])
def test_what_a_finger_presses_is_24_pixels_wide_and_high(open_page: Open, site: Site, view: str) -> None:
    """WCAG 2.2, 2.5.8; links within a line of text may be smaller."""
    page = open_page(site.at(f"/{view}"), viewport={"width": 390, "height": 844}, has_touch=True)
    opened(page)
    if not view:
        ask(page)
        expect(page.locator(".steps")).to_be_visible()
    assert page.evaluate(SMALL) == []


@pytest.mark.parametrize(
    ("view", "searches"), [("library", True), ("graph", True), ("forms", False), ("settings", False)]
)
def test_a_slash_goes_to_the_field_to_search_in(open_page: Open, site: Site, view: str, *, searches: bool) -> None:
    page = open_page(site.at(f"/{view}"))
    opened(page)
    if searches:
        expect(page.locator("#main input[type=search]").first).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    if not searches:
        expect(page.get_by_role("textbox", name="Question", exact=True)).to_be_focused()
    else:
        expect(page.locator("#main input[type=search]:focus")).to_be_visible()
        page.keyboard.press("/")
        expect(page.locator("#main input[type=search]:focus")).to_have_value("/")
