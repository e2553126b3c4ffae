"""Cells of tables that spreadsheets open."""

from __future__ import annotations

import re

# A cell that begins so is computed by Excel, LibreOffice and Google Sheets.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")


def as_text(cell: str) -> str:
    """A cell that a spreadsheet takes for text, whatever a document or a model put into it: with an apostrophe before
    what it would take for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell
