"""The image, built and run as its documentation says: with its own Neo4j, a read-only root, and a user without rights.

Docker and podman run it as usual. If only buildah is installed, the tests use the kernel's namespaces, on this
machine's network.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import httpx
import psutil
import pytest

from tests.ports import held_port

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "docker" / "build.sh"
CASE = ROOT / "app" / "demo" / "case"
QUESTION = "Pourquoi se méfier de Jules ?"  # three hops
USER = 10001
START_PATIENCE = 300  # seconds; a quiet machine takes 30
STOP_PATIENCE = 40  # what compose.yaml gives it

# In namespaces of its own: a root that may not be written, a folder for what is temporary, the volume, a user.
ENTER = """
set -e
mount --bind "$1" "$1"
mount --bind "$2" "$1/data"
mount -t proc proc "$1/proc"
mount -t tmpfs tmpfs "$1/tmp"
mount --rbind /dev "$1/dev"
mount -o remount,ro,bind "$1"
exec setpriv --no-new-privs chroot --userspec="$3" "$1" "$4"
"""


class Container(Protocol):
    """A container of the image, whose volume stays."""

    def start(self, port: int) -> None: ...
    def read(self, file: str) -> str: ...
    def user(self) -> int: ...
    def said(self) -> str: ...
    def stop(self) -> int:
        """Ask it to end; its exit code."""

    def remove(self) -> None: ...


class Run:
    """By docker or podman."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.name = f"filigraph-test-{uuid.uuid4().hex[:8]}"

    def start(self, port: int) -> None:
        self._do("rm", "-f", self.name)
        hardened = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges")
        published = ("-p", f"127.0.0.1:{port}:8000", "-v", f"{self.name}:/data")
        self._do("run", "-d", "--name", self.name, *hardened, *published, "filigraph")

    def read(self, file: str) -> str:
        return self._do("exec", self.name, "cat", file)

    def user(self) -> int:
        return int(self._do("exec", self.name, "id", "-u"))

    def said(self) -> str:
        logs = [self.tool, "logs", self.name]
        return subprocess.run(logs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout

    def stop(self) -> int:
        self._do("stop", "-t", str(STOP_PATIENCE), self.name)
        return int(self._do("inspect", "-f", "{{.State.ExitCode}}", self.name))

    def remove(self) -> None:
        self._do("rm", "-f", self.name)
        self._do("volume", "rm", "-f", self.name)

    def _do(self, *arguments: str) -> str:
        done = subprocess.run([self.tool, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0 or arguments[0] == "rm", done.stderr
        return done.stdout.strip()


class Namespaces:
    """By unshare, in the root that buildah mounts. Its first process is the image's, as in any container."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.data.mkdir()
        shutil.chown(self.data, USER, USER)
        self.log = folder / "log"
        self.name = self._do("from", "localhost/filigraph")
        self.root = self._do("mount", self.name)
        self.image: dict[str, Any] = json.loads(self._do("inspect", self.name))["OCIv1"]["config"]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, port: int) -> None:
        environment = dict(one.split("=", 1) for one in self.image["Env"])
        environment |= {"FILIGRAPH_PORT": str(port), "OLLAMA_HOST": "127.0.0.1:1"}
        alone = ("unshare", "--mount", "--pid", "--ipc", "--fork", "sh", "-c", ENTER, "sh")
        user = self.image["User"]
        given = (self.root, str(self.data), f"{user}:{user}", *self.image["Entrypoint"])
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([*alone, *given], env=environment, stdout=log, stderr=log)

    def read(self, file: str) -> str:
        return (self.data / Path(file).relative_to("/data")).read_text().strip()

    def user(self) -> int:
        return self._first().uids().effective

    def said(self) -> str:
        return self.log.read_text()

    def stop(self) -> int:
        assert self.process is not None
        self._first().terminate()
        code = self.process.wait(STOP_PATIENCE)
        assert "Stopped." in self.read("/data/data/neo4j/2026/logs/neo4j.log")  # not killed with its namespace
        return code

    def remove(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self._first().kill()  # and with it all that is in its namespace
            self.process.wait()
        self._do("rm", self.name)

    def _first(self) -> psutil.Process:
        """Process 1 of its namespace."""
        assert self.process is not None
        (first,) = psutil.Process(self.process.pid).children()
        return first

    def _do(self, *arguments: str) -> str:
        return subprocess.run(["buildah", *arguments], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def container(tmp_path: Path) -> Iterator[Container]:
    """Of an image of the code as it is now. Skipped where none can be built or run, with the reason."""
    asked = subprocess.run(["sh", str(BUILD), "--check"], capture_output=True, text=True, check=False)
    if asked.returncode:
        pytest.skip(asked.stderr.strip())
    tool = asked.stdout.strip()
    if tool == "buildah" and os.getuid():
        pytest.skip("buildah builds an image here, but only root can run it: docker and podman run it as anybody.")
    built = subprocess.run(["sh", str(BUILD)], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-2000:]
    made: Container = Namespaces(tmp_path) if tool == "buildah" else Run(tool)
    yield made
    made.remove()


def until(seconds: float, done: Callable[[], bool], said: Callable[[], str]) -> None:
    """Wait until something is done; else fail with what was said."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if done():
            return
        time.sleep(0.5)
    pytest.fail(f"not within {seconds} seconds: {said()}")


def is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/v1/health/ready", timeout=10).status_code == 200
    except httpx.HTTPError:
        return False


def hops(client: httpx.Client) -> list[tuple[str, str]]:
    """The first path to the question's answer."""
    answer = client.post("/v1/workspaces/case/retrieve", json={"question": QUESTION}).raise_for_status().json()
    return [(hop["subject"], hop["object"]) for hop in answer["paths"][0]["hops"]]


@pytest.fixture
def port() -> Iterator[int]:
    with held_port() as port:
        yield port


@pytest.mark.slow
@pytest.mark.timeout(1800)  # an image that is built from nothing takes minutes
def test_the_container(container: Container, port: int) -> None:
    url = f"http://127.0.0.1:{port}"
    found = []
    for begun in range(2):
        container.start(port)
        until(START_PATIENCE, lambda: is_ready(url), container.said)
        assert container.user() == USER
        assert "Filigraph answers at http://127.0.0.1:" in container.said()
        assert ("The first key, admin, is in /data/admin.key" in container.said()) == (not begun)
        assert httpx.get(f"{url}/v1/workspaces").status_code == 401
        assert "script" in httpx.get(url).text  # the page, which asks for the key
        key = container.read("/data/admin.key")
        with httpx.Client(base_url=url, headers={"x-api-key": key}, timeout=300) as client:
            if not begun:
                files = [("files", (file.name, file.read_bytes())) for file in sorted(CASE.iterdir())]
                assert '"report"' in client.post("/v1/workspaces/case/ingest", files=files).text
            found.append(hops(client))
            assert client.get("/v1/health").json()["neo4j_browser"] is None  # nobody could open it from outside
        assert container.stop() == 0
    assert found[0] == found[1] and len(found[0]) == 3


def test_the_script_says_why_no_image_can_be_built(tmp_path: Path) -> None:
    for name in ("dirname", "sed"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    build = [shutil.which("sh") or "sh", str(BUILD)]
    done = subprocess.run(build, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "neither docker" in done.stderr
