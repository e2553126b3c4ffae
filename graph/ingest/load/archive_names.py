"""Names of files in a .zip without the flag for UTF-8. By the standard they are in code page 437, but programs write
them in the code page of their system; all names of an archive together show which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from filigraph.graph.ingest.load.encoding import CENTRAL, LEAST_FREQUENT, cyrillic_share, likelihood

_CYRILLIC_WORDS = re.compile(r"(?:(?<![^\W_])(?:[А-ЯЁ]+|[А-ЯЁ]?[а-яё]+)(?![^\W_])|[\x00-\x7f\xa0№·°])*+")
_CYRILLIC_WORD = re.compile("[А-ЯЁа-яё]{2}")  # the "à" of "Lettre à Anne" would be one letter
# The first is chosen if several fit. Chinese and Korean have the same bytes: Korean has only syllables, which Chinese
# reads as the first half of its characters.
_EAST_ASIAN = (
    ("cp932", re.compile(r"[\x00-\x7f\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e\u2010-\u2026]*+")),
    ("euc_kr", re.compile(r"[\x00-\x7f\uac00-\ud7a3\u3000-\u303f]*+")),
    ("gb2312", re.compile(r"[\x00-\x7f\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e\u2010-\u2026]*+")),
    ("big5", re.compile(r"[\x00-\x7f\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e\u2010-\u2026]*+")),
    ("gbk", re.compile(r"[\x00-\x7f\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e\u2010-\u2026]*+")),
)
_KANA = re.compile(r"[\x00-\x7f]*+(?:[\u3041-\u30fe]{2,}+[\x00-\x7f]*+)++")  # "Bâtiment" would have a single one
_FITS = 0.9  # min. share of accented letters that stand where they belong
_WESTERN = ("cp850", "cp437", "cp1252", "mac_roman", "iso8859_15")


def decoded_names(names: Sequence[bytes]) -> list[str]:
    """The names of one archive, in the encoding that fits them all."""
    content = b"\n".join(name for name in names if not name.isascii())
    codec = _encoding_of(content) if content else "ascii"
    return [name.decode(codec, "replace") for name in names]


def _encoding_of(content: bytes) -> str:
    with suppress(UnicodeDecodeError):
        content.decode("utf-8")
        return "utf-8"
    for codec in ("cp866", "cp1251"):
        text = content.decode(codec, "replace")
        is_cyrillic = _CYRILLIC_WORDS.fullmatch(text) and _CYRILLIC_WORD.search(text)
        if is_cyrillic and cyrillic_share(text) >= LEAST_FREQUENT:
            return codec
    if _KANA.fullmatch(content.decode("cp932", "replace")):
        return "cp932"
    scores = {codec: likelihood(content, codec) for codec in _WESTERN}
    best = max(_WESTERN, key=lambda codec: scores[codec])
    central = max(likelihood(content, "cp852", letters) for letters in CENTRAL)
    western = "cp852" if central > scores[best] else best
    if max(central, scores[best]) >= _FITS * sum(byte > 0x7F for byte in content):
        return western
    for codec, letters in _EAST_ASIAN:
        with suppress(UnicodeDecodeError):
            if letters.fullmatch(content.decode(codec)):
                return codec
    return western
