"""Update `Names` after a change of some mentions: recompute the values that may differ, keep the others.

The result equals the index of all mentions, property by property (tests compare them over random changes). The choice
of what to recompute is generous: too many values cost time, one too few would make the graph depend on its history.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from filigraph.graph.model.names import MentionLike
from filigraph.graph.names.index import Names
from filigraph.graph.names.learned_given_names import taught_by
from filigraph.graph.text.names.blocks import longer_names
from filigraph.graph.text.names.pairs import stems_of
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.patronymics import has_patronymic

Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Change:
    """How names differ from the earlier ones. Keys of removed names are included."""

    mentions: Set[str]  # ids of added, removed and changed mentions
    keys: Set[str]  # of these mentions
    documents: Set[str]  # of these mentions
    turned: Set[str]  # keys whose `of` differs, or that have a word that became a given name or ceased to be one
    longer: Set[str]  # keys whose `longer` differs
    full: Set[str]  # keys whose `full` differs


def names_after(
    before: Names, mentions: Sequence[MentionLike], gone: Iterable[MentionLike], came: Iterable[MentionLike]
) -> tuple[Names, Change]:
    """The names of `mentions` (sorted by id, without parts) after some were removed and some added (a changed mention
    is in both), and how they differ from the earlier names.
    """
    gone, came = [*gone], [*came]
    names = Names(mentions)
    keep = vars(names)  # the instance's dict holds its cached properties
    keys = {mention.key for mention in chain(gone, came)}
    documents = {mention.document_id for mention in chain(gone, came)}
    keep["by_key"] = _regrouped(before.by_key, keys, gone, came, lambda mention: mention.key)
    keep["documents"] = _regrouped(before.documents, documents, gone, came, lambda mention: mention.document_id)
    keep["keys_in"] = _update_values(before.keys_in, documents, names.documents, names.keys_of_document)
    keep["documents_of"] = _update_values(before.documents_of, keys, names.by_key, names.documents_of_key)
    keep["things"] = _update_members(before.things, keys, names.by_key, names.is_thing)

    taught = taught_by(chain(gone, came))
    keep["given"] = names.given if taught else before.given
    words = {word for word in taught if before.given.get(word) != names.given.get(word)}
    again = keys | {key for key, name in (before.of.items() if words else ()) if words.intersection(name.core[:1])}
    renamed = {key for key in again if before.of.get(key) != (names.parsed(key) if key in names.by_key else None)}
    keep["of"] = _in_order(_update_values(before.of, renamed, names.by_key, names.parsed)) if renamed else before.of
    keep["signatures"] = _in_order(_update_values(before.signatures, renamed, names.of, names.signature))
    keep["keys_of"] = _keys_of(before, names, renamed)
    keep["common"] = _update_members(before.common, keys | renamed, names.of, names.is_common)

    turned = renamed | {key for key, name in (names.of.items() if words else ()) if words.intersection(name.core)}
    short_keys = _may_be_short_for(turned, before, names)
    longer_of = longer_names(_may_be_longer_than(short_keys, names), names.given)
    longer = {
        key
        for key in short_keys | renamed
        if before.longer.get(key) != (longer_of.get(key) if key in names.of else None)
    }
    keep["longer"] = _update_values(before.longer, longer, names.of.keys() & longer_of.keys(), longer_of.__getitem__)

    beside = {key for document in documents for index in (before, names) for key in index.keys_in.get(document, ())}
    again = short_keys | beside
    keep["own_names"] = _update_members(before.own_names, again, names.longer, names.is_own_name)
    full = {key: names.full_of(key, names.by_key[key]) for key in again & names.by_key.keys()}
    full = {key: mentions for key, mentions in full.items() if mentions}
    otherwise = {key for key in again if before.full.get(key) != full.get(key)}
    keep["full"] = _update_values(before.full, otherwise, full, full.__getitem__)

    of_them = {document for key in longer | renamed for document in names.documents_of.get(key, ())}
    short = _update_members(
        frozenset(before.documents_with_short_forms), documents | of_them, names.documents, names.has_short_forms
    )
    keep["documents_with_short_forms"] = sorted(short)
    keep["guards"] = {pair: why for pair, why in before.guards.items() if renamed.isdisjoint(pair)}
    changed = {mention.id for mention in chain(gone, came)}
    return names, Change(mentions=changed, keys=keys, documents=documents, turned=turned, longer=longer, full=otherwise)


def _regrouped(
    before: Mapping[str, list[MentionLike]],
    groups: Iterable[str],
    gone: Iterable[MentionLike],
    came: Iterable[MentionLike],
    group_of: Callable[[MentionLike], str],
) -> dict[str, list[MentionLike]]:
    """`before`, with these groups updated."""
    now = dict(before)
    left = {mention.id for mention in gone}
    new: dict[str, list[MentionLike]] = defaultdict(list)
    for mention in came:
        new[group_of(mention)].append(mention)
    for group in groups:
        stay = [mention for mention in before.get(group, ()) if mention.id not in left]
        if members := sorted([*stay, *new[group]], key=lambda mention: mention.id):
            now[group] = members
        else:
            del now[group]
    return now


def _update_values(
    before: Mapping[str, Value], again: Iterable[str], there: Collection[str], value: Callable[[str], Value]
) -> dict[str, Value]:
    """`before`, with the values of the keys `again` recomputed, and those that are not `there` removed."""
    now = dict(before)
    for key in again:
        if key in there:
            now[key] = value(key)
        else:
            now.pop(key, None)
    return now


def _update_members(
    before: frozenset[str], again: Set[str], there: Collection[str], holds: Callable[[str], bool]
) -> frozenset[str]:
    """`before`, with the keys `again` tested again."""
    return (before - again) | {key for key in again if key in there and holds(key)}


def _in_order(values: Mapping[str, Value]) -> dict[str, Value]:
    keys = sorted(values)
    return dict(zip(keys, map(values.__getitem__, keys), strict=True))


def _keys_of(before: Names, names: Names, renamed: Set[str]) -> dict[tuple[str, ...], list[str]]:
    now = dict(before.keys_of)
    new: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for key in renamed & names.of.keys():
        new[names.signatures[key]].append(key)
    for words in {*new, *(before.signatures[key] for key in renamed & before.of.keys())}:
        if members := sorted({*before.keys_of.get(words, ())} - renamed | {*new[words]}):
            now[words] = members
        else:
            del now[words]
    return now


# Longer names: all names with the last word of a name, its first word (also before a patronymic), or a diminutive of
# the first


def _may_be_short_for(turned: Iterable[str], before: Names, names: Names) -> set[str]:
    """These names, and those that one of them is, or was, a longer name of."""
    those = [name_of[key] for key in turned for name_of in (before.of, names.of) if key in name_of]
    heads = [name.core[: name.head] for name in those if name.core[: name.head]]
    if not heads:
        return {*turned} & names.of.keys()
    lasts, firsts = {head[-1] for head in heads}, {head[0] for head in heads}

    def may(name: Name) -> bool:
        if not name.core:
            return False
        if name.core[-1] in lasts or (len(name.core) == 2 and name.core[0] in firsts and has_patronymic(name.core)):
            return True
        return len(name.core) == 1 and (name.core[0] in firsts or _begin(firsts, stems_of(name.core[0])))

    return {key for key, name in names.of.items() if may(name)} | ({*turned} & names.of.keys())


def _may_be_longer_than(short: Set[str], names: Names) -> dict[str, Name]:
    """These names, and those that may be longer forms of one of them."""
    cores = [names.of[key].core for key in short if names.of[key].core]
    russian = {core[0] for core in cores if len(core) == 2 and has_patronymic(core)}
    lasts, firsts = {core[-1] for core in cores}, {core[0] for core in cores if len(core) == 1} | russian
    stems = tuple({stem for word in firsts for stem in stems_of(word)})

    def may(name: Name) -> bool:
        head = name.core[: name.head]
        return bool(head) and (head[-1] in lasts or head[0] in firsts or head[0].startswith(stems))

    return {key: name for key, name in names.of.items() if key in short or may(name)}


def _begin(words: Iterable[str], stems: tuple[str, ...]) -> bool:
    return bool(stems) and any(word.startswith(stems) for word in words)
