"""A part of a text and who says it."""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.model.arrays import Span

MIN_TURNS = 2  # min. lines of one kind in a chat or a play


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A part of a text and its speaker: "" if unknown."""

    start: int
    end: int
    author: str
    speaker_line: Span  # the line that says so
    head: Span  # the lines or the label before the statement
    is_turn: bool = False  # in a chat, a transcript or a play: `speaker_line` is the label before it
