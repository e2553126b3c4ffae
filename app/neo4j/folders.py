"""The folders of the local Neo4j: jars in the user's cache, one data folder per line of Neo4j in the user's data."""

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from filigraph.app.atomic import replace_text
from filigraph.graph.errors import LocalNeo4jError

HOME_VARIABLE = "FILIGRAPH_HOME"
NEEDED = 200_000_000  # bytes free before a start: on a full disk Neo4j retries its writes forever and does not answer
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


@dataclass(frozen=True, kw_only=True)
class Neo4jFolders:
    """The folders of one Filigraph home and one version of Neo4j."""

    jars: Path  # shared by all versions: laid out like a Maven repository
    server: Path  # the server's own: data, logs, settings, password

    @property
    def archives(self) -> Path:
        """Java's classes, ready to use (`class_archive.py`)."""
        return self.jars / "archives"

    @property
    def password(self) -> Path:
        """The password, readable only by its owner."""
        return self.server / "password"

    @property
    def record(self) -> Path:
        """The file that records the process and its ports; it stays after the end, so that the ports stay the same."""
        return self.server / "server.json"

    @property
    def start_lock(self) -> Path:
        """Held while a server is being started or stopped."""
        return self.server / "start.lock"

    @property
    def settings(self) -> Path:
        """The folder of neo4j.conf."""
        return self.server / "conf"

    @property
    def console(self) -> Path:
        """The output of the JVM itself, before and after Neo4j's own log."""
        return self.server / "logs" / "console.log"

    @property
    def log(self) -> Path:
        """Neo4j's own log."""
        return self.server / "logs" / "neo4j.log"

    @property
    def debug(self) -> Path:
        """Neo4j's debug log, the only one that says why a database was not opened."""
        return self.server / "logs" / "debug.log"


def line_of(version: str) -> str:
    """The line a version belongs to: within a line ("2026", "5.26") a newer Neo4j opens the older one's data, and a
    newer line gets a copy of them (`upgrade.py`)."""
    year_or_major, minor = version.split(".")[:2]
    return year_or_major if len(year_or_major) == 4 else f"{year_or_major}.{minor}"


def folders_of(version: str, home: Path | None = None) -> Neo4jFolders:
    """The folders of `home`, else of FILIGRAPH_HOME, else of the user."""
    home = home or (Path(os.environ[HOME_VARIABLE]) if os.environ.get(HOME_VARIABLE) else None)
    if home is None:
        import platformdirs

        cache, data = Path(platformdirs.user_cache_dir("filigraph")), Path(platformdirs.user_data_dir("filigraph"))
    else:
        home = home.expanduser().resolve()
        cache, data = home / "cache", home / "data"
    return Neo4jFolders(jars=cache / "neo4j" / "jars", server=(data / "neo4j" / line_of(version)).resolve())


def make_folder(folder: Path) -> None:
    """Create a folder with all its parents, accessible only to its owner."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error


def check_space(folder: Path) -> None:
    """Raise if the disk is so full that a server would hang instead of starting."""
    free = shutil.disk_usage(folder).free
    if free < NEEDED:
        raise LocalNeo4jError(
            f"The disk of {folder} has {free / 1e6:.0f} MB left; Neo4j needs {NEEDED / 1e6:.0f} to start.",
            cure=f"Free some space, or set {HOME_VARIABLE} to a folder on another disk.",
        )


def write_atomically(file: Path, text: str) -> None:
    """As `replace_text`. Raises LocalNeo4jError."""
    try:
        replace_text(file, text, 0o600)
    except OSError as error:
        raise cannot_write(file, error) from error


def cannot_write(path: Path, error: OSError) -> LocalNeo4jError:
    """The error for a failed write: its path, and what to do."""
    elsewhere = f"set {HOME_VARIABLE} to a folder on another disk"
    if error.errno in FULL:
        return LocalNeo4jError(f"The disk is full: {path} cannot be written.", cure=f"Free some space, or {elsewhere}.")
    if error.errno in FORBIDDEN:
        return LocalNeo4jError(
            f"{path} is not writable ({error.strerror}).", cure=f"Change its permissions, or {elsewhere}."
        )
    return LocalNeo4jError(
        f"{path} cannot be written ({error.strerror or error}).", cure=f"Fix its disk or path, or {elsewhere}."
    )
