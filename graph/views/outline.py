"""The pages and chapters of a document, each with its name in a view and the parts that contain it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from filigraph.graph.model.documents import Place, PlaceKind
from filigraph.graph.text.words import fold
from filigraph.graph.views.headings import CHAPTER, heading_of


@dataclass(frozen=True, kw_only=True)
class NamedPlace:
    """A page or a chapter."""

    kind: Annotated[PlaceKind, Field(description="Page or chapter.")]
    label: Annotated[str, Field(description="Its label in the document.")]
    until: Annotated[str, Field(description="Its name in `until` of a view, after the document and a colon.")]
    begin: Annotated[float, Field(description="Its start, in percent of the text.")]
    end: Annotated[float, Field(description="Its end: `begin-end %` is its name in `within` of a view.")]
    parts: Annotated[tuple[str, ...], Field(description="The parts that contain it, the largest first.")]


def named_places(places: Sequence[Place], length: int) -> list[NamedPlace]:
    """The places in order. `length`: of the text."""
    rows = zip(places, names_of_places(places, length), _ends(places, length), _parts_of_places(places), strict=True)
    return [
        NamedPlace(
            kind=place.kind,
            label=place.label,
            until=name,
            begin=math.ceil(1e6 * place.start / max(length, 1)) / 1e4,
            end=math.floor(1e6 * end / max(length, 1)) / 1e4,
            parts=parts,
        )
        for place, name, end, parts in rows
    ]


def names_of_places(places: Sequence[Place], length: int) -> list[str]:
    """A name for each place by which `end_of_place` finds only this place: its label, or, if another place has the same
    label, the share of the text at its end. `length`: of the text.
    """
    called = Counter(_bare(place) for place in places)
    names = []
    for place, end in zip(places, _ends(places, length), strict=True):
        name = place.label if place.kind == "section" else f"{place.kind} {place.label}"
        if called[_bare(place)] > 1:
            name = f"{math.ceil(1e6 * end / max(length, 1)) / 1e4:.4f} %"
        names.append(name)
    return names


def _bare(place: Place) -> tuple[bool, str]:
    return place.kind == "page", CHAPTER.sub("", " ".join(fold(place.label).split()), count=1)


def _ends(places: Sequence[Place], length: int) -> list[int]:
    """The end of each place: the start of the next page, or the next chapter."""
    ends, after = list[int](), {True: length, False: length}
    for place in reversed(places):
        ends.append(after[place.kind == "page"])
        after[place.kind == "page"] = place.start
    return ends[::-1]


def _parts_of_places(places: Sequence[Place]) -> list[tuple[str, ...]]:
    """The parts of each place: the labels before the last comma, if they are numbered like parts, or other places are
    in them too.
    """
    shared = Counter(above for place in places if place.kind == "section" for above in _enclosing_labels(place.label))
    paths: list[tuple[str, ...]] = []
    for place in places:
        parts = list[str]()
        for above, part in zip(_enclosing_labels(place.label), place.label.split(", "), strict=False):
            if place.kind != "section" or (shared[above] < 2 and heading_of(part) is None):
                break
            parts.append(part)
        paths.append(tuple(parts))
    return paths


def _enclosing_labels(label: str) -> list[str]:
    """ "A" and "A, B" for "A, B, chapter I"."""
    parts = label.split(", ")
    return [", ".join(parts[:n]) for n in range(1, len(parts))]
