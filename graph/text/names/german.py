"""German capitals: which capitalised words are names. Every German noun has a capital, so a capital says little.

The text shows more: a common noun follows articles and possessives ("das Bild", "seine Hand"), a person's name hardly
ever does, and a word that also occurs in lower case is not a noun ("Ihr", "Euch").
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.tables import GIVEN_NAMES
from filigraph.graph.text.names.usage import opens_sentence
from filigraph.graph.text.words import Token, fold, tokens

# Min. shares of the occurrences inside sentences that make a word a common noun.
DETERMINED = 0.4  # after any determiner: "der Wirt", "zum Wirt"
OWNED = 0.1  # after a determiner that a name hardly ever has: "ein Bild", "seine Hand", "dieser Brief"
# A single word without other evidence is a name if it has at least this many occurrences, and less than this share of
# them is after a determiner.
OFTEN, SELDOM = 3, 0.1

_TITLES = frozenset(fold("Herr Herrn Frau Fräulein Doktor Professor Baron Graf Gräfin König Königin Kommissar").split())
_ARTICLES = frozenset(fold("der die das den dem des im am zum zur vom beim ins ans aufs").split())
_OWNING = frozenset(
    stem + ending
    for stems, endings in (
        ("ein kein mein dein sein ihr unser euer", ("", "e", "en", "em", "er", "es")),
        ("eur dies jed jen welch solch all viel einig mehrer", ("e", "en", "em", "er", "es")),
    )
    for stem in stems.split()
    for ending in endings
)
# The same words occur in lower case; the capital is that of polite address.
_POLITE = frozenset(fold("ich sie ihnen euch du dich dir").split())
_ADDRESSING = frozenset(("mr", "mrs", "miss"))  # "Herr Pfarrer" does not name anybody


@dataclass(slots=True)
class _Usage:
    """Counts of a word: with a capital inside sentences, of these behind a determiner; in lower case."""

    inside: int = 0
    determined: int = 0
    owned: int = 0
    small: int = 0

    def add(self, before: Token | None, word: Token, text: str) -> None:
        if not word.text[0].isupper():
            self.small += 1
        elif not opens_sentence(text, word.start):
            self.inside += 1
            if before is not None and not text[before.end : word.start].strip():
                self.owned += before.folded in _OWNING
                self.determined += before.folded in _OWNING or before.folded in _ARTICLES

    @property
    def is_noun(self) -> bool:
        return self.owned >= max(1, OWNED * self.inside) or self.determined >= max(1, DETERMINED * self.inside)

    @property
    def is_often_bare(self) -> bool:
        return self.inside >= OFTEN and self.determined < SELDOM * self.inside


def _usage_of(words: Iterable[str], texts: Iterable[str]) -> dict[str, _Usage]:
    used = {word: _Usage() for word in words}
    for text in texts:
        before = None
        for word in tokens(text):
            if word.folded in used:
                used[word.folded].add(before, word, text)
            before = word
    return used


def likely_names(runs: Sequence[str], text: str) -> list[str]:
    """The runs of capitals in a short text that may be names: with two words or a word of such a run, a given name,
    after a title, or used in the text like a name.
    """
    parts = {part for run in runs if " " in run for part in run.split()}
    titled = {word.folded for title, word in pairwise(tokens(text)) if title.folded in _TITLES}
    single = {run: fold(run) for run in runs if " " not in run}
    used = _usage_of(single.values(), [text])
    return [
        run
        for run in runs
        if run not in single
        or run in parts
        or (word := single[run]) in titled
        or word in GIVEN_NAMES
        or (used[word].is_often_bare and not used[word].small)
    ]


def common_nouns(texts: Iterable[str], forms: Iterable[str]) -> set[str]:
    """Those of the forms that German texts use as common nouns, pronouns or runs of them: "Bild", "Glas Wein".

    Given names, words after a title or a given name, and acronyms are always names. A run is not a common noun if none
    of its words is one, if its first word only opens sentences ("So Heinrich"), or if a genitive is beside a common
    noun ("Heinrichs Mutter", "Ohre Heinrichs"): it means something other than the name. An adjective with a capital
    inside sentences makes a name ("Deutsche Bank").
    """
    parsed = [name for name in map(parse, forms) if name.proper or len(name.words) == 1]
    words = {word for name in parsed for word in name.words}
    used = _usage_of(words | {_without_s(word) for word in words}, texts)
    given_names = {word for word in words if word in GIVEN_NAMES}
    for name in parsed:
        last = name.core[-1]
        borne = name.titles - _ADDRESSING or name.kin or (name.gender and not used[last].is_noun)
        if borne and not _is_genitive(last, used):  # "Mutter Heinrichs"
            given_names.add(last)
    common = {name for name in parsed if len(name.words) > 1 and _is_common_run(name, used, given_names)}
    parts = {word for name in parsed if name not in common and len(name.words) > 1 for word in name.words}
    common |= {name for name in parsed if len(name.words) == 1 and _is_common_word(name, used, given_names, parts)}
    return {name.form for name in common}


def _is_common_run(name: Name, used: Mapping[str, _Usage], given_names: Collection[str]) -> bool:
    words = tokens(name.text)
    if any(word.folded in _POLITE or word.folded in _OWNING for word in words):
        return True
    first = used[words[0].folded]
    if first.small and not first.inside:  # it opens sentences
        return True
    named = [_is_name(word, used[word.folded], given_names) for word in words]
    if any(word.folded not in given_names and _is_genitive(word.folded, used) for word in words):
        return not all(word.folded in given_names or _is_genitive(word.folded, used) for word in words)
    return not (named[-1] or any(word.folded in given_names for word in words) or first.small)


def _is_common_word(
    name: Name, used: Mapping[str, _Usage], given_names: Collection[str], parts: Collection[str]
) -> bool:
    (word,) = tokens(name.text)
    usage = used[word.folded]
    if word.folded in _POLITE or not _is_name(word, usage, given_names):
        return True
    if word.folded in given_names or _is_acronym(word):
        return False
    return _is_genitive(word.folded, used) or not (word.folded in parts or usage.is_often_bare)


def _is_name(word: Token, usage: _Usage, given_names: Collection[str]) -> bool:
    if word.folded in given_names or _is_acronym(word):
        return True
    return not (usage.small > usage.inside or usage.is_noun)


def _is_acronym(word: Token) -> bool:
    return len(word.text) > 1 and word.text.isupper()


def _is_genitive(word: str, used: Mapping[str, _Usage]) -> bool:
    """Whether a word is a name with the s of the genitive: the text has the name without it more often."""
    stem = _without_s(word)
    if stem == word or used[stem].inside <= used[word].inside:
        return False
    return stem in GIVEN_NAMES or not used[stem].is_noun


def _without_s(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 1 else word
