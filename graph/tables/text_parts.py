"""What the texts of documents tell of their names' places, as it is kept for the next derivation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import Occurrence, Part
from filigraph.graph.tables.mention_table import Mentions


@dataclass(frozen=True, eq=False)
class TextParts:
    """The parts that the texts of documents tell, and what they followed from."""

    mentions: Mentions
    casts: Mapping[str, Sequence[CastReading]]
    taken: Mapping[str, Set[Occurrence]]  # document -> the places that persons split off there
    parts: Mapping[str, Sequence[Part]]  # by document

    def __len__(self) -> int:
        return len(self.mentions)


@dataclass(frozen=True, kw_only=True)
class KeptTextParts:
    """What texts told last, and the documents in which places of names may be others since."""

    told: TextParts
    touched: Sequence[str]
