"""Periods: intervals of days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, kw_only=True)
class Period:
    """An interval of days, both ends included; None: open end."""

    first: date | None
    last: date | None

    def overlaps(self, days: tuple[date, date]) -> bool:
        """Whether it shares a day with the interval `days` (first, last)."""
        return (self.last is None or days[0] <= self.last) and (self.first is None or self.first <= days[1])

    def __str__(self) -> str:
        return f"{self.first or ''}..{self.last or ''}"
