"""The gain of more search processes: questions one by one and twenty at once over REST, and their memory.

    python -m bench.speed.workers [--questions 100] [--workers 1 2]

Needs the home of `bench.speed.ingest 2wiki`, and an idle machine. For each number of processes the server is restarted,
and answers forty questions twice, twenty at once, which starts and warms the processes.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import httpx
import numpy as np
import psutil

from bench.common import data, lines, machine, save
from filigraph.app.process.daemon import down, up
from filigraph.app.settings import load_settings

WORKSPACE = "bench-2wiki"
AT_ONCE = 20
WARM_UP = 40
READ_AHEAD = 15.0  # seconds within which a process has read ahead after its first questions


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.workers")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    rows = islice(lines(data("2wiki/questions.jsonl")), WARM_UP + 2 * options.questions)
    questions = [row["question"] for row in rows]
    results: dict[str, Any] = {"machine": machine(), "questions": options.questions}
    for count in options.workers:
        os.environ["FILIGRAPH_WORKERS"] = str(count)
        down(load_settings())
        results[f"{count} processes"] = measure(up(load_settings(), print).url, questions)
        print(count, results[f"{count} processes"], flush=True)
    down(load_settings())
    save("workers", results)


def measure(url: str, questions: list[str]) -> dict[str, Any]:
    """Milliseconds one by one, then twenty at once; memory at rest, and after."""
    with httpx.Client(base_url=url, timeout=300, trust_env=False) as http, ThreadPoolExecutor(AT_ONCE) as clients:

        def seconds(question: str) -> float:
            begin = time.perf_counter()
            http.post(f"/v1/workspaces/{WORKSPACE}/retrieve", json={"question": question}).raise_for_status()
            return time.perf_counter() - begin

        warming, count = questions[:WARM_UP], (len(questions) - WARM_UP) // 2
        list(map(seconds, warming))
        time.sleep(READ_AHEAD)
        rest = memory()
        alone = list(map(seconds, questions[WARM_UP:][:count]))
        list(clients.map(seconds, [*warming, *warming]))  # starts and warms the processes
        time.sleep(READ_AHEAD)
        begin = time.perf_counter()
        # other questions, because answers to the first are cached
        together = list(clients.map(seconds, questions[WARM_UP:][count:]))
        rate = len(together) / (time.perf_counter() - begin)
    one_by_one = 1 / float(np.mean(alone))
    return {
        "alone_p50_ms": round(float(np.median(alone)) * 1000),
        "one_by_one_a_second": round(one_by_one, 1),
        "twenty_at_once_a_second": round(rate, 1),
        "times": round(rate / one_by_one, 2),
        "at_once_p95_ms": round(float(np.percentile(together, 95)) * 1000),
        "memory_mb": rest,
        "memory_at_once_mb": memory(),
    }


def memory() -> int:
    """Megabytes of the server and its processes: shared pages are divided among those that share them."""
    servers = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] and "serve" in p.info["cmdline"]]
    all_of_them = [process for server in servers for process in (server, *server.children(recursive=True))]
    python = [process for process in all_of_them if "python" in process.name()]
    return sum(process.memory_full_info().pss for process in python) >> 20


if __name__ == "__main__":
    main()
