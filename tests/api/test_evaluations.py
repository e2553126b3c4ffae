"""Evaluations over REST: input, output, and clients that disconnect. Other tests check the figures."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from filigraph.app.http.stream import NDJSON
from filigraph.app.schemas.evaluations import EvaluationOut
from filigraph.graph.errors import InputError
from filigraph.graph.measure.evaluate import METHODS
from tests.api.serving import EVALUATION, HandMade, leave
from tests.patience import PATIENCE

EVALUATE = "/v1/workspaces/case/evaluate"
FILES = {"questions": ("q.jsonl", b'{"question": "Qui ?"}')}


def events(response: httpx.Response) -> list[dict[str, Any]]:
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == NDJSON
    return [json.loads(line) for line in response.text.splitlines()]


def test_evaluate(http: httpx.Client, service: HandMade) -> None:
    told = events(http.post(EVALUATE, files=FILES))
    assert told[0]["event"] == "waiting"
    assert list(dict.fromkeys(event["stage"] for event in told[1:-1])) == ["gold", *METHODS]
    assert len(told) < 50  # of 500 events most are dropped
    assert told[-1]["event"] == "evaluation"
    measured = told[-1]["evaluation"]
    assert measured == {"id": "run-1", "at": "2026-11-21T15:05:00Z", **EVALUATION.body}
    assert service.told["questions"] == FILES["questions"][1]
    assert (service.told["limit"], service.told["indexed"]) == (None, None)


def test_evaluate_in_part(http: httpx.Client, service: HandMade) -> None:
    index = {"index_seconds": {"embed": 1.5}, "indexed_passages": 4}
    data = {"methods": ["dense", "bm25"], "weights": ["0.7", "1"], "limit": "7", "indexed": json.dumps(index)}
    events(http.post(EVALUATE, files=FILES, data=data))
    assert (service.told["methods"], service.told["limit"]) == (["dense", "bm25"], 7)
    assert service.told["weights"] == [0.7, 1.0]
    assert service.told["indexed"] == index


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"methods": "splade"}, "methods"),
        ({"limit": "0"}, "limit"),
        ({"weights": ["0.5", "1.5"]}, "weights"),
        ({"indexed": "{"}, "indexed"),
        ({"indexed": '{"index_seconds": {"embed": "long"}, "indexed_passages": 1}'}, "indexed"),
    ],
)
def test_what_it_does_not_take(http: httpx.Client, service: HandMade, data: dict[str, Any], named: str) -> None:
    response = http.post(EVALUATE, files=FILES, data=data)
    assert response.status_code in (400, 422)
    assert named in response.json()["error"]["cause"]
    assert service.told == {}


def test_questions_may_be_as_large_as_an_upload(http: httpx.Client, service: HandMade) -> None:
    many = b"{}\n" * (1 << 20)
    events(http.post(EVALUATE, files={"questions": ("q.jsonl", many)}))
    assert service.told["questions"] == many


def test_what_fails_has_its_status(http: httpx.Client, service: HandMade) -> None:
    service.error = InputError("The file of questions is empty.")
    assert http.post(EVALUATE, files=FILES).status_code == 400
    service.error = None
    assert http.post(EVALUATE).status_code == 422


def test_who_goes_away_stops_the_work(http: httpx.Client, service: HandMade) -> None:
    service.hold.clear()
    leave(http, service, "POST", EVALUATE, files=FILES)
    assert service.cancelled.wait(PATIENCE)


def test_earlier_runs(http: httpx.Client) -> None:
    (run,) = http.get("/v1/workspaces/case/evaluations").json()["evaluations"]
    assert run == {"id": "run-1", "at": "2026-11-21T15:05:00Z", **EVALUATION.body}


def test_the_description_names_the_keys_as_they_are_sent(http: httpx.Client) -> None:
    shown = http.get("/openapi.json").json()["components"]["schemas"]["EvaluationOut"]["properties"]
    assert set(shown) == {"id", "at", *EVALUATION.body}
    assert set(EvaluationOut.model_validate({"id": "", "at": EVALUATION.at, **EVALUATION.body}).model_dump()) == set(
        shown
    )
