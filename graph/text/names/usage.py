"""Filter capitalized words that are not names, by statistics of how the whole text uses them.

Every sentence starts with a capital, so one sentence does not show whether "Voyons" or "Halloa" is a name. The text
does: a name also occurs inside sentences and not in lower case. The rules apply to one-word names and need only lists
of articles and possessives, so they work in every script with capitals. `never_names` are names in no text.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from filigraph.graph.text.names.demonyms import DEMONYMS
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.tables import ADDRESS, SUFFIXES
from filigraph.graph.text.words import Token, tokens

# Shares of the capitalized occurrences of a word, from which on (OPENING, LABELLED: above which) it is not a name.
OPENING = 0.7  # at the start of a sentence, if the word also occurs in lower case
MIN_EXCLAIMED = 3  # min. occurrences, if all start a sentence and a mark follows: "Halloa! What is this?"
INDEFINITE = 0.1  # after an indefinite article, two at least: "a German", "un Anglais"
POSSESSED = 0.5  # after a possessive: "your Majesty", "mon Dieu"
LABELLED = 0.7  # at the start of a line, before a colon: "Witness: I refuse", "Objet : la facture"
INVERTED = 0.5  # before a hyphen and a French pronoun: "Calme-toi", "Entends-tu"

_INDEFINITE = frozenset(("a", "an", "un", "une", "una", "uno", "um", "uma", "ein", "eine", "einen", "einem", "einer"))
_POSSESSIVE = frozenset().union(
    *map(
        str.split,
        (
            "my your his her its our their mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs mi mis tu",
            "tus su sus nuestro nuestra vuestro vuestra mein meine meinen meiner dein deine sein seine ihr ihre unser",
            "unsere euer eure mio mia miei mie suo sua vostro vostra meu minha seu vosso vossa",
            "мои моя ваш ваша наш наша",
        ),
    )
)
_OPENS = re.compile(r"""(?:^|[\n.!?…:;|—–―•*»"“”«‹›¡¿()\[\]_]|--|(?:^|\s)['‘-])[\s"'“”‘«»_*>-]*$""")
_MARK = re.compile(r"""[!?…,]""")
_LABEL = re.compile(r"[ \u00a0\u202f]?[:：]")
_PRONOUN = re.compile(r"[-‐‑](?:t[-‐‑])?(?:moi|toi|nous|vous|lui|je|tu|ils?|elles?|on)(?![\w‐‑-])")
_CENTURY = re.compile(r"[IVX][IVXLC]*(?:e|er|re|ère|ème|è|th|st|nd|rd)")
# Forms of address by which one person may be known: "Milady", "the Master", "la Dame".
_STANDING = frozenset(("don", "dona", "dame", "lady", "milady", "master", "lord"))
_HEADINGS = frozenset(("chapter", "chapitre", "kapitel", "capitulo", "capitolo", "глава"))
_ABBREVIATIONS = frozenset(("am", "pm", "ie", "eg", "nb", "ps"))  # written with full stops: "A.M."
_CHARS_BEFORE = 12  # characters before a word to search for the end of a sentence


def opens_sentence(text: str, start: int) -> bool:
    """Whether the word at `start` opens a sentence, a quotation or a line."""
    return bool(_OPENS.search(text[max(0, start - _CHARS_BEFORE) : start]))


@dataclass(slots=True)
class _Usage:
    """Counts of how a text uses one word."""

    small: int = 0
    capital: int = 0
    opening: int = 0
    marked: int = 0  # openings followed by a mark
    labels: int = 0
    indefinite: int = 0
    possessed: int = 0
    inverted: int = 0

    def add(self, words: Sequence[Token], index: int, text: str) -> None:
        """Count one occurrence of the word."""
        word = words[index]
        if not word.text[0].isupper():
            self.small += 1
            return
        self.capital += 1
        inverted = bool(_PRONOUN.match(text, word.end))
        self.inverted += inverted
        after = text[word.end : word.end + 3]
        opening = opens_sentence(text, word.start)
        self.opening += opening
        self.marked += opening and (inverted or bool(_MARK.match(after.lstrip())))
        line = text[text.rfind("\n", 0, word.start) + 1 : word.start].strip(" \t\"'“«_*-–—")
        self.labels += not line and bool(_LABEL.match(after))
        if index and text[words[index - 1].end : word.start].isspace():
            self.indefinite += words[index - 1].text.lower() in _INDEFINITE  # not folded: "à Paris"
            self.possessed += words[index - 1].folded in _POSSESSIVE


def forms_not_used_as_names(texts: Iterable[str], forms: Iterable[str]) -> set[str]:
    """The subset of `forms` that the texts of one document do not use as names.

    Given names and words that are part of a longer name ("Mr. Wells") are always names.
    """
    parsed = [parse(form) for form in forms]
    longer = {word for name in parsed if len(name.words) > 1 and name.proper for word in name.words}
    word_of_form = {
        name.form: name.words[0]
        for name in parsed
        if len(name.words) == 1 and name.proper and not name.gender and name.words[0] not in longer
    }
    used = {word: _Usage() for word in word_of_form.values()}
    for text in texts:
        words = tokens(text)
        for index, word in enumerate(words):
            if word.folded in used:
                used[word.folded].add(words, index, text)
    return {form for form, word in word_of_form.items() if _is_no_name(used[word])}


def never_names(forms: Iterable[str]) -> set[str]:
    """The forms that are never names: a form of address ("Sire"), a demonym ("German", "the Englishman"), a century
    ("XIXe"), a heading ("CHAPTER"), letters after a name ("K.C.") or an hour ("A.M."), unless they are a surname here:
    "Mr. French".
    """
    parsed = [name for name in map(parse, forms) if name.proper and name.core]
    borne = {name.core[-1] for name in parsed if (len(name.core) > 1 and name.gender) or name.titles}
    return {name.form for name in parsed if _is_never_a_name(name, borne)}


def _is_never_a_name(name: Name, borne: Container[str]) -> bool:
    if all(len(word) == 1 for word in name.core):
        return "".join(name.core) in SUFFIXES | _ABBREVIATIONS
    if len(name.core) > 1 or name.titles or name.kin or name.gender or name.core[0] in borne:
        return False
    word = name.core[0]
    return (
        word in DEMONYMS
        or word in SUFFIXES
        or word in _HEADINGS
        or (word in ADDRESS and word not in _STANDING)
        or bool(_CENTURY.fullmatch(name.bare))
    )


def _is_no_name(usage: _Usage) -> bool:
    if not usage.capital:
        return False
    return (
        (usage.small > 0 and usage.opening > OPENING * usage.capital)
        or (usage.marked >= MIN_EXCLAIMED and usage.marked == usage.capital)
        or (usage.indefinite >= 2 and usage.indefinite >= INDEFINITE * usage.capital)
        or usage.possessed >= POSSESSED * usage.capital
        or usage.labels > LABELLED * usage.capital
        or usage.inverted >= INVERTED * usage.capital
    )
