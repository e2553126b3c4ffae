"""Find the server for a command, and start one if there is none."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from filigraph.app.cli.terminal.encodings import is_utf8
from filigraph.app.client.addresses import path as path  # for the commands

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client
    from filigraph.app.settings import Settings

PAGE_ROWS = 1000  # rows of a request, at most
PRIVATELY = "No server is running; starting one that only this machine reaches, until this is done."


@contextmanager
def connected(*, for_keys: bool = False) -> Iterator[Client]:
    """A client for FILIGRAPH_URL if set, else for this home's server, which is started if none is running.

    `for_keys`: to manage keys. This home's server then takes its owner's token in place of a key. If it would be public
    and none is running, start one that only this machine can reach and stop it afterwards: a public server does not
    start without a key.
    """
    from filigraph.app.client.rest import Client
    from filigraph.app.process.daemon import down, find_server, up
    from filigraph.app.settings import load_settings

    settings = load_settings()
    url, private = settings.url, False
    try:
        if not url:
            record = find_server(settings)
            if record is None:
                private = for_keys and settings.public
                say(PRIVATELY if private else "No server is running; starting one. `filigraph down` stops it.")
                record = up(settings, say, private=private)
            url = record.url
        owner = _owner_token(settings, url) if for_keys else ""
        with Client(url, key=settings.key.get_secret_value(), owner=owner) as client:
            client.check_version()
            yield client
    finally:
        if private:
            down(settings)


def _owner_token(settings: Settings, url: str) -> str:
    """The owner's token if this home's server is the one at `url`, else "": no other server gets it."""
    from urllib.parse import urlsplit

    from filigraph.app.home import open_home, read_owner_token
    from filigraph.app.process.daemon import find_server
    from filigraph.app.settings import is_loopback

    target = urlsplit(url)
    record = find_server(settings)
    ours = record is not None and (
        url.rstrip("/") == record.url or (is_loopback(target.hostname or "") and target.port == record.port)
    )
    return read_owner_token(open_home(settings.home)) if ours else ""


def get_all(client: Client, address: str, params: Mapping[str, Any], rows: str, *beside: str) -> dict[str, Any]:
    """A listing with all of its `rows`, and with the lists that come `beside` them, `PAGE_ROWS` rows a request."""
    page = client.get(address, **params, first=0, count=PAGE_ROWS)
    while len(page[rows]) < page["total"]:
        more = client.get(address, **params, first=len(page[rows]), count=PAGE_ROWS)
        if not more[rows]:  # they went meanwhile
            break
        for name in (rows, *beside):
            page[name] += more[name]
    return page


def say(line: str) -> None:
    """Print a message to standard error."""
    typer.echo(line, err=True)


def print_json(data: Any) -> None:
    """Print one JSON value; other scripts are escaped only where standard output cannot have them."""
    print_text(json.dumps(data, ensure_ascii=not is_utf8(sys.stdout), indent=2))


def print_text(text: str) -> None:
    """Print text; a lone surrogate is replaced."""
    typer.echo(text.encode("utf-8", "replace").decode("utf-8"))


def print_json_line(data: Any) -> None:
    """Print one JSON value on a line and flush."""
    print_text(json.dumps(data, ensure_ascii=not is_utf8(sys.stdout)))
    sys.stdout.flush()
