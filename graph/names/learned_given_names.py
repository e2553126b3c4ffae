"""Given names learned from a workspace, to complete the tables (Thaddeus, Nadège, Katrin)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from filigraph.graph.model.names import MentionLike
from filigraph.graph.text.names.given_names import ALL_GIVEN_NAMES
from filigraph.graph.text.names.pairs import Given, is_company
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.patronymics import has_patronymic, patronymic_gender
from filigraph.graph.text.names.tables import (
    ADDRESS,
    EPITHETS,
    FUNCTION_WORDS,
    GENERIC_NOUNS,
    KIN,
    PARTICLES,
    PLAIN_TITLES,
    RANKS,
    Gender,
)
from filigraph.graph.text.names.type_class import type_class

_WORDS = (2, 3)  # words of a full name to learn from; longer forms are rarely just a person's name
_NO_NAMES = (
    GENERIC_NOUNS
    | FUNCTION_WORDS
    | PARTICLES
    | frozenset(ADDRESS)
    | frozenset(RANKS)
    | frozenset(KIN)
    | frozenset(EPITHETS)
)


Lesson = tuple[str, Gender]  # a given name in a form, with its gender


def given_names(mentions: Iterable[MentionLike]) -> Given:
    """The given names of the tables, plus the first words of full names that a type, a title or a patronymic marks as a
    person's ("Mr. Thaddeus Sholto", "comte Wilhem d'Eyrik", "Arkady Nikolaitch"), with their gender.

    The gender of a learned name is that of the titles if they agree, else "". "Madame" gives no gender to a name that
    ends neither in -a nor in -e, because it may be the husband's: "Madame Wellington Koo", unlike "Mme Régine Lenoir".
    """
    return genders_of_lessons(lessons(mentions))


def lessons(mentions: Iterable[MentionLike]) -> frozenset[Lesson]:
    """The given names that mentions show."""
    lessons_or_none = (_lesson(mention.form, mention.type) for mention in mentions)
    return frozenset(lesson for lesson in lessons_or_none if lesson is not None)


def genders_of_lessons(all_lessons: Iterable[Lesson]) -> Given:
    """See `given_names`."""
    genders: dict[str, set[Gender]] = defaultdict(set)
    for word, gender in all_lessons:
        genders[word].add(gender)
    new: dict[str, Gender] = {}
    for word, seen in genders.items():
        if word not in ALL_GIVEN_NAMES:
            titled = seen - {""}
            new[word] = titled.pop() if len(titled) == 1 else ""
    return ALL_GIVEN_NAMES | new


def taught_by(mentions: Iterable[MentionLike]) -> set[str]:
    """The words that `given_names` may learn from these mentions, perhaps among others."""
    return {word for word, _ in lessons(mentions)} - ALL_GIVEN_NAMES.keys()


@lru_cache(maxsize=1 << 18)  # as many as the cache of `parse`
def _lesson(form: str, type_: str) -> Lesson | None:
    """The given name in a form, with its gender."""
    name = parse(form)
    typed = type_class(type_) == "person"
    is_russian = has_patronymic(name.core)
    is_titled = name.titles & PLAIN_TITLES or (name.titles and PARTICLES.intersection(name.core[1:2]))
    if not (typed or is_titled or is_russian) or not _begins_with_given(name):
        return None
    if is_russian:
        return name.core[0], patronymic_gender(name.core[1])
    own = "a" if name.words[0] == "mrs" else "ae"  # nobody calls "Mrs. Bute Crawley" Bute
    husbands = "mrs" in name.titles and name.core[0][-1] not in own
    return name.core[0], "" if husbands else name.titled_gender


def _begins_with_given(name: Name) -> bool:
    if len(name.core) not in _WORDS or name.head != len(name.core) or not name.named or is_company(name):
        return False
    word = name.core[0]
    return len(word) > 2 and word.isalpha() and word not in _NO_NAMES
