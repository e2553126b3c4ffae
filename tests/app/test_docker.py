"""docker/: what can be tested without Docker. The start-up script runs here as it does in the container."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import httpx
import pytest
import yaml

from filigraph.app.access.keys import Keys
from filigraph.app.neo4j import DEFAULT_VERSION, Neo4jAddress, neo4j_status
from filigraph.app.settings import Settings
from filigraph.graph.store import Store
from tests.no_keys import no_keys
from tests.ports import held_port
from tests.relay import relay_to

DOCKER = Path(__file__).parents[2] / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]


def test_the_gpu_s_file_only_gives_the_server_a_gpu() -> None:
    file = (DOCKER / "compose.gpu.yaml").read_text(encoding="utf-8")
    (server,) = yaml.safe_load(file)["services"].values()
    (name,) = server["build"]["args"]
    assert f"ARG {name}=none" in (DOCKER / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert server["deploy"] == SERVICES["ollama-gpu"]["deploy"]


def test_no_password_has_a_default() -> None:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8") + (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    for line in text.splitlines():
        if re.search(r"PASSWORD|AUTH|_KEY", line):
            assert ":?" in line or line.lstrip().startswith("#"), line


def test_every_service_is_watched_and_keeps_its_data() -> None:
    for name, service in SERVICES.items():
        assert service.get("healthcheck") or name == "server", name  # the server's is in its image
        for volume in service["volumes"]:
            assert volume.partition(":")[0] in COMPOSE["volumes"], volume
    assert "HEALTHCHECK" in (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    assert SERVICES["server"]["depends_on"]["neo4j"]["condition"] == "service_healthy"


def test_it_is_the_neo4j_that_was_tested() -> None:
    assert SERVICES["neo4j"]["image"] == f"neo4j:{DEFAULT_VERSION}-community"


def test_only_this_host_reaches_it() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports and all(port.startswith("127.0.0.1:") for port in ports)


def test_every_variable_is_a_setting() -> None:
    known = {field.validation_alias.choices[0] for field in Settings.model_fields.values()}  # type: ignore[union-attr]
    for name in SERVICES["server"]["environment"]:
        assert name in known | {"HF_HUB_OFFLINE"}, name
    assert SERVICES["server"]["env_file"] == [{"path": ".env", "required": False}], "and every setting gets in"


def test_others_in_its_network_reach_the_server() -> None:
    names = SERVICES["server"]["environment"]["FILIGRAPH_ALLOWED_HOSTS"].replace("${FILIGRAPH_ALLOWED_HOSTS:-}", "")
    assert Settings(FILIGRAPH_ALLOWED_HOSTS=names).allowed_names == {"server"}  # type: ignore[call-arg]


def test_what_the_image_is_made_of_and_no_password() -> None:
    ignored = (DOCKER.parent / ".dockerignore").read_text(encoding="utf-8").splitlines()
    sent = {line[1:] for line in ignored if line.startswith("!")}
    copies = re.findall(r"^COPY (?!--from)(?:--\S+ )*(.+) \S+$", (DOCKER / "Dockerfile").read_text(), re.MULTILINE)
    assert {file for line in copies for file in line.split()} == sent
    assert all((DOCKER.parent / file).exists() for file in sent) and "*" in ignored
    assert "docker/.env" in (DOCKER.parent / ".gitignore").read_text().splitlines()


def test_the_image_runs_as_nobody_special() -> None:
    steps = (DOCKER / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert "USER 10001" in steps and steps.index("USER 10001") < steps.index('ENTRYPOINT ["start.sh"]')
    assert len([step for step in steps if step.startswith("FROM ")]) == 3


@pytest.fixture
def environment(neo4j_address: Neo4jAddress, store: Store, own_home: Path) -> Iterator[dict[str, str]]:
    with held_port() as port, no_keys(store):
        yield {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "FILIGRAPH_HOME": str(own_home),
            "FILIGRAPH_HOST": "0.0.0.0",
            "FILIGRAPH_PORT": str(port),
            "NEO4J_URI": neo4j_address.uri,
            "NEO4J_PASSWORD": neo4j_address.password,
            "OLLAMA_HOST": "127.0.0.1:1",
        }


@pytest.mark.slow
def test_the_script_starts_a_server_with_its_first_key(environment: dict[str, str], tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{environment['FILIGRAPH_PORT']}"
    made = ""
    for _ in range(2):  # the second time the key is there
        process = subprocess.Popen([str(DOCKER / "start.sh")], env=environment, stderr=subprocess.PIPE, text=True)
        try:
            assert process.stderr is not None
            said = "".join(iter_until(process.stderr, f"Filigraph answers at {url}"))
            key = (tmp_path / "admin.key").read_text().strip()
            assert key.startswith("fgk_") and (not made or key == made)
            assert (tmp_path / "admin.key").stat().st_mode & 0o777 == 0o600
            assert key not in said and (f"first key, admin, is in {tmp_path}" in said) == (not made)
            made = key
            assert httpx.get(f"{url}/v1/keys").status_code == 401
            listed = httpx.get(f"{url}/v1/keys", headers={"x-api-key": key}).json()["keys"]
            assert [one["name"] for one in listed] == ["admin"]
            healthy = [sys.executable, str(DOCKER / "healthy.py")]
            environment["http_proxy"] = "http://127.0.0.1:1"  # as Docker gives containers the proxy of its host
            while subprocess.run(healthy, env=environment, check=False).returncode:
                time.sleep(0.2)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()
        assert process.returncode == 0
    assert subprocess.run([sys.executable, str(DOCKER / "healthy.py")], env=environment, check=False).returncode == 1


@pytest.mark.slow
def test_the_script_waits_for_a_neo4j_that_is_late(
    environment: dict[str, str], neo4j_address: Neo4jAddress, tmp_path: Path
) -> None:
    with relay_to(neo4j_address) as relay:
        process = subprocess.Popen(
            [str(DOCKER / "start.sh")],
            env={**environment, "NEO4J_URI": relay.uri},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stderr is not None
            list(iter_until(process.stderr, "Waiting for Neo4j"))
            relay.open()
            list(iter_until(process.stderr, "Filigraph answers at"))
            assert (tmp_path / "admin.key").read_text().startswith("fgk_")
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()


@pytest.mark.slow
def test_the_script_makes_no_key_where_there_are_some(
    environment: dict[str, str], store: Store, tmp_path: Path
) -> None:
    Keys(lambda work: work(store.keys), public=True).create("anna", "admin", "")
    process = subprocess.Popen([str(DOCKER / "start.sh")], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        said = "".join(iter_until(process.stderr, "Filigraph answers at"))
        assert "has keys already" in said and "filigraph keys create NAME --scope admin" in said
        assert [key.name for key in store.keys.all()] == ["anna"] and not (tmp_path / "admin.key").exists()
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


@pytest.mark.slow
def test_the_script_brings_a_neo4j_and_stops_it(environment: dict[str, str], tmp_path: Path) -> None:
    del environment["NEO4J_URI"], environment["NEO4J_PASSWORD"]
    process = subprocess.Popen([str(DOCKER / "start.sh")], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        assert "first key, admin, is in" in "".join(iter_until(process.stderr, "Filigraph answers at"))
        assert neo4j_status(tmp_path).state == "running"
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert process.returncode == 0 and neo4j_status(tmp_path).state == "stopped"


def iter_until(lines: IO[str], last: str) -> Iterator[str]:
    """The lines up to the one that holds `last`."""
    said = []
    for line in lines:
        said.append(line)
        yield line
        if last in line:
            return
    pytest.fail("".join(said))


def test_the_script_says_what_is_missing(environment: dict[str, str]) -> None:
    del environment["FILIGRAPH_HOME"]
    ran = subprocess.run([str(DOCKER / "start.sh")], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode != 0 and "FILIGRAPH_HOME is not set" in ran.stderr


def test_the_scripts_are_plain_shell() -> None:
    dash = shutil.which("dash") or "sh"
    for script in sorted(DOCKER.glob("*.sh")):
        subprocess.run([dash, "-n", str(script)], check=True)
