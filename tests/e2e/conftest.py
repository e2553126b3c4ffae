"""A real Chromium, the system's own, on the real server and Neo4j. Nothing but loopback can be reached."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from filigraph.app import runtime
from filigraph.app.llm_choice import Choice
from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.models.llm import LLM
from filigraph.graph.store import Store
from tests.api.serving import serving
from tests.e2e.site import QUESTION, Site, service_on, uploads

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 20_000  # milliseconds until something is there; passing takes far less
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
def site(neo4j_address: Neo4jAddress, store: Store) -> Iterator[Site]:
    """A server with the case in it."""
    made, service = service_on(neo4j_address)
    workspace = f"test-{uuid.uuid4().hex[:12]}"
    with serving(service) as url:
        ingested = httpx.post(f"{url}/v1/workspaces/{workspace}/ingest", files=uploads(), timeout=120)
        assert '"report"' in ingested.text, ingested.text
        service.jobs.coordinator.stop()  # else it would run the jobs of all other tests, too
        yield Site(url, made, workspace, neo4j_address, service)
    store.delete_workspace(workspace)


@pytest.fixture(autouse=True)
def no_model(request: pytest.FixtureRequest) -> Iterator[None]:
    """A model that a test chose is gone afterwards."""
    yield
    if "site" in request.fixturenames:
        request.getfixturevalue("site").runtime.model = None


@pytest.fixture
def workspace(store: Store) -> Iterator[str]:
    """A name that is free, and gone afterwards."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    yield name
    if any(row.name == name for row in store.workspaces()):
        store.delete_workspace(name)


@pytest.fixture
def read_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[LLM], None]:
    """Have documents read by this model from now on."""

    def read_by(model: LLM) -> None:
        monkeypatch.setattr(runtime, "choose_llm", lambda settings: Choice(llm=model, detail="scripted"))

    return read_by


@pytest.fixture
def open_page(browser: Browser, site: Site) -> Iterator[Open]:
    """Open an address in a browser of its own. The test fails if the page made a mistake, or asked for another host."""
    complaints: list[str] = []
    with ExitStack() as closing:

        def open_page(address: str, **options: Any) -> Page:
            settings = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}
            context: BrowserContext = browser.new_context(**{**settings, **options})
            closing.callback(context.close)
            page = context.new_page()
            closing.callback(_leave_routes, page)
            page.set_default_timeout(PATIENCE)
            page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
            page.on("console", lambda said: said.type == "error" and complaints.append(f"console: {said.text}"))
            page.on("request", lambda request: _is_ours(request, site) or complaints.append(f"asked {request.url}"))
            page.goto(address)
            return page

        yield open_page
    assert [line for line in complaints if "Failed to load resource" not in line] == []


def _leave_routes(page: Page) -> None:
    """Let go of a request that the end of the test cuts off. A page that the test closed has none."""
    if not page.is_closed():
        page.unroute_all(behavior="ignoreErrors")


def _is_ours(request: Request, site: Site) -> bool:
    return request.url.startswith((f"{site.url}/", "blob:", "data:"))


def ask(page: Page, question: str = QUESTION) -> None:
    """Put a question, as people do."""
    page.get_by_role("textbox", name="Question", exact=True).fill(question)
    page.keyboard.press("Enter")


def asked(open_page: Open, site: Site, question: str = QUESTION, **options: object) -> Page:
    """The page with an answer on it."""
    page = open_page(site.at(), **options)
    ask(page, question)
    expect(page.locator(".steps")).to_be_visible()
    return page
