"""Names from models and texts made safe as labels and relationship types.

A parameter does not protect a label: `SET n:$($label)` takes any text, another workspace's label too. So whatever a
model calls a type or a predicate goes through here first, and through the store's registry, which caps how many there
can be.
"""

from __future__ import annotations

import unicodedata

LONGEST = 40  # characters

# Labels and relationship types of our own (see the data model); compared without case and underscores.
_OUR_LABELS = {"document", "chunk", "mention", "entity", "fact", "workspace", "aliasgroup", "filigraphschema"}
_OUR_LABELS |= {"filigraphtoken", "job", "trace", "setting", "settings", "key", "apikey", "lease"}
_OUR_TYPES = {"fromdocument", "nextchunk", "inchunk", "sameas", "notsameas", "refersto", "fromchunk"}
_OUR_TYPES |= {"subject", "object", "relatedto"}


def safe_token(text: str) -> str:
    """A relationship type for `text`: "est l'emblème de" -> "EST_L_EMBLÈME_DE"; "" where there can be none.

    NFKC, upper case, letters (with their marks) and digits, anything else becomes one `_`, at most 40 characters. Our
    own names and whatever begins like a workspace's label (`W_`) are refused. A token is its own token.
    """
    upper = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).upper())
    letters: list[str] = []
    for character in upper:
        if len(letters) > LONGEST:
            break
        if character.isalnum() or (_is_mark(character) and letters and letters[-1] != "_"):
            letters.append(character)
        elif letters and letters[-1] != "_":
            letters.append("_")
    token = "".join(letters)[:LONGEST].strip("_")
    if token.startswith("W_") or token.replace("_", "").casefold() in _OUR_LABELS | _OUR_TYPES:
        return ""
    return token


def safe_label(text: str) -> str:
    """A node label for `text`: "société secrète" -> "SociétéSecrète"; "" where there can be none."""
    return "".join(part.capitalize() for part in safe_token(text).split("_"))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")
