"""Why an LLM joined or separated two names: the sentence that it gave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from filigraph.graph.model.llm_readings import CastLink, CastReading
from filigraph.graph.records.entities import NameDecision
from filigraph.graph.text.names.parse import name_key

BY_READER = frozenset(("reader", "guard:reader"))


def with_reasons(
    decisions: Sequence[NameDecision],
    documents: Sequence[tuple[str, str]],
    casts: Mapping[str, Sequence[CastReading]],
    links: Sequence[CastLink] = (),
) -> tuple[NameDecision, ...]:
    """The decisions; those of the rule `reader` with the sentences of the cast or of a link across documents that show
    them, if there are any. `documents`: those of the two names of each decision."""

    def reason(row: NameDecision, first: str, other: str) -> str:
        one, two, same = (first, name_key(row.form)), (other, name_key(row.other)), row.rule == "reader"
        within = _reason(casts.get(first, ()), one[1], two[1], same=same) if first == other else ""
        return within or _reason_across(links, one, two, same=same)

    return tuple(
        replace(row, reason=reason(row, *within)) if row.rule in BY_READER else row
        for row, within in zip(decisions, documents, strict=True)
    )


def _reason_across(links: Iterable[CastLink], one: tuple[str, str], two: tuple[str, str], *, same: bool) -> str:
    """The reason of the link that joined or separated two names, each with its document."""
    kinds = ("one", "alias") if same else ("two",)
    for link in links:
        sides = {(name.document_id, name.key): name.side for name in link.names}
        if link.kind in kinds and one in sides and two in sides and (same or sides[one] != sides[two]):
            return link.reason
    return ""


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
