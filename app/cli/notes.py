"""notes add, list, edit, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from filigraph.app.cli.graph.corrections import Count, First
from filigraph.app.cli.graph.entities import entity_id
from filigraph.app.cli.library import document_id
from filigraph.app.cli.terminal.csv_text import csv_text
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Csv, Json, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import connected, get_all, path, print_json, print_text, say
from filigraph.graph.errors import InputError

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

notes_app = typer.Typer(name="notes", help="Your notes, tags and stars; answers never use them.", no_args_is_help=True)

NoteId = Annotated[str, typer.Argument(help="The note's id, as `notes list` shows it.", show_default=False)]
TagList = Annotated[list[str], typer.Option("--tag", help="A tag. Repeatable.", show_default=False)]


@notes_app.command()
def add(
    text: Annotated[str, typer.Argument(help="What you note.", show_default=False)] = "",
    entity: Annotated[str, typer.Option(help="At this entity: its id or name.", show_default=False)] = "",
    fact: Annotated[str, typer.Option(help="At this fact: its id.", show_default=False)] = "",
    answer: Annotated[
        str, typer.Option(help="At this answer: the id of its trace, or `last`.", show_default=False)
    ] = "",
    hop: Annotated[
        int, typer.Option(min=0, help="At this hop of the answer's first path, by number.", show_default=False)
    ] = 0,
    document: Annotated[
        str, typer.Option(help="At this document: its source, file name, title or id.", show_default=False)
    ] = "",
    passage: Annotated[
        str, typer.Option(help="At this passage of the document, in its own words.", show_default=False)
    ] = "",
    tags: TagList = [],  # noqa: B006
    star: Annotated[bool, typer.Option("--star", help="With a star.")] = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Note something at an entity, a fact, an answer, a hop, a document or a passage of it."""
    from filigraph.app.cli.show.notes import show_note

    named = [value for value in (entity, fact, answer, document) if value]
    if len(named) != 1 or (passage and not document) or (hop and not answer):
        raise typer.BadParameter(
            "Name one thing: --entity, --fact, --answer (with --hop, if you like) or --document (with --passage)."
        )
    with connected() as client:
        place: dict[str, Any] = {"entity": entity, "fact": fact, "document": document, "sentence": passage}
        if answer:
            place = _at_answer(client, workspace, answer, hop)
        elif document:
            place["document"] = document_id(client, workspace, document)
        body = {"at": place, "text": text, "tags": tags, "starred": star}
        note = client.post(path(workspace, "notes"), body)
    print_json(note) if as_json else show_note(note)


def _at_answer(client: Client, workspace: str, answer: str, hop: int) -> dict[str, Any]:
    """The answer, or a hop of its first path."""
    from filigraph.app.cli.report import last_trace

    trace = last_trace(client, workspace) if answer == "last" else answer
    if not hop:
        return {"trace": trace}
    paths = client.get(path(workspace, "traces", trace, "answer"))["paths"]
    hops = paths[0]["hops"] if paths else []
    if hop > len(hops):
        raise InputError(f"The answer has no hop {hop}.", cure=f"Give a number from 1 to {len(hops)}.")
    chosen = hops[hop - 1]
    if chosen.get("fact_id"):
        return {"fact": chosen["fact_id"]}
    if chosen["kind"] == "unfound":
        raise InputError(f"Hop {hop} was not found in the texts.", cure="Note it at the answer, without --hop.")
    return {"chunk": chosen["chunk_id"], "start": chosen["start"], "end": chosen["end"]}


@notes_app.command(name="list")
@takes_view
def list_notes(
    workspace: Workspace = DEFAULT_WORKSPACE,
    text: Annotated[str, typer.Option(help="Only those with these words.", show_default=False)] = "",
    kind: Annotated[
        str, typer.Option(help="Only those at a passage, fact, entity, answer or document.", show_default=False)
    ] = "",
    tags: Annotated[list[str], typer.Option("--tag", help="Only those with this tag. Repeatable.")] = [],  # noqa: B006
    starred: Annotated[bool, typer.Option("--starred", help="Only those with a star.")] = False,
    by: Annotated[str, typer.Option(help="Only those of this person: the name of a key.", show_default=False)] = "",
    document: Annotated[str, typer.Option(help="Only those in this document.", show_default=False)] = "",
    entity: Annotated[str, typer.Option(help="Only those at this entity or its facts.", show_default=False)] = "",
    lost: Annotated[bool, typer.Option("--lost", help="Only those whose place is gone.")] = False,
    first: First = 0,
    count: Count = 50,
    view: View = {},  # noqa: B006
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """List notes with their current places, most recently changed first. --csv gives all of them."""
    from filigraph.app.cli.show.notes import show_notes

    filters: dict[str, Any] = {"text": text, "kind": kind, "by": by, "document": document, "tag": tags}
    params = {name: value for name, value in filters.items() if value}
    params |= {name: True for name, value in (("starred", starred), ("lost", lost)) if value}
    with connected() as connection:
        client = connection.within(view)
        params |= {"entity": entity_id(client, workspace, entity)} if entity else {}
        if as_csv:
            page = get_all(client, path(workspace, "notes"), params, "notes")
        else:
            page = client.get(path(workspace, "notes"), **params, first=first, count=count)
    if as_csv:
        from filigraph.graph.transfer.tables import NOTE_COLUMNS, note_row

        print_text(csv_text(NOTE_COLUMNS, map(note_row, page["notes"])))
    elif as_json:
        print_json(page)
    else:
        show_notes(page, first)


@notes_app.command()
def edit(
    note: NoteId,
    text: Annotated[str | None, typer.Option(help="The new text.", show_default=False)] = None,
    tags: TagList = [],  # noqa: B006
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Remove all its tags.")] = False,
    star: Annotated[bool | None, typer.Option("--star/--no-star", help="With or without a star.")] = None,
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Change the text, the tags (all of them) or the star of a note."""
    from filigraph.app.cli.show.notes import show_note

    change: dict[str, Any] = {"text": text, "starred": star, "tags": [] if no_tags else tags or None}
    if all(value is None for value in change.values()):
        raise typer.BadParameter("Say what changes: --text, --tag, --no-tags, --star or --no-star.")
    with connected() as client:
        changed = client.put(path(workspace, "notes", note), change)
    print_json(changed) if as_json else show_note(changed)


@notes_app.command()
def delete(
    notes: Annotated[list[str], typer.Argument(help="Ids, as `notes list` shows them.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Delete notes."""
    with connected() as client:
        for note in notes:
            client.delete(path(workspace, "notes", note))
    print_json({"deleted": notes}) if as_json else say(f"Deleted {len(notes)}.")
