"""The page in a real Chromium: its weight, its first paint, and the time from a question to the path; and its pictures.

    python -m bench.speed.page [--pictures FOLDER]

Needs the demo (`make demo`) and the system's Chromium. Every paint is in a browser that has never seen the page. The
network layer supplies the neighbourhood of 200 facts, because no demo has so many. Milliseconds are by the page's own
clock; those of the answers include the server's work. `--pictures` writes one PNG for each question of the demo.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from importlib.resources import files
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench.common import machine, save
from filigraph.app.cli.demo import WORKSPACE
from filigraph.app.cli.terminal.session import connected

TIMES = 7
FACTS = 200
NAMES, LINKS = 2_000, 10_000
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
SENT = "performance.getEntriesByType('resource').map((one) => one.encodedBodySize)"
# From the click on "more" to the frame in which all rows are shown.
DRAWN = """async () => {
  const begin = performance.now();
  [...document.querySelectorAll('.around button')].at(-1).click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return [performance.now() - begin, document.querySelectorAll('.row').length];
}"""
# Two seconds of zooming in and out by the wheel: frames a second, and the longest time between two.
MOVED = """async () => {
  const stage = document.querySelector(".drawing .sigma-mouse");
  const box = stage.getBoundingClientRect();
  const times = [];
  const begin = performance.now();
  for (let n = 0; performance.now() - begin < 2000; n += 1) {
    const wheel = { deltaY: n % 20 ? 120 : -120, clientX: box.x + 300, clientY: box.y + 200, bubbles: true };
    if (n % 10 === 0) stage.dispatchEvent(new WheelEvent("wheel", { ...wheel, cancelable: true }));
    await new Promise((done) => requestAnimationFrame(done));
    times.push(performance.now());
  }
  const gaps = times.slice(1).map((time, n) => time - times[n]).sort((a, b) => a - b);
  const [all, middle, late] = [times.at(-1) - times[0], gaps.length >> 1, Math.floor(gaps.length * 0.95)];
  return {
    frames_a_second: Math.round((1000 * gaps.length) / all),
    frame_ms_median: Math.round(gaps[middle]),
    frame_ms_p95: Math.round(gaps[late]),
  };
}"""
RENDERER = """() => {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "unknown";
}"""
# From the key press to the first path.
ANSWERED = """async () => {
  const begin = performance.now();
  document.querySelector('form').requestSubmit();
  while (!document.querySelector('.path .node')) await new Promise((done) => requestAnimationFrame(done));
  return performance.now() - begin;
}"""


def opened(browser: Browser, address: str, **options: Any) -> Page:
    """The page at an address, in a separate browser."""
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
    """One question, asked as people do: the time until the first path is shown, and whether it is visible at once."""
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
    """Milliseconds to draw the facts of a hub."""
    base = {"chunk_id": "c", "document_id": "d", "source": "s", "place": "", "start": 0, "end": 9, "origin": "explicit"}
    facts = [
        {"fact_id": f"f{n}", "subject_id": "hub", "subject": "Hub", "predicate": f"knows {n // 4}", "text": "",
         "object_id": f"o{n}", "object": f"Friend {n}", "weight": 1, "sentences": [base | {"sentence": "So it is."}]}
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


def whole(browser: Browser, url: str) -> dict[str, Any]:
    """Frames while a graph of 2,000 names and 10,000 links, supplied by the network layer, is moved: with the WebGL of
    this browser, which runs in software if there is no graphics card.
    """
    chance = Random(0)
    nodes = [
        {"id": f"{n:048x}", "name": f"Name {n}", "type": "Person", "chunks": 2 + 400 // (n + 1), "facts": 9,
         "community": n % 20, "x": chance.gauss(0, 0.4), "y": chance.gauss(0, 0.4)}
        for n in range(NAMES)
    ]  # fmt: skip
    pairs = {tuple(sorted(chance.sample(range(NAMES), 2))) for _ in range(LINKS + 500)}
    links = [
        {"first": f"{a:048x}", "second": f"{b:048x}", "weight": 1, "facts": 1,
         "predicates": ["knows"], "relations": ["KNOWS"]}
        for a, b in sorted(pairs)[:LINKS]
    ]  # fmt: skip
    body = {"total_entities": NAMES, "total_facts": LINKS, "nodes": nodes, "links": links}
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.route("**/graph?entities=**", lambda route: route.fulfill(json=body))
    page.goto(f"{url}/graph?workspace={WORKSPACE}")
    page.locator(".drawing[data-drawn]").wait_for()
    frames: dict[str, Any] = page.evaluate(MOVED)
    renderer = page.evaluate(RENDERER)
    page.context.close()
    return {"names": NAMES, "links": len(links), "renderer": renderer} | frames


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.page")
    parser.add_argument("--pictures", type=Path)
    folder = parser.parse_args().pictures
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("There is no Chromium here: apt-get install chromium.")
    questions = json.loads((files("filigraph.app") / "demo" / "questions.json").read_text(encoding="utf-8"))
    with connected() as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--enable-unsafe-swiftshader"]
        )
        results: dict[str, Any] = {"machine": machine(), "page": weight(browser, client.url)}
        results["neighbourhood"] = neighbourhood(browser, client.url)
        results["whole"] = whole(browser, client.url)
        for number, question in enumerate(questions, start=1):
            picture = folder / f"page-{number}.png" if folder else None
            results[question["question"]] = answer(browser, client.url, question, picture)
        browser.close()
    for name, figures in results.items():
        print(name, figures)
    save("page", results)


if __name__ == "__main__":
    main()
