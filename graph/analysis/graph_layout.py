"""A whole graph as a picture: its communities, and the position of each entity. The same graph gives the same picture.

The communities (`communities.py`) are in a sunflower spiral, the largest in the middle. Then come some rounds of
ForceAtlas2 (Jacomy et al. 2014: repulsion by degree, linear attraction, gravity), in numpy over all pairs of at most
2,000 entities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from filigraph.graph.analysis.communities import Floats32, Numbers, find_communities
from filigraph.graph.records.facts import WholeEntity, WholeFact

Points = npt.NDArray[np.float32]  # shape (n, 2)

LAYOUT_ROUNDS = 40  # of ForceAtlas2
GRAVITY = 0.4
GOLDEN = np.pi * (3 - np.sqrt(5))


@dataclass(frozen=True, kw_only=True)
class Placed:
    """An entity in the picture."""

    entity: WholeEntity
    community: int  # 0 is the largest
    x: float
    y: float


@dataclass(frozen=True, kw_only=True)
class Link:
    """All facts between two entities: one line in the picture."""

    first: str
    second: str
    facts: tuple[WholeFact, ...]  # the best supported first
    weight: int


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The drawn graph."""

    placed: tuple[Placed, ...]
    links: tuple[Link, ...]  # the heaviest first


def lay_out(entities: Sequence[WholeEntity], facts: Sequence[WholeFact]) -> Picture:
    """Lay out entities, the heaviest first, and the facts between them."""
    number = {entity.id: n for n, entity in enumerate(entities)}
    links = _links(facts)
    pairs = np.array([(number[link.first], number[link.second]) for link in links], dtype=np.int32).reshape(-1, 2)
    weights = np.array([link.weight for link in links], dtype=np.float32)
    communities = find_communities(len(entities), pairs, weights)
    points = _layout(communities, pairs, weights)
    placed = tuple(
        Placed(entity=entity, community=int(community), x=round(float(x), 3), y=round(float(y), 3))
        for entity, community, (x, y) in zip(entities, communities, points, strict=True)
    )
    return Picture(placed=placed, links=links)


def _links(facts: Sequence[WholeFact]) -> tuple[Link, ...]:
    between: dict[tuple[str, str], list[WholeFact]] = {}
    for fact in facts:
        first, second = sorted((fact.subject_id, fact.object_id))
        between.setdefault((first, second), []).append(fact)
    links = [
        Link(first=first, second=second, facts=tuple(rows), weight=sum(row.weight for row in rows))
        for (first, second), rows in between.items()
    ]
    return tuple(sorted(links, key=lambda link: (-link.weight, link.first, link.second)))


def _layout(communities: Numbers, pairs: Numbers, weights: Floats32) -> Points:
    """Positions within -1 .. 1."""
    count = len(communities)
    if not count:
        return np.zeros((0, 2), dtype=np.float32)
    points = _begin(communities)
    degree = (np.bincount(pairs.ravel(), minlength=count) + 1).astype(np.float32)
    pull = np.log1p(weights)
    step = float(np.sqrt(count) / 8)
    for turn in range(LAYOUT_ROUNDS):
        force = _repulsion(points, degree) - GRAVITY * degree[:, None] * points / np.sqrt(count)
        away = (points[pairs[:, 1]] - points[pairs[:, 0]]) * (pull / 4)[:, None]
        np.add.at(force, pairs[:, 0], away)
        np.subtract.at(force, pairs[:, 1], away)
        force /= degree[:, None]  # heavy entities move slowly
        length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-6)
        most = step * (1 - turn / LAYOUT_ROUNDS)
        points = (points + force / length * np.minimum(length, most)).astype(np.float32)
    middle: Points = points - np.median(points, axis=0).astype(np.float32)
    spread = np.float32(max(float(np.abs(middle).max()), 1e-6))
    layout: Points = middle / spread
    return layout


def _begin(communities: Numbers) -> Points:
    """Communities on a sunflower spiral by size, and their members on one of their own around the middle of each."""
    sizes = np.bincount(communities)
    before = np.concatenate(([0], np.cumsum(sizes)[:-1])) + sizes / 2 - sizes[0] / 2
    places = np.arange(len(sizes)) * GOLDEN
    middles = 2.5 * np.sqrt(before)[:, None] * np.stack((np.cos(places), np.sin(places)), axis=1)
    rank = np.zeros(len(communities))
    for community in range(len(sizes)):
        members = np.nonzero(communities == community)[0]
        rank[members] = np.arange(len(members))
    turned = rank * GOLDEN
    own = np.sqrt(rank + 0.5)[:, None] * np.stack((np.cos(turned), np.sin(turned)), axis=1)
    begun: Points = (middles[communities] + own).astype(np.float32)
    return begun


def _repulsion(points: Points, degree: Floats32) -> Points:
    """The sum over all others of degree x degree / distance, away from them: one matrix product for each axis."""
    squares = (points**2).sum(axis=1)
    near = squares[:, None] + squares[None, :] - 2 * points @ points.T
    share = degree[None, :] / np.maximum(near, 0.05)
    np.fill_diagonal(share, 0)
    force = points * share.sum(axis=1)[:, None] - share @ points
    away: Points = (force * degree[:, None]).astype(np.float32)
    return away
