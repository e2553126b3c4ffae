"""documents list, show, update, delete."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from filigraph.app.cli.show import documents as show_documents
from filigraph.app.cli.show import ingest as show_ingest
from filigraph.app.cli.show import jobs as show_jobs
from filigraph.app.cli.show import outline as show_outline
from filigraph.app.cli.show import summaries as show_summaries
from filigraph.app.cli.terminal.exit_codes import IN_PART
from filigraph.app.cli.terminal.options import (
    DEFAULT_WORKSPACE,
    Json,
    Metadata,
    Sources,
    View,
    Where,
    Workspace,
    conditions,
    key_values,
    takes_view,
)
from filigraph.app.cli.terminal.session import connected, path, print_json, say
from filigraph.app.cli.terminal.text import one_line
from filigraph.app.uploads.folder_files import source_here
from filigraph.graph.errors import InputError, NotFound

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

MEANT = 5  # documents that an error names
PAGE_ROWS = 1000
MAX_NAMED_DOCUMENTS = 20  # documents that are named before they are deleted

documents_app = typer.Typer(name="documents", help="The documents of a workspace.", invoke_without_command=True)

Document = Annotated[
    str,
    typer.Argument(
        help="Its source, its path from this folder, its file name, its title, or its id.", metavar="SOURCE"
    ),
]


@documents_app.callback()
def documents(context: typer.Context, workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """List the documents of a workspace, or do something with one."""
    before_the_command = {"workspace": workspace, "as_json": as_json}
    group = context.command
    assert isinstance(group, TyperGroup)
    context.default_map = dict.fromkeys(group.commands, before_the_command)
    if context.invoked_subcommand is None:
        list_documents(workspace, source=[], where=[], first=0, count=None, as_json=as_json)


@documents_app.command(name="list")
@takes_view
def list_documents(
    workspace: Workspace = DEFAULT_WORKSPACE,
    source: Sources = [],  # noqa: B006 - typer's own way
    where: Where = [],  # noqa: B006
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int | None, typer.Option(min=1, help="How many to list; all.", show_default=False)] = None,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """List documents, by source."""
    conditions(where)  # a wrong one is refused here, as other options are
    with connected() as connection:
        client = connection.within(view)
        sources = [_resolve_source(client, workspace, name) for name in source]
        listing = read_documents(client, workspace, sources, where, first, count)
    if as_json:
        print_json(listing)
    else:
        limited = bool(source or where or first or view)
        show_documents.show_documents(listing["documents"], listing["threads"], limited=limited)
        show_summaries.show_missing(listing["missing_summaries"])


@documents_app.command(name="show")
@takes_view
def show_document(
    document: Document,
    workspace: Workspace = DEFAULT_WORKSPACE,
    outline: Annotated[bool, typer.Option("--outline", help="Only its parts and chapters, as a tree.")] = False,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Show a document with its metadata, its chapters and pages."""
    with connected() as connection:
        client = connection.within(view)
        details = client.get(path(workspace, "documents", document_id(client, workspace, document)))
    if as_json:
        print_json(details["places"] if outline else details)
    elif outline:
        show_outline.show_places(details)
    else:
        show_documents.show_document(details)


