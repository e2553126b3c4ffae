"""Show statements that may disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line, where_said

if TYPE_CHECKING:
    from rich.console import Console

OTHERWISE = {
    "number": "another number",
    "time": "another hour",
    "date": "another date",
    "place": "another place",
}
VERDICTS = {"contradiction": "contradiction", "not": "not one", "unsure": "cannot tell"}


def show_contradictions(page: Data, first: int) -> None:
    """Each matter with who says what of it: the two that are most directly against each other, then the others."""
    terminal = console()
    rows = page["matters"]
    if not rows:
        line(terminal, "No two statements by different voices seem to disagree.")
        return
    heading(terminal, "May disagree", f"{first + 1:,} to {first + len(rows):,} of {page['total']:,}")
    for number, row in enumerate(rows, start=first + 1):
        lead, others = row["pairs"][0], row["statements"][2:]
        kind = _describe_kind(lead)
        line(terminal, styled(f"{number}  {one_line(row['about']) or kind}", "bold"))
        if row["about"]:
            line(terminal, styled(kind, "dim"), indent=4)
        if lead["what"]:
            line(terminal, one_line(lead["what"]), indent=4)
        _statements(terminal, *row["statements"][:2])
        _further_statements(terminal, others)
        if meant := _meant(row["statements"]):
            line(terminal, styled(meant, "dim"), indent=4)


def _meant(statements: Sequence[Data]) -> str:
    """How many of a matter's statements are what was asked for, if not all."""
    asked = sum(one["asked"] for one in statements)
    return "" if asked == len(statements) else f"{asked} of {len(statements)} statements are what was asked for."


def _further_statements(terminal: Console, statements: Sequence[Data]) -> None:
    """What others say of the same matter, with the side of each."""
    for side, say in ((1, "as the first"), (2, "as the second")):
        if shown := [one for one in statements if one["side"] == side]:
            line(terminal, styled(f"{say}:", "dim"), indent=4)
            _statements(terminal, *shown)
    if shown := [one for one in statements if one["side"] > 2]:
        line(terminal, styled("otherwise:", "dim"), indent=4)
        _statements(terminal, *shown)


def show_said_against(terminal: Console, answer: Data) -> None:
    """What other voices say against the sentences of an answer's paths."""
    for contradiction in answer.get("contradictions", ()):
        statement, against = contradiction["said"], contradiction["against"]
        terminal.print()
        judged = "" if contradiction["verdict"] == "contradiction" else " (may disagree)"
        line(terminal, styled(f"{one_line(against['voice'])} {_opposing_words(contradiction)}{judged}", "yellow"))
        for words in filter(None, (contradiction.get("about", ""), contradiction["what"])):
            line(terminal, one_line(words), indent=4)
        _statements(terminal, statement, against)
        _further_statements(terminal, contradiction.get("further", ()))


def _opposing_words(contradiction: Data) -> str:
    """What the other voice does."""
    if contradiction["kind"] == "denial":
        return "denies it" if contradiction["against"]["denied"] else "says that it is so"
    return (
        f"says otherwise: {OTHERWISE[contradiction['kind']]}"
        if contradiction["kind"] in OTHERWISE
        else "says otherwise"
    )


def _statements(terminal: Console, *statements: Data) -> None:
    """Each sentence with who says it and where."""
    for statement in statements:
        line(terminal, styled(f"{one_line(statement['voice'])}: “{one_line(statement['sentence'])}”"), indent=4)
        line(terminal, styled(where_said(statement, statement["date"]), "dim"), indent=6)


def _describe_kind(row: Data) -> str:
    """What rules, or an LLM, call a pair."""
    if row["kind"] == "read":
        return f"{VERDICTS.get(row['verdict'], 'contradiction')}, read by {one_line(row['model'])}"
    verdict = VERDICTS.get(row["verdict"])
    return f"{row['kind']}: {verdict}, read by {one_line(row['model'])}" if verdict else f"{row['kind']}: may disagree"


def show_left(left: Data) -> None:
    """What is left to read."""
    if calls := left["usage"]["calls"]:
        line(console(), f"{plural(calls, 'call')} left: `filigraph contradictions --read` continues.")
