"""The local Neo4j as a real process: started twice at once, killed, moved to other ports, stopped.

The whole module uses one home and one database, because a start takes a core for a quarter of a minute.
"""

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from neo4j import GraphDatabase

from filigraph.app.neo4j import Neo4jAddress, login, logs, neo4j_logs, neo4j_status, start_neo4j, stop_neo4j
from filigraph.app.neo4j.folders import Neo4jFolders, folders_of, make_folder
from filigraph.app.neo4j.launch import command, home_argument
from filigraph.app.neo4j.lock import DEFAULT_VERSION
from filigraph.app.neo4j.login import log_in, read_or_create_password
from filigraph.app.neo4j.process import Neo4jRecord, choose_ports, find_process, read_record, write_record
from filigraph.app.neo4j.upgrade import upgrade_data
from filigraph.graph.errors import LocalNeo4jError
from tests.patience import PATIENCE
from tests.short_lived import short_lived

# Started by programs of their own: they have no blocked network when the jars must be fetched first, and two of them
# are two processes.
START = """
from pathlib import Path
import sys
from filigraph.app.neo4j import launch, start_neo4j
launch.JVM_FLAGS += ("-XX:TieredStopAtLevel=1",)  # it lives for seconds: the second compiler would not pay
print(start_neo4j(home=Path(sys.argv[1])).uri)
"""


@pytest.fixture(autouse=True, scope="module")
def hurry() -> Iterator[None]:
    """Neo4j is started a dozen times, and each lives for seconds."""
    with short_lived():
        yield


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of this module's own, on the user's cache of jars."""
    home = tmp_path_factory.mktemp("a home with spaces")
    jars = folders_of(DEFAULT_VERSION).jars
    jars.mkdir(parents=True, exist_ok=True)
    (home / "cache" / "neo4j").mkdir(parents=True)
    (home / "cache" / "neo4j" / "jars").symlink_to(jars)
    yield home
    for process in psutil.process_iter():
        try:
            if any(str(home) in argument for argument in process.cmdline()):
                process.kill()
        except psutil.Error:
            pass


@pytest.fixture(scope="module")
def folders(home: Path) -> Neo4jFolders:
    return folders_of(DEFAULT_VERSION, home)


@pytest.fixture(scope="module")
def started(home: Path, folders: Neo4jFolders) -> None:
    """The server, started by two programs at once over the record of a process that is another's by now."""
    make_folder(folders.server)
    bolt_port, http_port = choose_ports(None)
    write_record(
        folders,
        Neo4jRecord(version=DEFAULT_VERSION, bolt_port=bolt_port, http_port=http_port, pid=os.getpid(), ready=True),
    )
    both = [subprocess.Popen([sys.executable, "-c", START, str(home)], stdout=subprocess.PIPE) for _ in range(2)]
    found = [starter.communicate(timeout=PATIENCE)[0].decode().strip() for starter in both]
    assert [starter.returncode for starter in both] == [0, 0]
    assert found == [f"bolt://127.0.0.1:{bolt_port}"] * 2
    run(start_neo4j(home=home), "CREATE (n:Kept {text: 'before'})")


@pytest.fixture
def address(home: Path, started: None) -> Neo4jAddress:
    """The server, which runs whatever the test before did to it."""
    return start_neo4j(home=home)


def run(address: Neo4jAddress, statement: str) -> list[object]:
    """Run a statement as any client would."""
    with GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver:
        return [record[0] for record in driver.execute_query(statement).records]


