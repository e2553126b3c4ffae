"""Steps: what a language model names as its path, step by step: "subject - relation - object [n]"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from filigraph.graph.text.names.parse import is_proper, name_key
from filigraph.graph.text.words import fold

MAX_STEPS = 12
MAX_PART_CHARS = 200  # characters of an end or a relation

_STEP = re.compile(r"\s+(?:>|→|⇒|->|=>)\s+|\s*(?:→|⇒)\s*|\s*;\s+(?=[^\[\]]*\[)")
_PART = re.compile(r"\s+[-–—―]{1,2}\s+")
_NUMBERS = re.compile(r"[\[【]\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*[\]】]")
_INITIAL = re.compile(r"(?:^|[\s.])\w\.$")
_QUOTES = (("“", "”"), ("«", "»"))
_PATH_NUMBER = re.compile(r"\[[Pp]\d+\]")
# Folded: relations that say that two names are one.
_IDENTITY = frozenset(
    form
    for forms in (
        "is|was|are|were|=|equals|are the same as|is the same as|is the same person as|is identical to",
        "is identical with|is also|is really",
        "is also called|also called|alias|is an alias of|is known as|is called|is named|is no other than",
        "est|etait|sont|etaient|sont les memes que|est la meme que|est le meme que|est la meme personne que",
        "est aussi|est en realite|dit|dite",
        "est appele|est appelee|n'est autre que|s'appelle|se nomme",
        "es|era|son|eran|es la misma que|es el mismo que|ist|war|sind|waren|ist identisch mit",
        "e|sono|erano|e lo stesso di|это|是",
    )
    for form in forms.split("|")
)


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step as the model names it."""

    subject: str
    relation: str
    object: str
    numbers: tuple[int, ...]  # of the extracts that it cites

    @property
    def is_identity(self) -> bool:
        """Whether it says that two names, or a name and a description, are one."""
        return fold(self.relation).strip(" .") in _IDENTITY

    @property
    def is_of_names(self) -> bool:
        return is_proper(self.subject) and is_proper(self.object)


def read_steps(path: str) -> list[Step]:
    """The first MAX_STEPS steps of a PATH line; text that is not a step is left out."""
    steps: list[Step] = []
    for part in _STEP.split(_PATH_NUMBER.sub("", path)):
        numbers = tuple(int(n) for match in _NUMBERS.finditer(part) for n in re.findall(r"\d+", match[1]))
        pieces = list(map(_stripped, _PART.split(_NUMBERS.sub("", part).strip())))
        pieces = [piece[:MAX_PART_CHARS] for piece in pieces if piece]
        if len(pieces) < 2 or not all(name_key(end) for end in (pieces[0], pieces[-1])):
            continue
        relation = " ".join(pieces[1:-1])
        steps.append(Step(subject=pieces[0], relation=relation, object=pieces[-1], numbers=numbers))
    return steps[:MAX_STEPS]


def _stripped(piece: str) -> str:
    """A part of a step without quotation marks, emphasis and a full stop around it. A final initial ("P. C.") keeps its
    full stop, an inner quotation ("Account 7, «Swallow»") its marks."""
    inner = piece.strip(' \t"“”«»*_.')
    for opening, closing in _QUOTES:
        if inner.count(opening) > inner.count(closing) and piece.strip(" \t*_.").endswith(closing):
            begin = piece.find(inner)
            inner = piece[begin : piece.rfind(closing) + 1]
    return f"{inner}." if _INITIAL.search(f"{inner}.") and f"{inner}." in piece else inner
