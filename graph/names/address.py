"""How a document addresses its people, and what that says about short forms and longer names.

A novel has few persons and calls each of them in few ways. So the titles before a surname, and how often a given name
occurs by itself, distinguish mother from daughter, the eldest sister from the others, and a man from his namesake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from filigraph.graph.names.address_rules import is_bare_surname, without_place
from filigraph.graph.names.index import Names
from filigraph.graph.text.names.given_names import ALL_GIVEN_NAMES
from filigraph.graph.text.names.pairs import canonicals_of, is_nickname
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import (
    ADDRESS,
    CALLINGS,
    CAPITAL_EPITHETS,
    MILITARY,
    NOBILITY,
    PARTICLES,
)
from filigraph.graph.text.names.titles import is_dame, is_knight

RARE, FREQUENT = 2, 10  # places: a longer name with so few says nothing about a short form with so many
# a person is not called by the surname if the given name occurs this many times as often as the whole name
BY_GIVEN_NAME = 5
BY_WHOLE_NAME = 4  # min. ratio of "Mr. S" to a frequent "Mr. G S" for two different people
SURNAME_TITLES = frozenset(("mr", "mrs", "miss", "doctor"))  # words before a surname that are not given names
WIVES = frozenset(("mrs", "lady"))
INNER_TITLES = frozenset(
    word for word, (meaning, _) in ADDRESS.items() if meaning in ("mr", "mrs", "miss") and len(word) > 1
)

Words = tuple[str, ...]


def _is_longer_form(given_name: str, other: str) -> bool:
    """Whether a given name is itself the longer form of the other: William, of Bill. The package has both as short for
    each other.
    """
    return len(given_name) > len(other) and given_name in canonicals_of(other)


@dataclass(frozen=True, eq=False)
class Address:
    """The names of a document with the number of places of each."""

    names: Names
    counts: Mapping[str, int]  # by key

    @cached_property
    def _title_counts(self) -> Counter[tuple[str, Words]]:
        """(title, core) -> places."""
        counts: Counter[tuple[str, Words]] = Counter()
        for key, count in self.counts.items():
            for title in self.names.of[key].titles:
                counts[title, self.names.of[key].core] += count
        return counts

    @cached_property
    def _untitled_counts(self) -> Counter[str]:
        """Word -> places where it is a name without a title: "Fanny", "poor Fanny"."""
        counts: Counter[str] = Counter()
        for key, count in self.counts.items():
            name = self.names.of[key]
            if len(name.core) == 1 and not name.titles:
                counts[name.core[0]] += count
        return counts

    @cached_property
    def _full_name_counts(self) -> Counter[tuple[str, str]]:
        """(first, last word) -> places of names of several words; "Mrs. Hugh Hallow" is not Hugh."""
        counts: Counter[tuple[str, str]] = Counter()
        for key, count in self.counts.items():
            name = self.names.of[key]
            words = without_place(name)
            if len(words) > 1:
                is_wife = "mrs" in name.titles and self.names.given.get(words[0]) == "m"
                counts[words[0], words[-1]] += 0 if is_wife else count
        return counts

    @cached_property
    def _last_words(self) -> frozenset[str]:
        return frozenset(last for _, last in self._full_name_counts)

    @cached_property
    def _titles_alone(self) -> dict[str, set[str]]:
        """Word -> the titles that occur directly before it: mr and mrs before "Norris"."""
        titles: dict[str, set[str]] = {}
        for title, core in self._title_counts:
            if len(core) == 1:
                titles.setdefault(core[0], set()).add(title)
        return titles

    @cached_property
    def _titled_in_all(self) -> Counter[str]:
        """Word -> places where only a title is before it."""
        counts: Counter[str] = Counter()
        for (title, core), count in self._title_counts.items():
            if len(core) == 1 and title in SURNAME_TITLES:
                counts[core[0]] += count
        return counts

    @cached_property
    def _first_words(self) -> dict[str, set[str]]:
        """Last word -> the first words of the names of several words that end with it."""
        words: dict[str, set[str]] = {}
        for first, last in self._full_name_counts:
            words.setdefault(last, set()).add(first)
        return words

    def has_family(self, words: Words, but: str = "") -> bool:
        """Whether others have these words as their surname: a Miss, or somebody with a given name other than `but`. A
        woman who rarely has it may have married him.
        """
        others = self.given_names(words, but) - {but[:1]}
        may_be_wife = {
            other
            for other in others
            if self._full_name_counts[other, words[-1]] <= RARE and self.names.given.get(other) != "m"
        }
        return others > may_be_wife or "miss" in self._titles_alone.get(words[-1], set())

    def given_names(self, surname: Words, but: str = "") -> set[str]:
        """The words that stand before a surname, without callings, `but` and its short forms. One that is rare and no
        known given name was read by mistake: "Hero Poorgrass".
        """
        known, last = self.names.given, surname[-1]
        words = self._first_words.get(last, set()) - {but, *PARTICLES, *CALLINGS, *CAPITAL_EPITHETS}
        first = {word for word in words if word in known or self._full_name_counts[word, last] > RARE}
        return {other for other in first if not but or not is_nickname(but, other)}

    def is_surname(self, word: str) -> bool:
        """Whether titles show that a word is a surname here: "Mr. Thomas" beside "Mrs. Thomas", or any title before a
        word that is not a given name."""
        titles = self._titles_alone.get(word, set()) & SURNAME_TITLES
        return bool(titles) and (word not in ALL_GIVEN_NAMES or len(titles - {"doctor"}) > 1)

    def is_two_names(self, key: str) -> bool:
        """Whether a longer name is two names read as one, or has a title inside: "Mrs. Rushworth Maria Bertram", "Mrs.
        Allan Anne", "Charming Miss Woodhouse". A rare one begins with a surname, or ends with a given name that also
        occurs by itself.
        """
        core = without_place(self.names.of[key])
        if INNER_TITLES.intersection(core[1:]):
            return True
        if len(core) < 2:
            return False
        whole, alone = self._full_name_counts[core[0], core[-1]], self._untitled_counts[core[-1]]
        if whole <= RARE and self.is_surname(core[0]):
            return True
        if core[-1] not in ALL_GIVEN_NAMES or self.is_surname(core[-1]):
            return False
        return alone >= FREQUENT * (1 if whole <= RARE else whole)

    def by_given_name(self, words: Words) -> set[str]:
        """The names that begin with this word, if families show that it is a given name although no table has it:
        "Newland", "Newland Archer" beside "Mrs. Archer".
        """
        if len(words) != 1 or words[0] in self.names.given:
            return set()
        titled = sum(self._title_counts[title, words] for title in self._titles_alone.get(words[0], ()))
        if BY_GIVEN_NAME * titled > self._untitled_counts[words[0]]:
            return set()
        return {key for key in self._beginning.get(words[0], ()) if self.is_surname(self.names.of[key].core[-1])}

    @cached_property
    def _beginning(self) -> dict[str, list[str]]:
        """First word -> the names of two words that begin with it."""
        keys_of: dict[str, list[str]] = {}
        for key in self.counts:
            name = self.names.of[key]
            if len(name.core) == 2 == name.head and name.named:
                keys_of.setdefault(name.core[0], []).append(key)
        return keys_of

    def called_in_full(self, word: str) -> list[str]:
        """The names whose given name has this word as a short form: "Elizabeth" for "Lizzy"."""
        if word not in ALL_GIVEN_NAMES:
            return []
        full_names = (name for name in sorted(canonicals_of(word) - {word}) if not _is_longer_form(word, name))
        those = [self._names_by_given_name.get(full_name, []) for full_name in full_names]
        return sorted(key for keys in those if not any(map(self._is_of_rank, keys)) for key in keys)

    def _is_of_rank(self, key: str) -> bool:
        """Whether the person has a rank, so that nobody uses a short given name: Lady Catherine, Sir Thomas."""
        name = self.names.of[key]
        return is_knight(name) or bool(name.titles & (WIVES | NOBILITY))

    @cached_property
    def _names_by_given_name(self) -> dict[str, list[str]]:
        """Given name -> the names that begin with it: "Elizabeth", "Miss Elizabeth Gray"."""
        keys_of: dict[str, list[str]] = {}
        for key in self.counts:
            name = self.names.of[key]
            if name.proper and name.named and name.core[0] in self.names.given and not name.kin:
                keys_of.setdefault(name.core[0], []).append(key)
        return keys_of

    def fitting(self, key: str, longer: Iterable[str]) -> list[str]:
        """The longer names that this short form may refer to, by the conventions of the document; `Names.fitting` has
        the general ones.
        """
        name = self.names.of[key]
        candidates = [other for other in longer if not self.is_two_names(other)]
        if (
            len(name.core) == 1
            and name.titles & SURNAME_TITLES
            and self._is_known_as_surname(name.core[0], name.titles)
        ):
            candidates = [other for other in candidates if self.names.of[other].core[-1] == name.core[0]]
        if is_bare_surname(name, self.names.given):
            candidates = self._without_rare_women(name, candidates)
        if name.titles & WIVES or is_dame(name):
            candidates = [other for other in candidates if not self._is_daughter(name, self.names.of[other])]
        if "miss" in name.titles and len(name.core) == 1:
            younger = [other for other in candidates if self._is_miss_by_given_name(self.names.of[other])]
            sisters = {self.names.of[other].core[0] for other in candidates} & self.names.given.keys()
            if len(sisters) > 1:
                candidates = [other for other in candidates if other not in younger]
        return candidates

    def _without_rare_women(self, name: Name, longer: Sequence[str]) -> list[str]:
        """Drop women for a bare surname, unless they are as frequent as the men: it is usually a man's."""
        those = [other for other in longer if self.names.of[other].core[-1] == name.core[-1]]
        women = [other for other in those if self.names.of[other].gender == "f"]
        men = self._title_counts["mr", name.core] + sum(self.counts[other] for other in those if other not in women)
        if sum(self.counts[other] for other in women) >= men:
            return [*longer]
        return [other for other in longer if other not in women]

    def _is_known_as_surname(self, word: str, titles: frozenset[str]) -> bool:
        """Whether a word after a title is a surname, because another title or another name has it as one."""
        others = self._titles_alone.get(word, set()) & SURNAME_TITLES - titles - {"doctor"}
        return word in self._last_words or bool(others)

    def _is_daughter(self, wife: Name, other: Name) -> bool:
        """Whether "Mrs. Barry" cannot be "Diana Barry": the document has a Miss Barry or calls Diana Miss, and never
        calls Diana Mrs.
        """
        if other.titles & wife.titles or len(other.core) < 2 or wife.core[0] == other.core[0]:
            return False
        first, last = other.core[0], other.core[-1]
        if any(self._title_counts[title, core] for title in wife.titles for core in (other.core, (first,))):
            return False
        return bool(self._title_counts["miss", (last,)]) or self._is_miss_by_given_name(other)

    def _is_miss_by_given_name(self, other: Name) -> bool:
        return bool(self._title_counts["miss", other.core[:1]] or self._title_counts["miss", other.core])

    def is_doubtful(self, key: str, other: str) -> bool:
        """Whether a person should decide if a form is short for a longer name, although no other name fits."""
        name, long = self.names.of[key], self.names.of[other]
        whole_name = without_place(long)
        if len(name.core) != 1 or len(whole_name) < 2:
            return False
        first, last, word = whole_name[0], whole_name[-1], name.core[0]
        is_rare = self._full_name_counts[first, last] <= RARE
        if word == first and word != last:  # "Mary" beside a "Mary King" that is seen twice, and few other Kings
            may_be_another = self._untitled_counts[first] >= FREQUENT or is_knight(long)
            return is_rare and may_be_another and not name.titles and self._titled_in_all[last] < FREQUENT
        if word != last or first in PARTICLES or 0 in long.initials:
            return False
        if name.age in ("elder", "late") and name.titles and not long.age:
            return True
        if name.titled_gender == "f" and not long.gender and self._may_be_a_man(first, wife=bool(name.titles & WIVES)):
            return True
        if name.titles and name.titled_gender != "f" and not long.gender and is_rare:
            return True  # a given name that no table has: too little is known
        if "miss" in name.titles and self._is_another_miss(name, long, is_rare=is_rare):
            return True
        ranks = name.titles & MILITARY
        if ranks and not any(self._title_counts[rank, long.core] for rank in ranks):
            officer = sum(self._title_counts[rank, name.core] for rank in ranks)
            if long.gender == "f" or self._full_name_counts[first, last] > officer:
                return True  # the officer is a father or a husband, unless the person is also addressed with that title
        if "mr" in name.titles and self._title_counts["mr", (first,)] >= RARE:
            return True  # this distinguishes "Mr. Hugh" from "Mr. Hallow"
        if name.titles & WIVES and any(self._title_counts[wife, long.core] for wife in name.titles):
            return self._is_another_husband(name, long)
        if name.titles & WIVES and any(self.names.given.get(g) == "f" for g in self.given_names((last,), but=first)):
            return True  # she may be a daughter
        if self._is_called_by_given_name(long):
            # somebody without family may be called both ways: Silas Marner
            bare = (
                is_bare_surname(name, self.names.given) and self._untitled_counts[word] < self._untitled_counts[first]
            )
            if "mrs" in name.titles or ((bare or "mr" in name.titles) and self.has_family((last,), but=first)):
                return True
        title = min(name.titles & {"mr", "mrs"}, default="")
        whole = self._title_counts[title, long.core] if title else 0
        return whole >= FREQUENT and self._title_counts[title, name.core] >= BY_WHOLE_NAME * whole

    def _is_another_miss(self, miss: Name, long: Name, *, is_rare: bool) -> bool:
        """Whether "Miss Thornton" is hardly "Hannah Thornton", seen once beside a frequent "Mrs. Thornton", who may be
        her; or "Miss Branghton" hardly "Miss Polly Branghton", whom "Miss Polly" distinguishes from her.
        """
        if "miss" not in long.titles:
            is_known_wife = self._title_counts["mrs", miss.core] > self._title_counts["miss", miss.core]
            return is_rare and is_known_wife and not self._title_counts["miss", long.core[:1]]
        both = self._title_counts["miss", long.core]
        is_distinguished = self._title_counts["miss", long.core[:1]] >= RARE
        return is_distinguished and self._title_counts["miss", miss.core] >= max(FREQUENT, BY_WHOLE_NAME * both)

    def _is_another_husband(self, wife: Name, long: Name) -> bool:
        """Whether "Mrs. Hugh Hallow" is probably not "Mrs. Hallow": nobody calls Hugh "Mr. Hallow", and somebody else
        is called so.
        """
        if self.names.given.get(long.core[0]) == "f":
            return False
        return bool(self._title_counts["mr", wife.core]) and self._is_called_by_given_name(long)

    def _may_be_a_man(self, given_name: str, *, wife: bool) -> bool:
        """Of a given name of either gender (Charlie, Evelyn), or one that no table has (Newland), whether it may be a
        man's. A Miss has no husband who could have it.
        """
        return wife if given_name in ALL_GIVEN_NAMES else given_name[-1] not in "ae"

    def _is_called_by_given_name(self, long: Name) -> bool:
        """Whether the person is almost always called by the given name: Edmund, who is not Mr. Bertram."""
        alone = self._untitled_counts[long.core[0]]
        return alone >= FREQUENT and alone >= BY_GIVEN_NAME * self._full_name_counts[long.core[0], long.core[-1]]
