"""Conventions of address: which person a form of a name may refer to."""

from __future__ import annotations

from rapidfuzz.distance import OSA

from filigraph.graph.text.names.pairs import Given, Signature, conflict, one_sided
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import PARTICLES, PLAIN_TITLES

SINGLE_WORD = 8  # min. letters of a single-word name for one edit to count as a spelling error
SLIPS = 2  # max. edit distance of long names that differ in a word for the vectors to decide


def is_bare_surname(name: Name, given_names: Given) -> bool:
    return 0 < len(name.core) <= 2 and not name.titles and not name.kin and name.core[0] not in given_names


def is_called_by_title(name: Name) -> bool:
    """Whether the title is a woman's (Mme, Miss): novels do not call her by the bare surname."""
    return name.titled_gender == "f"


def may_be_a_name(name: Name, given_names: Given) -> bool:
    """Whether the word before the name may be part of it or distinguish namesakes: "Captain Kangaroo", "King Kong",
    "Sister Mary", "le jeune Delmas"."""
    return bool(
        name.kin or name.titles - PLAIN_TITLES or (name.age not in ("", "late") and name.core[0] not in given_names)
    )


def may_have_married(a: Name, b: Name) -> bool:
    """Whether two forms of one full name differ in that one has Miss and the other Mrs."""
    titles = {*a.titles, *b.titles}
    return len(a.core) > 1 and {"miss", "mrs"} <= titles and not a.titles & b.titles and conflict(a, b) == "title"


def agree(a: Name, b: Name, given_names: Given) -> bool:
    """Whether two forms of one core may be the same name."""
    return not conflict(a, b) and not one_sided(a, b) and _is_anothers(a, given_names) == _is_anothers(b, given_names)


def _is_anothers(name: Name, given_names: Given) -> bool:
    """Whether a woman's title precedes a name that may be her husband's or family's: "Mrs. John Cavendish", "Madame
    Wellington Koo", "Mlle Delmas"."""
    if not name.core or given_names.get(name.core[0]) == "f":
        return False
    surname = [word for word in name.core if word not in PARTICLES]
    return "mrs" in name.titles or (name.titled_gender == "f" and len(surname) == 1)


def without_place(name: Name) -> Signature:
    """The words of a name without where its bearer is from: "Mr. Bell of Oxford". A particle begins a surname."""
    behind = name.core[name.head : name.head + 1]
    return name.core if PARTICLES.issuperset(behind) else name.core[: name.head]


def long_enough(*names: Signature) -> bool:
    """Whether names are long enough to tolerate one edit: several words, or one word of SINGLE_WORD letters."""
    return all(len(words) > 1 or len(words[0]) >= SINGLE_WORD for words in names)


def few_slips(a: Signature, b: Signature) -> bool:
    """Whether the vectors may decide although a word differs: three words or more, at most SLIPS edits ("Agriculture
    Bank of China"). Optimal string alignment distance."""
    return len(a) > 2 and OSA.distance(" ".join(a), " ".join(b), score_cutoff=SLIPS) <= SLIPS
