"""How people are called: what a form says of whose name it is."""

from __future__ import annotations

from rapidfuzz.distance import OSA

from filigraph.graph.text.names.pairs import Given, Signature, conflict, one_sided
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import PLAIN_TITLES

SINGLE_WORD = 8  # letters from which on one slip of the pen is one where the name is a single word
SLIPS = 2  # letters in which a word of a long name may differ for the vectors to decide


def is_bare_surname(name: Name, given: Given) -> bool:
    return len(name.core) <= 2 and not name.titles and not name.kin and name.core[0] not in given


def is_called_by_title(name: Name) -> bool:
    """A woman who is Mme or Miss So-and-so: in the novels nobody calls her by the bare surname."""
    return name.titled_gender == "f"


def may_be_a_name(name: Name, given: Given) -> bool:
    """Whether what stands before the name may be part of it, or tell it from its bearer's namesake: "Captain Kangaroo",
    "King Kong", "Sister Mary", "le jeune Delmas"."""
    return bool(name.kin or name.titles - PLAIN_TITLES or (name.age and name.core[0] not in given))


def may_have_married(a: Name, b: Name) -> bool:
    """Whether a woman of one full name is Miss here and Mrs. there."""
    titles = {*a.titles, *b.titles}
    return len(a.core) > 1 and {"miss", "mrs"} <= titles and not a.titles & b.titles and conflict(a, b) == "title"


def agree(a: Name, b: Name, given: Given) -> bool:
    """Whether two forms of one core may be taken for one name."""
    return not conflict(a, b) and not one_sided(a, b) and _is_anothers(a, given) == _is_anothers(b, given)


def _is_anothers(name: Name, given: Given) -> bool:
    """Whether a woman's title stands before what may be her husband's or her family's name, not her own: "Mrs. John
    Cavendish", "Madame Wellington Koo", "Mlle Delmas"."""
    if not name.core or given.get(name.core[0]) == "f":
        return False
    return "mrs" in name.titles or (name.titled_gender == "f" and len(name.core) == 1)


def long_enough(*names: Signature) -> bool:
    """Whether one slip of the pen leaves names the same: of several words, or of one long word."""
    return all(len(words) > 1 or len(words[0]) >= SINGLE_WORD for words in names)


def few_slips(a: Signature, b: Signature) -> bool:
    """Whether the vectors may decide although a word differs: "Agriculture Bank of China"."""
    return len(a) > 2 and OSA.distance(" ".join(a), " ".join(b), score_cutoff=SLIPS) <= SLIPS
