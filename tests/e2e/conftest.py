"""A real Chromium, the system's own, on the real server and Neo4j. It can reach only loopback."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from filigraph.app import runtime
from filigraph.app.llm_provider import Choice
from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.models.llm import LLM
from tests import patience
from tests.api.serving import serving
from tests.e2e.site import QUESTION, Site, service_on, uploads
from tests.workspace_pool import WorkspacePool

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 1000 * patience.PATIENCE  # milliseconds
expect.set_options(timeout=PATIENCE)

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium; no browser is ever downloaded."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("There is no Chromium, and CI must have one: apt-get install chromium.")
        pytest.skip("There is no Chromium here: apt-get install chromium.")
    with sync_playwright() as playwright:
        arguments = [
            "--no-sandbox",
            "--enable-unsafe-swiftshader",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(
    neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A server with the case in it."""
    folder = tmp_path_factory.mktemp("watched")
    made, service = service_on(neo4j_address, FILIGRAPH_FOLDERS=str(folder))
    with workspace_pool.one() as workspace, serving(service) as url:
        ingested = httpx.post(f"{url}/v1/workspaces/{workspace}/ingest", files=uploads(), timeout=240)
        assert '"report"' in ingested.text, ingested.text
        service.jobs.coordinator.stop()  # else it would run the jobs of all other tests, too
        yield Site(url, made, workspace, neo4j_address, service, folder)


@pytest.fixture(autouse=True)
def no_model(request: pytest.FixtureRequest) -> Iterator[None]:
    """A model that a test chose is gone afterwards."""
    yield
    if "site" in request.fixturenames:
        request.getfixturevalue("site").runtime.model = None


@pytest.fixture
def workspace(workspace_pool: WorkspacePool) -> Iterator[str]:
    """A name that is free, and gone afterwards."""
    with workspace_pool.unused() as name:
        yield name


@pytest.fixture
def read_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[LLM], None]:
    """Have documents read by this model from now on."""

    def read_by(model: LLM) -> None:
        monkeypatch.setattr(runtime, "choose_llm", lambda settings: Choice(llm=model, detail="scripted"))

    return read_by


class Contexts:
    """Browsers without a past. One that a test has used is used again: it has the page's files, and compiled them.

    Each keeps an empty tab: without one every test opens a window, which costs Chromium as much as the tab again.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = defaultdict(list)

    @contextmanager
    def one(self, settings: dict[str, Any]) -> Iterator[BrowserContext]:
        """A context of these settings that nobody else uses."""
        free = self._free[repr(sorted(settings.items()))]
        context = free.pop() if free else self._new(settings)
        context.set_default_timeout(PATIENCE)
        yield context
        for page in context.pages[1:]:
            page.unroute_all(behavior="ignoreErrors")  # let go of a request that the end of the test cuts off
            page.close()
        context.clear_cookies()
        context.clear_permissions()
        free.append(context)

    def _new(self, settings: dict[str, Any]) -> BrowserContext:
        context = self._browser.new_context(**settings)
        context.new_page()
        return context


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Contexts:
    return Contexts(browser)


@pytest.fixture
def open_page(contexts: Contexts, site: Site) -> Iterator[Open]:
    """Open an address in a browser of its own. The test fails if the page made a mistake, or asked for another host."""
    complaints: list[str] = []
    with ExitStack() as closing:

        def open_page(address: str, **options: Any) -> Page:
            settings = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}
            context = closing.enter_context(contexts.one({**settings, **options}))
            page = context.new_page()
            _forget_what_was_stored(page, site)
            _watch_requests(page)
            page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
            page.on("console", lambda said: said.type == "error" and complaints.append(f"console: {said.text}"))
            page.on("request", lambda request: _is_ours(request, site) or complaints.append(f"asked {request.url}"))
            page.goto(address)
            return page

        yield open_page
    assert [line for line in complaints if "Failed to load resource" not in line] == []


def _forget_what_was_stored(page: Page, site: Site) -> None:
    """By a test before, at the same server."""
    kinds = "local_storage,indexeddb,cache_storage,service_workers"
    page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": site.url, "storageTypes": kinds})


def _is_ours(request: Request, site: Site) -> bool:
    return request.url.startswith((f"{site.url}/", "blob:", "data:"))


_underway: WeakKeyDictionary[Page, set[Request]] = WeakKeyDictionary()


def _watch_requests(page: Page) -> None:
    underway: set[Request] = set()
    _underway[page] = underway

    def begun(request: Request) -> None:
        if request.is_navigation_request():
            underway.clear()  # the page before is gone, and what it asked for
        underway.add(request)

    page.on("request", begun)
    page.on("requestfinished", lambda request: underway.discard(request))
    page.on("requestfailed", lambda request: underway.discard(request))


def settled(page: Page) -> None:
    """Wait until the page has every answer that it asked for, and drew it: what is pressed then stays where it is."""
    quiet = 0  # frames one after the other
    while quiet < 2:
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
        quiet = 0 if _underway[page] else quiet + 1


@contextmanager
def timers_held(page: Page) -> Iterator[None]:
    """No timer that the page starts meanwhile ends: what it shows for a moment stays, and it waits without end."""
    page.evaluate("() => { window.timer = setTimeout; window.setTimeout = () => 0; }")
    yield
    page.evaluate("() => { window.setTimeout = window.timer; }")


def ask(page: Page, question: str = QUESTION) -> None:
    """Put a question, as people do."""
    page.get_by_role("textbox", name="Question", exact=True).fill(question)
    page.keyboard.press("Enter")


def asked(open_page: Open, site: Site, question: str = QUESTION, **options: object) -> Page:
    """The page with an answer on it."""
    page = open_page(site.at(), **options)
    ask(page, question)
    expect(page.locator(".steps")).to_be_visible()
    unfold_leads(page)
    return page


def unfold_leads(page: Page) -> None:
    """Open the paths that are not likely to answer."""
    page.evaluate("for (const fold of document.querySelectorAll('.leads, .leads > .further')) fold.open = true")
