"""Render forms."""

from __future__ import annotations

from collections import Counter

from filigraph.app.cli.show.ingest import show_expected, usage
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import clean, one_line

STATES = {
    "open": ("not asked yet", "dim"),
    "found": ("found", "green"),
    "not_found": ("not found", "yellow"),
    "proposed": ("proposal", "cyan"),
    "passages": ("no value; see", "dim"),
    "corrected": ("your own", "magenta"),
}
EMPTY = ("open", "not_found", "passages")  # states without a value: shown first
SENTENCE = 300  # characters


def confirm_stored(saved: Data) -> None:
    """Confirm that a form was stored."""
    terminal = console()
    line(terminal, f"{one_line(saved['title'])}: {plural(saved['fields'], 'field')}")
    about = " --about NAME" if saved["about_one"] else ""
    line(terminal, styled(f"`filigraph form fill {saved['name']}{about}` fills it.", "dim"))


def show_forms(listing: Data) -> None:
    terminal = console()
    rows = table("Form", "Title", "Fields", "Filled", right=(2,))
    for row in listing["forms"]:
        title = one_line(row["title"], 40)
        fills = [_fill(fill) for fill in row["fills"]] or ["comes with Filigraph" if row["ready"] else ""]
        for number, progress in enumerate(fills):
            first = ("", "", "") if number else (row["name"], title, str(row["fields"]))
            rows.add_row(*map(styled, first), styled(progress, "dim"))
    terminal.print(rows)


def _fill(fill: Data) -> str:
    counts: Counter[str] = Counter(fill["states"])
    counted = ", ".join(f"{count} {STATES[state][0]}" for state, count in sorted(counts.items()))
    return f"{one_line(fill['about'], 40)}: {counted}" if fill["about"] else counted


def show_estimate(figures: Data) -> None:
    by = "by the facts: proposals" if figures["writer"] == "facts" else f"by {figures['writer']}"
    show_expected(figures, by=by, counted=plural(figures["fields"], "field"))


def show_filled(job: Data, filled_form: Data) -> None:
    """Report of a fill."""
    show_form(filled_form)
    terminal = console()
    if job["progress"]:
        for text in usage({"usage": job["progress"]["usage"], "cost": None}):
            line(terminal, text)
    if job["state"] != "done":
        line(terminal, styled(f"The job {job['id']} is {job['state']}; `filigraph jobs show` says why.", "yellow"))


def show_form(filled_form: Data) -> None:
    """A form with its values, empty fields first."""
    terminal = console()
    about = f", about {one_line(filled_form['about'])}" if filled_form["about"] else ""
    have = sum(row["state"] not in EMPTY for row in filled_form["fields"])
    heading(
        terminal,
        one_line(filled_form["title"]),
        f"{have} of {plural(len(filled_form['fields']), 'field')} filled{about}",
    )
    for row in sorted(filled_form["fields"], key=lambda row: row["state"] not in EMPTY):  # stable
        show_field(row)


def show_field(row: Data) -> None:
    """A field with its value and the sentences behind it."""
    terminal = console()
    word, style = STATES[row["state"]]
    required = " *" if row["required"] else ""
    terminal.print()
    line(terminal, styled(f"{one_line(row['question'])}{required}", "bold") + styled(f"  {row['id']}", "dim"))
    value = "; ".join(one_line(value) for value in row["values"])
    normalized = f" ({one_line(row['normalized'])})" if row["normalized"] not in ("", value) else ""
    line(terminal, styled(f"{value}{normalized}") + styled(f"{'  ' if value else ''}{word}", style), 4)
    if row["note"]:
        line(terminal, styled(clean(row["note"]), "dim"), 4)
    for place in row["evidence"]:
        location = f", {one_line(place['place'])}" if place["place"] else ""
        line(terminal, styled(f"“{one_line(place['text'], SENTENCE)}”"), 6)
        line(terminal, styled(f"{one_line(place['title'], 80)}{location}", "dim"), 6)
        for fact in place["facts"][:2]:
            triple = one_line(f"{fact['subject']} — {fact['predicate']} → {fact['object']}", 120)
            line(terminal, styled(triple, "dim"), 6)
