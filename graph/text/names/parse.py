"""Names: their normal form, and the features of their words (titles, epithets, numbers, gender).

`name_key` maps the spellings of one mention to one key: "La Griffe", "la griffe" and "«La Griffe»" are `griffe`.
`parse` also finds the core of a form: ("jules",) of "le jeune Jules". Titles and epithets are returned as features,
because resolution needs them to separate "Mme Delmas" and "M. Delmas".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from filigraph.graph.text.identifiers import is_identifier
from filigraph.graph.text.names.inverted import is_given, natural_order, surname_first
from filigraph.graph.text.names.tables import (
    ADDRESS,
    ARTICLES,
    BEFORE_FAMILIES,
    CAPITAL_EPITHETS,
    DEMONSTRATIVES,
    ELISIONS,
    EPITHETS,
    FUNCTION_WORDS,
    GENERATIONS,
    GIVEN_NAMES,
    KEEP_ARTICLE,
    KIN,
    NUMBER_WORDS,
    PARTICLES,
    POLES,
    POSSESSIVES,
    PREPOSITIONS,
    RANKS,
    SUFFIXES,
    WEAK_ARTICLES,
    Gender,
)
from filigraph.graph.text.words import Token, tokens

_APOSTROPHES = "'\u2019\u02bc\uff07"
_ROMAN = re.compile(r"(X{0,3}(?:IX|IV|V?I{0,3}))(?:er|re|e)?")  # French: "Charles Ier", "Élisabeth Ire"
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Name:
    """A parsed name. All words are folded."""

    form: str
    key: str
    words: tuple[str, ...]  # without the leading article
    text: str  # without the leading article, as written
    core: tuple[str, ...]  # without titles, epithets and generation; never empty unless `words` is
    bare: str  # the core as written; input of the embedder
    initials: frozenset[int]  # which words of the core are initials
    numbers: tuple[int, ...]  # digits, ordinals, roman numerals, number words: sorted
    poles: frozenset[tuple[str, str]]  # ("compass", "north")
    titles: frozenset[str]  # meanings of forms of address and offices: "mrs", "inspector"
    kin: frozenset[str]  # "father" of "le père Goriot"
    generation: str  # "younger" (fils, junior), "elder" (père, senior)
    age: str  # "younger", "elder", "late" (of the dead): by an epithet
    gender: Gender  # by title, kinship or given name
    titled_gender: Gender  # by title or kinship alone
    proper: bool
    role: bool  # nothing but titles and common words: "the Judge", "Monsieur"
    named: bool  # every content word of the head is written like a name, and it is one name
    head: int  # number of leading words of the core that form its head: 1 for "University of Paris"

    @property
    def has_epithet(self) -> bool:
        return bool(self.age) or any(word in EPITHETS for word in self.words if word not in self.core)


# --------------------------------------------------------------------------------------------------------------------
# The normal form


# Prefixes of the names of ships: "M.V. Corvane", "HMS Victory"; not "M. V. Hugo".
_SHIP = re.compile(r"\s*(?:M\.?V|S\.?S|H\.?M\.?S|R\.?M\.?S|U\.?S\.?S)\.?\s+(?=[\"«“']?[^\W\d_a-z])")
_BRACKETS_AT_END = re.compile(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*$")


def name_key(form: str) -> str:
    """The normal form of a name: folded words without punctuation and without a leading article or elision.

    Never empty for a form with a letter or a digit, "" otherwise. `words.tokens` splits it into the same words.
    The qualified name of something in source code is its own normal form: there a capital makes another name.
    """
    return form if is_identifier(form) else parse(form).key


def key_of(words: Sequence[Token], text: str) -> str:
    """`name_key` of the words, one or more, that follow each other in a text."""
    form = text[words[0].start : words[-1].end]
    return form if is_identifier(form) else _join(words[_article(words, text) :])


def bare_title(title: str) -> str:
    """A title without a bracketed suffix: "Lady in the Lake (film)" -> "Lady in the Lake"."""
    return _BRACKETS_AT_END.sub("", title) or title


def is_proper(form: str) -> bool:
    """Whether a form is written like a proper name: a word after the article begins with an upper-case letter, a
    digit, or a letter of a script without case."""
    return parse(form).proper


def _join(words: Sequence[Token]) -> str:
    """The folded words joined by spaces; adjacent characters stay adjacent ("習近平")."""
    if not words:
        return ""
    parts = [words[0].folded]
    for before, word in pairwise(words):
        parts.append(word.folded if before.end == word.start else f" {word.folded}")
    return "".join(parts)


def _article(words: Sequence[Token], form: str) -> int:
    """How many leading words are an article or an elision (0 or 1)."""
    if len(words) < 2:
        return 0
    first, second = words[0], words[1]
    gap = form[first.end : second.start]
    if gap in tuple(_APOSTROPHES):
        return int(first.folded in ELISIONS)
    if gap.strip(" \t\n\r\u00a0\u202f\"«“‘'"):  # "El-Sisi", "A. Smith"
        return 0
    if f"{first.folded} {second.folded}" in KEEP_ARTICLE:
        return 0
    weak = first.folded in WEAK_ARTICLES
    if first.folded == "an" and second.folded[:1] in "aeiouh":
        weak = False
    elif first.folded not in ARTICLES and not weak:
        return 0
    if len(first.text) > 1 and first.text.isupper() and not second.text.isupper():  # "UN Women", "LA Times"
        return 0
    return int(not weak or first.text.islower() or second.text.islower())


# --------------------------------------------------------------------------------------------------------------------
# Parsing


def _is_proper_word(word: str) -> bool:
    first = word[0]
    return first.isdigit() or first.isupper() or first.istitle() or (first.isalpha() and first.lower() == first.upper())


def _is_initial(word: Token) -> bool:
    """Whether a word is one capital letter: "J. Delmas"."""
    return len(word.folded) == 1 and word.text.isupper() and word.text.lower() != word.text.upper()


def _numbers(word: Token, position: int, form: str) -> list[int]:
    """The numbers in a word: 3, 3rd, AR16, III and IIIe (not as the first word or an initial), three, third."""
    if not word.folded.isalpha() and (digits := _DIGITS.findall(word.folded)):
        return [int(run[:18]) for run in digits]
    roman = _ROMAN.fullmatch(word.text) if position else None
    if roman and roman[1] and form[word.end : word.end + 1] != ".":
        values = [_ROMAN_VALUES[letter] for letter in roman[1]]
        return [sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))]
    return [NUMBER_WORDS[word.folded]] if word.folded in NUMBER_WORDS else []


def _is_title_before(rank: Token, after: Token) -> bool:
    """Whether an office belongs to the name after it: not in "duc d'Orléans" and "président de la République", but in a
    noble family's name: "comte de Fourville" is "M. de Fourville". A capital particle begins a surname: "Dr. Van
    Helsing".
    """
    if after.folded in PREPOSITIONS:
        return False
    return after.folded not in PARTICLES or after.text[0].isupper() or rank.folded in BEFORE_FAMILIES


def _is_sentimental(word: Token, after: Token) -> bool:
    if word.folded in ("dear", "dearest"):  # a letter's "DEAR HOLMES"
        return True
    return word.folded in CAPITAL_EPITHETS and (after.folded in GIVEN_NAMES or after.folded in ADDRESS)


def _points_at(word: Token, after: Token) -> bool:
    """Whether a demonstrative precedes a name: "ce Raymon", "Ce Ralph"; not in "This Life"."""
    if word.folded not in DEMONSTRATIVES or after.folded in PREPOSITIONS or not after.text[0].isupper():
        return False
    return word.text.islower() or after.folded in GIVEN_NAMES


def _is_dear_one(word: Token, after: Sequence[Token]) -> bool:
    """Whether a possessive begins a form of address: "my dear Jane", "mon oncle Ralph"."""
    if word.folded not in POSSESSIVES or len(after) < 2:
        return False
    first, second = after[0], after[1]
    if first.folded in KIN:
        return len(second.folded) > 1 and second.folded not in PREPOSITIONS | PARTICLES
    return first.folded in EPITHETS and (first.text.islower() or _is_sentimental(first, second))


_MAY_BE_STRIPPED = frozenset((*ADDRESS, *RANKS, *KIN, *EPITHETS, *POSSESSIVES, *DEMONSTRATIVES))  # from the front


@dataclass(kw_only=True, slots=True)
class _Found:
    """Features stripped from a name."""

    titles: set[str]
    kin: set[str]
    genders: list[Gender]
    age: str = ""
    generation: str = ""
    office: bool = False  # "Monsieur le juge": an office, not a name, follows the inner article


_OF_TWO = frozenset(("elder", "younger"))  # "John Barlow the elder"


def _strip(words: list[Token], form: str, parts: _Found) -> list[Token]:
    """Strip titles and epithets from the front, generations and honours from the back; at least one word remains."""
    while len(words) > 1:
        word, after = words[0], words[1]
        if word.folded not in _MAY_BE_STRIPPED:
            break
        rest_is_proper = any(_is_proper_word(w.text) and w.text[0].isalpha() for w in words[1:])
        dotted = form[word.end : word.end + 1] == "."
        abbreviated = len(word.folded) == 1 and not dotted
        if word.folded in ADDRESS and not abbreviated and (word.folded != "me" or word.text == "Me"):
            if after.folded in PREPOSITIONS:  # "Lady of the Lake"
                break
            meaning, gender = ADDRESS[word.folded]
            if word.folded == "m" and not dotted and word.text.islower():
                break
            parts.titles.add(meaning)
            parts.genders.append(gender)
        elif word.folded in RANKS and rest_is_proper and _is_title_before(word, after):
            meaning, gender = RANKS[word.folded]
            parts.titles.add(meaning)
            parts.genders.append(gender)
        elif word.folded in KIN and after.folded not in PREPOSITIONS | PARTICLES and rest_is_proper:
            meaning, gender = KIN[word.folded]
            parts.kin.add(meaning)
            parts.genders.append(gender)
        elif word.folded in EPITHETS and rest_is_proper and (word.text.islower() or _is_sentimental(word, after)):
            parts.age = parts.age or EPITHETS[word.folded]
        elif not (rest_is_proper and (_is_dear_one(word, words[1:]) or _points_at(word, after))):
            break
        words = words[1:]
        if words[0].text.islower() and _article(words, form):
            parts.office = True  # "monsieur le comte"
            words = words[1:]
    while len(words) > 1:
        word = words[-1]
        if len(words) > 2 and words[-2].folded == "the" and word.folded in _OF_TWO:
            parts.generation = word.folded
            words = words[:-1]
        elif word.folded in GENERATIONS and GENERATIONS[word.folded] and not (len(words) == 2 and word.text.istitle()):
            parts.generation = GENERATIONS[word.folded]
        elif word.folded not in SUFFIXES:
            break
        words = words[:-1]
    return words


# a cache smaller than the names of a workspace, which are parsed in order, would never have a hit
@lru_cache(maxsize=1 << 18)
def parse(form: str) -> Name:
    """Parse a name. Cached."""
    all_words = tokens(form)
    words = all_words[_article(all_words, form) :]
    proper = any(_is_proper_word(word.text) for word in words)
    parts = _Found(titles=set(), kin=set(), genders=[])
    ship = _SHIP.match(form, words[0].start) if words else None
    remaining = [word for word in words if word.start >= ship.end()] if ship else _strip(words, form, parts)
    turned = _given_behind(remaining, form) or _in_reading_order(remaining, form)
    remaining = turned or remaining
    core_words = tuple(word.folded for word in remaining)
    skipped = len(words) - len(remaining)
    numbers = [n for i, word in enumerate(remaining) for n in _numbers(word, i + skipped, form)]
    titled: Gender = next((gender for gender in parts.genders if gender), "")
    gender_of_first: Gender = (
        GIVEN_NAMES.get(core_words[0], "") if remaining and _is_proper_word(remaining[0].text) else ""
    )
    role = (parts.office or not parts.titles) and all(
        (word.folded in ADDRESS or word.folded in RANKS or word.folded in KIN or word.folded in FUNCTION_WORDS)
        and not (len(word.text) > 1 and word.text.isupper())  # "UN", "PC"
        for word in remaining
    )
    initials = frozenset(i for i, word in enumerate(remaining) if _is_initial(word))
    may_be_person = 0 in initials or _is_titled_given_name(remaining, parts)
    head = _head_length(remaining, form, may_be_person=may_be_person)
    return Name(
        form=form,
        key=_join(words),
        words=tuple(word.folded for word in words),
        text=form[words[0].start : words[-1].end] if words else "",
        core=core_words,
        bare=_text_of_words(remaining, form, turned=bool(turned)),
        initials=initials,
        numbers=tuple(sorted(numbers)),
        poles=frozenset(POLES[word] for word in core_words if word in POLES),
        titles=frozenset(parts.titles),
        kin=frozenset(parts.kin),
        generation=parts.generation,
        age=parts.age,
        gender=titled or gender_of_first,
        titled_gender=titled,
        proper=proper,
        role=role,
        head=head,
        named=all(_is_proper_word(word.text) or word.folded in FUNCTION_WORDS for word in remaining[:head])
        and not any(word.folded in ADDRESS and form[word.end : word.end + 1] == "." for word in remaining),
    )


def _given_behind(words: list[Token], form: str) -> list[Token]:
    """The words of "Lebrec (Lucien)", as registers write it, with the given name first; [] for any other form."""
    if "(" not in form:
        return []
    at = next((i for i, (a, b) in enumerate(pairwise(words), 1) if "(" in form[a.end : b.start]), 0)
    family, given_names = words[:at], words[at:]
    if (
        not at
        or len(given_names) > 2
        or given_names[0].folded not in GIVEN_NAMES
        or form[given_names[-1].end :].strip() not in ("", ")")
    ):
        return []
    return [*given_names, *family] if all(_is_proper_word(word.text) for word in words) else []


def _in_reading_order(words: Sequence[Token], form: str) -> list[Token]:
    """The words of "Delmas, Jules" with the given name first; [] for any other form."""
    inverted = surname_first(form) if "," in form else None
    if inverted is None or not is_given(inverted[1][0]) or sum(map(len, inverted)) != len(words):
        return []
    return [*inverted[1], *inverted[0]]


def _text_of_words(words: Sequence[Token], form: str, *, turned: bool) -> str:
    if turned:
        return " ".join(word.text for word in words)
    return form[words[0].start : words[-1].end] if words else ""


def _is_titled_given_name(words: Sequence[Token], parts: _Found) -> bool:
    """Whether a word behind a title is probably a given name: "M. Raymon de Ramière", not "M. le sous-préfet de"."""
    return bool(parts.titles and words) and words[0].folded not in FUNCTION_WORDS and _is_proper_word(words[0].text)


def _head_length(words: Sequence[Token], form: str, *, may_be_person: bool) -> int:
    """Number of words before the first comma or preposition. A particle also ends the head ("Tour de France"), unless
    the name starts with a given name, an initial or an office ("Charles de Gaulle")."""
    if not words:
        return 0
    first = words[0].folded
    person = may_be_person or first in GIVEN_NAMES or first in RANKS
    for i, (before, word) in enumerate(pairwise(words), start=1):
        ends = word.folded in PREPOSITIONS and (len(word.folded) > 1 or word.text.islower())
        if ends or (word.folded in PARTICLES and not person) or "," in form[before.end : word.start]:
            return i
    return len(words)


def content_words(name: Name) -> int:
    """Number of words of the core that are not function words: 4 for "la chevalière d'argent à tête de loup"."""
    return sum(word not in FUNCTION_WORDS for word in name.core)


# --------------------------------------------------------------------------------------------------------------------
# Canonical name of an entity


def canonical_name(forms: Iterable[tuple[str, int]]) -> str:
    """The name of an entity from its (form, count) pairs: the most frequent proper form without epithet, else the most
    frequent proper form that is more than an office, else the most frequent proper form, else the most frequent form;
    ties by code point. "Delmas, Jules" is behind all forms if "Jules Delmas" is one. "" without forms."""
    counts: dict[str, int] = defaultdict(int)
    for form, count in forms:
        counts[form] += count

    natural = {form.casefold() for form in counts}

    def rank(form: str) -> tuple[bool, int, int, str]:
        name = parse(form)
        inverted = "," in form and natural_order(form).casefold() in natural
        kind = 3 if not name.proper else 2 if name.role else 1 if name.has_epithet else 0
        return inverted, kind, -counts[form], form

    return min(counts, key=rank, default="")
