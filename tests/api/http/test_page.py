"""The page: complete and small; it loads nothing from another host, and its policy forbids it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import httpx
import pytest

from filigraph.app.http.page import ADDRESSES, SHEETS

WEB = Path(__file__).parents[3] / "app" / "web"
VENDOR = WEB / "vendor"  # libraries as they were published
PATHS = sorted(path for path in WEB.rglob("*") if path.is_file())
FILES = [str(path.relative_to(WEB)) for path in PATHS if path.parent != VENDOR]
VENDORED = [str(path.relative_to(WEB)) for path in PATHS if path.parent == VENDOR]
ALLOWED = "http://www.w3.org/"  # a name of SVG, which nobody fetches


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_of_the_page_is_the_page(http: httpx.Client, address: str) -> None:
    response = http.get(address.format(trace="0123", thread="4567"))
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.text == (WEB / "index.html").read_text(encoding="utf-8")


def test_nothing_else_may_run(http: httpx.Client) -> None:
    for address in ("/", "/assets/page/main.js"):
        headers = http.get(address).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["form-action"] == policy["base-uri"] == "'none'"
        assert (policy["require-trusted-types-for"], policy["trusted-types"]) == ("'script'", "'none'")
        assert "unsafe" not in headers["content-security-policy"] and "http" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_every_file_is_served_as_what_it_is(http: httpx.Client) -> None:
    types = {
        ".html": "text/html",
        ".css": "text/css",
        ".js": "text/javascript",
        ".svg": "image/svg+xml",
        ".txt": "text/plain",
    }
    for name in [*FILES, *VENDORED]:
        response = http.get(f"/assets/page/{name}")
        assert response.headers["content-type"].split(";")[0] == types[Path(name).suffix]
        again = http.get(f"/assets/page/{name}", headers={"if-none-match": response.headers["etag"]})
        assert again.status_code == 304


def test_it_refers_to_its_own_files_only() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    named = set(re.findall(r'(?:src|href)="([^"#]+)"', page))
    assert {link.removeprefix("/assets/page/") for link in named} <= {"style.css", *FILES}
    assert "<style" not in page and not re.search(r"<script(?![^>]* src=)", page) and " style=" not in page
    for name in FILES:
        text = (WEB / name).read_text(encoding="utf-8")
        assert not [link for link in re.findall(r"https?://[\w./-]+", text) if not link.startswith(ALLOWED)], name
        for imported in re.findall(r'^import [^;]*?"([^"]+)";$|import\("([^"]+)"\)', text, re.MULTILINE):
            path = os.path.normpath(Path(name).parent / "".join(imported))
            assert path in [*FILES, *VENDORED], f"{name} imports {path}"


def test_what_would_make_markup_or_script_of_text_is_not_used() -> None:
    for name in FILES:
        text = (WEB / name).read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser", text
        )


def loaded_first() -> set[Path]:
    """The modules of the first view; other views, and French, come when they are opened."""
    modules: set[Path] = set()
    left = [WEB / "main.js", WEB / "ask" / "ask.js"]
    while left:
        module = left.pop().resolve()
        if module not in modules and module.is_file():
            modules.add(module)
            names = re.findall(r"^import\b[^;]*?\"(\.[^\"]+)\"", module.read_text(encoding="utf-8"), re.MULTILINE)
            left += [module.parent / name for name in names]
    return modules


def test_the_first_view_is_small() -> None:
    modules = loaded_first()
    assert len(modules) > 20
    assert not any(file.name == "words-fr.js" for file in modules)
    sheets = [WEB / name for name in SHEETS]
    assert sum(file.stat().st_size for file in (*modules, *sheets, WEB / "index.html")) < 240_000


def test_it_goes_with_the_package() -> None:
    project = (WEB.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert '"web/*", "web/*/*"' in project
    assert {len(path.relative_to(WEB).parts) for path in PATHS} == {1, 2}


def test_every_sheet_is_in_one_file_in_its_order(http: httpx.Client) -> None:
    assert sorted(SHEETS) == [name for name in FILES if name.endswith(".css")]
    style = http.get("/assets/page/style.css")
    assert style.headers["content-type"].startswith("text/css") and style.headers["cache-control"] == "no-cache"
    assert style.text == "".join((WEB / name).read_text(encoding="utf-8") for name in SHEETS)
    again = http.get("/assets/page/style.css", headers={"if-none-match": style.headers["etag"]})
    assert again.status_code == 304 and not again.content
