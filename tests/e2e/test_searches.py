"""Searches of the library: saved by the keyboard, and what is new when they run again."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.site import Site
from tests.slow import quick

WORDS = {
    "en-GB": ("Find these words in all documents", "A name for this search", "Saved searches (1)", "1 new of 2", "New"),
    "fr-FR": (
        "Chercher ces mots dans tous les documents",
        "Un nom pour cette recherche",
        "Recherches enregistrées (1)",
        "nouveaux : 1 sur 2",
        "Nouveau",
    ),
}


def ingest(site: Site, workspace: str, **texts: str) -> None:
    files: Any = [("files", (f"{name}.txt", text.encode())) for name, text in texts.items()]
    sent = httpx.post(
        f"{site.url}/v1/workspaces/{workspace}/ingest", files=files, data={"extractor": "local"}, timeout=240
    )
    assert '"report"' in sent.text, sent.text


@pytest.mark.parametrize("screen", quick([("fr-FR", 360), ("en-GB", 1280)], 2), ids=str)
def test_a_search_is_saved_and_run_again(open_page: Open, site: Site, workspace: str, screen: tuple[str, int]) -> None:
    locale, width = screen
    phrase, name, fold, count, new = WORDS[locale]
    ingest(site, workspace, letter="Jules wears a signet ring.")
    address = f"{site.url}/library?workspace={workspace}"
    page = open_page(address, locale=locale, viewport={"width": width, "height": 740})
    page.get_by_role("searchbox", name=phrase).fill("signet ring")
    page.get_by_role("searchbox", name=phrase).press("Enter")
    expect(page.locator(".places .sentence")).to_have_count(1)
    page.get_by_role("textbox", name=name).fill("The ring")
    page.get_by_role("textbox", name=name).press("Enter")
    saved = page.locator(".saved details")
    expect(saved.locator("summary")).to_have_text(fold)

    ingest(site, workspace, diary="Today Sophie sold the signet ring.")
    page.reload()
    expect(saved).to_be_visible()
    saved.locator("summary").press("Enter")
    expect(saved.get_by_role("listitem")).to_contain_text(count)
    saved.get_by_role("button", name="The ring").press("Enter")
    expect(page.locator(".places .sentence")).to_have_count(2)
    expect(page.locator(".places li").first).to_contain_text(new)
    expect(page.locator(".places li").first).to_contain_text("Sophie sold")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    saved.get_by_role("button", name="The ring").press("Enter")
    expect(page.locator(".places .sentence")).to_have_count(2)
    expect(page.locator(".places strong")).to_have_count(0)
    delete = saved.get_by_role("button").last
    delete.press("Enter")
    delete.press("Enter")
    expect(saved).to_be_hidden()
