"""Who is who in a document and across documents, according to the calls to an LLM: which names are one person's, and
which are not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from filigraph.graph.model.llm_readings import CastLink, CastReading, NamePlace
from filigraph.graph.model.names import MentionLike
from filigraph.graph.tables.disjoint_sets import DisjointSets
from filigraph.graph.text.names.parse import name_key

Casts = Mapping[str, Sequence[CastReading]]  # by document


@dataclass(frozen=True, kw_only=True)
class Cast:
    member_of: Mapping[str, int]  # key -> number of the member that has the name
    contrasts: frozenset[tuple[str, str]]  # pairs of keys, the smaller first
    # pairs of keys: names of one person, although they look like names of two
    identities: frozenset[tuple[str, str]] = frozenset()

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The pairs of keys that are one person's."""
        names: dict[int, list[str]] = defaultdict(list)
        for key, number in sorted(self.member_of.items()):
            names[number].append(key)
        for those in names.values():
            yield from combinations(those, 2)


def cast_of(readings: Sequence[CastReading]) -> Cast:
    """Join the answers of several calls, which share the most frequent names. If one call separates two names, no other
    joins them.
    """
    members = [member for of in readings for member in of.members]
    further = [{name_key(form) for form in member.further} for member in members]
    listed = {key for member, new in zip(members, further, strict=True) for key in member.names if key not in new}
    added = {key for new in further for key in new} - listed
    member_numbers = [
        {key: n for n, member in enumerate(of.members) for key in member.names if key not in added} for of in readings
    ]
    contrasts = {_ordered(one.first, one.second) for of in readings for one in of.contrasts}
    identities = {_ordered(one.first, one.second) for of in readings for one in of.identities}

    def apart(first: str, second: str) -> bool:
        numbers = ((of[first], of[second]) for of in member_numbers if first in of and second in of)
        return _ordered(first, second) in contrasts or any(one != other for one, other in numbers)

    sets, names = DisjointSets(), {key: {key} for of in member_numbers for key in of}
    for reading in readings:
        for member in reading.members:
            for first, second in combinations(sorted({*member.names} - added), 2):
                one, other = sets.find(first), sets.find(second)
                if one != other and not any(apart(*pair) for pair in product(names[one], names[other])):
                    sets.union(one, other)
                    names[sets.find(one)] = names[one] | names[other]
    number_of = {key: number for number, key in enumerate(sorted({sets.find(key) for key in names}))}
    member_of = {key: number_of[sets.find(key)] for key in sorted(names)}
    return Cast(
        member_of=member_of | _added_to(member_of, readings, added, contrasts),
        contrasts=frozenset(contrasts),
        identities=frozenset(identities - contrasts),
    )


def _added_to(
    member_of: Mapping[str, int], readings: Sequence[CastReading], added: Set[str], contrasts: Set[tuple[str, str]]
) -> dict[str, int]:
    """The members of the names that replies add. If two calls give a name to different people, or one call separates it
    from another name of its member, it belongs to nobody and joins nothing: each call only knows its own extracts.
    """
    bearers: dict[str, set[int]] = defaultdict(set)
    alone = len(member_of)
    for member in (member for of in readings for member in of.members):
        numbers = {member_of[key] for key in member.names if key in member_of}
        new = [key for key in member.names if key in added]
        if not numbers and new:
            numbers, alone = {alone}, alone + 1
        for key in new:
            bearers[key] |= numbers
    found = {key: min(numbers) for key, numbers in sorted(bearers.items()) if len(numbers) == 1}
    whole = {**member_of, **found}
    torn = {key for pair in contrasts if len({whole.get(key) for key in pair}) == 1 for key in pair}
    return {key: number for key, number in found.items() if key not in torn}


def _ordered(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first < second else (second, first)


def links_shown(links: Iterable[CastLink], chunk_ids: Set[str]) -> Iterator[CastLink]:
    """The links across documents that rest on these chunks alone, with the names in them. One that rests on nothing, as
    imports may have, is nobody's to see."""
    for link in links:
        if link.kind != "call" and link.reads and {*link.reads} <= chunk_ids:
            names = tuple(name for name in link.names if name.chunk_id in chunk_ids)
            yield link if names == link.names else replace(link, names=names)


@dataclass(frozen=True, kw_only=True)
class CastContrasts:
    """The mentions that casts separate, and the names that they join although the names differ."""

    member_of: Mapping[str, tuple[str, int]] = field(default_factory=dict)  # mention id -> (document, member)
    contrasts: Mapping[str, frozenset[str]] = field(default_factory=dict)  # mention id -> mention ids
    identities: Mapping[tuple[str, int], frozenset[tuple[str, str]]] = field(default_factory=dict)  # pairs of keys
    # links across documents: mention id -> pairs of keys that are one
    linked: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, mentions: Iterable[MentionLike], casts: Mapping[str, Cast], links: Sequence[CastLink] = ()
    ) -> CastContrasts:
        member_of: dict[str, tuple[str, int]] = {}
        ids: dict[tuple[str, str], list[str]] = defaultdict(list)
        linked_documents = {name.document_id for link in links for name in link.names}
        for mention in mentions if casts or links else ():
            if mention.part_of:
                continue
            if mention.document_id in casts or mention.document_id in linked_documents:
                ids[mention.document_id, mention.key].append(mention.id)
            if mention.document_id in casts:
                number = casts[mention.document_id].member_of.get(mention.key)
                if number is not None:
                    member_of[mention.id] = mention.document_id, number
        contrasts: dict[str, set[str]] = defaultdict(set)
        linked: dict[str, set[tuple[str, str]]] = defaultdict(set)

        def mentions_of(names: Iterable[NamePlace]) -> list[str]:
            return [id_ for name in names for id_ in ids.get((name.document_id, name.key), ())]

        for link in links:
            if link.kind == "two":
                sides = [mentions_of(name for name in link.names if name.side == side) for side in (0, 1)]
                for one, other in product(*sides):
                    contrasts[one].add(other)
                    contrasts[other].add(one)
            elif link.kind == "alias":
                pairs = {*combinations(sorted({name.key for name in link.names}), 2)}
                for one in mentions_of(link.names):
                    linked[one] |= pairs
        for document, cast in casts.items():
            for first, second in cast.contrasts:
                for one, other in product(ids.get((document, first), ()), ids.get((document, second), ())):
                    contrasts[one].add(other)
                    contrasts[other].add(one)
        identities: dict[tuple[str, int], set[tuple[str, str]]] = defaultdict(set)
        for document, cast in casts.items():
            for first, second in cast.identities:
                number = cast.member_of.get(first)
                if number is not None and number == cast.member_of.get(second):
                    identities[document, number].add((first, second))
        return cls(
            member_of=member_of,
            contrasts={id_: frozenset(others) for id_, others in contrasts.items()},
            identities={member: frozenset(pairs) for member, pairs in identities.items()},
            linked={id_: frozenset(pairs) for id_, pairs in linked.items()},
        )

    def differing(self, before: CastContrasts) -> set[str]:
        """The mentions that are now separated from, or joined with, other mentions than before."""
        said = ({id_: of.identities.get(member) for id_, member in of.member_of.items()} for of in (self, before))
        return (
            _differing(self.member_of, before.member_of)
            | _differing(self.contrasts, before.contrasts)
            | _differing(self.linked, before.linked)
            | _differing(*said)
        )


def _differing(now: Mapping[str, object], before: Mapping[str, object]) -> set[str]:
    if now == before:
        return set()
    return {id_ for id_ in now.keys() | before.keys() if now.get(id_) != before.get(id_)}
