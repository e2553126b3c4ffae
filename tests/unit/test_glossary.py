"""The words of the code: each is a standard word of the field (`standard_words.txt`) or is in the glossary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
STANDARD = set((Path(__file__).parent / "standard_words.txt").read_text(encoding="utf-8").split())


def ours() -> set[str]:
    """The words that the glossary explains."""
    rows = re.findall(r"^\| (.+?) \|", GLOSSARY, re.MULTILINE)[2:]
    return {word for row in rows for word in re.findall(r"[a-z]+", row.lower())}


@cache
def words_of_names() -> list[tuple[str, str]]:
    """Each word in the name of a module, a package or a class, with where it stands."""
    return list(_words_of_names())


def _words_of_names() -> Iterator[tuple[str, str]]:
    for room in ("app", "graph"):
        for file in sorted((ROOT / room).rglob("*.py")):
            path = str(file.relative_to(ROOT))
            for word in re.findall(r"[a-z]+", path.removesuffix(".py").removesuffix("__init__")):
                yield word, path
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+", node.name):
                        yield word.lower(), f"{path}: {node.name}"


def known(word: str, words: set[str]) -> bool:
    return bool({word, word.removesuffix("s"), re.sub("ies$", "y", word)} & words)


def test_every_word_of_ours_is_in_the_glossary() -> None:
    words = ours() | STANDARD
    unknown = {word: where for word, where in words_of_names() if not known(word, words)}
    assert not unknown, "use a standard term, or explain the word in docs/glossary.md"


def test_no_word_is_both_ours_and_standard() -> None:
    assert not ours() & STANDARD, "a word of the glossary needs no place in standard_words.txt"


def test_the_list_of_standard_words_has_no_leftovers() -> None:
    used = {form for word, _ in words_of_names() for form in (word, word.removesuffix("s"), re.sub("ies$", "y", word))}
    assert not STANDARD - used
