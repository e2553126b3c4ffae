"""Subtitles in other forms than SubRip's: TTML (.ttml, .dfxp), SAMI (.smi), MicroDVD (.sub) and song texts (.lrc)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from xml.etree.ElementTree import Element, ParseError, fromstring

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import tag_of
from filigraph.graph.ingest.load.content import one_line

IS_TTML = re.compile(r"<(?:\w{1,20}:)?tt\b[^<>]{0,2000}(?:ns/ttml|/ttaf1)")
IS_SAMI = re.compile(r"\A\s*<SAMI\b", re.IGNORECASE)
IS_MICRODVD = re.compile(r"\A\s*\{\d{1,9}\}\{\d{0,9}\}")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,:;]\d{1,6}){0,2}")
_OFFSET = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(h|ms|m|s|f|t)?")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "": 1.0, "ms": 0.001}
_SYNC = re.compile(r"<SYNC\b[^>]{0,50}?Start\s*=\s*[\"']?(\d{1,9})[^>]{0,50}>", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^>]{0,20}>|\[br\]", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]{0,500}>")
_FRAMES = re.compile(r"^\{(\d{1,9})\}\{\d{0,9}\}(.*)$", re.MULTILINE)
_STYLE = re.compile(r"\{[A-Za-z]:[^{}\n]{0,50}\}")
_RATE = re.compile(r"\d{2}(?:\.\d{1,3})?")
_SUNG = re.compile(r"^((?:\[\d{1,3}:\d{2}(?:[.:]\d{1,3})?\])+)(.*)$", re.MULTILINE)
_WORD_TIME = re.compile(r"<\d{1,3}:\d{2}(?:[.:]\d{1,3})?>")


@dataclass(frozen=True)
class Cue:
    """What is said at a time; "" if no time is known."""

    when: str
    said: list[tuple[str, str]]  # each line with its speaker


def ttml_cues(text: str) -> list[Cue]:
    """The paragraphs. Raises UnreadableDocument if it is not XML."""
    try:
        root = fromstring(_DECLARATION.sub("", text))  # noqa: S314 # expat >= 2.4.1 bounds entities
    except (ParseError, ValueError, RecursionError) as error:
        raise UnreadableDocument(f"The subtitles are damaged: {error}.", cure="Save them as .srt or .vtt.") from error
    rates = {name: int(value) for name in ("frameRate", "tickRate") if (value := _attribute(root, name)).isdigit()}
    agents = {
        _attribute(node, "id"): one_line(" ".join(node.itertext())) for node in root.iter() if tag_of(node) == "agent"
    }
    cues = []
    for node in _outermost(root, "p"):
        begins = next((begin for part in node.iter() if (begin := part.get("begin"))), "")
        who = agents.get(_attribute(node, "agent"), "")
        lines = [" ".join(line.split()) for line in "".join(_words(node)).split("\0")]
        cues.append(Cue(_ttml_time(begins, rates), [(who, line) for line in lines if line]))
    return cues


def _outermost(root: Element, tag: str) -> Iterator[Element]:
    """The elements of that name that are not within another one, in their order."""
    stack = [root]
    while stack:
        node = stack.pop()
        if tag_of(node) == tag:
            yield node
        else:
            stack.extend(reversed(node))


def _words(paragraph: Element) -> Iterator[str]:
    yield paragraph.text or ""
    stack: list[Element | str] = [*reversed(_with_tails(paragraph))]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            yield part
        elif tag_of(part) == "br":
            yield "\0"
        elif tag_of(part) != "metadata":
            yield part.text or ""
            stack.extend(reversed(_with_tails(part)))


def _with_tails(node: Element) -> list[Element | str]:
    return [one for part in node for one in (part, part.tail or "")]


def _attribute(node: Element, name: str) -> str:
    return next((value for key, value in node.attrib.items() if key.rpartition("}")[2] == name), "")


def _ttml_time(begins: str, rates: dict[str, int]) -> str:
    if clock := _CLOCK.fullmatch(begins):
        return _when(int(clock[1] or 0) * 3600 + int(clock[2]) * 60 + int(clock[3]))
    if not (offset := _OFFSET.fullmatch(begins)):
        return ""
    unit = offset[2] or ""
    if unit in ("f", "t"):
        rate = rates.get("frameRate", 30) if unit == "f" else rates.get("tickRate", 0)
        return _when(float(offset[1]) / rate) if rate else ""
    return _when(float(offset[1]) * _SECONDS[unit])


def sami_cues(text: str) -> list[Cue]:
    """The words from each time on, in all languages of the file."""
    parts = _SYNC.split(text)
    return [
        Cue(_when(int(start) / 1000), [("", line) for line in map(_plain, _BREAK.split(words)) if line])
        for start, words in zip(parts[1::2], parts[2::2], strict=True)
    ]


def _plain(markup: str) -> str:
    return " ".join(unescape(_MARKUP.sub(" ", markup)).split())


def microdvd_cues(text: str) -> list[Cue]:
    """The lines; their times only if the first line gives the number of pictures in a second."""
    rows = [(int(frame), words) for frame, words in _FRAMES.findall(text)]
    rate = float(rows[0][1]) if rows and _RATE.fullmatch(rows[0][1].strip()) else 0.0
    return [
        Cue(_when(frame / rate) if rate else "", [("", line) for line in map(_unstyled, words.split("|")) if line])
        for frame, words in rows[bool(rate) :]
    ]


def _unstyled(words: str) -> str:
    return " ".join(_STYLE.sub("", words).removeprefix("/").split())


def song_cues(text: str) -> list[Cue]:
    """The lines of a song; a line that is sung again has several times, and stands at the first."""
    cues = []
    for times, words in _SUNG.findall(text):
        clock = _CLOCK.match(times[1:])
        line = " ".join(_WORD_TIME.sub("", words).split())
        if clock and line:
            cues.append(Cue(_when(int(clock[1] or 0) * 3600 + int(clock[2]) * 60 + int(clock[3])), [("", line)]))
    return sorted(cues, key=lambda cue: cue.when)


def _when(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
