"""neo4j start, stop, status, logs: manual control of the bundled Neo4j."""

import json
import sys
from typing import Annotated, Any

import typer

neo4j_app = typer.Typer(name="neo4j", help="Manage the bundled Neo4j.", no_args_is_help=True)

Version = Annotated[
    str | None, typer.Option("--version", envvar="FILIGRAPH_NEO4J_VERSION", help="Which Neo4j.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@neo4j_app.command()
def start(
    version: Version = None,
    heap: Annotated[
        str | None, typer.Option(envvar="FILIGRAPH_NEO4J_HEAP", help="Memory for queries and transactions, as in 1g.")
    ] = None,
    page_cache: Annotated[
        str | None, typer.Option(envvar="FILIGRAPH_NEO4J_PAGE_CACHE", help="Memory for stored data, as in 256m.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Start Neo4j in the background; the first time, download it."""
    from filigraph.app.neo4j import neo4j_status, start_neo4j

    start_neo4j(version=version, heap=heap, page_cache=page_cache)
    _print_status(neo4j_status(version=version), as_json)


@neo4j_app.command()
def stop(version: Version = None, as_json: Json = False) -> None:
    """Stop Neo4j and wait until its database is closed."""
    from filigraph.app.neo4j import neo4j_status, stop_neo4j

    stop_neo4j(version=version)
    _print_status(neo4j_status(version=version), as_json)


@neo4j_app.command()
def status(version: Version = None, as_json: Json = False) -> None:
    """Show whether Neo4j runs, and its address."""
    from filigraph.app.neo4j import neo4j_status

    _print_status(neo4j_status(version=version), as_json)


@neo4j_app.command()
def logs(
    version: Version = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="Number of lines, from the end.")] = 50,
) -> None:
    """Print the end of Neo4j's log."""
    from filigraph.app.neo4j import neo4j_logs

    for line in neo4j_logs(version=version, lines=lines):
        typer.echo(line)


@neo4j_app.command()
def browser(
    version: Version = None,
    query: Annotated[str, typer.Option(help="Cypher to open in the editor.")] = "",
    as_json: Json = False,
) -> None:
    """Print the address of Neo4j Browser, and open it where there is a desktop. Starts Neo4j when needed."""
    import webbrowser

    from filigraph.app.neo4j import start_neo4j
    from filigraph.graph.errors import LocalNeo4jError

    address = start_neo4j(version=version)
    url = address.browser(query)
    if url is None:
        raise LocalNeo4jError(f"Neo4j {address.version} comes without Neo4j Browser.", cure="Use the default version.")
    if as_json:
        typer.echo(json.dumps({"url": url, "username": address.username, "password": address.password}, indent=2))
        return
    typer.echo(url)
    typer.echo(f"Log in as {address.username} with the password {address.password}")
    if sys.stdout.isatty() and not is_text_only():
        webbrowser.open(url)


def is_text_only() -> bool:
    """Whether this is Linux without a display, where opening a browser would take over the terminal or fail."""
    import os

    return sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _print_status(status: Any, as_json: bool) -> None:
    """Print a status without the password."""
    from filigraph.app.neo4j import Neo4jStatus

    assert isinstance(status, Neo4jStatus)
    address = status.address
    content: dict[str, object] = {"state": status.state, "version": status.version}
    if status.pid is not None:
        content |= {"pid": status.pid, "memory_mb": round((status.memory or 0) / 1e6)}
    if address is not None:
        content |= {"uri": address.uri, "username": address.username, "browser": address.browser_url}
    content |= {"password_file": str(status.folder / "password"), "folder": str(status.folder)}
    if as_json:
        typer.echo(json.dumps(content, indent=2))
        return
    for name, value in content.items():
        typer.echo(f"{name.replace('_', ' '):14} {value}")
