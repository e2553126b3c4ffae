"""ANSEL, the encoding of old family trees: an accent precedes its letter."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_LETTERS = dict(zip(
    (*range(0xA1, 0xAF), *range(0xB0, 0xBB), 0xBC, 0xBD, *range(0xC0, 0xC7), 0xC7, 0xC8, 0xCF),
    "ŁØĐÞÆŒʹ·♭®±ƠƯʼʻłøđþæœʺı£ðơư°ℓ℗©♯¿¡ß€ß", strict=True,
))  # fmt: skip
_ACCENTS = dict(zip(
    (*range(0xE0, 0xFC), 0xFE),
    "\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u030a\ufe20\ufe21\u0315\u030b\u0310"
    "\u0327\u0328\u0323\u0324\u0325\u0333\u0332\u0326\u031c\u032e\ufe22\ufe23\u0313", strict=True,
))  # fmt: skip
_ACCENT = re.compile(rb"[\xe0-\xfe]+")
_ACCENTED = re.compile("([\ue0e0-\ue0fe]+)([A-Za-z])")
_ALL = 0.98  # min. share of the accents before a letter: in other encodings such bytes often end words
_MOST_UNKNOWN = 0.1  # max. share of bytes above ASCII that ANSEL does not have
_COMPOSED = 0.9  # min. share of the accents that form one letter with the next: "é" does, "f̃" and "r̲" do not
_HALVES = "\ufe20\ufe21\ufe22\ufe23"  # halves of a ligature over two letters
_BASE = 0xE000  # first private character in place of an accent until its letter is known


def decode_ansel(content: bytes) -> tuple[str, tuple[str, ...]]:
    """The text, and warnings; "" if the file only claims to be ANSEL."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return "", ()
    accents = list(_ACCENT.finditer(content))
    before_letters = sum(content[one.end() : one.end() + 1].isalpha() for one in accents)
    if before_letters < _ALL * len(accents):
        return "", ()
    high = Counter(code for code in content if code > 0x7F)
    unknown = set(high) - set(_LETTERS) - set(_ACCENTS)
    if sum(high[code] for code in unknown) > _MOST_UNKNOWN * high.total():
        return "", ()
    accents_apart = {code: chr(_BASE + code) for code in _ACCENTS}
    text = content.decode("latin-1").translate(accents_apart | _LETTERS | dict.fromkeys(unknown, "\ufffd"))
    if not _composes(text):
        return "", ()
    text = _ACCENTED.sub(lambda match: match[2] + "".join(map(_accent, match[1])), text)
    text = re.sub("[\ue0e0-\ue0fe]", "\ufffd", text)
    named = ", ".join(f"0x{code:02x}" for code in sorted(unknown)[:5])
    warnings = (f"broken ANSEL: what could not be read is marked \ufffd ({named})",) if unknown else ()
    return unicodedata.normalize("NFC", text), warnings


def _composes(text: str) -> bool:
    """Whether languages use these combinations of accents and letters."""
    pairs = Counter((match[2], "".join(map(_accent, match[1]))) for match in _ACCENTED.finditer(text))
    known = {pair: times for pair, times in pairs.items() if not set(pair[1]) & set(_HALVES)}
    composed = (times for pair, times in known.items() if len(unicodedata.normalize("NFC", "".join(pair))) == 1)
    return sum(composed) >= _COMPOSED * sum(known.values())


def _accent(sign: str) -> str:
    return _ACCENTS.get(ord(sign) - _BASE, "")
