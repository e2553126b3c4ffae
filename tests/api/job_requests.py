"""Submit jobs over REST and follow them."""

from __future__ import annotations

import json
from typing import Any

import httpx


def submit(http: httpx.Client, case: str, texts: dict[str, bytes], triples: bytes = b"", **data: str) -> dict[str, Any]:
    files = [("files", item) for item in texts.items()]
    more = [("triples", ("t", triples))] if triples else []
    response = http.post(f"{case}/jobs", files=[*files, *more], data={"extractor": "llm", **data})
    assert response.status_code == 202, response.text
    return dict(response.json())


def watch(http: httpx.Client, job: dict[str, Any]) -> list[dict[str, Any]]:
    """What is told of a job until it has ended."""
    lines = (json.loads(line) for line in http.get(f"/v1/jobs/{job['id']}/events").text.splitlines())
    told = [event for event in lines if event["event"] != "alive"]
    assert [event["event"] for event in told] == ["progress"] * (len(told) - 1) + ["job"], told[-1]
    return [event["job"] for event in told]


def until(http: httpx.Client, job: dict[str, Any], state: str) -> None:
    with http.stream("GET", f"/v1/jobs/{job['id']}/events") as response:
        for line in response.iter_lines():
            if json.loads(line).get("job", {}).get("state") == state:
                return
    raise AssertionError(f"it never was {state}")


def statuses(http: httpx.Client, case: str) -> dict[str, str]:
    return {row["source"]: row["status"] for row in http.get(f"{case}/documents").json()["documents"]}
