"""Safe table cells for spreadsheets (CSV injection, OWASP)."""

from __future__ import annotations

import re

# Excel, LibreOffice and Google Sheets evaluate a cell that begins like this.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")


def as_text(cell: str) -> str:
    """Escape a cell that a spreadsheet would evaluate as a formula with a leading apostrophe."""
    return f"'{cell}" if _FORMULA.match(cell) else cell
