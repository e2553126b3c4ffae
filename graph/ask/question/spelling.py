"""Spelling: corrects a misspelt name of the question, one that occurs in no text but differs by one or two edits from a
name.

"Vauclin" becomes "Vauclain" if the texts have only that one. The search uses the corrected question, and the answer
says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rapidfuzz.distance import OSA

from filigraph.graph.text.names.tables import GIVEN_NAMES
from filigraph.graph.text.words import Token, tokens

MIN_WORD_LETTERS = 4  # letters of a word that is looked at
MIN_LOWER_CASE_WORD_LETTERS = 5  # of one without a capital, which is a name in the rarest case
TWO_SLIPS_WORD_LETTERS = 8  # letters from which on two slips are allowed
MAX_WORDS = 6  # of a question that are looked for
CLEAR_LEAD_RATIO = 3  # times as many passages as any other near name: then this name is meant


class NearName(Protocol):
    """An entity with a name that has a word like one that is looked for."""

    @property
    def name(self) -> str: ...
    @property
    def aliases(self) -> Sequence[str]: ...
    @property
    def chunks(self) -> int: ...


@dataclass(frozen=True, kw_only=True)
class Spelling:
    """A question as it was meant."""

    text: str
    taken: Mapping[str, str] = field(default_factory=dict)  # words of the question -> as the texts have them


def corrected_spelling(
    question: str, holds: Callable[[str], bool], near_names: Callable[[str, int], Iterable[NearName]]
) -> Spelling:
    """`question` with its misspelt names corrected. `holds` says whether a text has a word; `near_names` returns the
    entities with a name within so many edits of a folded word."""
    taken: dict[str, str] = {}
    for word, is_name in _words_to_check(question):
        if word.text in taken or holds(word.text):
            continue
        slips = 2 if is_name and len(word.folded) >= TWO_SLIPS_WORD_LETTERS else 1
        if meant := _intended_name(word.folded, near_names(word.folded, slips), slips, is_name=is_name):
            taken[word.text] = meant
    if not taken:
        return Spelling(text=question)
    text, end = [], 0
    for word in tokens(question):
        text += [question[end : word.start], taken.get(word.text, word.text)]
        end = word.end
    return Spelling(text="".join(text) + question[end:], taken=taken)


def _words_to_check(question: str) -> list[tuple[Token, bool]]:
    """The words that may be misspelt names, each with whether it has a name's capital: False for the first word, whose
    capital comes from its place. Lower-case words count only if no later word has a capital."""
    words = [word for word in tokens(question)[:400] if word.text.isalpha()]
    capital = [word for word in words[1:] if word.text[0].isupper() and len(word.folded) >= MIN_WORD_LETTERS]
    first = [word for word in words[:1] if len(word.folded) >= MIN_LOWER_CASE_WORD_LETTERS]
    small = [word for word in words[1:] if word.text[0].islower() and len(word.folded) >= MIN_LOWER_CASE_WORD_LETTERS]
    others = first if capital else [*first, *small]
    return [*((word, True) for word in capital), *((word, False) for word in others)][:MAX_WORDS]


def _intended_name(folded: str, names: Iterable[NearName], slips: int, *, is_name: bool) -> str:
    """The word of a name that is meant; "" if there is none, or if several are possible."""
    chunks: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = {}
    for entity in names:
        seen = set()
        for word in (word for name in (entity.name, *entity.aliases) for word in tokens(name)):
            if word.text[:1].islower() or word.folded in seen or abs(len(word.folded) - len(folded)) > slips:
                continue
            seen.add(word.folded)
            chunks[word.folded] += entity.chunks
            forms.setdefault(word.folded, Counter())[word.text] += entity.chunks
    near = {
        word: OSA.distance(folded, word, score_cutoff=slips) for word in chunks if is_name or word[:1] == folded[:1]
    }
    if folded in GIVEN_NAMES:  # "Julie" is not Julia
        near = {word: count for word, count in near.items() if word not in GIVEN_NAMES}
    least = min(near.values(), default=slips + 1)
    if not 0 < least <= slips:
        return ""
    best, *others = sorted((word for word in near if near[word] == least), key=lambda word: (-chunks[word], word))
    if any(chunks[best] < CLEAR_LEAD_RATIO * chunks[other] for other in others):
        return ""
    return max(forms[best].items(), key=lambda item: (item[1], item[0]))[0]
