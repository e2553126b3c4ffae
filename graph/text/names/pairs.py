"""Compare two names: guard (`conflict`), short form (`is_short_of`), difference in spelling (`difference`).

A conflict is evidence that two names do not refer to one entity; it vetoes the union of whole clusters. A mere
difference is not a conflict: "The Claw" and "La Griffe" have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from anyascii import anyascii
from nicknames import NickNamer
from rapidfuzz.distance import OSA, Indel

from filigraph.graph.text.names.inverted import surname_first
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.patronymics import has_patronymic
from filigraph.graph.text.names.tables import (
    BEFORE_SURNAMES,
    CALLINGS,
    CONJUNCTIONS,
    EPITHETS,
    FEMININE_ENDINGS,
    FUNCTION_WORDS,
    GENERIC_NOUNS,
    GIVEN_NAMES,
    LEGAL_FORMS,
    LEGAL_PHRASES,
    PARTICLES,
    PLACE_NOUNS,
    PLACE_QUALIFIERS,
    PLURALS,
    SAINTS,
    SLAVIC_FEMININE_ENDINGS,
    Gender,
)
from filigraph.graph.text.names.titles import differ_by_age, is_knight, titles_conflict

Signature = tuple[str, ...]
Endings = tuple[tuple[str, str], ...]
Given = Mapping[str, Gender]  # given names, folded

MIN_WORD_SIMILARITY = (
    0.75  # normalized Indel similarity below which two words are unrelated, whatever the cosine of the names
)
MAX_DIMINUTIVE_LETTERS = 7  # letters: "Charlie"
_NO_DIMINUTIVES = frozenset(("july", "early"))  # words that begin like Julius, Earl
_NICKNAMES = NickNamer()
_HYPHENATED = re.compile(r"\w+[-\u2010\u2011]")
_DOUBLED = re.compile(r"(.)\1+")


def signature(name: Name) -> Signature:
    """The normalized words of a name; forms with equal signatures are the same name. The core without legal forms
    ("AG", "Inc."), in reading order ("Delmas, Jules" is jules delmas)."""
    return _signature(name.form)


@lru_cache(maxsize=1 << 18)  # as many as the cache of `parse`
def _signature(form: str) -> Signature:
    name = parse(form)
    words = _without_conjunctions(name)
    if "," in name.form and len(words) >= 2 and name.numbers == ():
        words = _uninverted(name)
    return _without_legal_form(words)


def _without_conjunctions(name: Name) -> Signature:
    """Drop conjunctions inside a proper name: "Procter and Gamble" is "Procter & Gamble", for "&" is not a token."""
    words = name.core
    if len(words) < 3 or not name.proper:
        return words
    return (words[0], *(word for word in words[1:-1] if word not in CONJUNCTIONS), words[-1])


def is_company(name: Name) -> bool:
    """Whether the name has a legal form; its words are then no given names."""
    return _without_legal_form(name.core) != name.core


@lru_cache(maxsize=1 << 18)
def _without_legal_form(words: Signature) -> Signature:
    """ "Siemens AG", "Vitol Holding S.A.", "OAO Gazprom", "Lloyds Banking Group Public Limited Company"."""
    while len(words) > 1:
        letters = 0  # "S.A." is two words of one letter
        while letters < len(words) - 1 and len(words[-1 - letters]) == 1:
            letters += 1
        phrases = [p for p in LEGAL_PHRASES if len(p) < len(words)]
        behind = next((len(p) for p in phrases if words[-len(p) :] == p), 0)
        before = next((len(p) for p in phrases if words[: len(p)] == p), 0)
        if behind:
            words = words[:-behind]
        elif before:
            words = words[before:]
        elif letters > 1 and "".join(words[-letters:]) in LEGAL_FORMS:
            words = words[:-letters]
        elif words[-1] in LEGAL_FORMS:
            words = words[:-1]
        elif words[0] in LEGAL_FORMS:
            words = words[1:]
        else:
            break
    return words


def _uninverted(name: Name) -> Signature:
    """The words in reading order: "NURISTANI, Abdul Aziz" is abdul aziz nuristani."""
    inverted = surname_first(name.bare)
    if inverted is None or sum(map(len, inverted)) != len(name.core):
        return name.core
    surname, given_names = inverted
    return tuple(word.folded for word in (*given_names, *surname))


# --------------------------------------------------------------------------------------------------------------------
# Guards


# Every change compares all pairs of a workspace in the same order: a smaller cache than the number of pairs would never
# have a hit. At 30,000 chunks there are 270,000 pairs, and both caches together take 110 MB.
_PAIRS_KEPT = 1 << 19
_WORDS_KEPT = 1 << 18  # the same for words


def conflict(a: Name, b: Name) -> str:
    """The first reason why two names cannot refer to one entity: "gender", "title", "first name", "number",
    "generation", "epithet", "direction"; "" without conflict. Symmetric."""
    return _conflict(a.form, a.gender, b.form, b.gender)


@lru_cache(maxsize=_PAIRS_KEPT)
def _conflict(form: str, gender: Gender, other: str, other_gender: Gender) -> str:
    return next(conflicts(_of_gender(parse(form), gender), _of_gender(parse(other), other_gender)), "")


def conflicts(a: Name, b: Name) -> Iterator[str]:
    """All reasons, one after another (see `conflict`)."""
    if a.gender and b.gender and a.gender != b.gender:
        yield "gender"
    core, other_core = a.core, b.core
    if not core or not other_core or not set(core) & set(other_core):
        if _feminine_of(a, b):
            yield "gender"
        return
    if titles_conflict(a, b):
        yield "title"
    if a.generation and b.generation and a.generation != b.generation:
        yield "generation"
    if {a.age, b.age} == {"younger", "elder"} or differ_by_age(a, b) or differ_by_age(b, a):
        yield "epithet"
    if (a.numbers and b.numbers and a.numbers != b.numbers) or _is_of_several(a) != _is_of_several(b):
        yield "number"
    if a.poles and b.poles and a.poles != b.poles and {s for s, _ in a.poles} & {s for s, _ in b.poles}:
        yield "direction"
    if core[-1] == other_core[-1] and a.proper and b.proper and not is_company(a) and not is_company(b):
        given_a, given_b = _given_name_positions(a), _given_name_positions(b)
        fits = _fits(given_a, a, given_b, b) or _fits(given_b, b, given_a, a) or "".join(core) == "".join(other_core)
        fits = fits and not (_has_part_of_compound(a, b) or _has_part_of_compound(b, a))
        if given_a and given_b and (not fits or _is_knight_beside_nickname(a, b) or _is_knight_beside_nickname(b, a)):
            yield "first name"
        if (a.kin and not b.kin and given_b) or (b.kin and not a.kin and given_a):
            yield "title"  # "le père Delmas" is not Jules
    if _feminine_of(a, b):
        yield "gender"


def _of_gender(name: Name, gender: Gender) -> Name:
    return name if name.gender == gender else replace(name, gender=gender)


def _is_of_several(name: Name) -> bool:
    """Whether the name is that of several people: "the Misses Leavenworth", "MM. de Coigny"."""
    return name.words[0] in PLURALS and len(name.words) > 1


def _is_knight_beside_nickname(knight: Name, other: Name) -> bool:
    """Whether one name has Sir before a given name, and the other has its short form without Sir: Sir Thomas Bertram,
    and his son Tom.
    """
    return is_knight(knight) and not is_knight(other) and is_nickname(knight.core[0], other.core[0])


def _given_name_positions(name: Name) -> tuple[int, ...]:
    """Positions of given names and initials: all words before the last one except particles and a calling at the
    beginning ("Farmer Oak")."""
    return tuple(i for i, word in enumerate(name.core[:-1]) if word not in PARTICLES and (i or word not in CALLINGS))


def _fits(short: tuple[int, ...], a: Name, long: tuple[int, ...], b: Name, *, typos: bool = True) -> bool:
    """Whether the given names of `a` are a subsequence of those of `b`; an initial matches any name it begins."""
    at = 0
    for i in short:
        while at < len(long) and not _same_given(a, i, b, long[at], typos=typos):
            at += 1
        if at == len(long):
            return False
        at += 1
    return True


def _same_given(a: Name, i: int, b: Name, j: int, *, typos: bool) -> bool:
    x, y = a.core[i], b.core[j]
    if x == y:
        return True
    if i in a.initials or j in b.initials:
        return x[0] == y[0]
    if is_nickname(x, y):
        return True
    return typos and _typo(x, y)


def is_nickname(x: str, y: str) -> bool:
    """Whether one given name is short for the other: Ted, Theodore. English only (package `nicknames`)."""
    return x in nicknames_of(y) or y in nicknames_of(x)


@lru_cache(maxsize=_WORDS_KEPT)
def nicknames_of(given_name: str) -> frozenset[str]:
    """The short forms of a given name: Ted of Theodore."""
    return frozenset(_NICKNAMES.nicknames_of(given_name))


@lru_cache(maxsize=_WORDS_KEPT)
def canonicals_of(nickname: str) -> frozenset[str]:
    """The given names that a name is short for: Theodore of Ted."""
    return frozenset(_NICKNAMES.canonicals_of(nickname))


@lru_cache(maxsize=_WORDS_KEPT)
def romanized(word: str) -> str:
    """A word transliterated to Latin letters (package `anyascii`): "сергей" is sergey."""
    return word if word.isascii() else anyascii(word).lower().replace("'", "")


def _typo(x: str, y: str) -> bool:
    """Whether words of five letters or more differ by one edit (optimal string alignment): not near the end, where it
    is an inflection (Award, Awards; County, Count), and not between two known given names."""
    shorter = min(len(x), len(y))
    if shorter < 5 or OSA.distance(x, y, score_cutoff=1) > 1 or (x in GIVEN_NAMES and y in GIVEN_NAMES):
        return False
    if _DOUBLED.sub(r"\1", x) == _DOUBLED.sub(r"\1", y):
        return True  # Hannibal, Hanniball
    return x[: shorter - 2] != y[: shorter - 2] and not _is_feminine(x, y) and not _is_feminine(y, x)


def _is_feminine(x: str, y: str, endings: Endings = FEMININE_ENDINGS) -> bool:
    """Whether `x` is the feminine of `y`: chevaliere, chevalier."""
    return any(
        x.endswith(feminine)
        and y.endswith(masculine)
        and len(x) - len(feminine) >= 2
        and x[: len(x) - len(feminine)] == y[: len(y) - len(masculine)]
        for feminine, masculine in endings
    )


def _feminine_of(a: Name, b: Name) -> bool:
    """Whether the names differ in one word, and one word is the feminine of the other. Surnames have a feminine only in
    Slavic languages: "Macrone" is not a Mme Macron."""
    if len(a.core) != len(b.core) or not a.core:
        return False
    places = [i for i, (x, y) in enumerate(zip(a.core, b.core, strict=True)) if x != y]
    if len(places) != 1:
        return False
    x, y = a.core[places[0]], b.core[places[0]]
    endings = SLAVIC_FEMININE_ENDINGS if places[0] and a.proper and b.proper else FEMININE_ENDINGS
    return _is_feminine(x, y, endings) or _is_feminine(y, x, endings)


def one_sided(a: Name, b: Name) -> str:
    """The distinguishing feature that only one of the names has, "" for none. No conflict, but it stops the rules by
    similarity: "Victory 3" and "Victory"; "Dumas fils" and "Dumas"."""
    if a.numbers != b.numbers:
        return "number"
    if a.generation != b.generation:
        return "generation"
    if a.poles != b.poles:
        return "direction"
    return ""


# --------------------------------------------------------------------------------------------------------------------
# Short forms


def is_short_of(short: Name, long: Name, given_names: Given = GIVEN_NAMES) -> bool:
    """Whether `short` is a short form of `long`: its last words ("Holmes"), its given name ("Jules"), or the name with
    initials or without middle names ("J. Delmas", "Jules Delmas" of "Jules Antoine Delmas"), or a given name with the
    patronymic ("Nikolai Petrovitch"). `given_names`: known given names.

    Only the head of a name counts ("Paris" is not short for "University of Paris"). Excluded are first words that are
    no given name ("New York" of "New York Times"), given names behind an office ("Colonel Fitzwilliam" of
    "Fitzwilliam Darcy") or of a numbered name ("Louis" of "Louis XV"), generic nouns ("House" of "Merripit House";
    but "League" of "League of the Red-headed Men"), words after a place qualifier ("America" of "Central America"),
    given names in those of saints and places ("Jean" of "Saint-Jean", "Mary" of "Mary River"), parts of a hyphenated
    given name ("Jean" and "Jean Richter" of "Jean-Paul Richter").
    """
    words, whole = short.core, long.core[: long.head]
    if not words or len(words) > len(whole) or words == long.core:
        return False
    if not (short.named and long.named) or short.poles != long.poles or whole[0] in EPITHETS:
        return False
    if len(words) == 1 and words != whole and (words[0] in GENERIC_NOUNS or set(whole) & PLACE_QUALIFIERS):
        return False
    if words == whole[-len(words) :]:
        is_of_compound = len(whole) == 2 and _begins_with_compound(long, given_names)
        is_of_compound = is_of_compound or _has_part_of_compound(short, long)
        return not is_of_compound and not (whole[0] in SAINTS and len(whole) == 2 and words[0] in given_names)
    if words == whole[:2]:
        return has_patronymic(words)
    if len(words) == 1:
        if _begins_with_compound(long, given_names):
            return False
        if short.titles & BEFORE_SURNAMES or (long.numbers and not short.numbers):
            return False
        return len(whole) > 1 and whole[-1] not in PLACE_NOUNS and _is_given_of(words[0], whole[0], given_names)
    if words[-1] != whole[-1] or sum(map(len, words)) >= sum(map(len, whole)):
        return False
    if _has_part_of_compound(short, long):
        return False
    before = _given_name_positions(short)
    middle = tuple(i for i in _given_name_positions(long) if i < len(whole) - 1)
    return bool(before) and _fits(before, short, middle, long, typos=False)


def _has_part_of_compound(name: Name, other: Name) -> bool:
    """Whether a name begins with half of the other's hyphenated given name, which is a name of its own: "Jean Morel" is
    not "Jean-Baptiste Morel".
    """
    halves = other.core[:2]
    begins_with_one = len(name.core) > 1 and name.core[0] in halves and name.core[:2] != halves
    return begins_with_one and len(other.core) > 2 and _begins_with_compound(other, GIVEN_NAMES)


def _begins_with_compound(name: Name, given_names: Given) -> bool:
    """Whether a name begins with two given names that are one: "Jean-Paul Richter" is no Jean."""
    return given_names.keys() >= {*name.core[:2]} and bool(_HYPHENATED.match(name.bare))


def _is_given_of(word: str, first: str, given_names: Given) -> bool:
    """Whether a single word is the given name with which a longer name begins, or a diminutive of it."""
    if word == first:
        return word in given_names
    return first in given_names and word not in given_names and any(map(first.startswith, stems_of(word)))


def stems_of(word: str) -> tuple[str, ...]:
    """The beginnings of the given names of which a word may be a diminutive, as in English: "ev" of Evie (Evelyn),
    "lett" and "let" of Letty (Lettice). Empty for most words, and for such surnames as Carey, Christie and Rossi."""
    if len(word) > MAX_DIMINUTIVE_LETTERS or word in _NO_DIMINUTIVES:
        return ()
    if word.endswith("ie"):
        stem, shortest = word[:-2], 2
    elif word.endswith("y") and not word.endswith("ey"):
        stem, shortest = word[:-1], 3
    else:
        return ()
    undoubled = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    return tuple(part for part in dict.fromkeys((stem, undoubled)) if len(part) >= shortest)


def person_shaped(name: Name, given_names: Given = GIVEN_NAMES) -> bool:
    """Whether a name has a person's title or starts with a given name or an initial."""
    return bool(name.titles or name.kin or 0 in name.initials or (name.core and name.core[0] in given_names))


