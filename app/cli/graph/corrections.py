"""corrections list, names, who, review, apply, undo, split, rename, type, places."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from filigraph.app.cli.graph.entities import entity_id
from filigraph.app.cli.graph.name_questions import ask_who
from filigraph.app.cli.show import corrections as show_corrections
from filigraph.app.cli.terminal.exit_codes import IN_PART
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Workspace
from filigraph.app.cli.terminal.session import connected, path, print_json, say

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

CORRECTIONS_PER_REQUEST = 1000  # max. corrections per request
PLACE = re.compile(r"(?P<chunk>[^:\s]+):(?P<start>\d+)-(?P<end>\d+)")
YES = {"true": True, "yes": True, "y": True, "1": True, "same": True, "oui": True}
NO = {"false": False, "no": False, "n": False, "0": False, "distinct": False, "apart": False, "non": False}

First = Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")]
Count = Annotated[int, typer.Option(min=1, max=1000, help="How many.")]
Note = Annotated[str, typer.Option(help="Reason, for later reference.", show_default=False)]
Who = Annotated[str, typer.Argument(help="An entity's id, or a name that no other entity has.", show_default=False)]

corrections_app = typer.Typer(name="corrections", help="Merged names, and your corrections.", no_args_is_help=True)


@corrections_app.command(name="list")
def list_corrections(
    workspace: Workspace = DEFAULT_WORKSPACE,
    by: Annotated[
        Literal["person", "rule"] | None, typer.Option(help="Only decisions by this author.", show_default=False)
    ] = None,
    first: First = 0,
    count: Count = 50,
    as_json: Json = False,
) -> None:
    """List corrections, then merges by rules, with rule, score, author and time. Corrections have an id."""
    with connected() as client:
        page = client.get(f"{path(workspace, 'corrections')}?by={by or ''}&first={first}&count={count}")
    print_json(page) if as_json else show_corrections.show_corrections(page, first)


@corrections_app.command()
def review(
    workspace: Workspace = DEFAULT_WORKSPACE, first: First = 0, count: Count = 200, as_json: Json = False
) -> None:
    """Review names that were nearly merged, nearest first: y same, n different, s skip, u undo the last, q quit."""
    with connected() as client:
        page = client.get(path(workspace, "corrections", "review"), first=first, count=count)
        if as_json:
            print_json(page)
        elif not page["near_misses"] or not sys.stdin.isatty() or sys.platform == "win32":
            show_corrections.show_near_misses(page)
        else:
            show_corrections.print_lines(_Session(client, workspace).run(page["near_misses"]))


@corrections_app.command()
def who(
    workspace: Workspace = DEFAULT_WORKSPACE,
    count: Annotated[int, typer.Option(min=1, max=200, help="How many questions.")] = 30,
    as_json: Json = False,
) -> None:
    """Say who is who, the most important first: type the numbers of the same person, Enter for none, s skip, q quit.

    Names that you do not choose are kept apart.
    """
    with connected() as client:
        page = client.get(path(workspace, "corrections", "who"), count=count)
        if as_json:
            print_json(page)
        elif not page["questions"] or not sys.stdin.isatty():
            show_corrections.show_who(page)
        else:
            show_corrections.print_lines(ask_who(client, path(workspace, "corrections"), page["questions"]))


@corrections_app.command()
def names(entity: Who, workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """List the names of an entity: how often each occurs, why they are one, and who it is not."""
    with connected() as client:
        id_ = entity_id(client, workspace, entity)
        reply = client.get(path(workspace, "entities", id_, "names"))
    print_json(reply) if as_json else show_corrections.show_names(reply)


@corrections_app.command()
def apply(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Two names, or ids of mentions or entities.", metavar="FIRST SECOND", show_default=False),
    ] = None,
    workspace: Workspace = DEFAULT_WORKSPACE,
    same: Annotated[
        bool | None,
        typer.Option("--same/--distinct", " /--apart", help="Whether both are the same.", show_default=False),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="Many at once: JSON lines or CSV with first, second, same, note; or with kind, about, other, value.",
            show_default=False,
        ),
    ] = None,
    note: Note = "",
    as_json: Json = False,
) -> None:
    """Decide that two names or entities are the same or not; or make many corrections of any kind, with --file.

    Exit code 3: some rows of a file were refused.
    """
    if file and (names or same is not None):
        raise typer.BadParameter("Give either two names or --file.")
    if not file and (len(names or []) != 2 or same is None):
        raise typer.BadParameter("Give two names, and --same or --distinct; or --file.")
    first, second = names or ["", ""]
    rows = read_corrections(file) if file else [_pair_correction(first, second, bool(same), note)]
    outcome: dict[str, Any] = {"corrections": [], "refused": []}
    with connected() as client:
        for start in range(0, len(rows), CORRECTIONS_PER_REQUEST):
            _add(outcome, client, path(workspace, "corrections"), rows[start : start + CORRECTIONS_PER_REQUEST], start)
    print_json(outcome) if as_json else show_corrections.show_outcome(outcome)
    if outcome["refused"]:
        raise typer.Exit(IN_PART)


@corrections_app.command()
def undo(
    corrections: Annotated[
        list[str], typer.Argument(help="Ids, as `corrections list` shows them.", show_default=False)
    ],
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Undo corrections. The graph is then the same as without them."""
    with connected() as client:
        for correction in corrections:
            client.delete(path(workspace, "corrections", correction))
    print_json({"undone": corrections}) if as_json else show_corrections.print_lines(
        [f"undone: {id_}" for id_ in corrections]
    )


