"""Show a list of items."""

from __future__ import annotations

from pathlib import Path

from filigraph.app.cli.list_items import amount_of
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line

MAX_SENTENCE_CHARS = 200  # characters of a sentence


def show_list(found: Data, first: int) -> None:
    """Each item with its date and amount, its sentence and place; then the sum, and what was looked at."""
    out = console()
    rows = found["items"]
    if rows:
        heading(out, found["understood"]["about"].strip(" .?") or "Items", _shown(found, first))
    else:
        line(out, "Nothing of this kind was found." if not found["total"] else _shown(found, first))
    for number, row in enumerate(rows, start=first + 1):
        amount = amount_of(row, found["understood"]["unit"])
        told = [row["date"], f"{amount['value']:,.10g} {amount['unit']}" if amount else ""]
        line(
            out,
            styled(f"{number}  {'  '.join(filter(None, (*told, one_line(row['item'], MAX_SENTENCE_CHARS))))}", "bold"),
        )
        if row["sentence"] != row["item"]:
            line(out, styled(f"“{one_line(row['sentence'], MAX_SENTENCE_CHARS)}”"), indent=4)
        line(out, styled(", ".join(filter(None, (one_line(row["source"]), row["place"]))), "dim"), indent=4)
    for one in found["sums"] if len(rows) > 1 else ():
        line(out, styled(f"Sum: {one['value']:,.12g} {one['unit']}", "bold"))
    line(out, styled(_looked_at(found), "dim"))


def written(found: Data, output: Path) -> None:
    """What was written to a file."""
    line(console(), f"{plural(found['total'], 'item')} in {output}. {_looked_at(found)}")


def _shown(found: Data, first: int) -> str:
    return f"{first + 1:,} to {first + len(found['items']):,} of {found['total']:,}"


def _looked_at(found: Data) -> str:
    told = found["understood"]
    limits = [f"{word} {told[name]:g}" for word, name in (("from", "least"), ("to", "most")) if told[name] is not None]
    conditions = " ".join(filter(None, (*limits, told["unit"], told["period"])))
    looked = f"{found['passages']:,} of {plural(found['of_passages'], 'passage')} looked at"
    within = f", {conditions}" if conditions else ""
    return f"{looked}{within}. The list may be incomplete; check each item by its sentence."
