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

ROOM = 5800  # tokens of the documents of a call: it fits 8,192 with the instructions and the reply
MOST_PARTS = 5  # of a small workspace
MOST_SHARING = 16  # max. documents with a word that links them: work and calls stay linear
BEST = 3  # links of a document that one group must have
ROUNDS = 3  # max. average number of times that a document is read

Links = Mapping[str, Mapping[str, int]]  # document -> document -> how much they share


def groups_of(sizes: Mapping[str, int], words: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The groups, each in the order of ids. `sizes`: document id -> its tokens; `words`: the words of its names."""
    if len(sizes) < 2:
        return []
    if parts := _parts(sizes):
        return [sorted(one + other) for one, other in combinations(parts, 2)] or [sorted(parts[0])]
    return list(_around(sizes, _links(words)))


def _parts(sizes: Mapping[str, int]) -> list[list[str]]:
    """One part, or as few as possible so that any two fit into a call; none if there would be too many."""
    if sum(sizes.values()) <= ROOM:
        return [[*sizes]]
    ordered = sorted(sizes, key=lambda id_: (-sizes[id_], id_))
    for count in range(3, min(MOST_PARTS, len(sizes)) + 1):
        parts: list[list[str]] = [[] for _ in range(count)]
        for id_ in ordered:
            min(parts, key=lambda part: sum(sizes[held] for held in part)).append(id_)
        if sum(sorted(sum(sizes[id_] for id_ in part) for part in parts)[-2:]) <= ROOM:
            return parts
    return []


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
    """Groups around documents, in the order of ids (which are hashes), until each is with its best links."""
    done: set[tuple[str, str]] = set()
    room = ROUNDS * sum(sizes.values())
    for first in sorted(sizes):
        best = heapq.nsmallest(BEST, links.get(first, {}), key=lambda other: (-links[first][other], other))
        wanted = [_pair(first, other) for other in best if sizes[first] + sizes[other] <= ROOM]
        if done.issuperset(wanted):
            continue
        members = _around_one(first, best, sizes, links)
        room -= sum(sizes[id_] for id_ in members)
        if room < 0:
            return
        done.update(combinations(members, 2))
        yield members


def _around_one(first: str, best: Sequence[str], sizes: Mapping[str, int], links: Links) -> list[str]:
    """A document with its best links, then those that share most with these, as many as fit, in the order of ids."""
    members, room = {first}, ROOM - sizes[first]
    gain: dict[str, int] = dict(links.get(first, {}))
    ahead = [*best]
    while fitting := [id_ for id_ in gain if id_ not in members and sizes[id_] <= room]:
        new = next((id_ for id_ in ahead if id_ in fitting), None) or max(fitting, key=lambda id_: (gain[id_], id_))
        members.add(new)
        room -= sizes[new]
        for other, value in links[new].items():
            gain[other] = gain.get(other, 0) + value
    return sorted(members)


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
