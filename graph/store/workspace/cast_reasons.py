"""Why an LLM joined or separated two names: the sentence that it gave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.records.entities import NameDecision
from filigraph.graph.text.names.parse import name_key

BY_READER = frozenset(("reader", "guard:reader"))


def with_reasons(
    decisions: Iterable[NameDecision], casts: Mapping[str, Sequence[CastReading]]
) -> tuple[NameDecision, ...]:
    """The decisions; those of the rule `reader` with the sentence of the cast that shows them, if there is one."""
    readings = [reading for document in sorted(casts) for reading in casts[document]]
    return tuple(
        replace(row, reason=_reason(readings, name_key(row.form), name_key(row.other), same=row.rule == "reader"))
        if row.rule in BY_READER
        else row
        for row in decisions
    )


def _reason(readings: Iterable[CastReading], first: str, second: str, *, same: bool) -> str:
    for reading in readings:
        if same:
            reasons = [member.reason for member in reading.members if {first, second} <= {*member.names}]
        else:
            reasons = [
                contrast.reason
                for contrast in reading.contrasts
                if {contrast.first, contrast.second} == {first, second}
            ]
        if reason := next(filter(None, reasons), ""):
            return reason
    return ""
