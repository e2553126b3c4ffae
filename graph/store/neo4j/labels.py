"""Names from models and texts made safe as labels and relationship types.

A parameter does not protect a label: `SET n:$($label)` takes any text, another workspace's label too. So whatever a
model calls a type or a predicate goes through here first, and through the store's registry, which caps how many there
can be.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

MAX_CHARS = 40  # characters

_TOKEN = re.compile(r"[:|]([A-Z_]\w*)")  # `(m:Mention`, `-[:SAME_AS|NOT_SAME_AS`; a map's value follows a space
_DRAWN = "RELATED_TO"  # by the sweep, where a predicate cannot be a type


@cache
def our_tokens() -> frozenset[str]:
    """The labels and relationship types of our own: all that the statements of the store name."""
    folder = files("filigraph.graph").joinpath("store", "queries")  # read here: a stage does not import the store
    statements = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".cypher")]
    return frozenset({_DRAWN, *(token for text in statements for token in _TOKEN.findall(text))})


@cache
def _ours_folded() -> frozenset[str]:
    return frozenset(_folded(token) for token in our_tokens())


def _is_ours(token: str) -> bool:
    """Whether a label or type is one of our own, or too like one: compared without case and underscores."""
    return token.startswith("W_") or _folded(token) in _ours_folded()


def _folded(token: str) -> str:
    return token.replace("_", "").casefold()


def safe_token(text: str) -> str:
    """A relationship type for `text`: "est l'emblème de" -> "EST_L_EMBLÈME_DE"; "" where there can be none.

    NFKC, upper case, letters (with their marks) and digits, anything else becomes one `_`, at most 40 characters. Our
    own names and whatever begins like a workspace's label (`W_`) are refused. A token is its own token.
    """
    upper = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).upper())
    letters: list[str] = []
    for character in upper:
        if len(letters) > MAX_CHARS:
            break
        if character.isalnum() or (_is_mark(character) and letters and letters[-1] != "_"):
            letters.append(character)
        elif letters and letters[-1] != "_":
            letters.append("_")
    token = "".join(letters)[:MAX_CHARS].strip("_")
    return "" if _is_ours(token) else token


def safe_label(text: str) -> str:
    """A node label for `text`: "société secrète" -> "SociétéSecrète"; "" where there can be none."""
    return "".join(part.capitalize() for part in safe_token(text).split("_"))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")
