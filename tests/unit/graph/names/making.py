"""Mentions for the tests of resolution, no store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

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


def in_order(mentions: Sequence[Row]) -> list[Row]:
    return sorted({mention.id: mention for mention in mentions}.values(), key=lambda mention: mention.id)


# Names that two documents may share, and short forms of some of them: with titles, called alike in two languages, by
# the given name, by initials; things whose longer name is no longer form; what becomes a full name where many have it,
# or a common noun where it is written small.
CONTEXT_FORMS = [
    "Vauvert", "Rosmarin Hall", "Okelo Barrow", "Zandvoort", "Jules Delmas", "Maryvonne Delmas", "Delmas", "M. Delmas",
    "Captain Jules Delmas", "Mr. Delmas", "Mme Delmas", "J. Delmas", "Captain Delmas", "Jules", "J. D.", "Vernet",
    "J. Zola Delmas", "Noirval", "Noirval-les-Bains", "The Noirval", "Zebulonia Delmas", "Zebulonia", "Judge Vernet",
    "M. Zebulonia Vernet", "the Judge", "vauvert", "rosmarin hall", "delmas", "noirval", "mme delmas", "Rosmarin",
    "Mme Zebulonia Delmas", "Zebulonia Hope", "Zebulonia Rosmarin",
]  # fmt: skip
CONTEXT_ROWS = st.builds(
    row,
    st.sampled_from("abcdefg"),
    st.sampled_from(CONTEXT_FORMS),
    st.sampled_from(["", "", "person", "person", "place"]),
)
