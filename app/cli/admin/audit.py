"""audit."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

import typer

from filigraph.app.cli.terminal.options import Json
from filigraph.app.cli.terminal.session import connected, print_json


def audit(
    workspace: Annotated[str, typer.Option("--workspace", "-w", help="Only this workspace.")] = "",
    by: Annotated[str, typer.Option(help="Only this key.")] = "",
    count: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number to list.")] = 50,
    as_json: Json = False,
) -> None:
    """List the audit log, newest first."""
    from filigraph.app.cli.show import server as show_server

    params = {"limit": count, **({"workspace": workspace} if workspace else {}), **({"by": by} if by else {})}
    with connected() as client:
        page = client.get(f"/v1/audit?{urlencode(params)}")
    if as_json:
        print_json(page)
    else:
        show_server.show_audit(page["entries"])
