"""Dates in one form."""

from __future__ import annotations

import pytest

from filigraph.graph.text.dates import iso_date


@pytest.mark.parametrize(
    ("given", "iso"),
    [
        ("1912-03-04", "1912-03-04"),
        ("1912-03-04T08:00:00Z", "1912-03-04"),
        ("1912-03", "1912-03"),
        ("1912", "1912"),
        ("Mon, 04 Mar 1912 08:00:00 +0100", "1912-03-04"),
        (" 4 Mar 1912\n 23:30:00 -0500", "1912-03-04"),
        ("1912-13-40", "1912-13-40"),
        ("19120304", "19120304"),
        ("le 4 mars 1912", "le 4 mars 1912"),
        ("4 Mar 99999999999999999999 10:00", "4 Mar 99999999999999999999 10:00"),
        ("(" * 500, "(" * 500),
        ("", ""),
    ],
)
def test_a_date_in_one_form(given: str, iso: str) -> None:
    assert iso_date(given) == iso
