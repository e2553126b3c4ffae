"""Subtitles (.srt, .vtt): what is said, as running text; with the speaker and the time where speakers are named."""

from __future__ import annotations

import re
from collections.abc import Sequence

from filigraph.graph.ingest.load.content import Content, clean, one_line
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode

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
    for block in re.split(r"\n[ \t]*\n", clean(decoded).replace("\r", "\n")):
        lines = block.strip("\n").split("\n")
        at = next((n for n, line in enumerate(lines) if _TIMES.match(line)), None)
        has_times = has_times or at is not None
        if at is None and (lines[0].startswith(_BLOCKS) or lines[0].strip().isdigit()):
            continue
        when = "" if at is None else lines[at].split("-->")[0].strip().replace(",", ".").partition(".")[0]
        spoken += [(when, who, words) for who, words in _said(lines[0 if at is None else at + 1 :])]
    text = last = ""
    for when, who, words in spoken:
        goes_on = bool(text) and not _ENDS.search(text) and not words.startswith(("-", "–", "—"))
        if goes_on and who == last:
            text += f" {words}"
        else:
            text += (
                ("\n" if text else "") + (f"[{when}] {who}: " if who and when else f"{who}: " if who else "") + words
            )
        last = who
    return Content(text=text, warnings=warnings if has_times else (*warnings, f"no times: {AS_PLAIN_TEXT}"))


def _said(lines: Sequence[str]) -> list[tuple[str, str]]:
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
