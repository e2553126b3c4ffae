"""Show a list of items."""

from __future__ import annotations

from pathlib import Path

from filigraph.app.cli.terminal.console import Data, console, heading, line, more, plural, styled
from filigraph.app.cli.terminal.text import one_line, where_said

MAX_SENTENCE_CHARS = 200  # characters of a sentence


def show_list(listing: Data, first: int, asked: str) -> None:
    """Each item with its date and amount, its sentence and place; then the sum, and what was looked at."""
    terminal = console()
    rows = listing["items"]
    if rows:
        heading(terminal, one_line(asked, MAX_SENTENCE_CHARS), _range_of_total(listing, first))
    else:
        line(terminal, "Nothing of this kind was found." if not listing["total"] else _range_of_total(listing, first))
    for number, row in enumerate(rows, start=first + 1):
        amount = row["amount"]
        details = [row["date"], f"{amount['value']:,.10g} {amount['unit']}" if amount else ""]
        line(
            terminal,
            styled(
                f"{number}  {'  '.join(filter(None, (*details, one_line(row['item'], MAX_SENTENCE_CHARS))))}", "bold"
            ),
        )
        if row["sentence"] != row["item"]:
            line(terminal, styled(f"“{one_line(row['sentence'], MAX_SENTENCE_CHARS)}”"), indent=4)
        for at in (row, *row["also"]):
            line(terminal, styled(where_said(at), "dim"), indent=4)
    more(terminal, first + len(rows), listing["total"])
    for total in listing["sums"] if len(rows) > 1 else ():
        line(terminal, styled(f"Sum: {total['value']:,.12g} {total['unit']}", "bold"))
    line(terminal, styled(_looked_at(listing), "dim"))


def show_written(listing: Data, output: Path) -> None:
    """What was written to a file."""
    line(console(), f"{plural(listing['total'], 'item')} in {output}. {_looked_at(listing)}")


def _range_of_total(listing: Data, first: int) -> str:
    return f"{first + 1:,} to {first + len(listing['items']):,} of {listing['total']:,}"


def _looked_at(listing: Data) -> str:
    understood = listing["understood"]
    limits = [
        f"{word} {understood[name]:g}"
        for word, name in (("from", "least"), ("to", "most"))
        if understood[name] is not None
    ]
    conditions = " ".join(filter(None, (*limits, understood["unit"], understood["period"])))
    looked = f"{listing['passages']:,} of {plural(listing['of_passages'], 'passage')} looked at"
    within = f", {conditions}" if conditions else ""
    return f"{looked}{within}{_read(listing)}. The list may be incomplete; check each item by its sentence."


def _read(listing: Data) -> str:
    """What an LLM read of it."""
    if not listing["calls"]:
        return ""
    models = ", ".join(one_line(model) for model in listing["models"])
    calls = f"{listing['calls']:,} of {plural(listing['of_calls'], 'call')}"
    left_out = f", {plural(listing['left_out'], 'item')} left out" if listing["left_out"] else ""
    return f"; {listing['read']:,} read by {models}, {calls}{left_out}"