@corrections_app.command()
def places(
    entity: Who, workspace: Workspace = DEFAULT_WORKSPACE, first: First = 0, count: Count = 100, as_json: Json = False
) -> None:
    """List the places of an entity's names, in the form that `split` takes."""
    with connected() as client:
        id_ = entity_id(client, workspace, entity)
        page = client.get(path(workspace, "entities", id_, "places"), first=first, count=count)
    print_json(page) if as_json else show_corrections.show_places(page)


@corrections_app.command()
def split(
    entity: Who,
    workspace: Workspace = DEFAULT_WORKSPACE,
    name: Annotated[
        list[str] | None,
        typer.Option(help="The id of a mention to split off. Repeatable.", show_default=False),
    ] = None,
    place: Annotated[
        list[str] | None,
        typer.Option(help="A place to split off, CHUNK:START-END. Repeatable.", show_default=False),
    ] = None,
    note: Note = "",
    as_json: Json = False,
) -> None:
    """Split an entity: the given names become a new entity, the given places new names. See `places`."""
    parsed = [_parse_place(text) for text in place or []]
    row = {"kind": "split", "about": entity, "names": name or [], "places": parsed, "note": note}
    correct(workspace, [row], as_json)


@corrections_app.command()
def rename(
    entity: Who,
    name: Annotated[str, typer.Argument(help="What to call it.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    note: Note = "",
    as_json: Json = False,
) -> None:
    """Set the name under which an entity is shown. Its other names remain."""
    correct(workspace, [{"kind": "name", "about": entity, "value": name, "note": note}], as_json)


@corrections_app.command(name="type")
def retype(
    entity: Who,
    type_: Annotated[str, typer.Argument(metavar="TYPE", help="What it is: Person, Place.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    note: Note = "",
    as_json: Json = False,
) -> None:
    """Set the type of an entity; it replaces the type that was read."""
    correct(workspace, [{"kind": "type", "about": entity, "value": type_, "note": note}], as_json)


def correct(workspace: str, rows: list[dict[str, Any]], as_json: bool) -> None:
    """Send corrections in one request, and show what became of them."""
    with connected() as client:
        outcome = client.post(path(workspace, "corrections"), {"corrections": rows})
    print_json(outcome) if as_json else show_corrections.show_outcome(outcome)
    if outcome["refused"]:
        raise typer.Exit(IN_PART)


# --------------------------------------------------------------------------------------------------------------------


class _Session:
    """Interactive review of near misses. Decisions are applied in the background during the next question."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._at = path(workspace, "corrections")

    def run(self, near: list[dict[str, Any]]) -> list[str]:
        """Ask about each near miss; returns a summary as lines."""
        from concurrent.futures import Future, ThreadPoolExecutor

        done: list[tuple[int, Future[str]]] = []
        number = 0
        with _keys_at_once(), ThreadPoolExecutor(max_workers=1) as worker:
            while number < len(near) or done:
                last = number == len(near)
                prompt = show_corrections.END if last else show_corrections.question(near[number], number, len(near))
                key = _read_key(prompt, "uq" if last else "ynsuq")
                if key == "q":
                    break
                if key in "yn":
                    done.append((number, worker.submit(self._decide, near[number], key == "y")))
                if key == "u" and done:
                    number, decided = done.pop()
                    worker.submit(self._undo, decided).result()
                    say("undone")
                elif key != "u":
                    number += 1
        return [
            f"{len(done):,} decided, {len(near) - number:,} left",
            *filter(None, (outcome(reply) for _, reply in done)),
        ]

    def _decide(self, miss: dict[str, Any], same: bool) -> str:
        first, second = miss["names"][0]["id"], miss["others"][0]["id"]
        row = _pair_correction(first, second, same)
        return str(self._client.post(self._at, {"corrections": [row]})["corrections"][0]["id"])

    def _undo(self, decided: Any) -> None:
        if not decided.exception():  # a rejected decision needs no undo
            self._client.delete(f"{self._at}/{decided.result()}")


def outcome(decided: Any) -> str:
    """The error of a decision, "" if it was applied."""
    from filigraph.graph.errors import FiligraphError

    error = decided.exception()
    if error and not isinstance(error, FiligraphError):
        raise error
    return str(error or "")


@contextmanager
def _keys_at_once() -> Iterator[None]:
    """Switch the terminal to unbuffered input (cbreak), keeping keys that were pressed early."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read_key(prompt: str, keys: str) -> str:
    while True:
        typer.echo(prompt, nl=False)
        key = sys.stdin.read(1).lower() or "q"
        typer.echo(key if key.isprintable() else "")
        if key and key in keys:
            return key


def _add(outcome: dict[str, Any], client: Client, address: str, rows: list[dict[str, Any]], start: int) -> None:
    """Send corrections and add the response to `outcome`. A rejected request is added as a refusal of its first one;
    the error is raised if it is the only one of the file."""
    from filigraph.graph.errors import InputError

    try:
        reply = client.post(address, {"corrections": rows})
    except InputError as error:
        if len(rows) == 1 and not start:
            raise
        reply = {"corrections": [], "refused": [{"number": 1, "cause": error.cause, "cure": error.cure}]}
    outcome["corrections"] += reply["corrections"]
    outcome["refused"] += [{**row, "number": row["number"] + start} for row in reply["refused"]]


def _parse_place(text: str) -> dict[str, Any]:
    match = PLACE.fullmatch(text)
    if not match:
        raise typer.BadParameter(f"{text!r} is not a place: give CHUNK:START-END, as `corrections places` shows them.")
    return {"chunk_id": match["chunk"], "start": int(match["start"]), "end": int(match["end"])}


def read_corrections(file: Path) -> list[dict[str, Any]]:
    """Parse a file of corrections: JSON Lines, or CSV with a header. Raises InputError with the line number."""
    from filigraph.graph.errors import InputError

    cure = "Give first, second, and same: yes or no; or kind, about, and what the kind needs."
    try:
        text = file.expanduser().read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file} cannot be read ({error}).", cure="Check the path, and save the file as UTF-8."
        ) from error
    corrections = []
    for number, row in _json_rows(text) if text.lstrip().startswith("{") else _csv_rows(text):
        correction = _correction(row)
        if not correction:
            raise InputError(f"{file}, line {number}: not a correction.", cure=cure)
        corrections.append(correction)
    if not corrections:
        raise InputError(f"{file} has no corrections.", cure=cure)
    return corrections


def _correction(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a file as REST takes it: two names, or a correction by its kind; empty if it is neither."""
    from filigraph.graph.model.names import CorrectionKind

    entry = {
        key: str(row.get(key) or "").strip() for key in ("kind", "about", "other", "value", "first", "second", "note")
    }
    if entry["kind"]:
        lists = {key: row[key] for key in ("names", "places") if isinstance(row.get(key), list)}
        sent = {key: entry[key] for key in ("kind", "about", "other", "value", "note")} | lists
        return sent if entry["kind"] in get_args(CorrectionKind) and entry["about"] else {}
    same = row.get("same") if isinstance(row.get("same"), bool) else (YES | NO).get(str(row.get("same")).lower())
    if same is None or not entry["first"] or not entry["second"]:
        return {}
    return _pair_correction(entry["first"], entry["second"], same, entry["note"])


def _pair_correction(first: str, second: str, same: bool, note: str = "") -> dict[str, Any]:
    return {"kind": "same" if same else "distinct", "about": first, "other": second, "note": note}


def _json_rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                row = {}
            yield number, row if isinstance(row, dict) else {}


def _csv_rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(text.splitlines())
    for row in reader:
        yield reader.line_num, dict(row)
