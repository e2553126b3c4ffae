"""What both languages share: names as a reader would write them, and what a sentence was read to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

MAX_NAME = 120  # characters; what is longer is a clause, not a name
MAX_CONJUNCTS = 5  # "the watch, the pearls and the ring": how many objects of one verb are read

_OUTER = " \t\n.,;:!?…\"'’‘“”«»„()[]{}<>*_=|/\\—–-•"


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """A noun phrase: what stands at either end of a fact."""

    text: str  # "chevalière d'argent à tête de loup"
    named: bool  # it is a proper name, or a title with one
    words: int  # content words; a description is told from others of its kind by two or more
    first: int  # token indexes of the phrase in its sentence, both included
    last: int


@dataclass(kw_only=True)
class Reading:
    """What one sentence says."""

    facts: list[tuple[str, str, str]] = field(default_factory=list)
    aliases: list[tuple[str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def add(self, subject: Phrase | None, predicate: str, object_: Phrase | None) -> None:
        """Keep a fact if it has two ends and one of them can be told from others of its kind."""
        if subject is None or object_ is None or not predicate:
            return
        if not (subject.named or object_.named or sorted((subject.words, object_.words)) >= [2, 3]):
            return  # "the door opened on a corridor": true, and no use in a graph
        if subject.text.casefold() == object_.text.casefold():
            return
        fact = (subject.text, predicate, object_.text)
        if fact not in self.facts:
            self.facts.append(fact)

    def extend(self, other: Reading) -> None:
        """Add what another part of the same sentence says."""
        self.facts.extend(fact for fact in other.facts if fact not in self.facts)
        self.aliases.extend(pair for pair in other.aliases if pair not in self.aliases)
        self.names.extend(name for name in other.names if name not in self.names)

    def same(self, first: str, second: str) -> None:
        """Keep an alias statement."""
        if first and second and first.casefold() != second.casefold() and (first, second) not in self.aliases:
            self.aliases.append((first, second))


def words(text: str) -> frozenset[str]:
    """A word list, as it is written in the modules of this package."""
    return frozenset(text.split())


def spell(tokens: Iterable[Token]) -> str:
    """The text of neighbouring tokens, without outer punctuation."""
    text = "".join(token.text_with_ws for token in tokens)
    text = re.sub(r"\s+", " ", text).strip(_OUTER)
    return text if len(text) <= MAX_NAME else ""


def content_words(tokens: Span) -> int:
    """How many words of a phrase tell what it names."""
    return sum(token.pos_ in {"NOUN", "PROPN", "ADJ", "NUM"} and not token.is_stop for token in tokens)


def run_around(head: Token, included: set[int]) -> tuple[int, int]:
    """The unbroken run of included tokens around `head`; a hyphen or an ampersand between two does not break it."""
    document = head.doc
    first = last = head.i
    while first > 0:
        if first - 1 in included:
            first -= 1
        elif first > 1 and document[first - 1].text in _JOINTS and first - 2 in included:
            first -= 2
        else:
            break
    while last + 1 < len(document):
        if last + 1 in included:
            last += 1
        elif last + 2 < len(document) and document[last + 1].text in _JOINTS and last + 2 in included:
            last += 2
        else:
            break
    while last > head.i and document[last].pos_ in {"ADP", "DET", "PUNCT", "CCONJ"}:
        last -= 1
    return first, last


_JOINTS = {"-", "‐", "‑", "&", "'", "’"}


def opens_sentence(token: Token) -> bool:
    """Whether a capital says nothing here: at the start of the sentence, or after a dash, a quote or a colon."""
    if token.i == 0 or token.is_sent_start:
        return True
    before = token.nbor(-1)
    return (
        before.is_quote
        or before.is_space
        or before.text in {"—", "–", "-", "--", ":", "…", "...", "*", "•", "«", "»", "."}
    )


def capitalised(token: Token) -> bool:
    """Whether a token looks like a part of a name: "Jules", "McCarthy", "K.", "PARIS"; not "I" or "C"."""
    text = token.text
    return text[:1].isupper() and len(text) > 1 and text not in {"Ah", "Oh", "Eh"}


def quoted_apart(first: Token, second: Token) -> bool:
    """Whether a quotation begins or ends between two tokens: "Jules," announced the page-boy."""
    between = first.doc[min(first.i, second.i) : max(first.i, second.i)]
    return any(token.is_quote or token.text in {"«", "»"} for token in between)


def abstract(noun: Token) -> bool:
    """Whether a noun tells a quality or an event, by its ending: nobody "has" an arrival."""
    return len(noun) > 5 and noun.lower_.rstrip("s").endswith(_ABSTRACT)


_ABSTRACT = (
    "tion", "sion", "nion", "ness", "nes", "ity", "ence", "ance", "ment", "ship", "ism", "hood", "dom", "ing",
    "té", "isme", "esse", "age",
)  # fmt: skip


def conjuncts(head: Token) -> list[Token]:
    """`head` and what is joined to it by "and" or commas, at most MAX_CONJUNCTS; "or" joins nothing."""
    found = [head]
    for member in found:
        if any(child.dep_ == "cc" and child.lower_ in {"or", "nor", "ou", "ni"} for child in member.children):
            return found if member is not head else [head]
        found.extend(child for child in member.children if child.dep_ == "conj" and child.pos_ in {"NOUN", "PROPN"})
        if len(found) >= MAX_CONJUNCTS:
            break
    return found[:MAX_CONJUNCTS]


def name_runs(
    tokens: Iterable[Token],
    is_name: Callable[[Token], bool],
    links: frozenset[str],
    titles: frozenset[str],
    articles: frozenset[str],
) -> list[str]:
    """Proper names: runs of name tokens, with "de", "of", "von" inside, a title or an article before."""
    items = list(tokens)
    found: list[str] = []
    position = 0
    while position < len(items):
        if not is_name(items[position]):
            position += 1
            continue
        start = end = position
        while True:
            if end + 1 < len(items) and is_name(items[end + 1]):
                end += 1
            elif end + 2 < len(items) and items[end + 1].lower_ in links and is_name(items[end + 2]):
                end += 2
            else:
                break
        if start > 0 and (items[start - 1].lower_.rstrip(".") in titles or items[start - 1].text in articles):
            start -= 1
        form = spell(items[start : end + 1])
        if form and form.lower().rstrip(".") not in titles:
            found.append(form)
        position = end + 1
    return found