def servers(folders: Neo4jFolders) -> list[int]:
    """The ids of all servers on this folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if home_argument(folders) in process.cmdline():
                found.append(process.pid)
        except psutil.Error:
            pass
    return found


def test_two_starts_at_once_are_one_server(address: Neo4jAddress, folders: Neo4jFolders) -> None:
    assert len(servers(folders)) == 1
    assert run(address, "MATCH (n:Kept) RETURN n.text") == ["before"]


def test_a_running_server_is_adopted(address: Neo4jAddress, home: Path) -> None:
    running = neo4j_status(home=home).pid
    assert start_neo4j(home=home) == address
    assert running and neo4j_status(home=home).pid == running


@pytest.mark.essential
def test_it_listens_on_loopback_alone(address: Neo4jAddress, folders: Neo4jFolders) -> None:
    listening = [
        connection.laddr
        for connection in psutil.Process(servers(folders)[0]).net_connections()
        if connection.status == psutil.CONN_LISTEN
    ]
    assert {place.ip.removeprefix("::ffff:") for place in listening} == {"127.0.0.1"}
    assert {f"bolt://127.0.0.1:{place.port}" for place in listening} >= {address.uri}
    assert len(listening) == 2


def test_nothing_is_reported_to_anybody(address: Neo4jAddress) -> None:
    switches = run(
        address,
        "SHOW SETTINGS YIELD name, value "
        "WHERE name =~ '.*(usage_report|fleet_discovery|fleet_manager|x_forward|telemetry)[.]enabled' "
        "OR name = 'client.allow_telemetry' "
        "RETURN name + '=' + value",
    )
    assert len(switches) >= 5
    assert all(str(switch).endswith("=false") for switch in switches)


def test_the_password_and_the_data_are_for_their_owner_alone(address: Neo4jAddress, folders: Neo4jFolders) -> None:
    assert stat.S_IMODE(folders.password.stat().st_mode) == 0o600
    assert stat.S_IMODE(folders.server.stat().st_mode) == 0o700
    assert len(address.password) >= 32
    assert address.password not in " ".join(psutil.Process(servers(folders)[0]).cmdline())
    assert address.password not in repr(address)


def test_the_status_says_where_it_is(address: Neo4jAddress, home: Path, folders: Neo4jFolders) -> None:
    status = neo4j_status(home)
    assert (status.state, status.address, [status.pid]) == ("running", address, servers(folders))
    assert status.memory and status.memory > 100_000_000
    assert any("Started." in line for line in neo4j_logs(home))


def test_the_browser_opens_with_a_query(address: Neo4jAddress) -> None:
    import httpx

    url = address.browser("MATCH (n) RETURN n & 'é'")
    assert url is not None
    assert url.startswith(f"{address.http_url}/browser/?connectURL=neo4j%3A%2F%2Fneo4j%40127.0.0.1%3A")
    assert url.endswith("&cmd=edit&arg=MATCH+%28n%29+RETURN+n+%26+%27%C3%A9%27")
    page = httpx.get(url)
    assert "Neo4j Browser" in page.text
    assert "segment" not in page.headers["content-security-policy"]


def test_the_first_login_is_made_good_whenever_it_was_missed(
    address: Neo4jAddress, folders: Neo4jFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill between the first start and the first login leaves a server with the password of every new Neo4j."""
    with (
        GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver,
        driver.session(database="system") as session,
    ):
        # Neo4j takes no password as short as the first one, but for the first one.
        session.run("ALTER USER neo4j SET PASSWORD 'first-password' CHANGE REQUIRED").consume()
    monkeypatch.setattr(login, "FIRST", "first-password")
    assert log_in(address.uri, address.password, folders.password)


def test_a_wrong_password_file_is_named(address: Neo4jAddress, tmp_path: Path) -> None:
    with pytest.raises(LocalNeo4jError, match=r"refuses the password in .*password\. Restore the right password"):
        log_in(address.uri, "somebody else's", tmp_path / "password")


def test_a_server_whose_record_was_not_finished_is_adopted(
    address: Neo4jAddress, home: Path, folders: Neo4jFolders
) -> None:
    before = servers(folders)
    content = json.loads(folders.record.read_text())
    folders.record.write_text(json.dumps(content | {"pid": None, "ready": False}))
    assert neo4j_status(home).state == "starting"
    assert start_neo4j(home=home) == address
    assert servers(folders) == before


@pytest.mark.slow
def test_after_a_kill_it_starts_again_on_free_ports_with_its_data(
    address: Neo4jAddress, home: Path, folders: Neo4jFolders
) -> None:
    process = find_process(folders, read_record(folders))
    assert process is not None
    process.kill()
    process.wait(PATIENCE)
    assert neo4j_status(home).state == "stopped"
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", int(address.uri.rpartition(":")[2])))
        other.listen(1)
        again = start_neo4j(home=home)
    assert again.uri != address.uri
    assert again.password == address.password
    assert run(again, "MATCH (n:Kept) RETURN n.text") == ["before"]


@pytest.mark.essential
def test_it_stops_once(address: Neo4jAddress, home: Path, folders: Neo4jFolders) -> None:
    assert stop_neo4j(home) is True
    assert servers(folders) == []
    assert neo4j_status(home).state == "stopped"
    assert stop_neo4j(home) is False


