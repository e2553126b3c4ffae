"""Dates as documents give them, in the one form in which they can be compared."""

from __future__ import annotations

import re
from datetime import date
from email.utils import parsedate_to_datetime

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?=$|[T ])")


def iso_date(text: str) -> str:
    """The day, month or year that `text` gives, as ISO 8601 writes it: of ISO 8601 itself, or a mail's
    "Mon, 04 Mar 1912 08:00:00 +0100". What is neither stays as it is."""
    given = " ".join(text.split())
    if found := _ISO.match(given):
        year, month, day = found.groups()
        try:
            date(int(year), int(month or 1), int(day or 1))
        except ValueError:
            return given
        return found[0]
    try:
        return parsedate_to_datetime(given).date().isoformat()
    except (ValueError, IndexError, OverflowError):
        return given
