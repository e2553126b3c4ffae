"""Parts of mentions that the texts of documents determine, cached for the next derivation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import Occurrence, Part
from filigraph.graph.tables.mention_table import Mentions


@dataclass(frozen=True, eq=False)
class TextParts:
    """The parts of mentions that texts determine, and the data that they depend on."""

    mentions: Mentions
    casts: Mapping[str, Sequence[CastReading]]
    taken: Mapping[str, Set[Occurrence]]  # document -> the places that persons split off there
    parts: Mapping[str, Sequence[Part]]  # by document

    def __len__(self) -> int:
        return len(self.mentions)


@dataclass(frozen=True, kw_only=True)
class KeptTextParts:
    """The parts of the last derivation, and the documents whose places of names may have changed since."""

    text_parts: TextParts
    touched: Sequence[str]
