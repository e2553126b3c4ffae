"""Ask: from the question to the path, its sentences, the documents behind them, and exports."""

from __future__ import annotations

import dataclasses
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from filigraph.graph.errors import Cancelled, LLMUnavailable
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.process.cancel import ShouldStop
from tests.e2e.conftest import Open, ask, asked, settled, timers_held, unfold_leads
from tests.e2e.site import HOPS, PARROT, QUESTION, SENTENCES, Halting, Site, uploads
from tests.patience import PATIENCE
from tests.runs.llm_letters import LETTERS, WITNESSES

ANSWER = "He wears the ring of The Claw [1]. The Claw is a society of thieves [2]."


def path(page: Page):  # type: ignore[no-untyped-def]
    return page.locator(".path").first


@pytest.mark.essential
def test_the_path_is_there_without_a_click(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    hops = path(page).locator(".track")
    assert [hop.get_attribute("aria-label") for hop in hops.all()] == [" ".join(hop) for hop in HOPS]
    assert path(page).locator(".node").all_inner_texts() == [HOPS[0][0], *(hop[2] for hop in HOPS)]
    assert path(page).locator(".predicate").all_inner_texts() == [hop[1] for hop in HOPS]
    assert [text.strip("“”") for text in path(page).locator("q").all_inner_texts()] == SENTENCES
    box = path(page).bounding_box()
    assert box and box["y"] > 0 and box["y"] + box["height"] < 800
    assert page.evaluate("scrollY") == 0
    names = [node.bounding_box() for node in path(page).locator(".node").all()]
    assert [box["x"] for box in names] == sorted(box["x"] for box in names)  # from left to right


def test_a_line_is_the_thicker_the_nearer_its_hop_is_to_the_question(open_page: Open, site: Site) -> None:
    found = httpx.post(
        f"{site.url}/v1/workspaces/{site.workspace}/retrieve", json={"question": QUESTION}, timeout=240
    ).json()
    scores = [hop["score"] for hop in found["paths"][0]["hops"]]
    page = asked(open_page, site)
    width = "line => parseFloat(getComputedStyle(line).borderBlockStartWidth)"
    widths = [line.evaluate(width) for line in path(page).locator(".line").all()]
    assert len(set(scores)) > 1
    assert sorted(range(3), key=lambda n: scores[n]) == sorted(range(3), key=lambda n: widths[n])


def test_who_says_so_and_what_is_only_implied(
    open_page: Open, site: Site, workspace: str, read_by: Callable[[LLM], None]
) -> None:
    read_by(ScriptedLLM(WITNESSES))
    files = [("files", (letter.name, letter.content)) for letter in LETTERS]
    sources = json.dumps([{"name": letter.name, "metadata": dict(letter.metadata)} for letter in LETTERS])
    to = f"{site.url}/v1/workspaces/{workspace}/ingest"
    assert '"report"' in httpx.post(to, files=files, data={"sources": sources}, timeout=240).text
    page = open_page(f"{site.url}/?workspace={workspace}")
    ask(page, "Where was Jules Delmas that night?")
    lyon = page.locator(".hop").filter(has_text="Lyon").first
    expect(lyon.locator(".note")).to_have_text("according to Ann")
    expect(lyon.locator("footer")).to_contain_text("1912-03-04")
    ask(page, "Is Jules Delmas a member of the Claw?")
    member = page.locator(".hop").filter(has_text="is member of").first
    expect(member.locator(".note")).to_have_text("implied")
    assert member.locator(".line").evaluate("line => getComputedStyle(line).borderBlockStartStyle") == "dashed"
    expect(member.locator(".premises")).to_contain_text("Only its members wear that ring.")
    expect(page.locator(".legend")).to_contain_text("implied by the sentence")


def test_an_answer_comes_as_it_is_worded_and_moves_nothing(open_page: Open, site: Site) -> None:
    model = site.runtime.model = Halting(" ".join([ANSWER] * 30))
    page = open_page(site.at())
    page.evaluate(
        """() => {
          window.shifts = 0;
          const add = (entries) => entries.forEach((entry) => (window.shifts += entry.value));
          const observer = new PerformanceObserver((list) => add(list.getEntries()));
          observer.observe({ type: "layout-shift" });
          const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          window.shiftsSoFar = async () => (await drawn(), add(observer.takeRecords()), window.shifts);
        }"""
    )
    ask(page)
    expect(path(page)).to_be_visible()
    assert model.halfway.wait(PATIENCE)
    expect(page.locator(".growing")).to_contain_text("He wears the ring")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    before = [page.locator(selector).first.bounding_box() for selector in (".path", ".hop .sentence", ".words")]
    begun = page.evaluate("shiftsSoFar()")
    model.go_on.set()
    expect(page.locator(".steps")).to_be_visible()
    after = [page.locator(selector).first.bounding_box() for selector in (".path", ".hop .sentence", ".words")]
    assert [(box["x"], box["y"], box["width"]) for box in before] == [(b["x"], b["y"], b["width"]) for b in after]
    assert page.evaluate("shiftsSoFar()") - begun < 0.001


class Dying(ScriptedLLM):
    """Says so much, then is gone."""

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        yield from super().stream(request, cancel=cancel)
        raise LLMUnavailable("Ollama is gone.", cure="Start it.")


def test_the_words_of_a_model_that_dies_stay_and_one_message_says_why(open_page: Open, site: Site) -> None:
    site.runtime.model = Dying({"": "He wears the ring [1]. The"})
    page = asked(open_page, site)
    expect(page.locator(".prose")).to_contain_text(re.compile(r"^He wears the ring .*1\. The$"))
    expect(page.locator(".words .remark")).to_have_text("The answer was cut off: Ollama is gone. Start it.")
    expect(page.locator(".answer")).not_to_contain_text("No language model")
    page.reload()
    expect(page.locator(".words .remark")).to_contain_text("The answer was cut off")


def test_a_model_that_gives_no_answer_is_not_said_to_be_none(open_page: Open, site: Site) -> None:
    site.runtime.model = ScriptedLLM({"": LLMUnavailable("Ollama is gone.", cure="Start it.")})
    page = asked(open_page, site)
    expect(page.locator(".words")).to_contain_text("The language model gave no answer")
    expect(page.locator(".words .remark")).to_have_text("Ollama is gone. Start it.")
    expect(page.locator(".answer")).not_to_contain_text("No language model")


@pytest.mark.essential
def test_an_answer_can_be_stopped(open_page: Open, site: Site) -> None:
    model = site.runtime.model = Halting(ANSWER)
    page = open_page(site.at())
    ask(page)
    assert model.halfway.wait(PATIENCE)
    expect(page.locator(".growing")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped.")).to_be_visible()
    expect(path(page)).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    model.go_on.set()


class Endless(ScriptedLLM):
    """Begins to answer, and goes on only when nobody wants it any more."""

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        yield "He wears the ring [1]. The "
        while not (cancel and cancel()):
            time.sleep(0.01)
        raise Cancelled


def test_who_stops_it_keeps_what_was_read_so_far(open_page: Open, site: Site) -> None:
    site.runtime.model = Endless({})
    page = open_page(site.at())
    ask(page)
    expect(page.locator(".growing")).to_contain_text("He wears the ring")
    with timers_held(page):  # else the page itself gives up after a few seconds
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".words .remark").last).to_contain_text("Stopped: this is what was read so far")
    expect(page.locator(".words")).to_contain_text("He wears the ring")
    expect(path(page)).to_be_visible()
    expect(page.get_by_role("search", name="Follow up")).to_be_visible()


