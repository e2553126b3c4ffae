"""The page with keys: it asks for one once, and with a read key it offers no writing. Also the page behind a proxy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, Route, expect

from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from filigraph.graph.view import View
from tests.api.serving import serving
from tests.e2e.conftest import PATIENCE, Open, ask, settled, timers_held
from tests.e2e.site import HOPS, Site, SiteRuntime, service_on
from tests.e2e.test_accessibility import serious
from tests.no_keys import no_keys, revoke_all

ASK = "import('/assets/page/base/api.js').then((api) => api.get('/v1/workspaces')).catch(() => {})"  # as any view does


@pytest.fixture(autouse=True)
def no_model() -> None:
    """Each test has a server of its own, without any model."""


@pytest.fixture
def secrets() -> dict[str, str]:
    return {}


@pytest.fixture
def site(site: Site, store: Store, secrets: dict[str, str]) -> Iterator[Site]:
    """A server of the same case that asks for keys; they are gone afterwards."""
    runtime, service = service_on(site.neo4j)
    with no_keys(store):
        for name, scope, workspace in (("root", "admin", ""), ("anna", "read", site.workspace), ("bert", "write", "")):
            secrets[name] = service.keys.create(name, scope, workspace)[1]  # type: ignore[arg-type]
        with serving(service) as url:
            yield replace(site, url=url, runtime=runtime, service=service)


def enter(page: Page, secret: str) -> None:
    page.get_by_label("Key").fill(secret)
    page.keyboard.press("Enter")


@pytest.mark.essential
def test_it_asks_for_a_key_once(open_page: Open, site: Site, secrets: dict[str, str]) -> None:
    page = open_page(site.at())
    expect(page.get_by_role("heading", name="This server requires a key")).to_be_visible()
    expect(page.get_by_label("Key")).to_be_focused()
    expect(page.locator("form.key")).to_contain_text("docker exec NAME cat /data/admin.key")  # where it is at first
    assert serious(page) == []
    enter(page, "fgk_wrong")
    expect(page.get_by_role("alert")).to_contain_text("This key is unknown.")
    enter(page, secrets["anna"])
    expect(page.get_by_role("textbox", name="Question")).to_be_focused()
    assert page.evaluate("document.cookie") == ""
    page.reload()
    ask(page)
    expect(page.locator(".path").first.locator(".node")).to_have_count(len(HOPS) + 1)


@pytest.mark.essential
def test_a_read_key_sees_nothing_that_writes(open_page: Open, site: Site, secrets: dict[str, str]) -> None:
    page = open_page(site.at("/library"))
    enter(page, secrets["anna"])
    expect(page.locator(".documents tbody tr").first).to_be_visible()
    expect(page.locator(".drop")).to_be_hidden()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
    assert page.locator(".pick option").all_inner_texts() == [site.workspace]
    assert serious(page) == []

    page.get_by_role("button", name="Sign out anna").click()
    enter(page, secrets["bert"])
    expect(page.locator(".drop")).to_be_visible()
    expect(page.get_by_role("button", name="Delete").first).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "said", "closed"),
    [
        ("en-US", "Your key shows a part of this workspace.", "your key shows a part of it"),
        ("fr-FR", "Votre clé montre une partie de cet espace.", "votre clé n’en montre qu’une partie"),
    ],
)
def test_a_limited_key_is_told_so_and_meets_no_error(
    open_page: Open, site: Site, locale: str, said: str, closed: str
) -> None:
    """What is about the whole workspace is neither shown nor asked for."""
    _, secret = site.service.keys.create("carl", "read", site.workspace, View(sources=("letter.txt", "cutting.txt")))
    page = open_page("about:blank", locale=locale)
    assert page.request.post(f"{site.url}/v1/session", data={"key": secret}).ok
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    for view in ("/", "/library", "/graph", "/cast", "/family", "/timeline"):
        page.goto(f"{site.url}{view}{'&' if '?' in view else '?'}workspace={site.workspace}")
        expect(page.locator("#head")).to_contain_text(said)
        if view.startswith("/graph"):  # what is being drawn when a page goes is a complaint of its own
            expect(page.locator(".drawing canvas").first).to_be_visible()
        expect(page.locator("#main h1")).to_be_attached()
        settled(page)
        for fold in page.locator("main details:not([open]) > summary:visible").all()[::-1]:
            fold.click()
        settled(page)
        assert page.locator(".failure").count() == 0, view
        assert refused == [], view
    expect(page.locator("#head nav a:visible")).to_have_count(3)
    for view in ("/forms", "/settings"):
        page.goto(f"{site.url}{view}?workspace={site.workspace}")
        expect(page.locator("main")).to_contain_text(closed)
    page.goto(f"{site.url}/library?workspace={site.workspace}")
    expect(page.locator(".documents tbody tr")).to_have_count(2)
    assert page.locator(".jobs, .gaps, .notes").count() == 0
    assert refused == [] and serious(page) == []


def test_a_key_that_ends_meanwhile(open_page: Open, site: Site, store: Store, secrets: dict[str, str]) -> None:
    page = open_page(site.at(), locale="fr-FR")
    page.get_by_label("Clé").fill(secrets["anna"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Question")).to_be_focused()
    page.get_by_role("textbox", name="Question").fill("Pourquoi ?")
    page.request.delete(f"{site.url}/v1/keys/anna", headers={"authorization": f"Bearer {secrets['root']}"})
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ce serveur exige une clé")).to_be_visible()


@pytest.fixture
def open_site(site: Site, store: Store) -> Iterator[Site]:
    """A server of the same case without any key yet."""
    revoke_all(store)
    site.service.keys.all()  # read anew
    yield site


@pytest.mark.essential
def test_the_first_key_is_shown_and_used(open_page: Open, open_site: Site) -> None:
    page = open_page(open_site.at("/settings"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("Name", exact=True).fill("root")
    # another part of the page asks before the session has begun, and is refused
    page.route("**/v1/session", lambda route: (page.evaluate(ASK), route.continue_()), times=1)
    page.get_by_role("button", name="Create key").click()
    shown = page.get_by_role("dialog", name="The new key root")
    secret = shown.get_by_label("Key").input_value()
    assert secret.startswith("fgk_")
    assert serious(page) == []
    page.keyboard.press("Escape")  # it is not lost by that
    with timers_held(page):  # it says so for a moment
        shown.get_by_role("button", name="Copy").click()
        expect(shown.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret
    shown.get_by_role("button", name="I have kept it").click()
    expect(page.get_by_role("button", name="Sign out root")).to_be_visible()
    expect(page.locator(".settings li").filter(has_text="root")).to_contain_text("administer")

    page.get_by_role("button", name="New secret").click()
    with page.expect_response("**/v1/session"):  # the new secret is shown before its session begins
        page.get_by_role("button", name="Replace it?").click()
    again = shown.get_by_label("Key").input_value()
    assert again.startswith("fgk_") and again != secret
    shown.get_by_role("button", name="I have kept it").click()
    page.reload()
    expect(page.get_by_role("button", name="Sign out root")).to_be_visible()


def test_the_first_key_is_shown_where_no_session_can_begin(open_page: Open, open_site: Site) -> None:
    page = open_page(open_site.at("/settings"))
    page.get_by_label("Name", exact=True).fill("root")
    page.route("**/v1/session", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    with page.expect_event("requestfailed"):  # the key is shown before the session is asked for
        page.get_by_role("button", name="Create key").click()
    shown = page.get_by_role("dialog", name="The new key root")
    secret = shown.get_by_label("Key").input_value()
    page.unroute("**/v1/session")
    page.evaluate(ASK)
    expect(page.get_by_role("heading", name="This server requires a key")).to_be_attached()
    expect(shown.get_by_label("Key")).to_have_value(secret)
    shown.get_by_role("button", name="I have kept it").click()
    expect(page.locator("dialog")).to_have_count(0)  # a closed one has no role, and stands there for a moment
    enter(page, secret)
    expect(page.get_by_role("button", name="Sign out root")).to_be_visible()


def test_signing_in_in_another_tab(open_page: Open, site: Site, secrets: dict[str, str]) -> None:
    page = open_page(site.at())
    expect(page.get_by_role("heading", name="This server requires a key")).to_be_visible()
    page.evaluate(
        "key => fetch('/v1/session', {method: 'POST', headers: {'content-type': 'application/json'}, "
        "body: JSON.stringify({key})})",
        secrets["bert"],
    )
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("button", name="Sign out bert")).to_be_visible()


def test_behind_a_prefix(open_page: Open, site: Site, secrets: dict[str, str]) -> None:
    """A proxy that shows the server under /case, and takes that away before it asks us."""
    runtime = SiteRuntime(site.neo4j, FILIGRAPH_ROOT_PATH="/case/")
    assert runtime.settings.root_path == "/case"
    service = Service(runtime)
    with serving(service) as url:
        inside = replace(site, url=url, runtime=runtime, service=service)
        page = open_page("about:blank")
        asked: list[str] = []

        def proxy(route: Route) -> None:
            asked.append(route.request.url)
            path = route.request.url.removeprefix(site.url)
            if not path.startswith("/case/"):
                route.fulfill(status=404, body="outside the prefix")
                return
            headers = {**route.request.headers, "host": url.removeprefix("http://")}
            headers.pop("origin", None)
            inner = url + path.removeprefix("/case")
            # a kept connection may be closed by the server at the moment that it is used again
            route.fulfill(response=route.fetch(url=inner, headers=headers, max_retries=3, timeout=PATIENCE))

        page.route(f"{site.url}/**", proxy)
        page.goto(f"{site.url}/case/library?workspace={inside.workspace}")
        enter(page, secrets["bert"])
        expect(page.locator(".documents tbody tr").first).to_be_visible()
        page.get_by_role("link", name="Graph", exact=True).click()
        drawn = page.locator(".drawing canvas").first  # what is being loaded when a page goes is a complaint of its own
        expect(page.get_by_role("link", name="The Claw").first).to_be_visible()
        expect(drawn).to_be_attached()
        assert page.url.startswith(f"{site.url}/case/graph?")
        page.reload()
        expect(page.get_by_role("link", name="The Claw").first).to_be_visible()
        expect(drawn).to_be_attached()
        assert [address for address in asked if not address.startswith(f"{site.url}/case/")] == []
