"""What a language model's reply says of a chunk, before anything of it is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from filigraph.graph.text.loose_json import innermost_objects, whole_object


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a reply says, before anything of it is checked."""

    names: Sequence[tuple[str, Any]]  # type, name
    facts: Sequence[Mapping[str, Any]]
    implied: Sequence[Mapping[str, Any]]


def read_reply(reply: str) -> tuple[Reply | None, str]:
    """What can be read of a model's reply and, in words, what is wrong with it ("" if nothing); None: nothing can."""
    if not reply.strip():
        return None, "the reply was empty"
    whole = whole_object(reply)
    if whole is not None and ("facts" in whole or "names" in whole):
        return Reply(
            names=_names(whole.get("names")), facts=_objects(whole.get("facts")), implied=_objects(whole.get("implied"))
        ), ""
    pieces = list(innermost_objects(reply))
    facts = [piece for piece in pieces if "s" in piece and "o" in piece]
    if not facts:
        return None, "it is not the JSON that was asked for" if "{" not in reply else "its JSON breaks off too early"
    names = next(
        (piece for piece in pieces if piece and all(isinstance(value, list) for value in piece.values())), None
    )
    return Reply(
        names=_names(names),
        facts=[fact for fact in facts if not isinstance(fact.get("n"), list)],
        implied=[fact for fact in facts if isinstance(fact.get("n"), list)],
    ), "the reply was cut; what was complete is kept"


def _names(value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        return []
    return [(type_, name) for type_, names in value.items() if isinstance(names, list) for name in names]


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
