"""The result of the readers, and the normalization of text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.model.documents import LinePlace, Place
from filigraph.graph.text.hyphens import SOFT, without_soft_hyphens

LEFT_OUT = "left out, as no part of the text:"  # in a warning: the text itself is complete
MAX_CHARACTERS = 50_000_000  # max. characters of one document; a long novel has 3 million
_NEWLINE = re.compile("\r\n|[\r\x0b\x85\u2028]")
_PAGE_BREAK = re.compile("[\x0c\u2029]")
# Zero-width spaces, bidi controls, byte order marks and non-characters; joiners remain, because Persian and emoji need
# them.
_UNSEEN = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]")
_HYPHENS = re.compile("[\u2010\u2011]")  # "Jean‑Luc" with a non-breaking hyphen is Jean-Luc
_LINE_END_SIGN = re.compile(r"(?<=[^\W\d_])¬(?=[^\S\n]*\n)")  # many scans have it in place of hyphens
_LIGATURES = re.compile("[\ufb00-\ufb06]")  # of Latin letters: "ﬁ" is "fi"
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True)
class Content:
    """The result of a reader: `text` is clean, and `places` refer to it."""

    text: str
    title: str = ""
    places: tuple[Place, ...] = ()
    lines: tuple[LinePlace, ...] = ()
    language: str = ""  # as declared in the file
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def clean(text: str) -> str:
    """NFC, newlines as \\n, no control or bidi characters. Every offset refers to the result, so the readers clean
    what they read before they measure it."""
    if text.isascii() and text.isprintable():  # most cells of a table
        return text
    text = _UNSEEN.sub("", _PAGE_BREAK.sub("\n\n", _NEWLINE.sub("\n", text)))
    text = without_soft_hyphens(_HYPHENS.sub("-", _LINE_END_SIGN.sub(SOFT, text)))
    text = _LIGATURES.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = _CONTROL.sub(" ", text)
    return unicodedata.normalize("NFC", _SURROGATE.sub("\ufffd", text))


def check_length(characters: int) -> None:
    """Raise UnreadableDocument if a document is too long. A file can repeat one text many times, so readers that join
    texts ask first.
    """
    if characters > MAX_CHARACTERS:
        raise UnreadableDocument(
            f"The file holds more than {MAX_CHARACTERS:,} characters.", cure="Send it in several files."
        )


def one_line(text: str, limit: int = 200) -> str:
    """A title or label: clean, on one line, with limited length."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
