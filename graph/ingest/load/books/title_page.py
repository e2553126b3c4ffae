"""The title and the author in the first lines of a plain-text book.

THE GREY FERRY

BY EDMUND HALE
"""

from __future__ import annotations

import re

from filigraph.graph.ingest.load.content import one_line

_HEAD_CHARS = 1500  # characters at the beginning that contain the title
_TITLE_LINES = 3
_MAX_TITLE_CHARS = 120  # characters of a title
_BY = re.compile(
    r"^(?:(?:a|an|un|une|ein)\s+[\w-]+\s+)?(?:written\s+)?(?:by|par|von|di|por|de)(?:\s+(?P<author>\S.{2,60}))?$",
    re.IGNORECASE,
)
_SAYS = re.compile(r"[.!?;:,]\s*$|\d{4}")


def title_page(text: str) -> tuple[str, str]:
    """The title and the author; "" for both if the first lines do not name an author."""
    lines = [line.strip(" _*#\t") for line in text[:_HEAD_CHARS].split("\n") if line.strip(" _*#\t")][
        : _TITLE_LINES + 2
    ]
    for n, line in enumerate(lines[1 : _TITLE_LINES + 1], start=1):
        match = _BY.match(line)
        author = (match["author"] or (lines[n + 1] if n + 1 < len(lines) else "")) if match else ""
        title = " ".join(lines[:n])
        if (
            author
            and _is_person(author)
            and len(title) <= _MAX_TITLE_CHARS
            and not any(_SAYS.search(one) for one in lines[:n])
        ):
            return one_line(_in_small(title)), one_line(_in_small(author))
    return "", ""


def _is_person(author: str) -> bool:
    words = author.rstrip(".").split()
    return 1 < len(words) <= 5 and all(
        word[0].isupper() or word in ("de", "du", "von", "van", "la", "le") for word in words
    )


def _in_small(words: str) -> str:
    return words.title() if words.isupper() else words
