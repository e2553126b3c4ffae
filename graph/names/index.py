"""The names of a workspace, and which of them are short forms.

A form is *short* if it is a bare common noun, or if a longer name of the workspace contains it ("Delmas" and
"J. Delmas" if the workspace has a "Jules Delmas"). Any other form is *full*, and so is a contained name that many
documents use without any of its longer names ("London" in spite of "Jack London").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from filigraph.graph.model.names import MentionLike
from filigraph.graph.names.address_rules import is_bare_surname, is_called_by_title
from filigraph.graph.names.learned_given_names import given_names
from filigraph.graph.text.names.blocks import longer_names
from filigraph.graph.text.names.pairs import Given, Signature, conflict, is_company, person_shaped, signature
from filigraph.graph.text.names.parse import Name, content_words, parse
from filigraph.graph.text.names.tables import GENERIC_NOUNS
from filigraph.graph.text.names.type_class import type_class

DESCRIPTION = 3  # content words; a description without capitals is a full name from this many on
ALONE = (5, 0.8)  # min. documents, min. share of its documents without a longer name: a contained key is a name itself
FEMININE_AGE = frozenset(("petite", "vieille", "pequena", "joven", "vecchia", "vieja", "piccola", "kleine"))
JUNK = 5  # drop a longer name not shaped like a person's if one that is occurs at least this many times as often
ALONE_SURNAME = (25, 0.95)  # as ALONE, if one of the longer names is shaped like a person's


@dataclass(frozen=True, eq=False)  # hash by identity, so that a cache can use names as keys
class Names:
    """Index of the names of a workspace: lazy lookup tables, independent of the order of the mentions."""

    mentions: Sequence[MentionLike]  # sorted by id, without parts

    @cached_property
    def by_key(self) -> dict[str, list[MentionLike]]:
        mentions: dict[str, list[MentionLike]] = defaultdict(list)
        for mention in self.mentions:
            mentions[mention.key].append(mention)
        return mentions

    @cached_property
    def of(self) -> dict[str, Name]:
        """Key -> name parsed from its most frequent form; ties by code point."""
        return {key: self.parsed(key) for key in sorted(self.by_key)}

    def parsed(self, key: str) -> Name:
        name = parse(_most_frequent_form(self.by_key[key]))
        if name.key != key:  # "the World Turns", found in "As The World Turns", which keeps its article
            name = replace(name, key=key)
        if not name.gender and name.proper and name.core and (gender := self.given.get(name.core[0], "")):
            name = replace(name, gender=gender)
        return name

    @cached_property
    def given(self) -> Given:
        """The given names of the tables and those learned from persons of the workspace."""
        return given_names(self.mentions)

    @cached_property
    def signatures(self) -> dict[str, Signature]:
        return {key: self.signature(key) for key in self.of}

    def signature(self, key: str) -> Signature:
        return signature(self.of[key]) or (key,)

    @cached_property
    def keys_of(self) -> dict[Signature, list[str]]:
        keys: dict[Signature, list[str]] = defaultdict(list)
        for key, words in self.signatures.items():
            keys[words].append(key)
        return keys

    @cached_property
    def common(self) -> frozenset[str]:
        """Keys that are bare common nouns or offices; they are an alias only within their document."""
        return frozenset(key for key in self.of if self.is_common(key))

    def is_common(self, key: str) -> bool:
        name = self.of[key]
        if name.role or (len(name.core) == 1 and name.core[0] in GENERIC_NOUNS):
            return True
        if name.proper and (len(name.core) > 1 or all(parse(mention.form).proper for mention in self.by_key[key])):
            return False
        return content_words(name) < DESCRIPTION

    @cached_property
    def longer(self) -> dict[str, frozenset[str]]:
        """Key -> the keys of the longer names that contain it, in the whole workspace."""
        return longer_names(self.of, self.given)

    @cached_property
    def documents(self) -> dict[str, list[MentionLike]]:
        mentions: dict[str, list[MentionLike]] = defaultdict(list)
        for mention in self.mentions:
            mentions[mention.document_id].append(mention)
        return mentions

    @cached_property
    def keys_in(self) -> dict[str, frozenset[str]]:
        return {document: self.keys_of_document(document) for document in self.documents}

    def keys_of_document(self, document: str) -> frozenset[str]:
        return frozenset(mention.key for mention in self.documents[document])

    @cached_property
    def documents_of(self) -> dict[str, frozenset[str]]:
        """Key -> the documents that have it."""
        return {key: self.documents_of_key(key) for key in self.by_key}

    def documents_of_key(self, key: str) -> frozenset[str]:
        return frozenset(mention.document_id for mention in self.by_key[key])

    @cached_property
    def documents_with_short_forms(self) -> Sequence[str]:
        """The documents that have a name and a longer one, or two forms of the same words, sorted."""
        return [document for document in sorted(self.documents) if self.has_short_forms(document)]

    def has_short_forms(self, document: str) -> bool:
        here = self.keys_in[document]
        if len({self.signatures[key] for key in here}) < len(here):
            return True
        return not all(here.isdisjoint(self.longer.get(key, ())) for key in here)

    @cached_property
    def things(self) -> frozenset[str]:
        """Keys with at least one typed mention and no mention typed as a person: places, ships, firms."""
        return frozenset(key for key in self.by_key if self.is_thing(key))

    def is_thing(self, key: str) -> bool:
        types = {mention.type for mention in self.by_key[key] if mention.type}
        return bool(types) and all(type_class(type_) != "person" for type_ in types)

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Contained keys that occur without a longer name in enough documents (ALONE, ALONE_SURNAME) to be names."""
        return frozenset(key for key in self.longer if self.is_own_name(key))

    def is_own_name(self, key: str) -> bool:
        longer, documents = self.longer[key], self.documents_of[key]
        alone = sum(self.keys_in[document].isdisjoint(longer) for document in documents)
        borne = any(person_shaped(self.of[other], self.given) for other in longer)
        least, share = ALONE_SURNAME if borne else ALONE
        return alone >= least and alone >= share * len(documents)

    @cached_property
    def full(self) -> dict[str, Sequence[MentionLike]]:
        """Key -> its mentions that may join mentions of other documents, sorted by id; keys without one are omitted."""
        return {key: full for key, members in self.by_key.items() if (full := self.full_of(key, members))}

    def is_full(self, mention: MentionLike) -> bool:
        """Whether the mention may join mentions of other documents."""
        return bool(self.full_of(mention.key, (mention,)))

    def full_of(self, key: str, mentions: Sequence[MentionLike]) -> Sequence[MentionLike]:
        """Those of the mentions of a key that may join mentions of other documents."""
        if key in self.common:
            return ()
        longer = self.longer.get(key)
        if not longer or not self._is_surname_like(key, longer):
            return mentions
        if key not in self.own_names:
            return ()
        return [mention for mention in mentions if self.keys_in[mention.document_id].isdisjoint(longer)]

    def _is_surname_like(self, key: str, longer: Iterable[str]) -> bool:
        """Whether a contained name is a surname, a single word, or has initials: "Delmas", "St. Clair", "J. Delmas".

        "Jules Delmas" stays a full name although "Jules Antoine Delmas" exists, and "Lothair II" although "Lothair II
        of Arles" does.
        """
        name = self.of[key]
        if len(name.core) == 1 or name.initials:
            return True
        return name.core[0] not in self.given and any(self.of[o].core[-len(name.core) :] == name.core for o in longer)

    def fitting(self, key: str, longer: Iterable[str]) -> list[str]:
        """Filter the longer names that a short form may refer to.

        Conventions: "Mr. X" refers to no firm; "Mrs. X" only to a name that may be a woman's, not to her husband's; a
        bare surname refers to a woman known by Mme or Miss only if there is no other candidate; "old Turner" refers to
        no woman.
        """
        name = self.of[key]
        candidates = [other for other in longer if not conflict(name, self.of[other])]
        if name.titled_gender:
            candidates = [other for other in candidates if other not in self.things]
        if "mrs" in name.titles:
            candidates = [other for other in candidates if self.may_be_female(self.of[other])]
        if is_bare_surname(name, self.given):
            titled = [other for other in candidates if is_called_by_title(self.of[other])]
            candidates = [other for other in candidates if other not in titled] or titled
        if (
            name.age not in ("", "late") and not name.titles and not FEMININE_AGE.intersection(name.words)
        ):  # "old Turner"
            candidates = [other for other in candidates if self.of[other].gender != "f"]
        return candidates

    def may_be_female(self, name: Name) -> bool:
        """Whether a name may be a woman's: by its gender or, if unknown, by a given name in -a or -e (Maryvonne)."""
        return name.gender == "f" or (not name.gender and name.core[0] in self.given and name.core[0][-1] in "ae")

    def without_junk(self, others: Sequence[str], counts: Mapping[str, int]) -> list[str]:
        """Drop longer names that are not shaped like a person's and rare (JUNK) compared with one that is: "Resisting
        Stapleton" compared with "Jack Stapleton"."""
        persons = {other for other in others if person_shaped(self.of[other], self.given)}
        most = max((counts[other] for other in persons), default=0)
        return [other for other in others if other in persons or JUNK * counts[other] > most]

    def is_person(self, key: str) -> bool:
        """Whether a full name is a person's: by the types of its mentions or, without types, by its first word."""
        types = {type_class(mention.type) for mention in self.full[key]} - {""}
        name = self.of[key]
        return not is_company(name) and (types == {"person"} if types else person_shaped(name, self.given))

    def is_given_alone(self, key: str) -> bool:
        """Whether a name is a single given name without a title."""
        name = self.of[key]
        return len(name.core) == 1 and name.core[0] in self.given and not name.titles

    @cached_property
    def guards(self) -> dict[tuple[str, str], str]:
        """Pairs of keys, the smaller first -> their conflict, for those that were compared."""
        return {}


def _most_frequent_form(members: Sequence[MentionLike]) -> str:
    """Ties by code point."""
    if len(members) == 1:
        return members[0].form
    counts: Counter[str] = Counter()
    for mention in members:
        counts[mention.form] += mention.count
    return min(counts, key=lambda form: (-counts[form], form))
