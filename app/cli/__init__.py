"""`filigraph`: a thin client of the server. `filigraph --help` must answer at once, so nothing heavy is imported here.

documents.py  ingest, stats                          summaries.py  summarize, outline, shares
reading.py    estimate, retry, gaps, schema          report.py     report
library.py    documents list, show, update, delete   receipts.py   receipt, verify
jobs.py       jobs list, show, watch, cancel, retry, remove
watch.py      ingest --watch                         forms.py      form
questions.py  ask, retrieve                          list_items.py list
people.py     cast, family, timeline                 notes.py      notes add, list, edit, delete
news.py       news, again                            folders.py    folders add, list, remove
searches.py   searches list, run, delete             dependency.py why
evaluation.py eval                                   demo.py       demo
export.py     export, diff, import, move, reembed
graph/        entities.py (entities, find, path, compare), contradictions.py,
              views.py (views create, list, diff, delete),
              corrections.py (corrections list, names, who, review, apply, undo, split, rename, type, places),
              facts.py (facts list, add, reject, restate, keep, restore),
              predicates.py (predicates list, suggest, fold, unfold)
admin/        server.py (serve, up, down, doctor, open), neo4j.py, workspaces.py, keys.py, config.py, audit.py, mcp.py,
              bundle.py
terminal/     options that commands share, the session with the server, consoles, safe text
show/         render answers, reports and lists
"""

# ruff: noqa: E402 - what is imported takes a second, in which Ctrl-C ends the command, too

from __future__ import annotations

import sys
from types import TracebackType


def _without_interrupts(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Show the traceback of an error, but none of Ctrl-C."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)


sys.excepthook = _without_interrupts

import errno
import json
import os
from typing import Annotated, NoReturn

import typer

from filigraph.app.cli import (
    demo,
    dependency,
    documents,
    evaluation,
    export,
    folders,
    forms,
    jobs,
    library,
    list_items,
    news,
    notes,
    people,
    questions,
    reading,
    receipts,
    report,
    searches,
    summaries,
)
from filigraph.app.cli.admin import audit, bundle, config, keys, mcp, neo4j, server, workspaces
from filigraph.app.cli.graph import contradictions, corrections, entities, facts, predicates, views
from filigraph.app.cli.terminal.encodings import adapt_output, is_utf8
from filigraph.app.cli.terminal.examples import add_examples
from filigraph.app.cli.terminal.text import one_line
from filigraph.app.cli.terminal.usage_errors import UsageErrorGroup
from filigraph.app.version import installed_version
from filigraph.graph.errors import FiligraphError


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"filigraph {installed_version()}")
        raise typer.Exit


app = typer.Typer(
    name="filigraph",
    cls=UsageErrorGroup,
    help="Turns novels and case files into a knowledge graph and answers questions by walking it, showing the path.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: boxes take longer to render than all the rest
)


@app.callback()
def filigraph(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None: ...


app.command()(documents.ingest)
app.command()(questions.ask)
app.command()(questions.retrieve)
app.command()(report.report)
app.command()(receipts.receipt)
app.command()(receipts.verify)
app.add_typer(library.documents_app)
app.command()(documents.stats)
app.command()(entities.entities)
app.command()(entities.find)
app.command(name="path")(entities.connect)
app.command()(entities.compare)
app.command()(contradictions.contradictions)
app.command()(dependency.why)
app.command()(news.news)
app.command()(news.again)
app.command(name="list")(list_items.list_items)
app.command()(people.cast)
app.command()(people.family)
app.command()(people.timeline)
app.add_typer(workspaces.workspaces_app)
app.add_typer(views.views_app)
app.add_typer(notes.notes_app)
app.add_typer(searches.searches_app)
app.add_typer(jobs.jobs_app)
app.add_typer(folders.folders_app)
app.command()(reading.estimate)
app.command()(reading.retry)
app.command()(reading.gaps)
app.command()(summaries.summarize)
app.command()(summaries.outline)
app.command()(summaries.shares)
app.add_typer(forms.form_app)
app.add_typer(reading.schema_app)
app.command()(export.export)
app.command()(export.diff)
app.command(name="import")(export.import_)
app.command()(export.move)
app.command()(export.reembed)
app.add_typer(corrections.corrections_app)
app.add_typer(corrections.corrections_app, name="merges", hidden=True)  # its name until version 0.2
app.add_typer(facts.facts_app)
app.add_typer(predicates.predicates_app)
app.command(name="eval")(evaluation.evaluate)
app.command()(audit.audit)
app.command()(server.doctor)
app.command()(server.serve)
app.command()(server.up)
app.command()(server.down)
app.command(name="open")(server.open_page)
app.command()(demo.demo)
app.command()(mcp.mcp)
app.command()(bundle.bundle)
app.add_typer(config.config_app)
app.add_typer(keys.keys_app)
app.add_typer(neo4j.neo4j_app)
add_examples(app)


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # of the disk, or of what the user may have of it


def main() -> NoReturn:
    """The command. Exit codes: 0 success, 1 failure, 2 wrong usage, 3 partial success, 130 interrupted."""
    adapt_output()
    try:
        app(prog_name="filigraph")
    except FiligraphError as error:
        _print(error.code, error.cause, error.cure)
    except KeyboardInterrupt:  # before the command begins; later, it says so itself
        sys.exit(130)
    except BrokenPipeError:  # the reader of the output, such as `head`, closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - last resort: users see no traceback
        if isinstance(error, OSError) and error.errno in FULL:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            where = error.filename or "Standard output"
            _print(
                "bad_input", f"{where} cannot be written ({error.strerror}).", "Free some space, or write elsewhere."
            )
            sys.exit(1)
        if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":  # of an argument
            from filigraph.app.client.rest import not_utf8

            input_error = not_utf8(error)
            _print(input_error.code, input_error.cause, input_error.cure)
            sys.exit(1)
        _print(
            "internal",
            f"Something unforeseen happened ({type(error).__name__}).",
            f"{_keep_traceback()} Please report it.",
        )
    sys.exit(1)


def _print(code: str, cause: str, cure: str) -> None:
    """Print an error on one line to standard error; with --json also the envelope to standard output."""
    if "--json" in sys.argv[1:]:
        print(json.dumps({"error": {"code": code, "cause": cause, "cure": cure}}, ensure_ascii=not is_utf8(sys.stdout)))  # noqa: T201
    print(one_line(f"filigraph: {cause} {cure}"), file=sys.stderr)  # noqa: T201


def _keep_traceback() -> str:
    """Write the traceback to a file; returns a sentence with its path."""
    import traceback

    from filigraph.app.home import open_home
    from filigraph.app.settings import load_settings

    try:
        file = open_home(load_settings().home).crash
        file.write_text(traceback.format_exc(), encoding="utf-8")
    except (FiligraphError, OSError):
        return ""
    return f"The traceback is in {file}."
