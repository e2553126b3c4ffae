"""Ask on a terminal who is who, and send each answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer

from filigraph.app.cli.show import corrections as show_corrections
from filigraph.app.cli.terminal.session import say

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

SKIPPED: frozenset[int] = frozenset((0,))


def ask_who(client: Client, address: str, questions: list[dict[str, Any]]) -> list[str]:
    """Ask and send each answer at once; returns a summary as lines."""
    answered, refused = 0, []
    for number, row in enumerate(questions):
        show_corrections.show_who_question(row, number, len(questions))
        chosen = _ask_numbers(len(row["others"]))
        if chosen is None:
            break
        if chosen is not SKIPPED:
            corrections = [
                {"kind": "same" if place in chosen else "distinct", "about": row["name"]["id"], "other": other["id"]}
                for place, other in enumerate(row["others"], start=1)
            ]
            outcome = client.post(address, {"corrections": corrections})
            answered += 1
            refused += [f"{refusal['cause']} {refusal['cure']}" for refusal in outcome["refused"]]
    return [f"{answered:,} of {len(questions):,} answered", *refused]


def _ask_numbers(most: int) -> frozenset[int] | None:
    """The numbers that a person types, SKIPPED, or None to quit."""
    while True:
        typed = typer.prompt(show_corrections.WHO, default="", show_default=False, prompt_suffix="").strip().lower()
        if typed in ("q", "s"):
            return None if typed == "q" else SKIPPED
        words = re.split(r"[\s,;]+", typed) if typed else []
        if all(word.isdecimal() and 1 <= int(word) <= most for word in words):
            return frozenset(map(int, words))
        say(f"Numbers from 1 to {most}, s or q.")
