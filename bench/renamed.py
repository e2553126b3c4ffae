"""A set of `narrative.py` under other names: each word of a name becomes an invented one, everywhere the same.

An embedder may have read of Baker Street. Texts, readings and questions are rewritten alike, so that all else stays as
it is.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import regex

WORD = regex.compile(r"\p{L}+")
SHORTEST = 3  # letters of a word that is renamed
CONSONANTS, VOWELS = "bdfgklmnprstv", "aeiou"


@cache
def renamed(folder: Path) -> Path:
    """A copy of the set in `folder` under other names, in a temporary folder."""
    copy = Path(tempfile.mkdtemp(prefix="filigraph-renamed-")) / folder.name
    files = [file for file in sorted(folder.rglob("*")) if file.suffix in (".txt", ".jsonl", ".md", ".eml")]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    others = other_names(names(texts[folder / "readings.jsonl"]), texts.values())
    for file, text in texts.items():
        place = copy / file.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_rewritten(text, others), encoding="utf-8")
    return copy


def names(readings: str) -> list[str]:
    """All names of a file of readings."""
    rows = [json.loads(line) for line in readings.splitlines()]
    return [name for row in rows for those in row["names"].values() for name in those]


def other_names(names: Iterable[str], texts: Iterable[str]) -> dict[str, str]:
    """Word of a name -> the invented one, both in lower case. Words that the texts use otherwise than as a name are
    left out.
    """
    lower = {word for text in texts for word in WORD.findall(text) if word.islower()}
    words = dict.fromkeys(word.casefold() for name in names for word in WORD.findall(name) if word[0].isupper())
    random = np.random.default_rng(7)
    others: dict[str, str] = {}
    taken = set(words) | lower
    for word in words:
        if len(word) >= SHORTEST and word not in lower:
            invented = _invented(random, len(word))
            while invented in taken:
                invented = _invented(random, len(word))
            taken.add(invented)
            others[word] = invented
    return others


def _invented(random: np.random.Generator, letters: int) -> str:
    return "".join(str(random.choice(list(VOWELS if n % 2 else CONSONANTS))) for n in range(letters))


def _rewritten(text: str, others: Mapping[str, str]) -> str:
    def rename(match: regex.Match[str]) -> str:
        word = match.group()
        other = others.get(word.casefold())
        if other is None or word.islower():
            return word
        return other.upper() if word.isupper() else other.capitalize()

    return WORD.sub(rename, text)
