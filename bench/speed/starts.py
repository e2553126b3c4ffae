"""The first change after a start of a real server, with and without the snapshot that the server before it wrote.

python -m bench.speed.starts WORKSPACE... [--times 3]

Uses the home in FILIGRAPH_HOME, which must have these workspaces. Each time it starts the server, with its own
preparation switched off, and adds a document with ready triples over REST. Between two starts with a snapshot it waits
until the server has written one. CPU seconds are those of the server's process, without Neo4j.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench.common import machine, save
from filigraph.app.client.filigraph import Filigraph
from filigraph.app.home import Home, open_home, read_record

POLL_SECONDS = 0.5
ATTEMPTS = 5  # to start the server, on a busy machine
PATIENCE = 300  # seconds until a snapshot must be there


@contextmanager
def server(home: Home) -> Iterator[tuple[Filigraph, psutil.Process]]:
    """A server of this home, just started; Neo4j stays when it ends."""
    command = [sys.executable, "-m", "filigraph.app.cli", "up"]
    started = {**os.environ, "FILIGRAPH_READ_AHEAD": "0"}
    for _ in range(ATTEMPTS):
        if subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env=started).returncode == 0:
            break
    record = read_record(home)
    assert record is not None
    process = psutil.Process(record.pid)
    try:
        with Filigraph(record.url) as client:
            yield client, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def change(client: Filigraph, process: psutil.Process, workspace: str) -> dict[str, float]:
    """Wall and CPU seconds of one document that is added, and of its deletion."""
    number = time.time_ns()
    source, name = f"new-{number}.md", f"Alice Quorn{number}"
    text = f"Teutberga met {name} in Paris. {name} lived with Lothair II until she died."
    facts = [["Teutberga", "met", name], [name, "lived with", "Lothair II"]]
    triples = json.dumps({"passage_id": source, "triples": facts}).encode()
    case = client.workspace(workspace)
    seconds: dict[str, float] = {}
    begin, used = time.perf_counter(), _cpu(process)
    report = case.ingest(texts={source: text}, triples=triples)
    seconds |= {"document": time.perf_counter() - begin, "document_cpu": _cpu(process) - used}
    assert report.triplets == 2, report
    begin, used = time.perf_counter(), _cpu(process)
    case.documents.delete(sources=[source])
    seconds |= {"delete": time.perf_counter() - begin, "delete_cpu": _cpu(process) - used}
    return seconds


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def snapshots(home: Home) -> list[Path]:
    return [*home.snapshots.glob("*.snapshot")]


def remove_snapshots(home: Home) -> None:
    for file in snapshots(home):
        file.unlink()


def wait_for_snapshot(home: Home, process: psutil.Process) -> dict[str, float]:
    """Wait until the server has written its snapshot; its megabytes, and the CPU seconds meanwhile."""
    begin, used = time.monotonic(), _cpu(process)
    while not (files := snapshots(home)):
        if time.monotonic() - begin > PATIENCE:
            sys.exit("no snapshot was written")
        time.sleep(POLL_SECONDS)
    return {"written_mb": sum(file.stat().st_size for file in files) / 1e6, "write_cpu": _cpu(process) - used}


def measure(workspace: str, times: int, home: Home) -> dict[str, Any]:
    """The median of each figure."""
    without, with_, written = [], [], []
    for _ in range(times):
        remove_snapshots(home)
        with server(home) as (client, process):
            chunks = client.workspace(workspace).stats().stats["chunks"]
            without.append(change(client, process, workspace))
            written.append(wait_for_snapshot(home, process))
        with server(home) as (client, process):
            with_.append(change(client, process, workspace))
        print(json.dumps([without[-1], written[-1], with_[-1]]), flush=True)
    return {
        "chunks": chunks,
        "times": times,
        "without": _medians(without),
        "with": _medians(with_),
        **_medians(written),
    }


def _medians(rows: list[dict[str, float]]) -> dict[str, float]:
    return {what: round(statistics.median(row[what] for row in rows), 2) for what in rows[0]}


def main() -> None:
    """Measure in each workspace."""
    parser = argparse.ArgumentParser(description="Time the first change after a start of the server.")
    parser.add_argument("workspaces", nargs="+")
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    home = open_home(Path(os.environ["FILIGRAPH_HOME"]))
    result: dict[str, Any] = {"machine": machine()}
    for workspace in options.workspaces:
        result[workspace] = measure(workspace, options.times, home)
        print(json.dumps(result[workspace]), flush=True)
        save("starts", result)


if __name__ == "__main__":
    main()
