"""Subtitles (.srt, .vtt, .sbv, .ass, and those of `cues.py`) as running text; with the speaker and the time if
speakers are named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from itertools import pairwise
from operator import itemgetter

from filigraph.graph.ingest.load.chats.cues import (
    IS_MICRODVD,
    IS_SAMI,
    IS_TTML,
    Cue,
    microdvd_cues,
    sami_cues,
    song_cues,
    ttml_cues,
)
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.model.documents import LinePlace

_TIMES = re.compile(r"^\s*(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*(?:-->|,)\s*(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}.*$")
_BEGINS = re.compile(r"^\s*\d{1,4}:\d{2}[\d:;.,]{0,12}\s*-->")  # what follows may be damaged
_SPEAKER = re.compile(r"<v(?:\.[^\s>]{0,50})?\s+([^>\n]{1,100})>")
_LABEL = re.compile(  # "ANA: I met ...", if it is in capitals
    r"^\s*[-–—]?\s*(?P<who>[^\W\d_](?:[^\W\d_]|[’'. -]){1,30}?(?: \d)?)\s?:\s+(?=\S)"
)
_TAG = re.compile(r"</?[a-zA-Z0-9.:_ =\"#-]{1,100}>|\{\\[^}\n]{1,200}\}")
_DRAWING = re.compile(r"\{[^{}]*\\p[1-9][^{}]*\}.*?(?=\{[^{}]*\\p0|$)")  # points and lines, not words
_ENDS = tuple('.!?…。！？»”"')
_NO_CUES = ("NOTE", "STYLE", "REGION", "WEBVTT")
_EVENTS = re.compile(r"^\[Events\]\s*$", re.MULTILINE)  # in SubStation Alpha
_ROLLING = 0.3  # min. share of the cues that repeat lines of the one before


def read_subtitles(content: bytes, declared: str = "") -> Content:
    """The cues, joined to sentences; a named speaker comes before the speech."""
    decoded, warnings = decode(content, declared)
    text = clean(decoded).replace("\r", "\n")
    cues, notes = _cues(text)
    cues = _labelled(cues)
    spoken, times = _join_cues(_without_rolling_repeats(cues))
    has_times = any(cue.when for cue in cues)
    return Content(
        text=spoken,
        lines=times,
        warnings=(*warnings, *_warnings(notes)) if has_times else (*warnings, f"no times: {AS_PLAIN_TEXT}"),
    )


def _cues(text: str) -> tuple[list[Cue], int]:
    """The cues, and how many remarks are between them."""
    if IS_TTML.search(text[:5000]):
        return ttml_cues(text), 0
    if IS_SAMI.match(text):
        return sami_cues(text), 0
    if IS_MICRODVD.match(text):
        return microdvd_cues(text), 0
    if _EVENTS.search(text):
        return _events(text)
    cues, notes = _blocks(text)
    return (cues, notes) if any(cue.when for cue in cues) else (song_cues(text) or cues, notes)


def _blocks(text: str) -> tuple[list[Cue], int]:
    """The same for SRT and WebVTT."""
    cues: list[Cue] = []
    notes = 0
    for block in re.split(r"\n[ \t]*\n", text):
        lines = block.strip("\n").split("\n")
        times = [n for n, line in enumerate(lines) if _BEGINS.match(line) or _TIMES.match(line)]
        if not times and lines[0].startswith(_NO_CUES):
            notes += lines[0].startswith("NOTE")
            continue
        when = cues[-1].when if cues else ""  # a line of a cue may be blank
        if not times:
            cues.append(Cue(when, _lines_of_cue(lines[lines[0].strip().isdigit() :])))
        for at, after in pairwise([*times, len(lines)]):  # some programs leave out the blank lines
            when = lines[at].split("-->")[0].strip().replace(",", ".").partition(".")[0]
            numbered = after < len(lines) and lines[after - 1].strip().isdigit()
            cues.append(Cue(when, _lines_of_cue(lines[at + 1 : after - numbered])))
    return cues, notes


def _labelled(cues: list[Cue]) -> list[Cue]:
    """Subtitles for the deaf name who speaks in capitals, each time that this changes."""
    found = sum(bool(_label(words)) for cue in cues for who, words in cue.said if not who)
    return [Cue(cue.when, [_of_label(*one) for one in cue.said]) for cue in cues] if found > 1 else cues


def _of_label(who: str, words: str) -> tuple[str, str]:
    label = None if who else _label(words)
    return (label["who"], words[label.end() :]) if label else (who, words)


def _label(words: str) -> re.Match[str] | None:
    """The name in capitals of any script that begins a line."""
    label = _LABEL.match(words)
    return label if label and label["who"].isupper() else None


def _events(text: str) -> tuple[list[Cue], int]:
    """The cues of SubStation Alpha (.ass), and how many of its comments are left out."""
    fields: list[str] = []
    cues: list[tuple[str, Cue]] = []
    notes = 0
    for line in text[text.index("[Events]") :].split("\n"):
        kind, _, values = line.partition(":")
        if kind == "Format":
            fields = [name.strip() for name in values.split(",")]
        elif kind == "Dialogue" and fields:
            cue = dict(zip(fields, (value.strip() for value in values.split(",", len(fields) - 1)), strict=False))
            written = _DRAWING.sub("", cue.get("Text", ""))
            words = " ".join(_TAG.sub("", re.sub(r"\\[Nnh]", " ", written)).split())
            when = cue.get("Start", "").partition(".")[0]
            if words:
                cues.append((when, Cue(when, [(one_line(cue.get("Name", "")), words)])))
        notes += kind == "Comment"
    return [cue for _, cue in sorted(cues, key=itemgetter(0))], notes


def _without_rolling_repeats(cues: Sequence[Cue]) -> list[Cue]:
    """Rolling captions repeat each line below the next: keep it once."""
    again = [_count_repeated(before.said, cue.said) for before, cue in pairwise([Cue("", []), *cues])]
    if sum(map(bool, again)) < _ROLLING * len(cues):
        return [*cues]
    return [Cue(cue.when, cue.said[count:]) for cue, count in zip(cues, again, strict=True)]


def _count_repeated(before: Sequence[tuple[str, str]], now: Sequence[tuple[str, str]]) -> int:
    """The number of lines at the beginning of a cue that were at the end of the one before."""
    most = min(len(before), len(now))
    return next((count for count in range(most, 0, -1) if before[-count:] == now[:count]), 0)


def _join_cues(cues: Sequence[Cue]) -> tuple[str, tuple[LinePlace, ...]]:
    text = last = ""
    times: list[LinePlace] = []
    for when, who, words in ((cue.when, *spoken) for cue in cues for spoken in _merged(cue.said)):
        goes_on = bool(text) and not text.endswith(_ENDS) and not words.startswith(("-", "–", "—"))
        who = who or (last if goes_on else "")
        between = "" if not text else " " if goes_on and who == last else "\n"
        if when and (not times or times[-1].label != when):
            times.append(LinePlace(kind="time", label=when, start=len(text) + len(between)))
        head = "" if between == " " or not who else f"[{when}] {who}: " if when else f"{who}: "
        text += between + head + words
        last = who
    return text, tuple(times)


def _merged(lines: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The lines of a cue by speaker; a dash begins the speech of another one."""
    spoken: list[tuple[str, list[str]]] = []
    for who, words in lines:
        if spoken and spoken[-1][0] == who and not words.startswith(("-", "–", "—")):
            spoken[-1][1].append(words)
        else:
            spoken.append((who, [words]))
    return [(who, " ".join(words)) for who, words in spoken]


def _warnings(notes: int) -> tuple[str, ...]:
    return (f"{LEFT_OUT} remarks of who made the subtitles: {notes}",) if notes else ()


def _lines_of_cue(lines: Sequence[str]) -> list[tuple[str, str]]:
    """The lines of a cue with their speakers, "" without a name."""
    spoken: list[tuple[str, str]] = []
    who = ""
    for line in lines:
        if named := _SPEAKER.search(line):
            who = one_line(named[1])
        if words := " ".join(unescape(_TAG.sub("", _SPEAKER.sub("", line))).split()):
            spoken.append((who, words))
    return spoken
