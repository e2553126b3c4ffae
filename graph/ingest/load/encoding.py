"""Bytes to text: byte order marks, UTF-8, then the encodings that old files are really in."""

from __future__ import annotations

import codecs
import re

import charset_normalizer

from filigraph.graph.errors import UnreadableDocument

GUESSED = "not UTF-8: read as "  # all of it was read, in an encoding that was guessed
AS_PLAIN_TEXT = "read as plain text"  # so was this, without its parts

_BOMS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# charset-normalizer, free to choose, reads short French as Polish (cp1250) or EBCDIC; among these it chooses well.
_OLD_ENCODINGS = ["cp1252", "cp1251", "koi8_r", "cp932", "gb18030", "big5", "euc_kr", "cp1253", "cp1255", "cp1256"]
_SEVEN_BIT = ("iso-2022", "hz", "utf-7")
_SAMPLE = 100_000  # bytes; it is enough to tell an encoding
_NOISE = 0.01  # more control characters than this, and it is no text

_HIGH_RUN = re.compile(rb"[\x80-\xff]{2,}")
_HIGH = re.compile(rb"[\x80-\xff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decode(content: bytes, declared: str = "") -> tuple[str, tuple[str, ...]]:
    """The text of `content`, and warnings on what had to be guessed. `declared`: the encoding that the file or the
    client names. Raises UnreadableDocument for what is no text."""
    text, warnings = _decode(content, declared)
    noise = len(_CONTROL.findall(text))
    if noise > max(2, _NOISE * len(text)):
        raise UnreadableDocument(
            "The file is binary: it is full of control characters.",
            cure="Send text, Markdown, PDF, DOCX, HTML, EPUB or a mail (.eml, .msg).",
        )
    return text, warnings


def _decode(content: bytes, declared: str) -> tuple[str, tuple[str, ...]]:
    if declared.lower().startswith(_SEVEN_BIT):  # valid UTF-8 to the eye
        try:
            return content.decode(declared), ()
        except (LookupError, ValueError):
            pass
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return _with_gaps(content, encoding)
    if encoding := _utf16_without_mark(content):
        return _with_gaps(content, encoding)
    try:
        return content.decode("utf-8"), ()
    except UnicodeDecodeError:
        pass
    if declared:
        try:
            return content.decode(declared), ()
        except (LookupError, ValueError):  # an unknown encoding, or not that one
            pass
    if _is_damaged_utf8(content):
        return _with_gaps(content, "utf-8")
    encoding = _old_encoding(content)
    text = content.decode(encoding, errors="replace")
    return text, (f"{GUESSED}{encoding}",)


def _with_gaps(content: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    try:
        return content.decode(encoding), ()
    except UnicodeDecodeError:
        text = content.decode(encoding, errors="replace")
        return text, (f"broken {encoding}: what could not be read is marked \ufffd",)


def _utf16_without_mark(content: bytes) -> str:
    """ "utf-16-le", "utf-16-be" or "": spaces and newlines leave a NUL at every odd, or at every even, place."""
    sample = content[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    most, least = max(even, odd), min(even, odd)
    if len(sample) < 4 or most < len(sample) // 2 * 0.05 or least > most * 0.05:
        return ""
    return "utf-16-be" if even > odd else "utf-16-le"


def _is_damaged_utf8(content: bytes) -> bool:
    """Whether most of what is not ASCII is good UTF-8: a cut or patched file, not another encoding."""
    sample = content[:_SAMPLE].decode("utf-8", errors="replace")
    broken = sample.count("\ufffd")
    good = sum(not letter.isascii() for letter in sample) - broken
    return good > 10 * broken


def _old_encoding(content: bytes) -> str:
    sample = content[:_SAMPLE]
    try:
        sample.decode("cp1252")
        western = True
    except UnicodeDecodeError:
        western = False
    # In Western Europe's languages accented letters stand singly among ASCII; in others whole words are high bytes.
    in_runs = sum(map(len, _HIGH_RUN.findall(sample)))
    if western and in_runs <= 0.3 * len(_HIGH.findall(sample)):
        return "cp1252"
    guess = charset_normalizer.from_bytes(sample, cp_isolation=_OLD_ENCODINGS).best()
    if guess is not None:
        return guess.encoding
    return "cp1252" if western else "latin-1"
