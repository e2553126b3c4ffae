"""What a refused request says."""

from __future__ import annotations

from filigraph.app.http.envelope import validation_cause


def test_what_a_validator_says_has_no_prefix() -> None:
    assert validation_cause([{"loc": ("body", "rounds"), "msg": "Value error, too many."}]) == "rounds: too many."
