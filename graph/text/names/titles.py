"""Guards by titles: who is called the one is not called the other.

A title excludes another where custom does: Mrs and Miss, Mr and Sir, Mr and Colonel, Lady and Miss in English; a judge
is not a captain in any language; "old Mr. Ablewhite" is distinguished from the other men of his name.
"""

from __future__ import annotations

from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import (
    ENGLISH_LADY,
    ENGLISH_MR,
    ENGLISH_MRS,
    ENGLISH_SIR,
    MILITARY,
    RANKS,
    SAME_OFFICE,
)

_MARRIED = frozenset({"mrs", "miss"})
_RANK_MEANINGS = frozenset(meaning for meaning, _ in RANKS.values())
_NOBLEWOMEN = frozenset(meaning for meaning, gender in RANKS.values() if gender == "f") - {"nurse"}


def titles_conflict(a: Name, b: Name) -> bool:
    """Whether the titles or the kinship of two names with a common word exclude each other."""
    if not (a.titles or a.kin) or not (b.titles or b.kin):
        return False
    if a.titles & _MARRIED and b.titles & _MARRIED and not a.titles & b.titles:
        return True
    if _is_commoner_beside(a, b) or _is_commoner_beside(b, a):
        return True
    if _is_wife_beside_rank(a, b) or _is_wife_beside_rank(b, a):
        return True
    ranks_a, ranks_b = a.titles & _RANK_MEANINGS, b.titles & _RANK_MEANINGS
    if a.kin and b.kin and a.kin != b.kin:
        return True
    if not ranks_a or not ranks_b or ranks_a & ranks_b:
        return False
    return not any(frozenset({x, y}) in SAME_OFFICE for x in ranks_a for y in ranks_b)


def _is_commoner_beside(plain: Name, other: Name) -> bool:
    """Whether English titles exclude each other: Mr beside Sir or an officer, Mrs and Miss beside Lady; not before one
    full name, for "Mr. John Smith" may be an officer."""
    if len(plain.core) > 1 and plain.core == other.core:
        return False
    mine, theirs = _before_core(plain), _before_core(other)
    if mine & ENGLISH_MR:
        return bool(theirs & ENGLISH_SIR or other.titles & MILITARY)
    return bool(mine & ENGLISH_MRS and theirs & ENGLISH_LADY)


def _is_wife_beside_rank(wife: Name, other: Name) -> bool:
    """Whether the one is Mrs or Miss, and the other has an office that is not hers: "Mrs. Watson", "Dr. Watson".
    "Madame Olenska" may be a countess."""
    ranks = other.titles & _RANK_MEANINGS
    if not wife.titles & _MARRIED or not ranks or other.titles & _MARRIED:
        return False
    return "miss" in wife.titles or not ranks <= _NOBLEWOMEN


def _before_core(name: Name) -> frozenset[str]:
    """The titles and epithets as they are written."""
    return frozenset(name.words[: max(0, len(name.words) - len(name.core))])


def told_by_age(elder: Name, other: Name) -> bool:
    """Whether age or death distinguishes the one from others of the surname, and the other is one of them: "old Mr.
    Ablewhite" or "the late Mr. Ablewhite" beside "Mr. Godfrey Ablewhite"."""
    return (
        elder.age in ("elder", "late")
        and not other.age
        and bool(elder.titles & other.titles)
        and len(elder.core) == 1 < len(other.core)
        and elder.core[-1] == other.core[-1]
    )


def is_knight(name: Name) -> bool:
    return bool(_before_core(name) & ENGLISH_SIR)
