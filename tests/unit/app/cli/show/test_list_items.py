"""Lists in the terminal."""

from __future__ import annotations

from typing import Any

import pytest

from filigraph.app.cli.show.list_items import show_list
from filigraph.app.cli.show.readings import show_estimate, show_read

PLACE = {"sentence": "Harper got £120.", "source": "ledger.txt", "place": "page 3"}
ITEM: dict[str, Any] = PLACE | {
    "item": "the payment to Harper",
    "date": "1904-03-03",
    "quantities": [{"value": 120.0, "unit": "GBP", "kind": "money"}],
    "amount": {"value": 120.0, "unit": "GBP", "kind": "money"},
    "also": [PLACE | {"source": "letter.txt"}],
}
LISTING: dict[str, Any] = {
    "total": 1,
    "items": [ITEM],
    "sums": [],
    "understood": {"about": "payments", "least": 100.0, "most": None, "unit": "GBP", "period": ""},
    "passages": 12,
    "of_passages": 12,
    "read": 10,
    "models": ["mistral"],
    "calls": 1,
    "of_calls": 2,
    "left_out": 3,
}


def test_an_item_has_its_places_and_the_list_says_what_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    show_list(LISTING, 0, "payments over £100")
    told = " ".join(capsys.readouterr().out.split())
    assert "1903" not in told and "1904-03-03 120 GBP the payment to Harper" in told
    assert "“Harper got £120.” ledger.txt, page 3 letter.txt, page 3" in told
    assert "12 of 12 passages looked at, from 100 GBP; 10 read by mistral, 1 of 2 calls, 3 items left out." in told
    assert "may be incomplete" in told
    show_list(LISTING | {"calls": 0}, 0, "payments")
    assert "mistral" not in capsys.readouterr().out


def test_an_estimate_and_the_end_of_a_reading(capsys: pytest.CaptureFixture[str]) -> None:
    usage = {"calls": 2, "tokens_in": 9000, "tokens_out": 3200}
    estimate = {"model": "mistral", "passages": 48, "of_passages": 50, "kept": 1, "left": 4, "usage": usage}
    show_estimate(estimate | {"cost": None})
    told = capsys.readouterr().out
    assert "48 of 50 passages" in told and "about 9,000 tokens in" in told
    assert "1 call answered before" in told and "4 calls more beyond the budget" in told
    show_read({"id": "5b0c", "state": "cancelled", "progress": {"usage": usage}})
    told = capsys.readouterr().out
    assert "2 calls of the LLM" in told and "The job 5b0c is cancelled" in told