# --------------------------------------------------------------------------------------------------------------------
# Similarity


@dataclass(frozen=True, slots=True)
class SignatureDifference:
    """How two signatures differ after equal words are removed."""

    # "none", "script" (equal after transliteration), "spacing", "order", "spelling" (one edit in a long word),
    # "nickname" (of the first word), "near word" (one word differs a little), "word" (one word differs), "initials"
    # (one name has extra initials in between), "middle" (one has extra words between the same three or more), "extra"
    # (one has extra words), "more" (anything else)
    kind: str
    similarity: float  # normalized Indel similarity of the names without spaces, 0..1


def difference(a: Name, b: Name) -> SignatureDifference:
    """Compare two names word by word, without function words and legal forms."""
    return _difference(a.form, b.form)


@lru_cache(maxsize=_PAIRS_KEPT)
def _difference(form: str, other: str) -> SignatureDifference:
    a, b = parse(form), parse(other)
    x, y = _meaning(a), _meaning(b)
    scripts = all(map(str.isascii, x)) != all(map(str.isascii, y))
    if scripts:
        x, y = [romanized(word) for word in x], [romanized(word) for word in y]
    similarity: float = Indel.normalized_similarity("".join(x), "".join(y))
    if x == y:
        return SignatureDifference("script" if scripts else "none", similarity)
    if "".join(x) == "".join(y):
        return SignatureDifference("spacing", similarity)
    rest_x, rest_y = _multiset_difference(x, y), _multiset_difference(y, x)
    if not rest_x and not rest_y:
        return SignatureDifference("order", similarity)
    if not rest_x or not rest_y:
        more = rest_x or rest_y
        letters = {name.core[i] for name in (a, b) for i in name.initials}
        ends = min(len(x), len(y)) > 1 and x[0] == y[0] and x[-1] == y[-1]
        if ends and letters.issuperset(more):
            return SignatureDifference("initials", similarity)
        return SignatureDifference("middle" if ends and _three_in_order(x, y) else "extra", similarity)
    if len(rest_x) == len(rest_y) == 1 and x.index(rest_x[0]) == y.index(rest_y[0]):
        if _typo(rest_x[0], rest_y[0]):
            return SignatureDifference("spelling", similarity)
        if x[0] == rest_x[0] and len(x) > 1 and is_nickname(rest_x[0], rest_y[0]):
            return SignatureDifference("nickname", similarity)
        return SignatureDifference("near word" if _are_similar(rest_x[0], rest_y[0]) else "word", similarity)
    return SignatureDifference("more", similarity)


def _three_in_order(x: list[str], y: list[str]) -> bool:
    """Whether the shorter name has three words or more, without particles, and is a subsequence of the longer one."""
    short, long = sorted((x, y), key=len)
    names = [word for word in short if len(word) > 1 and word not in PARTICLES]
    remaining = iter(long)
    return len(names) > 2 and all(word in remaining for word in short)


def _are_similar(x: str, y: str) -> bool:
    """Whether two words are similar (MIN_WORD_SIMILARITY); not for a prefix (Award, Awards; Kuwait, Kuwaiti) or
    another first letter (Bernburg, Dornburg)."""
    if x.startswith(y) or y.startswith(x) or x[0] != y[0]:
        return False
    return min(len(x), len(y)) >= 4 and Indel.normalized_similarity(x, y) >= MIN_WORD_SIMILARITY


def _meaning(name: Name) -> list[str]:
    words = signature(name)
    return [word for word in words if word not in FUNCTION_WORDS] or list(words)


def _multiset_difference(words: list[str], others: list[str]) -> list[str]:
    """Multiset difference of `words` and `others`, in order."""
    remaining = list(others)
    rest = []
    for word in words:
        if word in remaining:
            remaining.remove(word)
        else:
            rest.append(word)
    return rest