@pytest.mark.slow
def test_a_newer_line_begins_with_the_data_of_the_older(
    address: Neo4jAddress, home: Path, folders: Neo4jFolders
) -> None:
    stop_neo4j(home)
    older = folders.server.parent / "2025"
    folders.server.rename(older)
    make_folder(folders.server)
    cut_short = folders.server / "data.part"
    cut_short.mkdir()
    (cut_short / "half").write_text("of an earlier try")
    again = start_neo4j(home=home)
    process = find_process(folders, read_record(folders))
    assert process is not None and any("-XX:SharedArchiveFile=" in argument for argument in process.cmdline())
    assert run(again, "MATCH (n:Kept) RETURN n.text") == ["before"]
    assert again.password == address.password
    assert not cut_short.exists()
    assert not list(folders.server.rglob("half"))
    assert (older / "data").is_dir()


@pytest.mark.slow
def test_data_that_another_line_serves_are_not_taken(home: Path, folders: Neo4jFolders) -> None:
    start_neo4j(home=home)
    newer = folders_of("2027.01.0", home)
    make_folder(newer.server)
    with pytest.raises(LocalNeo4jError, match="Neo4j 2026 is running on the data that Neo4j 2027 has to copy"):
        upgrade_data(newer, "2027.01.0")
    assert list(newer.server.iterdir()) == []
    stop_neo4j(home)


def test_an_older_line_takes_nothing_of_a_newer(home: Path, folders: Neo4jFolders) -> None:
    older = folders_of("5.26.15", home)
    make_folder(older.server)
    upgrade_data(older, "5.26.15")
    assert list(older.server.iterdir()) == []


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"heap": "nonsense"}, r"Invalid maximum heap size: -Xmxnonsense\. Read its log: .*console\.log"),
        ({"page_cache": "900g"}, r"Invalid memory configuration - exceeds physical memory.*Read its log: .*neo4j\.log"),
        ({"page_cache": "nonsense"}, r"'nonsense' is not a valid size.*Read its log: .*console\.log"),
    ],
)
def test_a_java_that_ends_at_once_says_why(home: Path, settings: dict[str, str], reason: str) -> None:
    stop_neo4j(home)
    with pytest.raises(LocalNeo4jError, match=f"Neo4j ended while it was starting: {reason}") as raised:
        start_neo4j(home=home, **settings)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)
    assert neo4j_status(home).state == "stopped"


def test_the_last_cause_is_the_one_that_is_told(tmp_path: Path) -> None:
    folders = Neo4jFolders(jars=tmp_path, server=tmp_path)
    folders.log.parent.mkdir()
    folders.console.write_text("Failed to start Neo4j on 127.0.0.1:1.\nOptional[a.b.SomeException: It could not.]\n")
    assert logs.last_error(folders) == ("It could not", folders.console)
    folders.log.write_text(
        "2026-01-01 10:00:00.000+0000 INFO  Starting...\n"
        "2026-01-01 10:00:01.000+0000 ERROR Failed to start Neo4j.\n"
        "Caused by: java.lang.RuntimeException: Component failed\n\tat org.neo4j.X\n"
        "Caused by: io.netty.Errors$NativeIoException: bind(..) failed: Address already in use\n\t... 11 more\n"
        "2026-01-01 10:00:02.000+0000 INFO  Stopped.\n"
    )
    cause, file = logs.last_error(folders)
    assert cause.endswith("bind(..) failed: Address already in use")
    assert file == folders.log
    assert logs.port_was_taken(folders)


def test_a_password_is_made_once_and_an_empty_one_refused(tmp_path: Path) -> None:
    file = tmp_path / "password"
    assert read_or_create_password(file) == read_or_create_password(file)
    file.write_text("")
    with pytest.raises(LocalNeo4jError, match="is empty"):
        read_or_create_password(file)


def test_the_class_path_survives_spaces_and_quotes(tmp_path: Path) -> None:
    folders = Neo4jFolders(jars=tmp_path, server=tmp_path)
    folders.settings.mkdir()
    arguments = command(folders, DEFAULT_VERSION, [Path('a "b" c.jar'), Path("d\\e.jar")], "1g")
    assert f"@{folders.settings / 'java.args'}" in arguments
    assert (folders.settings / "java.args").read_text() == f'-cp "a \\"b\\" c.jar{os.pathsep}d\\\\e.jar"\n'


def test_stopping_what_never_ran_leaves_no_trace(tmp_path: Path) -> None:
    assert stop_neo4j(tmp_path) is False
    assert neo4j_status(tmp_path).state == "stopped"
    assert neo4j_logs(tmp_path) == []
    assert list(tmp_path.iterdir()) == []
