"""Makes the lock of one version of Neo4j: `python -m filigraph.app.neo4j.relock 2026.05.0` (about two minutes).

jgo resolves the coordinates as Maven would. Then it downloads each jar once, compares it with the checksum that the
repository publishes, and records its sha256. Test the resulting file before you commit it.
"""

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from filigraph.app.neo4j.download import PARALLEL, repository
from filigraph.app.neo4j.lock import Jar, Lock, write_lock

if TYPE_CHECKING:
    import httpx

BROWSER = "org.neo4j.client:neo4j-browser:5.24.0"


def resolve(version: str) -> list[tuple[str, str]]:
    """The coordinates and the repository path of each jar, in the order of the class path."""
    import jgo

    jars = []
    for artifact in jgo.resolve(f"org.neo4j:neo4j:{version}+{BROWSER}"):
        coordinates = [artifact.groupId, artifact.artifactId, artifact.version]
        coordinates += [artifact.classifier] if artifact.classifier else []
        folder = f"{artifact.groupId.replace('.', '/')}/{artifact.artifactId}/{artifact.version}"
        jars.append((":".join(coordinates), f"{folder}/{artifact.filename}"))
    return list(dict.fromkeys(jars))


def measure(client: "httpx.Client", coordinates: str, path: str) -> Jar:
    """Download one jar and return its entry; raises if its checksum is not the repository's."""
    content = client.get(path).raise_for_status().content
    published = client.get(f"{path}.sha1").raise_for_status().text.split()[0]
    # sha1 is the one checksum that is published for every jar; the lock itself holds the sha256.
    if hashlib.sha1(content, usedforsecurity=False).hexdigest() != published:
        raise SystemExit(f"{coordinates} is not what the repository says it is")
    return Jar(coordinates=coordinates, path=path, sha256=hashlib.sha256(content).hexdigest(), size=len(content))


def main(version: str) -> None:
    """Resolve, measure, write."""
    import httpx

    resolved = resolve(version)
    with (
        httpx.Client(base_url=repository(), follow_redirects=True, timeout=60) as client,
        ThreadPoolExecutor(PARALLEL) as pool,
    ):
        jars = tuple(pool.map(partial(measure, client), *zip(*resolved, strict=True)))
    lock = Lock(version=version, jars=jars)
    sys.stdout.write(f"{write_lock(lock)}: {len(jars)} jars, {lock.size / 1e6:.0f} MB\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
