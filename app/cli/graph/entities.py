"""entities, find, path, compare; and the entity that an argument names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer

from filigraph.app.cli.terminal.options import (
    DEFAULT_WORKSPACE,
    Json,
    Sources,
    View,
    Where,
    Workspace,
    conditions,
    takes_view,
)
from filigraph.app.cli.terminal.session import connected, path, print_json

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

ENTITY_ID = re.compile("[0-9a-f]{48}")
NAMESAKES = 100  # entities with a name or part of it that are looked at
MAX_SHOWN_IN_ERROR = 5  # of them in an error


@takes_view
def entities(
    name: Annotated[str, typer.Argument(help="A name or part of one. Default: those that most passages mention.")] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Find entities by a name, with their ids, types and all their names."""
    from filigraph.app.cli.show import entities as show_entities

    with connected() as client:
        page = _find(client.within(view), workspace, name, first=first, count=count)
    print_json(page) if as_json else show_entities.show_entities(page, first)


@takes_view
def find(
    phrase: Annotated[str, typer.Argument(help="Words, in this order.", show_default=False)] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    names: Annotated[
        list[str],
        typer.Option("--names", help="Passages that name this entity, by any of its names. Repeat it: all of them."),
    ] = [],  # noqa: B006 - typer's own way
    types: Annotated[
        list[str], typer.Option("--type", help="Passages that name an entity of this type. Repeat it: one of each.")
    ] = [],  # noqa: B006
    predicate: Annotated[
        str,
        typer.Option(
            "--predicate",
            help="Passages that state a fact with this predicate, about the named entities if there are any.",
        ),
    ] = "",
    in_document: Annotated[
        bool, typer.Option("--in-document", help="With --names or --type: all in one document, not in one passage.")
    ] = False,
    source: Sources = [],  # noqa: B006
    where: Where = [],  # noqa: B006
    first: Annotated[int, typer.Option(min=0, help="Number of the first place, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    save: Annotated[
        str, typer.Option(help="Save the search under this name, for `searches run`.", metavar="NAME")
    ] = "",
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Find a phrase, or the passages that name A and B or state a fact: every place, in the order of reading."""
    from filigraph.app.cli.show import entities as show_entities

    naming = bool(names or types or predicate)
    if not naming and (not phrase or in_document or source or where):
        raise typer.BadParameter(
            "Give a phrase, --names, --type or --predicate; --in-document, --source and --where go with these options."
        )
    conditions(where)  # a wrong one is refused here, as other options are
    within = "document" if in_document else "passage"
    query: dict[str, Any] = {"text": phrase, "name": names, "type": types, "predicate": predicate, "within": within}
    search_params = query | {"source": source, "where": where} if naming else {"text": phrase}
    with connected() as client:
        page = client.within(view).get(
            path(workspace, "passages" if naming else "find"), **search_params, first=first, count=count
        )
        if save:
            query |= {"source": source, "where": conditions(where), "view": view}
            client.post(path(workspace, "searches"), {"name": save, "query": query})
    if as_json:
        print_json(page)
    else:
        (show_entities.show_naming_passages if naming else show_entities.show_phrases)(page, first)


@takes_view
def connect(
    names: Annotated[list[str], typer.Argument(help="Two names or more, or ids of entities.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    hops: Annotated[int, typer.Option(min=1, max=6, help="How many facts a chain may have.")] = 6,
    count: Annotated[int, typer.Option(min=1, max=20, help="How many chains.")] = 3,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask the LLM instead: it reads, and names the path between each two.")
    ] = False,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Show how names are connected: the best chains of facts between each two, else names near each other in a text, or
    that nothing connects them. With --ask an LLM reads and names one path, checked sentence by sentence."""
    from filigraph.app.cli.show.connections import show_connections

    if len(names) < 2:
        raise typer.BadParameter('Name two: filigraph path "Jules" "La Griffe".')
    if ask:
        _ask_how_connected(names, workspace, view, as_json=as_json)
        return
    with connected() as client:
        reply = client.within(view).get(path(workspace, "connections"), name=names, hops=hops, count=count)
    print_json(reply) if as_json else show_connections(reply["connections"], hops)


def _ask_how_connected(names: Sequence[str], workspace: str, view: dict[str, Any], *, as_json: bool) -> None:
    """Ask an LLM about each two names that follow each other, as `ask` does; Ctrl-C ends all of it."""
    from filigraph.app.cli.questions import answer_of, show_answer
    from filigraph.app.cli.terminal.interrupting import INTERRUPTED
    from filigraph.graph.text.connection_questions import connection_question

    options = {"view": view} if view else {}
    with connected() as client:
        named = [_name_of(client.within(view), workspace, name) for name in names]
        questions = [connection_question(first, other) for first, other in pairwise(named)]
        answers = []
        for question in questions:
            answer = (
                answer_of(client, workspace, {"question": question, **options})
                if as_json
                else show_answer(client, workspace, question, options)
            )
            answers.append(answer)
            if answer and answer["ended"] == "cancelled":
                break
    if as_json:
        print_json(answers)
    if any(answer and answer["ended"] == "cancelled" for answer in answers):
        raise typer.Exit(INTERRUPTED)


def _name_of(client: Client, workspace: str, named: str) -> str:
    """The name of an entity that is given by its id; else what is given."""
    if not ENTITY_ID.fullmatch(named):
        return named
    return str(client.get(path(workspace, "entities", named))["entity"]["name"])


@takes_view
def compare(
    names: Annotated[list[str], typer.Argument(help="Two to four names, or ids of entities.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    count: Annotated[int, typer.Option(min=0, max=100, help="How many passages that name two of them.")] = 5,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Compare two to four: facts by relation in columns, first places, what they share, passages that name two."""
    from filigraph.app.cli.show.comparison import show_comparison

    if not 2 <= len(names) <= 4:
        raise typer.BadParameter('Name two to four: filigraph compare "Jules" "Sophie".')
    with connected() as client:
        comparison = client.within(view).get(path(workspace, "comparison"), name=names, count=count)
    print_json(comparison) if as_json else show_comparison(comparison)


def entity_id(client: Client, workspace: str, named: str) -> str:
    """The id of the entity with a name, else of the only one with part of it; or the given id. Raises InputError."""
    from filigraph.graph.errors import InputError
    from filigraph.graph.text.names.parse import name_key

    if ENTITY_ID.fullmatch(named):
        return named
    near = _find(client, workspace, named, first=0, count=NAMESAKES)["entities"]
    key = name_key(named)
    bearing = [row for row in near if key in map(name_key, (row["name"], *row["aliases"]))]
    candidates = bearing or near
    if not candidates:
        raise InputError(f"No entity has the name {named!r}.", cure="`filigraph entities` finds them by their names.")
    if len(candidates) > 1:
        which = ", ".join(f"{row['id']} ({row['name']})" for row in candidates[:MAX_SHOWN_IN_ERROR])
        raise InputError(f"More than one entity has the name {named!r}.", cure=f"Give the id of one: {which}.")
    return str(candidates[0]["id"])


def _find(client: Client, workspace: str, name: str, *, first: int, count: int) -> dict[str, Any]:
    page: dict[str, Any] = client.get(path(workspace, "entities"), name=name, first=first, count=count)
    return page
