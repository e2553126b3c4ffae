"""The page: files from `web/`, without any other host, under a policy that allows nothing else. All addresses of the
page (`/`, `/library`, `/explain/{trace}`, …) return the same file, whose script reads the address. Text from documents
and models arrives as JSON and is shown as text: with `trusted-types 'none'` the browser refuses every way to turn a
string into markup or script.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files

from fastapi import FastAPI, Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

ADDRESSES = (
    "/",
    "/library",
    "/graph",
    "/forms",
    "/settings",
    "/cast",
    "/family",
    "/timeline",
    "/explain/{trace}",
    "/thread/{thread}",
)
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",  # blob: a drawn path that is saved
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
)
HEADERS = {
    "cache-control": "no-cache",  # check each time for a new version
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
# Each view has its style sheet. One request returns all, in this order: of equal rules the last one wins.
SHEETS = (
    "base/base.css",
    "ask/ask.css",
    "ask/paths.css",
    "ask/paths-narrow.css",
    "ask/steps.css",
    "graph/graph.css",
    "forms/forms.css",
    "library/library.css",
    "settings/settings.css",
    "base/empty.css",
    "reader/reader.css",
    "notes/notes.css",
    "corrections/corrections.css",
    "graph/graph-canvas.css",
    "graph/entity.css",
    "people/people.css",
    "base/adapt.css",
)


class _Files(StaticFiles):
    """The page's files, each under its headers."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(HEADERS)
        return response


def serve_page(app: FastAPI) -> None:
    """Add the page to the application."""
    folder = files("filigraph.app") / "web"
    page_text = (folder / "index.html").read_text(encoding="utf-8")
    style = "".join((folder / name).read_text(encoding="utf-8") for name in SHEETS)
    etag = f'"{hashlib.sha256(style.encode()).hexdigest()[:32]}"'

    def all_sheets(request: Request) -> Response:
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers={**HEADERS, "etag": etag})
        return Response(style, media_type="text/css", headers={**HEADERS, "etag": etag})

    app.add_api_route("/assets/page/style.css", all_sheets, methods=["GET"], include_in_schema=False)
    app.mount("/assets/page", _Files(directory=str(folder)), name="page-assets")

    def page(request: Request) -> HTMLResponse:
        # the page's own files are also there under a proxy's prefix
        return HTMLResponse(page_text.replace('="/', f'="{request.scope.get("root_path", "")}/'), headers=HEADERS)

    for address in ADDRESSES:
        app.add_api_route(address, page, methods=["GET"], include_in_schema=False)
