"""form set, list, show, fill, correct, remove, export."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from filigraph.app.cli.jobs import exit_unless_done, follow, show_submitted
from filigraph.app.cli.show import forms as show_forms
from filigraph.app.cli.terminal.console import Data
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Output, Quiet, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import connected, path, print_json, say

form_app = typer.Typer(name="form", help="Forms: fields filled from the documents.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The form's name.", show_default=False)]
About = Annotated[str, typer.Option("--about", help="The person or thing that the form is about.")]
Language = Annotated[
    str, typer.Option("--language", help="Language of the questions: en, fr. Default: that of most documents.")
]
Writer = Annotated[
    Literal["auto", "llm", "facts"],
    typer.Option(help="An LLM, the facts (proposals), or (auto) the LLM if one answers."),
]


@form_app.command(name="set")
def set_form(
    name: Name,
    file: Annotated[Path, typer.Argument(help="A form, YAML or JSON; - reads standard input.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Save a form in a workspace. It replaces a form with the same name."""
    from filigraph.graph.errors import InputError

    try:
        text = sys.stdin.read() if file == Path("-") else file.expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"{file} cannot be read ({why}).", cure="Check the path.") from error
    with connected() as client:
        saved = client.put(path(workspace, "forms", name), {"form": text})
    print_json(saved) if as_json else show_forms.confirm_stored(saved)


@form_app.command(name="list")
@takes_view
def list_forms(
    workspace: Workspace = DEFAULT_WORKSPACE,
    language: Language = "",
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """List the forms, including the built-in ones, and whom or what they were filled for."""
    _get(workspace, show=show_forms.show_forms, as_json=as_json, view=view, language=language)


@form_app.command()
@takes_view
def show(
    name: Name,
    workspace: Workspace = DEFAULT_WORKSPACE,
    about: About = "",
    language: Language = "",
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Show a form with its values and the sentences behind them; empty fields first.

    In a view a field is open where its value rests on something hidden.
    """
    _get(workspace, name, show=show_forms.show_form, as_json=as_json, view=view, about=about, language=language)


@form_app.command()
def fill(
    name: Name,
    workspace: Workspace = DEFAULT_WORKSPACE,
    about: About = "",
    writer: Writer = "auto",
    language: Language = "",
    estimate: Annotated[bool, typer.Option("--estimate", help="Only estimate the calls, tokens and cost.")] = False,
    background: Annotated[bool, typer.Option("--background", help="Run as a job, and return at once.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Fill a form, or update it. It does not ask fields again whose passages have not changed.

    Exit code 3: some fields could not be asked, or it was cancelled; 1: it failed.
    """
    params = {"about": about, "writer": writer, "language": language}
    if estimate:
        _get(workspace, name, "fill", "estimate", show=show_forms.show_estimate, as_json=as_json, view={}, **params)
        return
    with connected() as client:
        job = client.post(path(workspace, "forms", name, "fill"), params)
        if background:
            show_submitted(job, as_json)
            return
        job = follow(client, job["id"], quiet=quiet or as_json)
        form = client.get(path(workspace, "forms", name), about=about, language=language)
    print_json({"job": job, "form": form}) if as_json else show_forms.show_filled(job, form)
    exit_unless_done(job)


@form_app.command()
def correct(
    name: Name,
    field: Annotated[str, typer.Argument(help="The field's id.", show_default=False)],
    values: Annotated[
        list[str] | None,
        typer.Argument(help="Your own value; several for a list; none leaves the field empty.", show_default=False),
    ] = None,
    workspace: Workspace = DEFAULT_WORKSPACE,
    about: About = "",
    undo: Annotated[bool, typer.Option("--undo", help="Remove your value.")] = False,
    as_json: Json = False,
) -> None:
    """Give a field your own value. It stays until you undo it."""
    if undo and values:
        raise typer.BadParameter("--undo takes no value.")
    with connected() as client:
        address = path(workspace, "forms", name, "fields", field)
        if undo:
            from urllib.parse import urlencode

            form = client.delete(f"{address}?{urlencode({'about': about})}")
        else:
            form = client.put(address, {"values": values or [], "about": about})
    row = next(entry for entry in form["fields"] if entry["id"] == field)
    print_json(row) if as_json else show_forms.show_field(row)


@form_app.command()
def remove(name: Name, workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """Remove a form with its values. Of a built-in form it removes only the values."""
    with connected() as client:
        remaining = client.delete(path(workspace, "forms", name))
    print_json(remaining) if as_json else show_forms.show_forms(remaining)


@form_app.command()
@takes_view
def export(
    name: Name,
    workspace: Workspace = DEFAULT_WORKSPACE,
    about: About = "",
    language: Language = "",
    format: Annotated[
        Literal["json", "csv", "markdown", "docx"], typer.Option("--format", help="The kind of file.")
    ] = "markdown",
    output: Output = None,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Export a filled form, with its sources as notes."""
    from urllib.parse import urlencode

    from filigraph.app.cli.export import file_or_stdout

    if not output and (as_json or (format == "docx" and sys.stdout.isatty())):
        raise typer.BadParameter("Name the file to write, with -o.")
    query = urlencode({"about": about, "language": language, "format": format})
    with connected() as client, file_or_stdout(output) as file:
        saved = client.within(view).save(f"{path(workspace, 'forms', name, 'export')}?{query}", file)
    if as_json:
        print_json({**saved, "file": str(output)})
    elif output:
        say(f"{output}: {saved['bytes']:,} bytes")


def _get(workspace: str, *steps: str, show: Callable[[Data], None], as_json: bool, view: View, **params: str) -> None:
    with connected() as client:
        reply = client.within(view).get(path(workspace, "forms", *steps), **params)
    print_json(reply) if as_json else show(reply)
