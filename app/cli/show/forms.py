"""Render forms."""

from __future__ import annotations

from collections import Counter

from filigraph.app.cli.show.ingest import expected, usage
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


def kept(found: Data) -> None:
    """Confirm that a form was stored."""
    out = console()
    line(out, f"{one_line(found['title'])}: {plural(found['fields'], 'field')}")
    about = " --about NAME" if found["about_one"] else ""
    line(out, styled(f"`filigraph form fill {found['name']}{about}` fills it.", "dim"))


def forms(found: Data) -> None:
    """A list of forms."""
    out = console()
    rows = table("Form", "Title", "Fields", "Filled", right=(2,))
    for row in found["forms"]:
        title = one_line(row["title"], 40)
        fills = [_fill(fill) for fill in row["fills"]] or ["comes with Filigraph" if row["ready"] else ""]
        for number, progress in enumerate(fills):
            first = ("", "", "") if number else (row["name"], title, str(row["fields"]))
            rows.add_row(*map(styled, first), styled(progress, "dim"))
    out.print(rows)


def _fill(fill: Data) -> str:
    counts: Counter[str] = Counter(fill["states"])
    counted = ", ".join(f"{count} {STATES[state][0]}" for state, count in sorted(counts.items()))
    return f"{one_line(fill['about'], 40)}: {counted}" if fill["about"] else counted


def estimate(found: Data) -> None:
    """Estimate of a fill."""
    by = "by the facts: proposals" if found["writer"] == "facts" else f"by {found['writer']}"
    expected(found, by=by, counted=plural(found["fields"], "field"))


def filled(job: Data, found: Data) -> None:
    """Report of a fill."""
    form(found)
    out = console()
    if job["progress"]:
        for text in usage({"usage": job["progress"]["usage"], "cost": None}):
            line(out, text)
    if job["state"] != "done":
        line(out, styled(f"The job {job['id']} is {job['state']}; `filigraph jobs show` says why.", "yellow"))


def form(found: Data) -> None:
    """A form with its values, empty fields first."""
    out = console()
    about = f", about {one_line(found['about'])}" if found["about"] else ""
    have = sum(row["state"] not in EMPTY for row in found["fields"])
    heading(out, one_line(found["title"]), f"{have} of {plural(len(found['fields']), 'field')} filled{about}")
    for row in sorted(found["fields"], key=lambda row: row["state"] not in EMPTY):  # stable
        field(row)


def field(row: Data) -> None:
    """A field with its value and the sentences behind it."""
    out = console()
    word, style = STATES[row["state"]]
    required = " *" if row["required"] else ""
    out.print()
    line(out, styled(f"{one_line(row['question'])}{required}", "bold") + styled(f"  {row['id']}", "dim"))
    value = "; ".join(one_line(value) for value in row["values"])
    normalized = f" ({one_line(row['normalized'])})" if row["normalized"] not in ("", value) else ""
    line(out, styled(f"{value}{normalized}") + styled(f"{'  ' if value else ''}{word}", style), 4)
    if row["note"]:
        line(out, styled(clean(row["note"]), "dim"), 4)
    for place in row["evidence"]:
        at = f", {one_line(place['place'])}" if place["place"] else ""
        line(out, styled(f"“{one_line(place['text'], SENTENCE)}”"), 6)
        line(out, styled(f"{one_line(place['title'], 80)}{at}", "dim"), 6)
        for fact in place["facts"][:2]:
            said = one_line(f"{fact['subject']} — {fact['predicate']} → {fact['object']}", 120)
            line(out, styled(said, "dim"), 6)
