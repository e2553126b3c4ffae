"""Copies the data of an older line of Neo4j: a newer Neo4j opens the copy, which older ones can then not open."""

import shutil

from filigraph.app.neo4j.folders import NEEDED, Neo4jFolders, cannot_write, line_of, write_atomically
from filigraph.app.neo4j.lock import VERSION_VARIABLE
from filigraph.app.neo4j.process import find_process
from filigraph.graph.errors import LocalNeo4jError

DATA = "data"


def upgrade_data(folders: Neo4jFolders, version: str) -> None:
    """Copy the newest older line's data if `folders` have none yet; the old folder does not change.

    An interrupted copy is made again. Raises LocalNeo4jError: the older Neo4j runs, or the disk has no room.
    """
    target = folders.server / DATA
    if target.exists():
        return
    beside = [folder for folder in folders.server.parent.iterdir() if (folder / DATA).is_dir()]
    older = [folder for folder in beside if _age(folder.name) < _age(line_of(version))]
    if not older:
        return
    source = max(older, key=lambda folder: _age(folder.name))
    theirs = Neo4jFolders(jars=folders.jars, server=source)
    if find_process(theirs) is not None:
        raise LocalNeo4jError(
            f"Neo4j {source.name} is running on the data that Neo4j {line_of(version)} has to copy.",
            cure=f"Stop it: `{VERSION_VARIABLE}={source.name}... filigraph down`, with the version that it was.",
        )
    size = sum(file.stat().st_size for file in (source / DATA).rglob("*") if file.is_file())
    free = shutil.disk_usage(folders.server).free
    if free < size + NEEDED:
        raise LocalNeo4jError(
            f"Neo4j {line_of(version)} needs a copy of {source / DATA}, {size / 1e6:.0f} MB; the disk has only "
            f"{free / 1e6:.0f} MB left.",
            cure=f"Free some space, or move {source} away to begin with an empty database.",
        )
    partial = folders.server / f"{DATA}.part"
    try:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(source / DATA, partial)
        # The login is part of the data. Until the data are in place, a retry repeats all of this.
        write_atomically(folders.password, theirs.password.read_text(encoding="utf-8"))
        partial.rename(target)
    except OSError as error:
        raise cannot_write(target, error) from error


def _age(line: str) -> tuple[int, ...]:
    """The sort key of a line: "5.26" is older than "2026"."""
    numbers = line.split(".")
    return tuple(map(int, numbers)) if all(map(str.isdigit, numbers)) else ()
