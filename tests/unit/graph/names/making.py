"""Mentions for the tests of resolution, no store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from filigraph.graph import ids
from filigraph.graph.text.names.parse import name_key


@dataclass(frozen=True)
class Row:
    """A mention as the store returns it, as far as resolution and decisions look at it."""

    id: str
    document_id: str
    key: str
    form: str
    type: str = ""
    count: int = 1
    part_of: str = ""
    entity_id: str = ""


def row(document: str, form: str, type_: str = "", count: int = 1) -> Row:
    """An entity of its own."""
    key = name_key(form)
    id_ = ids.mention_id(document, key, type_)
    return Row(id_, document, key, form, type_, count, entity_id=ids.entity_id(id_))


def rows(**documents: Sequence[str]) -> list[Row]:
    """Document -> its forms."""
    return [row(document, form) for document, forms in documents.items() for form in forms]
