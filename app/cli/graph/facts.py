"""facts list, add, reject, restate, keep, restore."""

from __future__ import annotations

from typing import Annotated

import typer

from filigraph.app.cli.graph.corrections import Count, First, Note, correct, undo
from filigraph.app.cli.graph.entities import entity_id
from filigraph.app.cli.library import document_id
from filigraph.app.cli.show import corrections as show_corrections
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import connected, path, print_json
from filigraph.graph.errors import InputError

facts_app = typer.Typer(name="facts", help="Facts, and your corrections of them.", no_args_is_help=True)

MAX_PASSAGE_CHARS = 2000  # as REST finds in a document

FactIds = Annotated[list[str], typer.Argument(help="Ids, as `facts list` shows them.", show_default=False)]


@facts_app.command(name="list")
@takes_view
def list_facts(
    workspace: Workspace = DEFAULT_WORKSPACE,
    entity: Annotated[str, typer.Option(help="Only those of this entity: its id or name.", show_default=False)] = "",
    predicate: Annotated[
        str, typer.Option(help="Only those with this predicate or relation.", show_default=False)
    ] = "",
    first: First = 0,
    count: Count = 50,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """List facts with their ids, the best supported first."""
    params: dict[str, int | str] = {"first": first, "count": count}
    params |= {"predicate": predicate} if predicate else {}
    with connected() as connection:
        client = connection.within(view)
        params |= {"entity": entity_id(client, workspace, entity)} if entity else {}
        page = client.get(path(workspace, "facts"), **params)
    print_json(page) if as_json else show_corrections.show_facts(page, first)


@facts_app.command()
def reject(facts: FactIds, workspace: Workspace = DEFAULT_WORKSPACE, note: Note = "", as_json: Json = False) -> None:
    """Mark facts as wrong: they leave the graph, and no later reading brings them back. Exit code 3: some unknown."""
    correct(workspace, [{"kind": "rejected", "about": fact, "note": note} for fact in facts], as_json)


@facts_app.command()
def restate(
    fact: Annotated[str, typer.Argument(help="A fact's id.", show_default=False)],
    predicate: Annotated[str, typer.Argument(help="The new predicate.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    note: Note = "",
    as_json: Json = False,
) -> None:
    """Give a fact another predicate."""
    correct(workspace, [{"kind": "relabelled", "about": fact, "value": predicate, "note": note}], as_json)


@facts_app.command()
def keep(
    answer: Annotated[str, typer.Argument(help="The id of an answer's trace.", show_default=False)],
    hop: Annotated[int, typer.Argument(min=1, help="The number of a hop of its first path.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    note: Note = "",
    as_json: Json = False,
) -> None:
    """Make a fact of a hop that an LLM read in a sentence."""
    with connected() as client:
        paths = client.get(path(workspace, "traces", answer, "answer"))["paths"]
    hops = paths[0]["hops"] if paths else []
    if hop > len(hops) or hops[hop - 1]["kind"] != "sentence":
        readable = [str(n) for n, chosen in enumerate(hops, start=1) if chosen["kind"] == "sentence"]
        cure = f"These are: {', '.join(readable)}." if readable else "This answer has none."
        raise InputError(f"Hop {hop} was not read in a sentence.", cure=cure)
    chosen = hops[hop - 1]
    place = {name: chosen[name] for name in ("chunk_id", "start", "end")}
    ends = {"about": chosen["subject_id"] or chosen["subject"], "other": chosen["object_id"] or chosen["object"]}
    correct(
        workspace, [{"kind": "stated", **ends, "value": chosen["predicate"], "places": [place], "note": note}], as_json
    )


@facts_app.command()
def add(
    subject: Annotated[str, typer.Argument(help="A name, or an entity's id.", show_default=False)],
    predicate: Annotated[str, typer.Argument(help="What it is, has or does.", show_default=False)],
    object_: Annotated[str, typer.Argument(metavar="OBJECT", help="The other name.", show_default=False)],
    document: Annotated[str, typer.Option(help="The document that it rests on: source, file name, title or id.")],
    passage: Annotated[str, typer.Option(help="The passage that it rests on, in its own words.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    note: Note = "",
    as_json: Json = False,
) -> None:
    """State a fact of your own, with the passage that it rests on. Answers show it as stated by a person."""
    if not 0 < len(passage.strip()) <= MAX_PASSAGE_CHARS:
        raise typer.BadParameter(f"--passage takes 1 to {MAX_PASSAGE_CHARS:,} characters.")
    with connected() as client:
        id_ = document_id(client, workspace, document)
        found = client.get(path(workspace, "documents", id_, "find"), text=passage, count=1)
    if not found["places"]:
        raise InputError("These words are not in the document.", cure="Copy them from its text.")
    if found["total"] > 1:
        raise InputError(f"The document has these words {found['total']:,} times.", cure="Give more of the passage.")
    place = {name: found["places"][0][name] for name in ("chunk_id", "start", "end")}
    row = {"kind": "stated", "about": subject, "value": predicate, "other": object_, "places": [place], "note": note}
    correct(workspace, [row], as_json)


@facts_app.command()
def restore(
    decisions: Annotated[
        list[str], typer.Argument(help="Ids, as `reject` and `corrections list` show them.", show_default=False)
    ],
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Undo corrections of facts. The graph is then the same as without them."""
    undo(decisions, workspace, as_json)
