"""The narrator of a story: "Call me Ishmael", or a name that speakers use and the narration does not.

A narrator says "I" outside quotation marks, and others use the name inside them: "my dear Watson". So it is the most
frequent form of address that narration almost never uses. In doubt there is no narrator.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.words import tokens

FEWEST_I = 20  # min. sentences with "I" in the narration, and
SHARE_OF_I = 0.004  # min. share of its words
FEWEST_CALLS = 4
LEAD = 2  # min. ratio of its forms of address to those of any other candidate
MOST_NARRATED = 0.25  # max. share of a name's places in the narration
OPENING = 3  # chunks in which a narrator may give the name

_QUOTED = re.compile(r"“[^”]*(?:”|$)|«[^»]*(?:»|$)|\"[^\"]*(?:\"|$)", re.S)
_DIALOGUE = re.compile(r"^\s*[—–―-].*$", re.M)
_I = frozenset(("i", "je", "j"))
_NAMED = re.compile(
    r"\b(?:[Cc]all me|[Mm]y name is|I am called|[Aa]ppelez-moi|[Jj]e m['’]appelle|[Mm]on nom est)\s+"
    r"((?:[^\W\d_a-z][\w'’-]+)(?:\s+[^\W\d_a-z][\w'’-]+){0,3})"
)
_CALLED = re.compile(
    r"(?:(?:[Mm]y (?:dear|good)|[Mm]on (?:cher|bon)|[Dd]ear|,)\s+)([^\W\d_a-z][\w'’-]{2,})\s*(?=[,.!?;”\"»])"
)


def narrator(texts: Sequence[str]) -> str:
    """The name of the narrator of one document's chunks; "" if there is no narrator or no name."""
    narrated: list[str] = []
    called: Counter[str] = Counter()
    named = ""
    for n, text in enumerate(texts):
        for paragraph in re.split(r"\n\s*\n", text):
            narrated.append(narration := _DIALOGUE.sub(" ", _QUOTED.sub(" ", paragraph)))
            if n < OPENING and not named and (own := _NAMED.search(narration)):
                named = own[1]
            called.update(_vocatives(paragraph))
    words = Counter(word.folded for part in narrated for word in tokens(part))
    first_person = sum(words[word] for word in _I)
    if first_person < FEWEST_I or first_person < SHARE_OF_I * words.total():
        return ""
    return named or _most_called(called, "\n".join(narrated), texts)


def _vocatives(paragraph: str) -> Iterator[str]:
    for speech in (*_QUOTED.findall(paragraph), *_DIALOGUE.findall(paragraph)):
        names = (match[1] for match in _CALLED.finditer(speech))
        yield from (name for name in names if name[0].isupper() and not parse(name).role)


def _most_called(called: Counter[str], narration: str, texts: Sequence[str]) -> str:
    whole = "\n".join(texts)
    fits = [
        (count, name)
        for name, count in called.most_common(12)
        if count >= FEWEST_CALLS and _count(name, narration) <= MOST_NARRATED * _count(name, whole)
    ]
    if not fits or (len(fits) > 1 and fits[0][0] < LEAD * fits[1][0]):
        return ""
    return fits[0][1]


def _count(name: str, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text))
