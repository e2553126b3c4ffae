"""Text of documents, names and models remains text: it runs no code, adds no links and does not reverse the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from filigraph.graph.models.adapters.scripted import ScriptedLLM
from tests.e2e.conftest import PATIENCE, Open, ask, asked, unfold_leads
from tests.e2e.site import IMAGE, LINK, SCRIPT, TURNED, Site

QUESTION = "What does Baron Zorn hide?"
SHOWN = TURNED.replace("\u202e", "\ufffd")


def unbroken(page: Page) -> None:
    """Nothing of it ran, nothing of it became an element, nothing of it turns the text."""
    assert page.evaluate("typeof window.broken") == "undefined"
    assert page.locator("#main :is(script, img, iframe, object, style), dialog :is(script, img, iframe)").count() == 0
    assert page.evaluate("/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.documentElement.outerHTML)") is False
    for link in page.locator("a[href]").all():
        assert (link.get_attribute("href") or "").startswith(("/", "#", "http://127.0.0.1:"))


@pytest.mark.essential
def test_what_documents_and_names_say_stays_text(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, QUESTION)
    lanes = page.locator(".lanes")
    expect(lanes).to_contain_text("Zorn")
    text = lanes.inner_text()
    assert SCRIPT in text and IMAGE in text and LINK in text
    unbroken(page)
    page.locator(".sentence").filter(has_text="hides").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_contain_text(SCRIPT)
    unbroken(page)


def test_a_name_that_turns_its_letters_around_is_shown_as_it_is(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, "What does Baron Zorn sign as?")
    expect(page.locator(".lanes")).to_contain_text(SHOWN)
    unbroken(page)


def test_what_a_model_says_stays_text(open_page: Open, site: Site) -> None:
    said = f"He hides {SCRIPT} and {IMAGE} [1], see [here]({LINK}) and <a href='{LINK}'>there</a>, {TURNED}."
    site.runtime.model = ScriptedLLM({"": said}, model=f"m{SCRIPT}")
    page = asked(open_page, site, QUESTION)
    prose = page.locator(".prose").inner_text()
    assert SCRIPT in prose and IMAGE in prose and f"({LINK})" in prose and SHOWN in prose
    unbroken(page)


def test_what_is_taken_away_is_as_safe(open_page: Open, site: Site, tmp_path: Path) -> None:
    page = asked(open_page, site, QUESTION)
    files = []
    for name in ("Download report", "Save path 1 as SVG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        files.append(tmp_path / download.value.suggested_filename)
        download.value.save_as(files[-1])
    for file in files:
        saved = page.context.new_page()
        requests: list[str] = []
        saved.on("request", lambda request, requests=requests: requests.append(request.url))
        saved.goto(file.as_uri())
        assert SCRIPT in file.read_text(encoding="utf-8").replace("&lt;", "<").replace("&gt;", ">")
        assert requests == [file.as_uri()]
        assert saved.evaluate("typeof window.broken") == "undefined"
        assert saved.locator("script, img").count() == 0
        assert "\u202e" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "attempt",
    [
        "document.body.innerHTML = '<b>x</b>'",
        "new Function('return 1')()",
        "document.body.append(Object.assign(document.createElement('script'), {src: 'data:text/javascript,1'}))",
    ],
)
def test_the_browser_itself_refuses_markup_and_script_made_of_text(browser, site: Site, attempt: str) -> None:  # type: ignore[no-untyped-def]
    page = browser.new_page()
    page.goto(site.at(), timeout=PATIENCE)
    # in a task of its own: what a test evaluates is beyond the page's policy
    later = f"try {{ {attempt}; done('') }} catch (error) {{ done(error.message) }}"
    refused = page.evaluate(f"() => new Promise((done) => setTimeout(() => {{ {later} }}))")
    page.close()
    assert refused


def test_a_name_that_is_markup_in_the_address(open_page: Open, site: Site) -> None:
    page = open_page(f"{site.url}/?workspace={SCRIPT}")
    expect(page.get_by_role("combobox")).to_be_visible()
    unbroken(page)
    page = open_page(site.at() + "#document=%3Cscript%3E&chunk=%22%3E%3Cimg%20src=x%3E&start=-5&end=nonsense")
    expect(page.get_by_role("alert")).to_be_visible()
    unbroken(page)


def test_another_page_cannot_frame_it(browser, site: Site) -> None:  # type: ignore[no-untyped-def]
    page = browser.new_page()
    with page.expect_console_message(lambda said: "frame-ancestors" in said.text, timeout=PATIENCE):
        page.set_content(f"<iframe src='{site.at()}'></iframe>", timeout=PATIENCE)
    page.close()


def test_asking_again_forgets_the_first_question(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, QUESTION)
    ask(page, "Who keeps a crimson parrot?")
    expect(page.locator(".lanes")).to_contain_text("crimson parrot")
    unfold_leads(page)
    assert page.locator(".lanes").inner_text().count("Path 1") == 1
