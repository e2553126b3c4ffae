"""Lay out a path on a lane: which end of each hop is on the left, and whether a hop continues from the last one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]  # a hop or a path, as REST gives it


@dataclass(frozen=True, kw_only=True)
class LaneStep:
    hop: Data
    left: str
    right: str
    joined: bool  # its left end is the right end of the last hop, and is not repeated
    backward: bool  # the relation runs from right to left


def on_lane(hops: Sequence[Data]) -> Iterator[LaneStep]:
    """Choose the left end of each hop: the end of the last hop, else the end that the next hop does not share."""
    last: tuple[str, str] | None = None  # id and name
    for hop, after in zip(hops, [*hops[1:], None], strict=True):
        subject, object_ = ((hop[f"{end}_id"], hop[end]) for end in ("subject", "object"))
        joined = last is not None and (_is_same_end(last, subject) or _is_same_end(last, object_))
        backward = joined and last is not None and not _is_same_end(last, subject)
        if not joined and after is not None:
            backward = _touches(after, subject) and not _touches(after, object_)
        left, last = (object_, subject) if backward else (subject, object_)
        yield LaneStep(hop=hop, left=left[1], right=last[1], joined=joined, backward=backward)


def _touches(hop: Data, end: tuple[str, str]) -> bool:
    return any(_is_same_end(end, (hop[f"{side}_id"], hop[side])) for side in ("subject", "object"))


def _is_same_end(first: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two (id, name) are equal: by id; by name if one has no id, such as a title."""
    return first[0] == other[0] if first[0] and other[0] else first[1] == other[1]


def visible_paths(paths: Sequence[Data], *, leads: bool = False) -> tuple[list[Data], int]:
    """The shown paths, and the number of hidden leads: with a path that a model named, all other paths."""
    named = any(path.get("origin") == "named" for path in paths)
    shown = [path for path in paths if leads or path.get("origin") == "named" or not (named or path.get("lead"))]
    return shown, len(paths) - len(shown)
