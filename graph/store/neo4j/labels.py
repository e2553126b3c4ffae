"""Safe labels and relationship types for names from models and texts.

A parameter does not protect a label: `SET n:$($label)` takes any text, another workspace's label too. So every type or
predicate from a model passes through here, and through the store's registry, which limits their number.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

MAX_LABEL_CHARS = 40  # characters

_TOKEN = re.compile(r"[:|]([A-Z_]\w*)")  # `(m:Mention`, `-[:SAME_AS|NOT_SAME_AS`; a map's value follows a space
_DRAWN = "RELATED_TO"  # used by the sweep if a predicate cannot be a type


@cache
def our_tokens() -> frozenset[str]:
    """Our own labels and relationship types: all that the store's statements contain."""
    # read here, because a stage does not import the store
    folder = files("filigraph.graph").joinpath("store", "queries")
    statements = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".cypher")]
    return frozenset({_DRAWN, *(token for text in statements for token in _TOKEN.findall(text))})


@cache
def _ours_folded() -> frozenset[str]:
    return frozenset(_folded(token) for token in our_tokens())


def _is_ours(token: str) -> bool:
    """Whether a label or type is one of our own, or too similar: the comparison ignores case and underscores."""
    return token.startswith("W_") or _folded(token) in _ours_folded()


def _folded(token: str) -> str:
    return token.replace("_", "").casefold()


def safe_token(text: str) -> str:
    """A relationship type for `text`: "est l'emblème de" -> "EST_L_EMBLÈME_DE"; "" if it cannot be one.

    NFKC, upper case, at most 40 characters; letters (with their marks) and digits remain, anything else becomes one
    `_`. It refuses our own names and names that begin like a workspace's label (`W_`). The token of a token is itself.
    """
    upper = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).upper())
    letters: list[str] = []
    for character in upper:
        if len(letters) > MAX_LABEL_CHARS:
            break
        if character.isalnum() or (_is_mark(character) and letters and letters[-1] != "_"):
            letters.append(character)
        elif letters and letters[-1] != "_":
            letters.append("_")
    token = "".join(letters)[:MAX_LABEL_CHARS].strip("_")
    return "" if _is_ours(token) else token


def safe_label(text: str) -> str:
    """A node label for `text`: "société secrète" -> "SociétéSecrète"; "" if it cannot be one."""
    return "".join(part.capitalize() for part in safe_token(text).split("_"))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")
