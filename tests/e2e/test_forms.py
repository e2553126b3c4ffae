"""Forms: filled while the reader watches, empty fields first, each with its sentence and facts, corrected by hand."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.site import Site
from tests.e2e.test_accessibility import serious

FORM = """
title: {en: The ring, fr: La bague}
fields:
  - id: wearer
    group: {en: People, fr: Gens}
    question: {en: Who wears the signet ring, fr: Qui porte la bague}
    type: entity
    required: true
  - id: society
    group: {en: People, fr: Gens}
    question: {en: What is The Claw, fr: Qui est La Griffe}
    type: text
"""


@pytest.fixture(autouse=True)
def jobs_are_run(site: Site) -> Iterator[None]:
    httpx.put(
        f"{site.url}/v1/workspaces/{site.workspace}/forms/ring", json={"form": FORM}, timeout=240
    ).raise_for_status()
    site.service.jobs.coordinator.start()
    yield
    site.service.jobs.coordinator.stop()
    httpx.delete(f"{site.url}/v1/workspaces/{site.workspace}/forms/ring", timeout=240)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), pytest.param(1280, "light", marks=pytest.mark.slow)])
def test_a_form_is_filled_and_corrected(open_page: Open, site: Site, width: int, scheme: str) -> None:
    page = open_page(site.at("/forms", form="ring"), viewport={"width": width, "height": 800}, color_scheme=scheme)
    expect(page.locator(".field")).to_have_count(2)
    page.get_by_role("button", name="Fill the form").click()
    expect(page.locator(".field.proposed .value")).to_contain_text("Jules")
    first, second = page.locator(".field").all()
    expect(first).to_contain_text("no value; nearest passages")  # empty ones first
    expect(second.locator(".sentence").first).to_contain_text("Jules wears a heavy signet ring")
    expect(second.locator(".fact-path li").first).to_contain_text("wears")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.get_by_role("button", name="Correct: Who wears the signet ring").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your value")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("<b>Jules</b> Delmas")
    assert serious(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".field.corrected .value")).to_contain_text("<b>Jules</b> Delmas")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".field.proposed .value")).to_contain_text("Jules")
    page.locator(".field.proposed .sentence").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_contain_text("Jules wears a heavy signet ring")


def test_in_french_and_about_somebody(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/forms", form="ring"), locale="fr-FR")
    expect(page.get_by_role("heading", name="Qui porte la bague")).to_be_visible()
    page.locator("#form").select_option("character-sheet")
    expect(page.get_by_text("Cette fiche porte sur une personne")).to_be_visible()
    page.get_by_label("Sujet").fill("Jules Delmas")
    page.get_by_role("button", name="Afficher").click()
    expect(page.get_by_role("heading", name="Où Jules Delmas habite-t-il ?")).to_be_visible()
    assert serious(page) == []