@documents_app.command()
def update(
    document: Document,
    file: Annotated[Path, typer.Argument(help="The new version of the document.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    extractor: Annotated[
        Literal["auto", "local", "llm"] | None,
        typer.Option(help="Extractor. Default: the one used before.", show_default=False),
    ] = None,
    metadata: Metadata = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Update a document from a file. Only changed chunks are read; with unchanged content only metadata are updated.

    Exit code 3: parts of the file could not be read.
    """
    try:
        content = file.expanduser().read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror or error}).", cure="Check the path.") from error
    metadata_values = key_values(metadata, "--metadata")
    fields: dict[str, str] = {"extractor": extractor} if extractor else {}
    if metadata_values:
        fields["metadata"] = json.dumps(metadata_values, ensure_ascii=False)
    with connected() as client:
        address = path(workspace, "documents", document_id(client, workspace, document))
        sent = {"file": (file.name.encode("ascii", "replace").decode(), content, "application/octet-stream")}
        request: dict[str, Any] = {"method": "PUT", "files": sent, "data": fields}
        report = show_ingest.follow_stream(client, address, "report", quiet=as_json, **request)
    if as_json:
        print_json(report)
    else:
        show_ingest.show_report(report)
    if report["skipped"] or report["problems"] or report["failed_chunks"]:
        raise typer.Exit(IN_PART)


@documents_app.command()
def delete(
    documents: Annotated[
        list[str],
        typer.Argument(help="Sources, paths from this folder, ids, folders that end in /.", metavar="SOURCE..."),
    ],
    workspace: Workspace = DEFAULT_WORKSPACE,
    glob: Annotated[bool, typer.Option("--glob", help="In SOURCE * matches any characters and ? matches one.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    background: Annotated[
        bool, typer.Option("--background", help="Run as a job on the server, without waiting for it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Delete documents and everything derived from them alone, without calling a model."""
    with connected() as client:
        sources = list(dict.fromkeys(_resolve_source(client, workspace, document, glob=glob) for document in documents))
        named = {source: _documents_named(client, workspace, source, glob=glob) for source in sources}
        ids = [_known_id(client, workspace, source, pattern=not glob) for source, result in named.items() if not result]
        doomed = {row["id"]: row["source"] for result in named.values() for row in result} | {id_: id_ for id_ in ids}
        if not yes and not _confirm_deletion(list(doomed.values()), workspace):
            say("Nothing was deleted.")
            raise typer.Exit(1)
        body = {"sources": [source for source in sources if named[source]], "ids": ids, "glob": glob}
        if background:
            result = client.post(path(workspace, "deletions"), body)
        else:
            result = client.delete(path(workspace, "documents"), body)
    if as_json:
        print_json(result)
    elif background:
        show_jobs.show_submitted({"jobs": [result], "skipped": []})
    else:
        show_documents.show_deleted(result["deleted"])
        show_summaries.show_missing(result["missing_summaries"])


def _confirm_deletion(names: list[str], workspace: str) -> bool:
    """Whether these documents are to go: they are named, then it is asked."""
    for name in names[:MAX_NAMED_DOCUMENTS]:
        say(f"  {one_line(name, 160)}")
    if len(names) > MAX_NAMED_DOCUMENTS:
        say(f"  and {len(names) - MAX_NAMED_DOCUMENTS:,} more")
    return typer.confirm(f"Delete {len(names):,} of the documents in {workspace}?", err=True)


def _documents_named(client: Client, workspace: str, source: str, *, glob: bool) -> list[dict[str, Any]]:
    """The documents of that name or folder; those that fit a pattern, if `glob`."""
    rows = read_documents(client, workspace, [source], [], 0, None)["documents"]
    name = unicodedata.normalize("NFC", source)
    return [
        row for row in rows if glob or row["source"] == name or (name.endswith("/") and row["source"].startswith(name))
    ]


def read_documents(
    client: Client, workspace: str, sources: list[str], where: list[str], first: int, count: int | None
) -> dict[str, Any]:
    """The documents, page by page."""
    listing: dict[str, Any] = {"total": 0, "documents": [], "threads": []}
    while True:
        wanted = PAGE_ROWS if count is None else min(PAGE_ROWS, count - len(listing["documents"]))
        offset = first + len(listing["documents"])
        page = client.get(path(workspace, "documents"), source=sources, where=where, first=offset, count=wanted)
        listing |= {name: page[name] for name in ("total", "threads", "missing_summaries")}
        listing["documents"] += page["documents"]
        if len(page["documents"]) < wanted or len(listing["documents"]) == count:
            return listing


def _resolve_source(client: Client, workspace: str, source: str, *, glob: bool = True) -> str:
    """Resolve a source: as given, or as a path relative to the working directory if that is a document."""
    here = source_here(source)
    if here == source or _documents_named(client, workspace, source, glob=glob):
        return source
    return here if _documents_named(client, workspace, here, glob=glob) else source


def document_id(client: Client, workspace: str, document: str) -> str:
    """The id of a document given by source, by path relative to the working directory, by file name, title or id."""
    matches = _documents_named(client, workspace, _resolve_source(client, workspace, document), glob=True)
    if not matches:
        try:
            return _known_id(client, workspace, document)
        except NotFound:
            matches = _documents_called(client, workspace, document)
            if not matches:
                raise
    if len(matches) > 1:
        named = ", ".join(one_line(row["source"], 80) for row in matches[:MEANT])
        raise InputError(f"{document} means {len(matches)} documents: {named}.", cure="Name one of them.")
    return str(matches[0]["id"])


def _documents_called(client: Client, workspace: str, name: str) -> list[dict[str, Any]]:
    """The documents with that file name or title, in any case; all documents are read."""

    def folded(text: str) -> str:
        return unicodedata.normalize("NFC", text).casefold()

    rows = read_documents(client, workspace, [], [], 0, None)["documents"]
    return [row for row in rows if folded(name) in (folded(row["source"].rpartition("/")[2]), folded(row["title"]))]


def _known_id(client: Client, workspace: str, document: str, *, pattern: bool = False) -> str:
    """The id of a document that is given by it. Raises NotFound."""
    try:
        return str(client.get(path(workspace, "documents", document))["id"])
    except (NotFound, InputError):
        cure = "`filigraph documents` lists all."
        cure += " A pattern needs --glob." if pattern and ("*" in document or "?" in document) else ""
        raise NotFound(f"There is no document {document} in workspace {workspace}.", cure=cure) from None
