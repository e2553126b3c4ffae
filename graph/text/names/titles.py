"""Guards by titles: a person with one of two such titles does not have the other.

Titles exclude each other by custom: Mrs and Miss, Mr and Sir, Mr and Colonel, Lady and Miss in English; a judge is not
a captain in any language; "old Mr. Ablewhite" is distinguished from the other men of his name.
"""

from __future__ import annotations

from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import (
    ENGLISH_LADY,
    ENGLISH_MR,
    ENGLISH_MRS,
    ENGLISH_SIR,
    GIVEN_NAMES,
    JUNIOR_OFFICERS,
    MILITARY,
    PARTICLES,
    RANKS,
    SAME_OFFICE,
)

_MARRIED = frozenset({"mrs", "miss"})
_RANK_MEANINGS = frozenset(meaning for meaning, _ in RANKS.values())
_PROFESSIONS = frozenset(("doctor", "professor", "priest", "squire"))  # these have epithets of age: "le vieux Poulain"
_NOBLEWOMEN = frozenset(meaning for meaning, gender in RANKS.values() if gender == "f") - {"nurse"}


def titles_conflict(a: Name, b: Name) -> bool:
    """Whether the titles or the kinship of two names with a common word exclude each other."""
    if not (a.titles or a.kin) or not (b.titles or b.kin):
        return False
    if a.titles & _MARRIED and b.titles & _MARRIED and not a.titles & b.titles:
        return True
    if (is_dame(a) and "miss" in b.titles) or (is_dame(b) and "miss" in a.titles):
        return True
    if _is_commoner_beside(a, b) or _is_commoner_beside(b, a):
        return True
    if _is_wife_beside_rank(a, b) or _is_wife_beside_rank(b, a):
        return True
    if _is_lords_child(a, b) or _is_lords_child(b, a):
        return True
    ranks_a, ranks_b = a.titles & _RANK_MEANINGS, b.titles & _RANK_MEANINGS
    if a.kin and b.kin and a.kin != b.kin:
        return True
    if not ranks_a or not ranks_b or ranks_a & ranks_b:
        return False
    return not any(frozenset({x, y}) in SAME_OFFICE for x in ranks_a for y in ranks_b)


def _is_commoner_beside(plain: Name, other: Name) -> bool:
    """Whether English titles exclude each other: Mr and a captain beside Sir, Mr beside an officer, Mrs and Miss beside
    Lady; before one full name only beside Sir, for "Mr. John Smith" may be an officer."""
    before, other_before = _before_core(plain), _before_core(other)
    if (
        other_before & ENGLISH_SIR
        and not other.titles & MILITARY
        and (before & ENGLISH_MR or plain.titles & JUNIOR_OFFICERS)
    ):
        return not before & ENGLISH_SIR
    if len(plain.core) > 1 and plain.core == other.core:
        return False
    if before & ENGLISH_MR:
        return bool(other_before & ENGLISH_SIR or other.titles & MILITARY)
    return bool(before & ENGLISH_MRS and other_before & ENGLISH_LADY)


def _is_wife_beside_rank(wife: Name, other: Name) -> bool:
    """Whether one is Mrs, Miss or Lady, and the other has an office that is not hers: "Mrs. Watson", "Dr. Watson".
    "Madame Olenska" may be a countess.
    """
    ranks = other.titles & _RANK_MEANINGS
    if "lady" in wife.titles and ranks & MILITARY:
        return True
    if not wife.titles & _MARRIED or not ranks or other.titles & _MARRIED:
        return False
    return "miss" in wife.titles or not ranks <= _NOBLEWOMEN


def _is_lords_child(lord: Name, other: Name) -> bool:
    """Whether custom distinguishes a lord from a younger son, and a lord's wife from a daughter: "Lord Gaunt", "Lord
    George Gaunt"; "Lady Orme", "Lady Anne Orme".
    """
    surname = tuple(word for word in lord.core if word not in PARTICLES)
    if len(surname) != 1 or len(other.core) < 2 or other.core[0] in (surname[0], *PARTICLES):
        return False
    titles = _before_core(lord) & _before_core(other)
    return other.core[-1] == surname[0] and bool(titles & (ENGLISH_LADY | {"lord"}))


def _before_core(name: Name) -> frozenset[str]:
    """The titles and epithets as they are written."""
    return frozenset(name.words[: max(0, len(name.words) - len(name.core))])


def differ_by_age(elder: Name, other: Name) -> bool:
    """Whether age or death distinguishes one of two from others of the surname, and the other is one of these: "old Mr.
    Ablewhite" or "the late Mr. Ablewhite" beside "Mr. Godfrey Ablewhite", "old Osborne" beside "Captain Osborne".
    """
    ranks = other.titles & _RANK_MEANINGS - _PROFESSIONS
    if elder.age == "elder" and ranks and not elder.titles & _RANK_MEANINGS and not other.age:
        return len(elder.core) == 1 and elder.core[-1] == other.core[-1]
    return (
        elder.age in ("elder", "late")
        and not other.age
        and bool(elder.titles & other.titles)
        and len(elder.core) == 1 < len(other.core)
        and elder.core[-1] == other.core[-1]
    )


def is_boy(name: Name) -> bool:
    """Whether the title is an English boy's: "Master Osborne"."""
    return "master" in _before_core(name)


def is_dame(name: Name) -> bool:
    """Whether the title is that of an elder woman of the people: "Dame Green"; before a given name it is a knight's."""
    return len(name.core) == 1 and name.core[0] not in GIVEN_NAMES and "dame" in _before_core(name)


def is_knight(name: Name) -> bool:
    return bool(_before_core(name) & ENGLISH_SIR)
