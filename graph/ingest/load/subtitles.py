"""Subtitles (.srt, .vtt): what is said, without numbers and times, as running text."""

from __future__ import annotations

import re

from filigraph.graph.ingest.load.content import Content, clean
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode

_TIMES = re.compile(r"^\s*(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->\s*(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}.*$")
_SPEAKER = re.compile(r"<v(?:\.[^\s>]{0,50})?\s+([^>\n]{1,100})>")
_TAG = re.compile(r"</?[a-zA-Z0-9.:_ =\"#-]{1,100}>|\{\\[^}\n]{1,50}\}")
_ENDS = re.compile(r"[.!?…。！？»”\"]$")
_BLOCKS = ("NOTE", "STYLE", "REGION", "WEBVTT")


def read_subtitles(content: bytes, declared: str = "") -> Content:
    """The cues, joined to sentences; a speaker that is named comes before what he says."""
    decoded, warnings = decode(content, declared)
    spoken: list[str] = []
    has_times = False
    for block in re.split(r"\n[ \t]*\n", clean(decoded).replace("\r", "\n")):
        lines = block.strip("\n").split("\n")
        at = next((n for n, line in enumerate(lines) if _TIMES.match(line)), None)
        has_times = has_times or at is not None
        if at is None and (lines[0].startswith(_BLOCKS) or lines[0].strip().isdigit()):
            continue
        words = [_TAG.sub("", _SPEAKER.sub(r"\1: ", line)).strip() for line in lines[0 if at is None else at + 1 :]]
        spoken += [" ".join(filter(None, words))]
    text = ""
    for part in filter(None, spoken):
        new_line = part.startswith(("-", "–", "—")) or not text or _ENDS.search(text)
        text += (("\n" if text else "") if new_line else " ") + part
    return Content(text=text, warnings=warnings if has_times else (*warnings, f"no times: {AS_PLAIN_TEXT}"))
