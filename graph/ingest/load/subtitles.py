"""Subtitles (.srt, .vtt): what is said, as running text; with the speaker and the time where speakers are named."""

from __future__ import annotations

import re
from collections.abc import Sequence

from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.model.documents import LinePlace

_TIMES = re.compile(r"^\s*(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->\s*(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}.*$")
_SPEAKER = re.compile(r"<v(?:\.[^\s>]{0,50})?\s+([^>\n]{1,100})>")
_TAG = re.compile(r"</?[a-zA-Z0-9.:_ =\"#-]{1,100}>|\{\\[^}\n]{1,50}\}")
_ENDS = re.compile(r"[.!?…。！？»”\"]$")
_BLOCKS = ("NOTE", "STYLE", "REGION", "WEBVTT")


def read_subtitles(content: bytes, declared: str = "") -> Content:
    """The cues, joined to sentences; a speaker that is named comes before what he says."""
    decoded, warnings = decode(content, declared)
    spoken: list[tuple[str, str, str]] = []  # when, who, and what
    has_times = False
    notes = 0
    for block in re.split(r"\n[ \t]*\n", clean(decoded).replace("\r", "\n")):
        lines = block.strip("\n").split("\n")
        at = next((n for n, line in enumerate(lines) if _TIMES.match(line)), None)
        has_times = has_times or at is not None
        if at is None and (lines[0].startswith(_BLOCKS) or lines[0].strip().isdigit()):
            notes += lines[0].startswith("NOTE")
            continue
        when = "" if at is None else lines[at].split("-->")[0].strip().replace(",", ".").partition(".")[0]
        spoken += [(when, who, words) for who, words in _turns_of_cue(lines[0 if at is None else at + 1 :])]
    text = last = ""
    times: list[LinePlace] = []
    for when, who, words in spoken:
        goes_on = bool(text) and not _ENDS.search(text) and not words.startswith(("-", "–", "—"))
        between = "" if not text else " " if goes_on and who == last else "\n"
        if when and (not times or times[-1].label != when):
            times.append(LinePlace(kind="time", label=when, start=len(text) + len(between)))
        head = "" if between == " " or not who else f"[{when}] {who}: " if when else f"{who}: "
        text += between + head + words
        last = who
    return Content(
        text=text,
        lines=tuple(times),
        warnings=(*warnings, *_said_of(notes)) if has_times else (*warnings, f"no times: {AS_PLAIN_TEXT}"),
    )


def _said_of(notes: int) -> tuple[str, ...]:
    return (f"{LEFT_OUT} remarks of who made the subtitles: {notes}",) if notes else ()


def _turns_of_cue(lines: Sequence[str]) -> list[tuple[str, str]]:
    """The lines of a cue by who says them, "" where no name stands before."""
    said: list[tuple[str, str]] = []
    who = ""
    for line in lines:
        if named := _SPEAKER.search(line):
            who = one_line(named[1])
        words = " ".join(_TAG.sub("", _SPEAKER.sub("", line)).split())
        if words and said and said[-1][0] == who and not named and not words.startswith(("-", "–", "—")):
            said[-1] = (who, f"{said[-1][1]} {words}")
        elif words:
            said.append((who, words))
    return said
