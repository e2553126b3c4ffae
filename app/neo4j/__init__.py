"""The Neo4j that Filigraph brings and runs itself: without Java, Docker or an account, and without installing anything
by hand.

    address = start_neo4j()          # downloads once, starts or adopts, returns the address
    neo4j_status().state             # "running", "starting" or "stopped"
    stop_neo4j()

The server is a detached process, on loopback only, with its data in the user's data folder. It outlives the program
that started it, and several programs may share it.

    lock.py       the jars of one version        download.py   downloads them, verified, to the user's cache
    folders.py    all folders                launch.py     the settings and the command line of the JVM
    process.py    finding and ending our process    login.py      the password, and the first login
    server.py     start, stop, status: the whole run    logs.py       its logs, and why it ended
    relock.py     makes the lock of a new version
"""

from filigraph.app.neo4j.lock import DEFAULT_VERSION, locked_versions
from filigraph.app.neo4j.server import (
    Neo4jAddress,
    Neo4jStatus,
    neo4j_logs,
    neo4j_status,
    start_neo4j,
    stop_neo4j,
)

__all__ = [
    "DEFAULT_VERSION",
    "Neo4jAddress",
    "Neo4jStatus",
    "locked_versions",
    "neo4j_logs",
    "neo4j_status",
    "start_neo4j",
    "stop_neo4j",
]
