"""The page in a real Chromium: its weight, its first paint, and how far from a question to the path; and its pictures.

    python -m bench.page [--pictures FOLDER]

Needs the demo (`make demo`) and the system's Chromium. Every paint is of a browser that has never seen the page. The
neighbourhood of 200 facts is one that the network layer tells, as no demo has so many. Milliseconds are the page's own
clock; those of the answers hold the server's work, too. `--pictures` writes one PNG for each question of the demo.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench.common import machine, save
from filigraph.app.cli.demo import WORKSPACE
from filigraph.app.cli.session import connected

TIMES = 7
FACTS = 200
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
SENT = "performance.getEntriesByType('resource').map((one) => one.encodedBodySize)"
# From the click on "more" to the frame in which all rows stand.
DRAWN = """async () => {
  const begin = performance.now();
  [...document.querySelectorAll('.around button')].at(-1).click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return [performance.now() - begin, document.querySelectorAll('.row').length];
}"""
# From the key press to the first path.
ANSWERED = """async () => {
  const begin = performance.now();
  document.querySelector('form').requestSubmit();
  while (!document.querySelector('.path .node')) await new Promise((done) => requestAnimationFrame(done));
  return performance.now() - begin;
}"""


def opened(browser: Browser, address: str, **options: Any) -> Page:
    """The page at an address, in a browser of its own."""
    viewport: ViewportSize = {"width": 1280, "height": 800}
    page = browser.new_context(viewport=viewport, reduced_motion="reduce", **options).new_page()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page


def weight(browser: Browser, url: str) -> dict[str, Any]:
    """Bytes and requests of the empty page, and its first paint."""
    pages = [opened(browser, f"{url}/?workspace={WORKSPACE}") for _ in range(TIMES)]
    sizes = pages[0].evaluate(SENT)
    paints = [page.evaluate(PAINT) for page in pages]
    for page in pages:
        page.context.close()
    return {"bytes": sum(sizes), "requests": len(sizes), "first_paint_ms": round(median(paints))}


def answer(browser: Browser, url: str, question: dict[str, str], picture: Path | None) -> dict[str, Any]:
    """One question asked as people do: how long until the first path stands, and whether it can be seen at once."""
    page = opened(browser, f"{url}/?workspace={WORKSPACE}", locale=question["language"])
    page.locator("form textarea, form input").first.fill(question["question"])
    shown = page.evaluate(ANSWERED)
    page.locator(".steps").wait_for()
    box = page.locator(".path").first.bounding_box()
    assert box
    if picture:
        page.screenshot(path=picture)
    measured = {
        "path_ms": round(shown),
        "hops": page.locator(".path").first.locator(".edge").count(),
        "path_ends_at_pixel": round(box["y"] + box["height"]),
        "of": 800,
        "clicks": 0,
        "scrolled": page.evaluate("scrollY"),
    }
    page.context.close()
    return measured


def neighbourhood(browser: Browser, url: str) -> dict[str, Any]:
    """Milliseconds in which the facts of a hub are drawn."""
    said = {"chunk_id": "c", "document_id": "d", "source": "s", "place": "", "start": 0, "end": 9, "origin": "explicit"}
    facts = [
        {"fact_id": f"f{n}", "subject_id": "hub", "subject": "Hub", "predicate": f"knows {n // 4}", "text": "",
         "object_id": f"o{n}", "object": f"Friend {n}", "weight": 1, "sentences": [said | {"sentence": "So it is."}]}
        for n in range(FACTS)
    ]  # fmt: skip
    entity = {"id": "hub", "name": "Hub", "type": "", "aliases": ["Hub"], "mentions": 1, "chunks": 1, "facts": facts}
    taken = []
    for _ in range(TIMES):
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.route("**/entities/hub", lambda route: route.fulfill(json={"entity": entity}))
        page.route("**/entities/hub/names", lambda route: route.fulfill(json={"forms": [], "decisions": []}))
        page.goto(f"{url}/graph?workspace={WORKSPACE}&entity=hub")
        page.locator(".row").first.wait_for()
        milliseconds, rows = page.evaluate(DRAWN)
        assert rows == FACTS, rows
        taken.append(milliseconds)
        page.context.close()
    return {"facts": FACTS, "drawn_ms": round(median(taken))}


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.page")
    parser.add_argument("--pictures", type=Path)
    folder = parser.parse_args().pictures
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("There is no Chromium here: apt-get install chromium.")
    questions = json.loads((files("filigraph.app") / "demo" / "questions.json").read_text(encoding="utf-8"))
    with connected() as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        results: dict[str, Any] = {"machine": machine(), "page": weight(browser, client.url)}
        results["neighbourhood"] = neighbourhood(browser, client.url)
        for number, question in enumerate(questions, start=1):
            picture = folder / f"page-{number}.png" if folder else None
            results[question["question"]] = answer(browser, client.url, question, picture)
        browser.close()
    for name, figures in results.items():
        print(name, figures)
    save("page", results)


if __name__ == "__main__":
    main()
