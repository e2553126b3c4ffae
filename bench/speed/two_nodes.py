"""A Ray cluster of two nodes on this machine, one of which can be killed: for tests and measurements.

Each node is a separate raylet with separate workers, like two machines; they share processor and memory. The cluster
runs in a separate process, which reads commands from standard input: `kill` the second node, `end`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_USAGE_STATS_REPORT_URL": "http://127.0.0.1:9",  # without it Ray reports that it does not report
    "RAY_idle_worker_killing_time_threshold_ms": "600000",  # processes for calls of an LLM stay, though they are idle
    "RAY_health_check_initial_delay_ms": "1000",  # a killed node is noticed after two seconds, not thirty
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "240000",  # a killed node refuses at once; a slow one is waited for
    "RAY_health_check_failure_threshold": "3",
}


class TwoNodes:
    """`address` is the head's HOST:PORT. The second node exists from the start unless `nodes` is 1."""

    def __init__(
        self,
        *,
        nodes: int = 2,
        cores: int = 1,
        llm_calls: int = 0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._home = tempfile.TemporaryDirectory()
        # Without this file the head asks the metadata services of three clouds whether it runs there.
        (Path(self._home.name) / "ray_bootstrap_config.yaml").write_text("{}")
        cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
        hub = os.environ.get("HF_HOME", str(cache / "huggingface"))
        quiet = {**QUIET, "HOME": self._home.name, "XDG_CACHE_HOME": str(cache), "HF_HOME": hub}
        command = [sys.executable, "-m", "bench.speed.two_nodes", str(nodes), str(cores), str(llm_calls)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **(environment or {}), **quiet},
        )
        self.address = self._said()

    def kill_second(self) -> None:
        """Kill the second node as if its machine lost its power."""
        self._tell("kill")
        assert self._said() == "done"

    def stop(self) -> None:
        """End the cluster if it runs."""
        if self._process.poll() is not None:
            return
        self._tell("end")
        self._process.wait(240)
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
        self._home.cleanup()

    def _tell(self, word: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()

    def _said(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


def main(nodes: int, cores: int, llm_calls: int) -> None:
    """The cluster's own process."""
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {
        "num_cpus": cores,
        "resources": {"llm_calls": llm_calls} if llm_calls else {},
        "object_store_memory": 100 << 20,
        "include_dashboard": False,
    }
    cluster = Cluster(initialize_head=True, head_node_args=node)
    second = cluster.add_node(**node) if nodes == 2 else None
    print(f"127.0.0.1:{cluster.address.rpartition(':')[2]}", flush=True)
    for line in sys.stdin:
        if line.strip() == "end":
            break
        if second is not None:
            cluster.remove_node(second, allow_graceful=False)
        print("done", flush=True)
    cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
