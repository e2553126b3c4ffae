"""Which documents are read together, so that an LLM can tell who is who across them.

In a small workspace every two documents are read together: in one call, or the documents are cut into three to five
parts, any two of which fit into one. In a larger one a document is read with those that share the rarest words of names
with it. Such a group depends on the neighbours of its first document only, and the number of groups grows with the
documents, not with their pairs: a new document changes few groups.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

TEXT_TOKENS = 5800  # tokens of the documents of a call: it fits 8,192 with the instructions and the reply
MOST_PARTS = 5  # of a small workspace
MOST_SHARING = 16  # max. documents with a word that links them: work and calls stay linear
BEST = 3  # links of a document that one group must have
ROUNDS = 3  # max. average number of times that a document is read, before those in no group get one

Links = Mapping[str, Mapping[str, int]]  # document -> document -> how much they share


def document_groups(sizes: Mapping[str, int], words: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The groups, each in the order of ids. `sizes`: document id -> its tokens; `words`: the words of its names."""
    if len(sizes) < 2:
        return []
    if parts := _parts(sizes):
        return [sorted(one + other) for one, other in combinations(parts, 2)] or [sorted(parts[0])]
    return list(_around(sizes, _links(words)))


def _parts(sizes: Mapping[str, int]) -> list[list[str]]:
    """One part, or as few as possible so that any two fit into a call; none if there would be too many."""
    total = sum(sizes.values())
    if total <= TEXT_TOKENS:
        return [[*sizes]]
    for count in range(3, min(MOST_PARTS, len(sizes)) + 1):
        if 2 * total <= count * TEXT_TOKENS and (parts := _even(sizes, count)):
            return parts
    return []


def _even(sizes: Mapping[str, int], count: int) -> list[list[str]]:
    """Parts of about the same size; none if two of them do not fit into a call."""
    parts: list[list[str]] = [[] for _ in range(count)]
    full = [0] * count
    for id_ in sorted(sizes, key=lambda id_: (-sizes[id_], id_)):
        part = full.index(min(full))
        parts[part].append(id_)
        full[part] += sizes[id_]
    return parts if sum(sorted(full)[-2:]) <= TEXT_TOKENS else []


def _links(words: Mapping[str, Collection[str]]) -> Links:
    """Documents that share words of names: more, the fewer others have a word."""
    having: dict[str, list[str]] = defaultdict(list)
    for id_ in sorted(words):
        for word in words[id_]:
            having[word].append(id_)
    links: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for ids in having.values():
        if 1 < len(ids) <= MOST_SHARING:
            worth = MOST_SHARING // len(ids)  # no share of the workspace: a new document elsewhere changes nothing
            for one, other in combinations(ids, 2):
                links[one][other] += worth
                links[other][one] += worth
    return links


def _around(sizes: Mapping[str, int], links: Links) -> Iterator[list[str]]:
    """Groups around documents, in the order of ids (which are hashes), until each is with its best links; if that takes
    too many, then until each is in one."""
    groups = _Groups(sizes, links)
    grouped: set[str] = set()
    done: set[tuple[str, str]] = set()
    room = ROUNDS * sum(sizes.values())
    for first in sorted(links):
        best = groups.best(first)
        if done.issuperset(_pair(first, other) for other in best if sizes[first] + sizes[other] <= TEXT_TOKENS):
            continue
        members = groups.around(first, best)
        room -= sum(sizes[id_] for id_ in members)
        if room < 0:
            break
        done.update(combinations(members, 2))
        grouped.update(members)
        yield members
    for first in sorted(links):
        if first not in grouped:
            members = groups.around(first, groups.best(first), without=grouped)
            grouped.update(members)
            yield members


class _Groups:
    """Makes the group of a document."""

    def __init__(self, sizes: Mapping[str, int], links: Links) -> None:
        self._sizes, self._links = sizes, links
        self._rank = {id_: n for n, id_ in enumerate(sorted(sizes, reverse=True))}

    def best(self, first: str) -> list[str]:
        """The documents that share most with one."""
        links = self._links[first]
        return heapq.nsmallest(BEST, links, key=lambda other: (-links[other], other))

    def around(self, first: str, best: Sequence[str], *, without: Collection[str] = ()) -> list[str]:
        """A document with its best links, then those that share most with these, as many as fit; sorted."""
        members, room = {first}, TEXT_TOKENS - self._sizes[first]
        for id_ in best:
            if self._sizes[id_] <= room:
                members.add(id_)
                room -= self._sizes[id_]
        gain: dict[str, int] = defaultdict(int)
        for member in sorted(members):
            for id_, value in self._links[member].items():
                gain[id_] += value
        for id_ in sorted(gain.keys() - members, key=lambda id_: (-gain[id_], self._rank[id_])):
            if self._sizes[id_] <= room and id_ not in without:
                members.add(id_)
                room -= self._sizes[id_]
        return sorted(members)


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
