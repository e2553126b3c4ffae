"""The server's record in its home: written, read, broken, out of date; and the choice of a port."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from filigraph.app.home import ServerRecord, open_home, read_record, write_record
from filigraph.app.process import daemon
from filigraph.app.settings import Settings, load_settings
from filigraph.graph.errors import ServerUnavailable
from tests.making import awaited


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("FILIGRAPH_HOME", str(tmp_path))
    return load_settings()


def record(pid: int, created: float, port: int = 1) -> ServerRecord:
    return ServerRecord(pid=pid, created=created, port=port, version="1")


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:1"),
        ("0.0.0.0", "http://127.0.0.1:1"),
        ("::", "http://[::1]:1"),
        ("192.168.1.2", "http://192.168.1.2:1"),
    ],
)
def test_a_server_is_reached_where_it_listens(host: str, url: str) -> None:
    assert ServerRecord(pid=1, created=1.0, port=1, version="1", host=host).url == url


def test_a_record_is_read_as_it_was_written(settings: Settings) -> None:
    home = open_home(settings.home)
    assert read_record(home) is None
    write_record(home, record(1, 2.5))
    assert read_record(home) == record(1, 2.5)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"pid": 1}', '{"other": 1}'])
def test_a_broken_record_is_none(settings: Settings, text: str) -> None:
    home = open_home(settings.home)
    home.record.write_text(text)
    assert read_record(home) is None
    assert daemon.find_server(settings) is None


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(ServerUnavailable) as caught:
        open_home(tmp_path)
    assert "FILIGRAPH_HOME" in caught.value.cure


def test_a_stale_record_finds_nobody(settings: Settings) -> None:
    """The id belongs to a living process, this one, but the server that wrote it was another."""
    write_record(open_home(settings.home), record(os.getpid(), 1.0))
    assert daemon.find_server(settings) is None
    assert daemon.down(settings) == daemon.Stopped(server=False, neo4j=False)


def test_a_port_that_is_somebody_elses_finds_nobody(settings: Settings) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))  # bound, and deaf
        write_record(open_home(settings.home), record(os.getpid(), 1.0, other.getsockname()[1]))
        assert daemon.find_server(settings) is None


def test_down_ends_the_process_that_was_recorded(settings: Settings) -> None:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    write_record(open_home(settings.home), record(process.pid, psutil.Process(process.pid).create_time()))
    assert daemon.down(settings).server
    assert not psutil.pid_exists(process.pid)
    process.wait()


def test_up_does_not_start_a_second_server_beside_one_that_is_deaf(settings: Settings) -> None:
    write_record(open_home(settings.home), record(os.getpid(), psutil.Process().create_time()))
    with pytest.raises(ServerUnavailable, match="does not answer") as caught:
        daemon.up(settings, lambda _: None)
    assert "filigraph down" in caught.value.cure


def test_the_last_port_is_taken_again_and_another_if_it_is_taken(settings: Settings) -> None:
    first = daemon.listen(settings, None)
    port = first.getsockname()[1]
    second = daemon.listen(settings, record(1, 1.0, port))
    assert second.getsockname()[1] != port
    first.close()
    again = daemon.listen(settings, record(1, 1.0, port))
    assert again.getsockname()[1] == port
    second.close(), again.close()


async def _sends_at_once(listener: socket.socket) -> bool:
    """Whether a connection that asyncio accepts there sends what it has without waiting for more."""
    found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found.set_result(bool(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
        writer.close()

    async with await asyncio.start_server(connected, sock=listener):
        _, writer = await asyncio.open_connection(*listener.getsockname())
        writer.close()
        return await found


def test_replies_do_not_wait_for_acknowledgements(settings: Settings) -> None:
    assert awaited(_sends_at_once(daemon.listen(settings, None)))


def test_a_port_that_was_asked_for_and_is_taken(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setenv("FILIGRAPH_PORT", str(other.getsockname()[1]))
        with pytest.raises(ServerUnavailable) as caught:
            daemon.listen(load_settings(), None)
    assert "FILIGRAPH_PORT" in caught.value.cure


def test_a_failed_write_leaves_the_old_record_and_no_empty_file(settings: Settings) -> None:
    home = open_home(settings.home)
    write_record(home, record(1, 1.0))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # the system refuses every byte, as on a full disk
    try:
        with pytest.raises(ServerUnavailable, match="cannot be written") as raised:
            write_record(home, record(2, 2.0))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "Free some space" in raised.value.cure
    assert read_record(home) == record(1, 1.0)
    assert [file.name for file in home.folder.iterdir() if file.name.startswith("server.json")] == ["server.json"]
