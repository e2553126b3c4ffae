"""serve, up, down, doctor, open."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from filigraph.app.cli.show import server as show_server
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Workspace
from filigraph.app.cli.terminal.session import connected, print_json, say


def serve(
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="How many processes search. Default: FILIGRAPH_WORKERS."),
    ] = None,
    first_key: Annotated[
        Path | None,
        typer.Option(help="If there is no key yet, make an admin key and write it into this file."),
    ] = None,
) -> None:
    """Run the server in the foreground, until Ctrl-C. It logs to standard error."""
    from filigraph.app.process.daemon import serve_and_end
    from filigraph.app.settings import load_settings

    settings = load_settings()
    settings = settings.model_copy(update={"workers": workers}) if workers else settings
    serve_and_end(settings, say, first_key=first_key)


def up(as_json: Json = False) -> None:
    """Start the server in the background, with its Neo4j."""
    from filigraph.app.process.daemon import up
    from filigraph.app.settings import load_settings

    settings = load_settings()
    if settings.url:
        from filigraph.graph.errors import InputError

        raise InputError("FILIGRAPH_URL names a server already.", cure="Unset it to start one here.")
    record = up(settings, say)
    if as_json:
        print_json({"url": record.url, "pid": record.pid, "version": record.version})
    else:
        typer.echo(f"Filigraph answers at {record.url}, its API at {record.url}/docs. `filigraph down` stops it.")


def down(as_json: Json = False) -> None:
    """Stop the server, and the Neo4j if Filigraph started it."""
    from filigraph.app.process.daemon import down
    from filigraph.app.settings import load_settings

    stopped = down(load_settings())
    if as_json:
        print_json(dataclasses.asdict(stopped))
        return
    names = [name for name, was in (("the server", stopped.server), ("Neo4j", stopped.neo4j)) if was]
    typer.echo(f"Stopped {' and '.join(names)}." if names else "Nothing was running.")


def open_page(workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """Print the address of the web page, and open it where there is a desktop."""
    import sys
    import webbrowser
    from urllib.parse import urlencode

    from filigraph.app.cli.admin.neo4j import is_text_only

    with connected() as client:
        url = f"{client.url}/?{urlencode({'workspace': workspace})}"
    if as_json:
        print_json({"url": url})
        return
    typer.echo(url)
    if sys.stdout.isatty() and not is_text_only():
        webbrowser.open(url)


def _settings_check() -> list[dict[str, Any]]:
    """A diagnostic check: settings that changed since the server of this home started; [] for none."""
    from filigraph.app.process.daemon import RESTART, changed_settings, find_server
    from filigraph.app.settings import load_settings

    settings = load_settings()
    record = None if settings.url else find_server(settings)
    changes = changed_settings(settings, record) if record else ""
    if not changes:
        return []
    detail = changes.removesuffix(RESTART).strip()
    return [{"name": "Settings", "state": "weak", "essential": False, "detail": detail, "cure": RESTART}]


def doctor(as_json: Json = False) -> None:
    """Check the installation; each failure comes with its cure. Exit code 1 if something essential fails."""
    with connected() as client:
        report = client.get("/v1/doctor")
    report["checks"] += _settings_check()
    if as_json:
        print_json(report)
    else:
        show_server.show_checks(report["checks"])
    if any(check["essential"] and check["state"] == "broken" for check in report["checks"]):
        raise typer.Exit(1)
