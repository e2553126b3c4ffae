"""Library: the cost first, then reading while the user watches; documents, unreadable files, deletions."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from filigraph.graph.errors import Cancelled, LLMUnavailable
from filigraph.graph.ingest.load.pdf import ocr
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.process.cancel import ShouldStop
from tests.e2e.conftest import Open, ask, settled
from tests.e2e.site import Site
from tests.runs.llm_letters import reply

LETTER = "Dear aunt, Jules Delmas wears a signet ring. The signet ring belongs to The Claw."
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture(scope="module", autouse=True)
def jobs_are_run(site: Site) -> Iterator[None]:
    """By the site's server, as long as these tests run."""
    site.service.jobs.coordinator.start()
    yield
    site.service.jobs.coordinator.stop()


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A folder of files: one of them no text, one in a folder within."""
    folder = tmp_path / "case"
    (folder / "letters").mkdir(parents=True)
    (folder / "letters" / "first.txt").write_text(LETTER, encoding="utf-8")
    (folder / "report.md").write_text("# Report\n\nInspector Brun hunts The Claw in Lyon.", encoding="utf-8")
    (folder / "scan.png").write_bytes(PICTURE)
    return folder


def choose(page: Page, *files: Path, extractor: str = "") -> None:
    """Until it is told what reading them will cost: the buttons below stay where they are then."""
    page.locator("input[type=file]").first.set_input_files(files)
    expect(page.locator(".estimate")).to_be_visible()
    if extractor:
        page.get_by_role("combobox", name="Extractor:").select_option(extractor)
    settled(page)


def rows(page: Page) -> list[str]:
    return page.locator(".documents tbody .where").all_inner_texts()


def test_a_folder_is_read_into_a_new_workspace(
    open_page: Open, site: Site, workspace: str, case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "installed_languages", lambda: ())
    page = open_page(f"{site.url}/library?workspace={workspace}")
    expect(page.get_by_text("This workspace is empty.")).to_be_visible()
    demo = page.get_by_role("button", name="Load the demo case")
    expect(demo).to_be_visible()
    page.locator("input[type=file]").nth(1).set_input_files(case)
    staging = page.locator(".staging")
    expect(staging.locator(".estimate")).to_contain_text("2 documents to read, in 2 passages.")
    expect(staging).to_contain_text("case/letters/first.txt")
    expect(staging.locator(".skipped")).to_contain_text("case/scan.png The file is a PNG image, and no OCR for eng+fra")
    assert (
        httpx.get(f"{site.url}/v1/workspaces/{workspace}/documents", timeout=240).status_code == 404
    )  # nothing was read in
    page.get_by_role("button", name="Ingest").click()
    expect(page.get_by_role("heading", name="Done.")).to_be_visible()
    expect(staging).to_contain_text("2 added, 1 skipped")
    expect(page.locator(".documents tbody tr")).to_have_count(2)
    assert rows(page) == ["first", "Report"]
    expect(demo).to_be_hidden()  # it invites where nothing is
    found = page.locator(".foundings")  # the names that were found, each a link, and what to do next
    expect(found.get_by_role("link", name="The Claw")).to_have_attribute("href", re.compile("/graph.*entity="))
    expect(found.get_by_role("link", name="Ask a question")).to_be_visible()
    page.locator(".jobs summary").click()
    expect(page.locator(".jobs li")).to_contain_text("Ingest of 3 files · done in part")
    assert [one["id"] for one in Axe().run(page).response["violations"]] == []
    page.locator(".documents a.where").first.click()
    expect(page.get_by_role("dialog")).to_contain_text(LETTER)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Ask", exact=True).click()
    ask(page, "Who wears the signet ring?")
    expect(page.locator(".steps")).to_be_visible()
    expect(page.locator(".answer")).to_contain_text("first")


def test_what_is_new_since_a_job_and_which_answers_change(open_page: Open, site: Site, workspace: str) -> None:
    case = f"{site.url}/v1/workspaces/{workspace}"
    sent = {"triples": ("t", json.dumps({"source": "a.txt", "triples": [["Jules Delmas", "wears", "signet ring"]]}))}
    files = [("files", ("a.txt", LETTER.encode())), *sent.items()]
    assert '"report"' in httpx.post(f"{case}/ingest", files=files, timeout=240).text
    httpx.post(f"{case}/ask", json={"question": "Who hunts The Claw?", "llm": False}, timeout=240)
    said = json.dumps({"source": "b.txt", "triples": [["Inspector Brun", "hunts", "The Claw"]]})
    files = [("files", ("b.txt", b"Inspector Brun hunts The Claw in Lyon.")), ("triples", ("t", said))]
    job = httpx.post(f"{case}/jobs", files=files, timeout=240).json()["id"]
    httpx.get(f"{site.url}/v1/jobs/{job}/events", timeout=240)
    page = open_page(f"{site.url}/library?workspace={workspace}", viewport={"width": 390, "height": 800})
    expect(page.locator(".foundings")).to_be_visible()  # the jobs below stay where they are now
    page.locator(".jobs summary").click()
    page.locator(".jobs").get_by_role("link", name="What is new").click()
    news = page.locator(".news")
    expect(news).to_contain_text("New documents 1")
    expect(news).to_contain_text("Inspector Brun hunts The Claw")
    expect(news).not_to_contain_text("a.txt")
    again = news.get_by_role("button", name="Ask earlier questions again")
    again.focus()
    page.keyboard.press("Enter")
    expect(news).to_contain_text("Asked again: 1; with another path or other passages: 1.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert [one["id"] for one in Axe().run(page).response["violations"]] == []


def test_a_file_that_changed_is_updated_and_one_that_did_not_costs_nothing(
    open_page: Open, site: Site, workspace: str, case: Path
) -> None:
    page = open_page(f"{site.url}/library?workspace={workspace}")
    letter, report = case / "letters" / "first.txt", case / "report.md"
    choose(page, letter, report)
    page.get_by_role("button", name="Ingest").click()
    expect(page.locator(".staging")).to_contain_text("2 added")
    letter.write_text(f"{LETTER} He left for Dover.", encoding="utf-8")
    choose(page, letter, report)
    expect(page.locator(".estimate")).to_contain_text("1 document to read, in 1 passage. 1 unchanged.")
    page.get_by_role("button", name="Ingest").click()
    expect(page.locator(".staging")).to_contain_text("1 updated, 1 unchanged")
    page.locator(".documents a.where").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("He left for Dover.")


def test_a_document_is_deleted_when_one_says_so_twice(open_page: Open, site: Site, workspace: str, case: Path) -> None:
    page = open_page(f"{site.url}/library?workspace={workspace}")
    choose(page, case / "letters" / "first.txt", case / "report.md")
    page.get_by_role("button", name="Ingest").click()
    expect(page.get_by_role("heading", name="Done.")).to_be_visible()  # what is pressed moves no more
    expect(page.locator(".documents tbody tr")).to_have_count(2)
    delete = page.get_by_role("button", name="Delete Report")
    delete.click()
    expect(delete).to_have_text("Delete?")
    page.get_by_role("button", name="Choose files").focus()
    expect(delete).to_have_text("Delete")
    assert len(rows(page)) == 2
    delete.click()
    delete.click()
    expect(page.locator(".documents tbody tr")).to_have_count(1)
    assert rows(page) == ["first"]
    expect(page.get_by_role("status")).to_contain_text("Report is deleted")


def test_what_a_model_could_not_read_is_read_again(
    open_page: Open, site: Site, workspace: str, case: Path, read_by: Callable[[LLM], None]
) -> None:
    letter = reply([1, "Jules Delmas", "wears", "signet ring"])
    read_by(ScriptedLLM({"Brun": LLMUnavailable("The model is away.", cure="Wake it."), "": letter}))
    page = open_page(f"{site.url}/library?workspace={workspace}")
    choose(page, case / "letters" / "first.txt", case / "report.md", extractor="llm")
    page.get_by_role("button", name="Ingest").click()
    expect(page.get_by_text("1 passage could not be read.")).to_be_visible()
    expect(page.locator(".documents tbody")).to_contain_text("partly read")
    expect(page.get_by_role("heading", name="Done.")).to_be_visible()  # what is pressed moves no more
    page.get_by_text("Passages without facts").click()
    expect(page.locator(".gaps li")).to_contain_text("Inspector Brun")
    read_by(ScriptedLLM({"": reply([1, "Inspector Brun", "hunts", "The Claw"])}))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Done.")).to_be_visible()
    expect(page.get_by_text("could not be read")).to_have_count(0)


class Slow(ScriptedLLM):
    """Reads when it is told to go on, or never."""

    def __init__(self) -> None:
        super().__init__({"": reply([1, "Inspector Brun", "hunts", "The Claw"])})
        self.go_on = threading.Event()

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        while not self.go_on.wait(0.02):
            if cancel and cancel():
                raise Cancelled
        return super().complete(request, cancel=cancel)


def read_slowly(page: Page, read_by: Callable[[LLM], None], *files: Path) -> Slow:
    slow = Slow()
    read_by(slow)
    choose(page, *files, extractor="llm")
    page.get_by_role("button", name="Ingest").click()
    expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
    return slow


def test_a_reading_can_be_stopped_and_gone_on_with(
    open_page: Open, site: Site, workspace: str, case: Path, read_by: Callable[[LLM], None]
) -> None:
    page = open_page(f"{site.url}/library?workspace={workspace}")
    slow = read_slowly(page, read_by, case / "report.md")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Finished parts are stored")).to_be_visible()
    slow.go_on.set()
    page.get_by_role("button", name="Retry what failed").click()
    expect(page.get_by_role("heading", name="Done.")).to_be_visible()
    expect(page.locator(".documents tbody tr")).to_have_count(1)


def test_reading_continues_without_the_page_and_is_shown_again(
    open_page: Open, site: Site, workspace: str, case: Path, read_by: Callable[[LLM], None]
) -> None:
    page = open_page(f"{site.url}/library?workspace={workspace}")
    slow = read_slowly(page, read_by, case / "report.md", case / "letters" / "first.txt")
    page.reload()
    expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
    expect(page.locator(".staging")).to_contain_text("2 of 2 files")
    slow.go_on.set()
    expect(page.get_by_role("heading", name="Done.")).to_be_visible()
    expect(page.locator(".staging")).to_contain_text("2 added")
    page.reload()
    expect(page.locator(".documents tbody tr")).to_have_count(2)
    expect(page.locator(".staging")).to_be_empty()


def test_a_reading_that_did_not_end_well_can_be_left(open_page: Open, site: Site, workspace: str, case: Path) -> None:
    page = open_page(f"{site.url}/library?workspace={workspace}", locale="fr-FR")
    choose(page, case / "report.md", case / "scan.png")
    page.get_by_role("button", name="Importer").click()
    expect(page.get_by_role("button", name="Relancer ce qui a échoué")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Masquer").click()
    expect(page.locator(".staging")).to_be_empty()
    page.reload()
    expect(page.locator(".documents tbody tr")).to_have_count(1)
    expect(page.locator(".staging")).to_be_empty()


def test_files_too_large_for_the_server_are_named(open_page: Open, site: Site, workspace: str, case: Path) -> None:
    page = open_page("about:blank")
    page.route("**/v1/health", lambda route: route.fulfill(json={"max_upload_bytes": 60, "neo4j_browser": None}))
    page.goto(f"{site.url}/library?workspace={workspace}")
    choose(page, case / "letters" / "first.txt", case / "report.md")
    expect(page.locator(".staging .skipped").first).to_contain_text(
        "first.txt The file has 0.1 kB; the server accepts 0.1 kB per upload."
    )
    expect(page.locator(".estimate")).to_contain_text("1 document to read")


def test_a_workspace_needs_a_name(open_page: Open, site: Site, workspace: str, case: Path) -> None:
    page = open_page(f"{site.url}/library?workspace={workspace}")
    choose(page, case / "report.md")
    page.get_by_role("textbox", name="Into workspace:").fill("a b/c")
    page.get_by_role("button", name="Ingest").click()
    expect(page.get_by_role("status")).to_contain_text("A workspace's name")
    page.get_by_role("textbox", name="Into workspace:").fill(workspace)
    page.get_by_role("button", name="Ingest").click()
    expect(page.get_by_role("heading", name="Done.")).to_be_visible()


def test_a_selection_of_documents_limits_the_list_and_a_question(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/library"))
    expect(page.locator(".foundings")).to_be_visible()  # what is below stays where it is now
    page.locator(".scope:not(.marking *) summary").click()
    page.get_by_label("In the name").fill("inventory")
    expect(page.locator(".documents tbody tr")).to_have_count(1)
    page.get_by_role("link", name="Ask only these").click()
    expect(page.locator(".scope:not(.marking *) summary")).to_contain_text("inventory")
    ask(page, "Who wears the signet ring?")
    expect(page.locator(".steps")).to_be_visible()
    assert set(page.locator(".sources .where bdi").all_inner_texts()) == {"inventory"}
    page.get_by_label("In the name").fill("<b>no such document")
    ask(page, "Who wears the signet ring?")
    expect(page.get_by_role("alert")).to_contain_text("No document is in this selection.")


def test_words_that_are_found_late_replace_no_newer_ones(open_page: Open, site: Site) -> None:
    page = open_page(site.at("/library"))
    held: list[Route] = []
    page.route("**/find?*", lambda route: route.continue_() if held else held.append(route))
    words = page.get_by_role("searchbox", name="Find these words in all documents")
    words.fill("signet ring")
    with page.expect_request("**/find?*"):
        words.press("Enter")
    words.fill("crimson parrot")
    words.press("Enter")
    expect(page.locator(".places")).to_contain_text("crimson parrot")
    held[0].continue_()
    settled(page)
    expect(page.locator(".places")).not_to_contain_text("signet ring")


def test_types_are_asked_in_the_words_of_the_reader(open_page: Open, site: Site) -> None:
    page = open_page(f"{site.url}/", locale="fr-FR")
    types = {"types": [{"type": "Organization", "entities": 1, "first": []}]}
    page.route(re.compile(r"/types\b"), lambda route: route.fulfill(json=types))
    page.goto(site.at("/library"))
    field = page.get_by_role("searchbox", name="Types de noms")
    field.fill("organisations")
    with page.expect_request(re.compile(r"/passages\?.*type=Organization")):
        field.press("Enter")
    words = "import('/assets/page/base/words.js').then(({ typeWord }) => typeWord('constructor'))"
    assert page.evaluate(words) == "constructor", "what JavaScript calls so is no word of ours"
    place = "place => import('/assets/page/base/words.js').then(({ placed }) => placed(place))"
    for said, in_french in {
        "Première Partie, chapter VI, paragraph 6": "Première Partie, chapitre VI, paragraphe 6",
        "Act II, Scene 1, paragraph 3": "Act II, Scene 1, paragraphe 3",
        "page 18 (PDF 6), chapter II": "page 18 (PDF 6), chapitre II",
        "row 5": "ligne 5",
    }.items():
        assert page.evaluate(place, said) == in_french
    name = "source => import('/assets/page/base/dom.js').then((dom) => dom.documentName({ source }).textContent)"
    assert page.evaluate(name, f"https://example.org/{'a' * 50}/") == f"…/{'a' * 50}/"


def test_the_demo_is_a_click_away(open_page: Open, site: Site) -> None:
    page = open_page(f"{site.url}/?workspace=nobody")
    site.service.jobs.coordinator.stop()  # it is seen while it is read
    try:
        page.get_by_role("button", name="Load the demo case").click()
        page.wait_for_url("**/library?workspace=demo")
        expect(page.locator(".staging")).to_contain_text("Reading")
        (job,) = httpx.get(f"{site.url}/v1/jobs", params={"workspace": "demo"}, timeout=240).json()["jobs"]
        assert (job["kind"], job["items"]) == ("ingest", 12)
    finally:
        site.service.jobs.coordinator.start()
        httpx.delete(f"{site.url}/v1/workspaces/demo", params={"confirm": "demo"}, timeout=240)


def test_a_mail_is_shown_with_its_thread(open_page: Open, site: Site, workspace: str) -> None:
    mails = {
        "9.eml": b"From: Ada <a@x.y>\nTo: Bo <b@x.y>\nDate: Mon, 02 May 2022 09:00:00\nSubject: Boat\n\nIt is sold.\n",
        "8.eml": b"From: Bo <b@x.y>\nTo: Ada <a@x.y>\nDate: Tue, 03 May 2022 09:00:00\nSubject: RE: Boat\n\nThanks.\n",
    }
    files = [("files", (name, content)) for name, content in mails.items()]
    sources = json.dumps([{"name": name} for name in mails])
    at = f"{site.url}/v1/workspaces/{workspace}"
    httpx.post(
        f"{at}/ingest", files=files, data={"sources": sources, "extractor": "local"}, timeout=240
    ).raise_for_status()
    page = open_page(f"{site.url}/library?workspace={workspace}")
    rows = page.locator(".documents tbody tr")
    expect(rows).to_contain_text(["A thread of 2 mails", "2022-05-02 · Ada", "2022-05-03 · Bo"])
    settled(page)
    page.locator(".documents tbody a").filter(has_text="RE: Boat").click()
    reader = page.get_by_role("dialog")
    expect(reader.get_by_text("A thread of 2 mails")).to_be_visible()
    expect(reader.locator(".outline [aria-current]")).to_have_text("2022-05-03 · Bo")
    reader.get_by_role("link", name="2022-05-02 · Ada").click()
    expect(page.get_by_role("dialog").locator(".text")).to_contain_text("It is sold.")
    expect(page.get_by_role("dialog").locator(".outline [aria-current]")).to_have_text("2022-05-02 · Ada")
