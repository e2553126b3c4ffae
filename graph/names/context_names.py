"""What the rule `context` needs to know about names apart from their clusters, updated incrementally.

Updated `Names` keep unchanged values as the same objects (`names/incremental.py`). So comparing objects, property by
property, finds the names that differ, and only what depends on them is computed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from filigraph.graph.model.names import MentionLike
from filigraph.graph.names.index import Names
from filigraph.graph.tables.differences import other_objects
from filigraph.graph.text.names.pairs import Signature, person_shaped
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import PLAIN_TITLES

LETTERS = 4  # min. length of a name that counts as shared


@dataclass(frozen=True, kw_only=True)
class ContextChange:
    """What changed for the rule. Removed names are included."""

    keys: Set[str]  # names that differ in anything, also in their mentions
    cores: Set[Signature]  # the first words of these names
    documents: Set[str]  # documents with other mentions, or other mentions that may be open
    mentions: Set[str]  # ids of mentions that may have become evidence, or are not evidence any more
    words: Set[Signature]  # distinctive short forms that may occur in other documents now


class ContextNames:
    """Mentions that may be open, names that are evidence, initials. Initially empty."""

    def __init__(self) -> None:
        self.names = Names([])
        self.by_id: dict[str, MentionLike] = {}
        self.open: dict[str, dict[str, MentionLike]] = {}  # document -> id -> its short forms that may be open
        self.open_as: dict[str, dict[str, MentionLike]] = {}  # the same by key
        self.words: dict[Signature, Counter[str]] = {}  # short forms that are evidence -> documents
        self.words_in: Counter[str] = Counter()  # document -> how many of `words` it has
        self.with_core: dict[Signature, list[str]] = {}
        self.things: dict[str, list[str]] = {}  # first word -> keys of things of several words
        self.initials: dict[str, list[str]] = {}  # initials -> the keys that are nothing else
        self.bearers: dict[str, list[str]] = {}  # initials -> the keys of persons with these initials
        self._short: set[str] = set()  # mentions that `words` counts
        self._evidence: dict[str, bool] = {}  # whether a key is distinctive, for keys looked up so far

    def refresh(self, names: Names) -> ContextChange:
        before = self.names
        read = _read_otherwise(before, names)
        again = read & before.of.keys() & names.of.keys()
        again |= _placed_otherwise(before, names, again)
        keys = read | again | _changed_keys(before.by_key, names.by_key)
        documents = _changed_keys(before.documents, names.documents)
        old, new = (dict(_mentions(of, documents, again)) for of in (before, names))

        were_open = self._open_outside(documents, old)
        words = {self._drop(mention) for mention in old.values()}
        self._drop_keys(keys)
        self.names = names
        self._add_keys(keys)
        words |= {self._add(mention) for mention in new.values() if mention.key in names.longer}
        turned = were_open ^ self._open_outside(documents, new)
        for mention in old.keys() - new.keys():
            del self.by_id[mention]
        self.by_id |= new
        return ContextChange(
            keys=keys,
            cores={of.of[key].core for of in (before, names) for key in keys if key in of.of},
            documents=documents | {self.by_id[mention].document_id for mention in turned},
            mentions=old.keys() | new.keys(),
            words=words - {()},
        )

    def _open_outside(self, documents: Set[str], mentions: Mapping[str, MentionLike]) -> set[str]:
        """Those of these mentions that may be open, outside these documents."""
        outside = (mention for mention in mentions.values() if mention.document_id not in documents)
        return {mention.id for mention in outside if mention.id in self.open.get(mention.document_id, ())}

    # -- mentions

    def _add(self, mention: MentionLike) -> Signature:
        """Add a mention of a key that has longer names. Returns its words if it is evidence."""
        key, document = mention.key, mention.document_id
        if _may_be_open(mention, self.names):
            self.open.setdefault(document, {})[mention.id] = mention
            self.open_as.setdefault(key, {})[mention.id] = mention
        if not self._is_evidence_key(key) or self.names.is_full(mention):
            return ()
        words = self.names.signatures[key]
        self._short.add(mention.id)
        counts = self.words.setdefault(words, Counter())
        self.words_in[document] += document not in counts
        counts[document] += 1
        return words

    def _drop(self, mention: MentionLike) -> Signature:
        """Undo `_add`."""
        key, document = mention.key, mention.document_id
        _discard(self.open, document, mention.id)
        _discard(self.open_as, key, mention.id)
        if mention.id not in self._short:
            return ()
        words = self.names.signatures[key]
        self._short.remove(mention.id)
        counts = self.words[words]
        counts[document] -= 1
        if not counts[document]:
            del counts[document]
            self.words_in[document] -= 1
        if not counts:
            del self.words[words]
        return words

    # -- keys

    def _add_keys(self, keys: Set[str]) -> None:
        for key in keys & self.names.of.keys():
            for groups, group in self._groups(key):
                groups.setdefault(group, []).append(key)

    def _drop_keys(self, keys: Set[str]) -> None:
        """Undo `_add_keys`."""
        for key in keys & self.names.of.keys():
            self._evidence.pop(key, None)
            for groups, group in self._groups(key):
                groups[group].remove(key)
                if not groups[group]:
                    del groups[group]

    def _groups(self, key: str) -> Iterator[tuple[dict[Any, list[str]], Any]]:
        names, name = self.names, self.names.of[key]
        yield self.with_core, name.core
        if len(name.core) < 2:
            return
        if key in names.things:
            yield self.things, name.core[0]
        if len(name.core) == len(name.initials) and not name.titles:
            yield self.initials, initials(name)
        if not name.initials and name.named and person_shaped(name, names.given):
            yield self.bearers, initials(name)

    # -- evidence

    def open_among(self, mentions: Iterable[str]) -> Iterator[MentionLike]:
        """The mentions among these that may be open."""
        known = (mention for id_ in mentions if (mention := self.by_id.get(id_)))
        return (mention for mention in known if mention.id in self.open.get(mention.document_id, ()))

    def count_evidence(self, document: str) -> int:
        """How many names of a document are evidence."""
        return sum(map(self.is_evidence, self.names.documents[document])) + self.words_in[document]

    def is_evidence(self, mention: MentionLike) -> bool:
        """Whether a full name is evidence."""
        return self._is_evidence_key(mention.key) and (
            mention.key not in self.names.longer or self.names.is_full(mention)
        )

    def _is_evidence_key(self, key: str) -> bool:
        if key not in self._evidence:
            self._evidence[key] = _is_evidence(key, self.names)
        return self._evidence[key]


def initials(name: Name) -> str:
    return "".join(word[0] for word in name.core)


def _discard(groups: dict[str, dict[str, MentionLike]], group: str, mention: str) -> None:
    there = groups.get(group, {})
    if there.pop(mention, None) and not there:
        del groups[group]


# --------------------------------------------------------------------------------------------------------------------
# What a mention may be, whatever its cluster is


def _may_be_open(mention: MentionLike, names: Names) -> bool:
    """Whether a mention is a short form without a fitting longer name in its document."""
    longer = names.longer.get(mention.key)
    if not longer or mention.key in names.common or names.is_full(mention):
        return False
    name = names.of[mention.key]
    if mention.key in names.things:
        return _is_evidence(mention.key, names) and not longer & names.keys_in[mention.document_id]
    if name.numbers or name.kin or name.generation or (name.titles - PLAIN_TITLES and name.core[0] in names.given):
        return False  # "King Philippe", "uncle Elias"
    return not names.fitting(mention.key, longer & names.keys_in[mention.document_id])


def _is_evidence(key: str, names: Names) -> bool:
    """Whether a shared name is evidence that documents are related: not a common noun, number, bare given name or short
    word.
    """
    name = names.of[key]
    return (
        key not in names.common
        and name.proper
        and name.named
        and not name.numbers
        and len("".join(name.core)) >= LETTERS
        and not names.is_given_alone(key)
    )


# --------------------------------------------------------------------------------------------------------------------
# Names that differ


def _read_otherwise(before: Names, names: Names) -> set[str]:
    """The keys with other words, another kind or other given names."""
    keys = _changed_keys(before.of, names.of) | (before.things ^ names.things)
    if before.given is not names.given:
        words = {word for word, _ in before.given.items() ^ names.given.items()}
        keys.update(key for key, name in (names.of.items() if words else ()) if words.intersection(name.core))
    return keys


def _placed_otherwise(before: Names, names: Names, read: Set[str]) -> set[str]:
    """Keys whose classification changed: longer forms, parsed longer forms, common noun, standalone name."""
    keys = _changed_keys(before.longer, names.longer)
    if read:
        keys.update(key for key, longer in names.longer.items() if not longer.isdisjoint(read))
    return keys | (before.common ^ names.common) | (before.own_names ^ names.own_names)


def _changed_keys(before: Mapping[str, object], now: Mapping[str, object]) -> set[str]:
    """The keys whose values are other objects."""
    if before is now:
        return set()
    return {*other_objects(before, now), *(before.keys() - now.keys())}


def _mentions(names: Names, documents: Set[str], keys: Set[str]) -> Iterator[tuple[str, MentionLike]]:
    """The mentions in these documents or with these keys, by id."""
    for groups, those in ((names.documents, documents), (names.by_key, keys)):
        yield from ((mention.id, mention) for group in those for mention in groups.get(group, ()))