def test_citations_lead_to_their_sources(open_page: Open, site: Site) -> None:
    site.runtime.model = ScriptedLLM(
        {"": ANSWER + "\n\nIt was Baron Gaspard who paid $9 million on 3 May 1911 [99].\nMISSING: who gave it to him"}
    )
    page = asked(open_page, site)
    expect(page.locator(".prose").first).to_contain_text("He wears the ring of The Claw")
    unsupported = ["Baron Gaspard", "$9 million", "3 May 1911", "[99]"]
    expect(page.locator(".answer")).to_contain_text(f"Not in the evidence: {', '.join(unsupported)}")
    marked = page.locator(".prose mark.unsupported")
    assert [re.split(r"\s*\(", text)[0] for text in marked.all_inner_texts()] == unsupported
    expect(page.locator(".answer")).to_contain_text("Not answered by the evidence: who gave it to him")
    cited = page.locator(".prose .mark-n").nth(1)
    second = page.locator(".sources li .where bdi").nth(1).inner_text()
    cited.hover()
    expect(page.get_by_role("tooltip")).to_contain_text(second)
    cited.click()
    expect(page.get_by_role("dialog").get_by_role("heading", level=2)).to_have_text(second)
    expect(page.get_by_role("dialog").locator("mark").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.mouse.move(0, 0)
    page.keyboard.press("Escape")  # the focus is back on the citation, which shows its preview
    expect(page.get_by_role("tooltip")).to_have_count(0)
    numbers = [int(number) for number in path(page).locator(".cited").all_inner_texts()]
    titles = page.locator(".sources li .where bdi").all_text_contents()
    assert [titles[number - 1] for number in numbers] == path(page).locator("cite").all_inner_texts()
    path(page).locator(".hop").first.hover()
    expect(page.locator(".sources li.lit")).to_have_text(re.compile(titles[numbers[0] - 1]))


def test_a_sentence_opens_its_document_there(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    here = page.url
    sentence = path(page).locator(".sentence").nth(1)
    sentence.click()
    reader = page.get_by_role("dialog")
    expect(reader.locator("mark")).to_have_text(SENTENCES[1])
    expect(reader.get_by_role("heading", level=2)).to_have_text("inventory")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.get_by_role("button", name="Copy with source").click()
    expect(reader.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"“{SENTENCES[1]}” (inventory, paragraph 1)"
    page.keyboard.press("Escape")
    expect(reader).to_have_count(0)
    expect(sentence).to_be_focused()
    expect(page).to_have_url(here)  # the way back takes a moment longer than the closing
    page.keyboard.press("Enter")
    expect(reader.locator("mark")).to_have_text(SENTENCES[1])
    page.go_back()
    expect(reader).to_have_count(0)
    expect(path(page)).to_be_visible()


def test_a_long_document_opens_in_its_chapter_and_reads_on(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, "Who keeps a crimson parrot?")
    path(page).locator(".sentence").first.click()
    reader = page.get_by_role("dialog")
    mark = reader.locator("mark")
    expect(mark).to_have_text(PARROT)
    expect(mark).to_be_in_viewport()
    expect(reader.locator("header")).to_contain_text("chapter II")
    text = reader.get_by_role("document")
    while reader.get_by_role("button", name="Later").count():
        shown = len(text.inner_text())
        reader.get_by_role("button", name="Later").click()
        page.wait_for_function("shown => document.querySelector('.text').innerText.length > shown", arg=shown)
    while reader.get_by_role("button", name="Earlier").count():
        shown = len(text.inner_text())
        reader.get_by_role("button", name="Earlier").click()
        page.wait_for_function("shown => document.querySelector('.text').innerText.length > shown", arg=shown)
    expect(mark).to_have_text(PARROT)
    whole = httpx.get(f"{site.url}/v1/workspaces/{site.workspace}/documents", timeout=240).json()["documents"]
    assert next(row["chunks"] for row in whole if row["source"] == "novel.txt") > 3
    paragraphs = text.locator("p").all_inner_texts()
    assert sum(paragraph.count("The rain fell") for paragraph in paragraphs) == 120  # nothing twice, nothing lost
    assert sum(paragraph.count(PARROT) for paragraph in paragraphs) == 1


def test_a_document_is_searched_and_tells_who_is_named_in_it(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, "Who keeps a crimson parrot?")
    path(page).locator(".sentence").first.click()
    reader = page.get_by_role("dialog")
    expect(reader.locator(".people a").filter(has_text="Captain Okoye")).to_be_visible()
    reader.get_by_role("searchbox", name="Search in this text").fill("CRIMSON parrot")
    page.keyboard.press("Enter")
    expect(reader.locator(".hits")).to_contain_text("1 place")
    reader.locator(".hits a").click()
    expect(reader.locator("mark")).to_have_text("crimson parrot")
    reader.get_by_role("searchbox", name="Search in this text").fill("<b>nowhere")
    page.keyboard.press("Enter")
    expect(reader.locator(".hits")).to_contain_text("“<b>nowhere” is not in this text.")
    assert [one["id"] for one in Axe().run(page).response["violations"]] == []


def test_the_outline_of_a_document_leads_into_its_text(open_page: Open, site: Site, workspace: str) -> None:
    site = dataclasses.replace(site, workspace=workspace)  # that of the others stays without summaries
    httpx.post(f"{site.url}/v1/workspaces/{workspace}/ingest", files=uploads(), timeout=240).raise_for_status()
    page = asked(open_page, site, "Who keeps a crimson parrot?")
    path(page).locator(".sentence").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_have_text(PARROT)
    outline = page.get_by_role("dialog").locator(".outline")
    outline.locator("summary").first.click()
    expect(outline).to_contain_text("There is no outline yet.")
    expect(outline).to_contain_text("summaries in this workspace, of sentences of the texts")
    site.service.jobs.coordinator.start()
    outline.get_by_role("button", name="Write the outline").click()
    expect(outline.locator(".levels > details")).not_to_have_count(0)
    site.service.jobs.coordinator.stop()
    whole = outline.locator(".levels > details")
    expect(whole).to_have_count(1)
    expect(whole.locator(":scope > p").first).not_to_be_empty()
    expect(whole.locator(":scope > details")).not_to_have_count(0)
    second = whole.locator(":scope > details", has=page.get_by_text("II", exact=True)).first
    second.locator("summary").first.click()
    second.get_by_role("link", name="Read it").first.click()
    mark = page.get_by_role("dialog").locator("mark").first
    expect(mark).to_be_in_viewport()
    expect(page.get_by_role("dialog").locator("header")).to_contain_text("chapter II")
    assert not [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]


def test_a_link_opens_the_answer_again(open_page: Open, site: Site) -> None:
    site.runtime.model = ScriptedLLM({"": ANSWER})
    page = asked(open_page, site)
    page.wait_for_url("**/explain/*")
    shown = [page.locator(part).inner_text() for part in (".words", ".lanes", ".sources", ".steps")]
    assert page.get_by_role("link", name="Link to this answer").get_attribute("href") in page.url
    site.runtime.model = None
    again = open_page(page.url)
    expect(again.locator(".steps")).to_be_visible()
    unfold_leads(again)
    assert [again.locator(part).inner_text() for part in (".words", ".lanes", ".sources", ".steps")] == shown
    assert again.get_by_role("textbox", name="Question").input_value() == QUESTION
    again.get_by_role("link", name="Ask", exact=True).click()
    expect(again.get_by_role("link", name=QUESTION)).to_be_visible()
    again.go_back()
    expect(again.locator(".steps")).to_be_visible()


def test_an_answer_that_opens_late_replaces_no_newer_one(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, "Who keeps a crimson parrot?")
    held: list[Route] = []
    page.route("**/traces/*/answer", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/traces/*/answer"):
        page.reload()
    ask(page)
    expect(page.locator(".steps")).to_be_visible()
    held[0].continue_()
    settled(page)
    expect(path(page).locator(".node").first).to_have_text(HOPS[0][0])


def test_a_question_without_an_answer_has_no_path(open_page: Open, site: Site) -> None:
    site.runtime.model = ScriptedLLM({"": "The letters do not say [1].\nUNANSWERED: who his mother is"})
    page = asked(open_page, site)
    page.wait_for_url("**/explain/*")
    for shown in (page, open_page(page.url)):
        expect(shown.locator(".words")).to_contain_text("The letters do not say")
        expect(shown.locator(".paths")).to_contain_text("No path answers this question.")
        expect(shown.locator(".path")).to_have_count(0)
        expect(shown.locator(".remark")).to_contain_text("who his mother is")


def test_without_a_model_the_file_speaks_with_the_words_asked_for_marked(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    expect(page.get_by_role("heading", name="What the file says")).to_be_visible()
    first = page.locator(".excerpt").first
    expect(first.locator("mark").first).to_have_text(re.compile("Jules|Delmas|wary"))
    assert len(first.locator("p").first.inner_text()) < 300


def test_the_first_sources_are_shown_and_the_others_on_demand(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    fold = page.locator(".sources details")
    expect(page.locator(".sources > ol > li")).to_have_count(4)
    expect(fold.locator("li").first).to_be_hidden()
    fold.locator("summary").click()
    expect(fold.locator("li .n").first).to_have_text("5")


def test_a_question_about_the_whole_shows_few_summaries_and_no_path(
    open_page: Open, site: Site, workspace: str
) -> None:
    at = f"{site.url}/v1/workspaces/{workspace}"
    httpx.post(f"{at}/ingest", files=uploads(), timeout=240).raise_for_status()
    httpx.post(f"{at}/summarize", json={}, timeout=240).raise_for_status()
    page = open_page(f"{site.url}/?workspace={workspace}")
    ask(page, "Summarize all of it.")
    page.wait_for_url("**/explain/*")
    expect(page.locator(".words > .excerpt")).to_have_count(3)
    expect(page.locator(".words > .excerpt").first).to_contain_text("Summary of")
    page.locator(".words .rest summary").click()
    expect(page.locator(".words .rest .excerpt").first).to_be_visible()
    expect(page.locator(".paths")).to_be_hidden()


TABLE = "| Box | Holder |\n|---|---|\n| 41 | **Thomas** |"
LEDGER = "| day | payer |\n| 1923-04-20 | Lang |"
MAIL = "From: Ada <ada@x.example>\nTo: Bo <bo@x.example>\n\n- *One* thing.\n- See [the deed](https://x.example)."


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (TABLE, ["Box: 41 · Holder: Thomas"]),
        (LEDGER, ["day: 1923-04-20 · payer: Lang"]),
        (MAIL, ["From: Ada · To: Bo", "One thing.", "See the deed."]),
        ("Call __init__ or a*b*c. He is _the_ man.", ["Call __init__ or a*b*c.", "He is the man."]),
    ],
)
def test_sentences_of_a_file_are_shown_without_its_signs(
    open_page: Open, site: Site, text: str, sentences: list[str]
) -> None:
    script = "text => import('/assets/page/ask/excerpt.js').then(({ sentencesOf }) => sentencesOf(text))"
    assert open_page(site.at()).evaluate(script, text) == sentences


def test_a_row_of_a_table_is_quoted_without_its_bars(open_page: Open, site: Site) -> None:
    script = "text => import('/assets/page/base/structure.js').then(({ unmarked }) => unmarked(text))"
    assert open_page(site.at()).evaluate(script, "| 41 | Thomas Harding | |") == "41 · Thomas Harding"


def test_what_stands_around_a_hops_sentence_opens_in_place(open_page: Open, site: Site) -> None:
    page = asked(open_page, site, "Who keeps a crimson parrot?")
    page.locator(".context summary").first.click()
    expect(page.locator(".context mark").first).to_have_text(PARROT)
    expect(page.locator(".context p").first).to_contain_text(
        re.compile(r"The rain fell.*" + re.escape(PARROT) + ".*The rain fell")
    )
    assert page.get_by_role("dialog").count() == 0


def test_an_answer_is_rendered(open_page: Open, site: Site) -> None:
    said = "## In short\n\n- **Jules** wears it [1]\n- and *why*\n\n| who | what |\n|---|---|\n| Jules | ring [1] |"
    site.runtime.model = ScriptedLLM({"": said})
    page = asked(open_page, site)
    words = page.locator(".words")
    expect(words.locator("strong").first).to_have_text("In short")
    expect(words.locator("ul li")).to_have_count(2)
    expect(words.locator("em")).to_have_text("why")
    expect(words.locator("td .mark-n")).to_have_count(1)
    assert "**" not in words.inner_text() and "|" not in words.inner_text()


def test_a_question_that_follows_at_once_is_of_the_thread(open_page: Open, site: Site) -> None:
    page = open_page(site.at())
    held: list[Route] = []
    page.route("**/threads/*", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/threads/*"):
        ask(page, "Who is Jules Delmas?")
    page.get_by_role("textbox", name="Follow up").fill("And what does he wear?")
    page.keyboard.press("Enter")
    held[0].continue_()
    expect(page.locator(".thread")).to_contain_text("2 questions")


def test_questions_that_follow_each_other_are_a_thread(open_page: Open, site: Site, tmp_path: Path) -> None:
    page = asked(open_page, site, "Who is Jules Delmas?")
    page.get_by_role("textbox", name="Follow up").fill("And what does he wear?")
    page.keyboard.press("Enter")
    expect(page.locator(".thread")).to_contain_text("2 questions")
    page.reload()
    expect(page.locator(".thread")).to_contain_text("2 questions · kept until")
    earlier = page.locator(".turn")
    expect(earlier).to_have_count(1)
    earlier.locator("summary").first.click()
    expect(earlier.locator(".sources li").first).to_be_visible()
    page.get_by_role("button", name="Rename").first.click()
    page.get_by_role("textbox", name="Title of the thread").fill("<b>The ring</b>")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="<b>The ring</b>")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as Markdown").click()
    file = tmp_path / "thread.md"
    download.value.save_as(file)
    text = file.read_text(encoding="utf-8")
    assert text.index("## Who is Jules Delmas?") < text.index("## And what does he wear?") and "### Sources" in text
    assert [one["id"] for one in Axe().run(page).response["violations"]] == []
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.get_by_role("link", name="<b>The ring</b>")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="<b>The ring</b>").click()
    page.wait_for_url("**/thread/*")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete?").click()
    expect(page.get_by_role("heading", name="Recent questions")).to_be_visible()
    expect(page.get_by_role("link", name="<b>The ring</b>")).to_have_count(0)


@pytest.mark.parametrize("worded", [True, False])
def test_on_a_phone_what_answers_comes_before_the_paths(open_page: Open, site: Site, worded: bool) -> None:
    site.runtime.model = ScriptedLLM({"": ANSWER}) if worded else None
    page = asked(open_page, site, viewport={"width": 390, "height": 800})
    page.wait_for_url("**/explain/*")
    top = {part: page.locator(part).bounding_box() for part in (".words", ".paths")}
    assert top[".words"] and top[".paths"] and top[".words"]["y"] < top[".paths"]["y"]


def test_a_stream_that_breaks_keeps_what_came(open_page: Open, site: Site) -> None:
    page = open_page(site.at())
    found = httpx.post(
        f"{site.url}/v1/workspaces/{site.workspace}/retrieve", json={"question": QUESTION}, timeout=240
    ).json()
    lines = [
        {"event": "retrieved", "language": "en", "evidence": found["evidence"], "paths": found["paths"]},
        {"event": "token", "text": "He wears **the ring"},
    ]
    body = "\n".join(map(json.dumps, lines)) + '\n{"event": "token", "te'
    page.route("**/ask", lambda route: route.fulfill(body=body, content_type="application/x-ndjson"))
    ask(page)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator(".growing")).to_contain_text("He wears **the ring")
    expect(path(page)).to_be_visible()
    page.unroute("**/ask")
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".steps")).to_be_visible()


def test_an_answer_that_is_gone_says_what_to_do(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/explain/0123456789abcdef"))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Not found")
    expect(alert).to_contain_text("Ask again")


def test_without_the_graph(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    body = {"question": QUESTION, "method": "dense"}
    alone = httpx.post(f"{site.url}/v1/workspaces/{site.workspace}/retrieve", json=body, timeout=240).json()["evidence"]
    order = [piece["title"] for piece in alone]
    page.get_by_role("button", name="Without").click()
    expect(page.locator(".ranked li")).to_have_count(len(order))
    assert page.locator(".ranked .where bdi").all_inner_texts() == order
    expect(page.locator(".sources")).to_be_hidden()
    for hop in path(page).locator(".hop").all():
        title = hop.locator("cite").inner_text()
        assert hop.locator(".rank").inner_text() == f"vector search alone: no. {order.index(title) + 1}"
    page.get_by_role("button", name="With the graph").click()
    expect(page.locator(".sources")).to_be_visible()


def test_the_trace_is_a_time_line(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    stages = page.locator(".steps .stage").all_inner_texts()
    assert [stage.rstrip(" +") for stage in stages] == [
        "Embed the question", "Search", "Walk the graph", "Rank", "Rerank", "Compose",
    ]  # fmt: skip
    bars = [bar.bounding_box() for bar in page.locator(".steps .bar").all()]
    assert [bar["x"] for bar in bars] == sorted(bar["x"] for bar in bars)
    assert page.locator(".steps").bounding_box()["height"] < 40 * len(stages)  # a line or two a step
    search = page.locator(".steps li").nth(1)
    expect(search).to_contain_text("vectors 10 · words 10 · facts 9 · names 1")
    search.locator("summary").click()
    expect(search.locator("dd").first).to_contain_text("letter")
    rerank = page.locator(".steps li").nth(4)
    rerank.locator("summary").click()
    expect(rerank.locator("dd").last).to_contain_text("walk")


def test_a_path_can_be_taken_away(open_page: Open, site: Site, tmp_path: Path) -> None:
    page = asked(open_page, site)
    saved = {}
    for kind in ("SVG", "PNG", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save path 1 as {kind}").click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        saved[kind] = file.read_bytes()
    drawn = ElementTree.fromstring(saved["SVG"])
    text = " ".join(" ".join(drawn.itertext()).split())
    assert all(sentence.split()[-1] in text for sentence in SENTENCES) and "is the emblem of" in text
    assert saved["PNG"].startswith(b"\x89PNG") and len(saved["PNG"]) > 5_000
    hops = json.loads(saved["JSON"])["hops"]
    assert [(hop["subject"], hop["predicate"], hop["object"]) for hop in hops] == HOPS


def test_a_report_stands_by_itself(open_page: Open, site: Site, tmp_path: Path) -> None:
    site.runtime.model = ScriptedLLM({"": ANSWER})
    page = asked(open_page, site)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download report").click()
    file = tmp_path / "report.html"
    download.value.save_as(file)
    report = page.context.new_page()
    asked_for: list[str] = []
    report.on("request", lambda request: asked_for.append(request.url))
    report.goto(file.as_uri())
    assert asked_for == [file.as_uri()]
    said = report.locator("body").inner_text()
    documents = httpx.get(f"{site.url}/v1/workspaces/{site.workspace}/documents", timeout=240).json()["documents"]
    versions = {row["source"]: row["sha256"] for row in documents}
    assert QUESTION in said and "The Claw is a society of thieves [2]." in said
    for sentence, source in zip(SENTENCES, ("letter.txt", "inventory.txt", "cutting.txt"), strict=True):
        assert sentence in said and versions[source] in said
    assert "scripted" in said and "words" in said
    assert report.locator("svg").count() >= 1 and report.locator("script").count() == 0


def test_who_denies_what_a_path_says(open_page: Open, site: Site, workspace: str) -> None:
    denial = "I declare that Jules Delmas never wears the heavy signet ring of the Moreau house."
    said = {
        "source": "denial.txt",
        "triples": [["Jules Delmas", "never wears", "heavy signet ring of the Moreau house"]],
    }
    *files, (_, (name, facts)) = uploads()
    sent = [
        *files,
        ("files", ("denial.txt", denial.encode())),
        ("triples", (name, facts + f"\n{json.dumps(said)}".encode())),
    ]
    to = f"{site.url}/v1/workspaces/{workspace}/ingest"
    assert '"report"' in httpx.post(to, files=sent, timeout=240).text
    listed = httpx.get(f"{site.url}/v1/workspaces/{workspace}/contradictions", timeout=240).json()
    assert listed["total"] == 1  # found: no answer waits for them
    page = open_page(f"{site.url}/?workspace={workspace}", viewport={"width": 390, "height": 800})
    ask(page, QUESTION)
    against = page.locator(".contradicted")
    expect(against.get_by_role("heading")).to_have_text("Other voices say otherwise")
    expect(against.locator("li").first).to_contain_text("denial.txt denies it, may disagree")
    assert [text.strip("“”") for text in against.locator("q").all_inner_texts()] == [SENTENCES[0], denial]
    against.get_by_role("link").last.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("I declare")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_cypher_and_neo4j_browser(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    found = httpx.post(
        f"{site.url}/v1/workspaces/{site.workspace}/retrieve", json={"question": QUESTION}, timeout=240
    ).json()
    cypher = found["paths"][0]["cypher"]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the Cypher of path 1").click()
    expect(page.get_by_role("status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == cypher
    link = page.get_by_role("link", name="Open path 1 in Neo4j Browser")
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert (link.get_attribute("href") or "").startswith(str(site.neo4j.browser_url))


def test_neo4j_browser_opens_with_the_path_in_its_editor(open_page: Open, site: Site) -> None:
    page = asked(open_page, site)
    address = page.get_by_role("link", name="Open path 1 in Neo4j Browser").get_attribute("href")
    neo4j = page.context.browser.new_page()  # type: ignore[union-attr]
    neo4j.goto(address, timeout=1000 * PATIENCE)
    expect(neo4j.locator(".monaco-editor").first).to_contain_text("MATCH")
    neo4j.close()


def test_nothing_was_found(open_page: Open, site: Site) -> None:
    page = open_page(site.at())
    ask(page, "   ")
    expect(page.get_by_role("textbox", name="Question")).to_be_focused()
    assert page.locator(".spread").count() == 0


@pytest.mark.parametrize(("question", "code"), [("why " * 10_001, "Invalid input")])
def test_an_error_names_its_cure(open_page: Open, site: Site, question: str, code: str) -> None:
    page = open_page(site.at())
    ask(page, question)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(code)
    expect(alert).to_contain_text("Ask a shorter question")
