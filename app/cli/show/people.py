"""Show a cast list."""

from __future__ import annotations

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line

MAX_SENTENCE_CHARS = 200  # characters of a sentence
NAMES = 6  # of a person


def show_cast(page: Data, first: int) -> None:
    """Each person with the sentence that names it first."""
    terminal = console()
    members = page["members"]
    if not members:
        line(terminal, "No person is named." if not page["total"] else "There are no more persons.")
        return
    heading(terminal, "Cast", f"{first + 1:,} to {first + len(members):,} of {page['total']:,}")
    for number, member in enumerate(members, start=first + 1):
        names = f"  ({', '.join(member['names'][:NAMES])})" if member["names"] else ""
        counted = plural(member["passages"], "passage")
        line(terminal, styled(f"{number}  {member['name']}", "bold").append_text(styled(f"{names}  {counted}", "dim")))
        if described := member["description"]:
            line(terminal, styled(f"{described['predicate']} {described['object']}"), indent=4)
        if member["connections"]:
            shared = ", ".join(f"{one['name']} ({one['passages']})" for one in member["connections"])
            line(terminal, styled(f"with {shared}"), indent=4)
        where = ", ".join(filter(None, (member["first"]["source"], member["first"]["place"])))
        line(
            terminal, styled(f"“{one_line(member['first']['sentence'], MAX_SENTENCE_CHARS)}”  {where}", "dim"), indent=4
        )
