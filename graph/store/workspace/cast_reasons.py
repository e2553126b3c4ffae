"""Why an LLM joined or separated two names: the sentence that it gave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from filigraph.graph.model.llm_readings import CastLink, CastReading
from filigraph.graph.records.entities import NameDecision
from filigraph.graph.text.names.parse import name_key

BY_READER = frozenset(("reader", "guard:reader"))


def with_reasons(
    decisions: Iterable[NameDecision], casts: Mapping[str, Sequence[CastReading]], links: Sequence[CastLink] = ()
) -> tuple[NameDecision, ...]:
    """The decisions; those of the rule `reader` with the sentences of the cast or of a link across documents that show
    them, if there are any."""
    readings = [reading for document in sorted(casts) for reading in casts[document]]

    def reason(row: NameDecision) -> str:
        first, second, same = name_key(row.form), name_key(row.other), row.rule == "reader"
        return _reason(readings, first, second, same=same) or _reason_across(links, {first, second}, same=same)

    return tuple(replace(row, reason=reason(row)) if row.rule in BY_READER else row for row in decisions)


def _reason_across(links: Iterable[CastLink], keys: Set[str], *, same: bool) -> str:
    kinds = ("one", "alias") if same else ("two",)
    reasons = (link.reason for link in links if link.kind in kinds and keys <= {name.key for name in link.names})
    return next(filter(None, reasons), "")


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
