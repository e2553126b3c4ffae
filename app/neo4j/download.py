"""Downloads the jars of a lock to the user's cache: concurrently, verified, and resumed after an interruption."""

import hashlib
import os
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from filigraph.app.neo4j.folders import cannot_write, make_folder
from filigraph.app.neo4j.lock import Jar
from filigraph.graph.errors import LocalNeo4jError

if TYPE_CHECKING:
    import httpx

PARALLEL = 16
ATTEMPTS = 4  # for one jar; each resumes where the one before was interrupted
RETRY_SECONDS = 0.5  # seconds before the second attempt; doubled each time
MIRROR_VARIABLE = "FILIGRAPH_MAVEN_URL"

Advance = Callable[[int], None]  # bytes gained, or lost (negative) when a jar restarts


class _RetryError(Exception):
    """This attempt failed, but the next one may succeed; the text gives the reason."""


def missing_jars(jars: Sequence[Jar], folder: Path) -> list[Jar]:
    """The jars that are not here, by their size alone: they were verified when they were stored."""
    return [jar for jar in jars if _size(folder / jar.path) != jar.size]


def remove_damaged(jars: Sequence[Jar], folder: Path) -> list[Jar]:
    """Read every jar again, remove those whose content differs from the lock, and return them."""
    damaged = [jar for jar in jars if _size(folder / jar.path) != jar.size or _sha256(folder / jar.path) != jar.sha256]
    for jar in damaged:
        (folder / jar.path).unlink(missing_ok=True)
    return damaged


def fetch_jars(jars: Sequence[Jar], folder: Path, *, address: str | None = None, progress: bool = True) -> list[Path]:
    """Download the missing jars to `folder` and return the paths of all, in order.

    `address` is the root of a Maven repository: by default FILIGRAPH_MAVEN_URL, else the one that jgo knows.
    If all jars are here, it uses no network, and the folder need not be writable.
    """
    if missing_jars(jars, folder):
        from filelock import FileLock

        make_folder(folder)
        try:
            with FileLock(folder / ".lock"):  # two starts at once: the second finds the work done
                _fetch(missing_jars(jars, folder), folder, address or repository(), progress)
        except OSError as error:
            raise cannot_write(folder, error) from error
    return [folder / jar.path for jar in jars]


def repository() -> str:
    """The root of the Maven repository to download from."""
    if mirror := os.environ.get(MIRROR_VARIABLE):
        return mirror
    import jgo.constants

    return jgo.constants.MAVEN_CENTRAL_URL


def _fetch(jars: Sequence[Jar], folder: Path, address: str, progress: bool) -> None:
    """Download the jars; the first failure stops the rest."""
    import httpx
    import truststore

    stop = threading.Event()
    limits = httpx.Limits(max_connections=PARALLEL)
    timeout = httpx.Timeout(30, connect=10)
    trusted = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # what this machine trusts: a company's proxy, too
    with (
        httpx.Client(base_url=address, follow_redirects=True, limits=limits, timeout=timeout, verify=trusted) as client,
        _progress(jars, progress) as advance,
        ThreadPoolExecutor(PARALLEL, thread_name_prefix="jar") as pool,
    ):
        try:
            largest_first = sorted(jars, key=lambda jar: -jar.size)
            for done in as_completed(
                [pool.submit(_fetch_jar, client, jar, folder, advance, stop) for jar in largest_first]
            ):
                done.result()
        except BaseException:  # also Ctrl-C: no thread may go on after this call
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _fetch_jar(client: "httpx.Client", jar: Jar, folder: Path, advance: Advance, stop: threading.Event) -> None:
    """Download one jar beside its place, verify it, and move it there in one step."""
    target = folder / jar.path
    part = target.with_name(target.name + ".part")
    make_folder(target.parent)
    reason = ""
    for attempt in range(ATTEMPTS):
        if attempt and stop.wait(RETRY_SECONDS * 2 ** (attempt - 1)):
            return
        try:
            if _transfer(client, jar, part, advance, stop):
                part.replace(target)
            return
        except _RetryError as retry:
            reason = str(retry)
        except OSError as error:
            raise cannot_write(part, error) from error
    raise LocalNeo4jError(
        f"Neo4j cannot be downloaded: {jar.path.rpartition('/')[2]}: {reason}.",
        cure="Check the network and its proxy, then run the command again, which continues the download; "
        f"{MIRROR_VARIABLE} names a mirror; NEO4J_URI a Neo4j of your own.",
    )


def _transfer(client: "httpx.Client", jar: Jar, part: Path, advance: Advance, stop: threading.Event) -> bool:
    """Complete `part` and verify it; False if stopped."""
    import httpx

    digest, have = _partial_download(part, jar)
    advance(have)
    try:
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        with client.stream("GET", jar.path, headers=headers) as response:
            if have and response.status_code != httpx.codes.PARTIAL_CONTENT:
                advance(-have)  # the repository does not continue files, or answers with an error
                digest, have = hashlib.sha256(), 0
            _check_status(response)
            with part.open("ab" if have else "wb") as stream:
                for block in response.iter_raw():
                    if stop.is_set():
                        return False
                    stream.write(block)
                    digest.update(block)
                    have += len(block)
                    advance(len(block))
    except httpx.HTTPError as error:
        advance(-have)
        raise _RetryError(_network_error_text(error)) from error
    if have < jar.size:
        advance(-have)
        raise _RetryError(f"the connection ended after {have} of {jar.size} bytes")
    if digest.hexdigest() != jar.sha256:
        advance(-have)
        part.unlink(missing_ok=True)
        raise _RetryError("the file has another sha256 than the release that we tested")
    return True


def _partial_download(part: Path, jar: Jar) -> tuple["hashlib._Hash", int]:
    """The digest and the length of what an earlier attempt left; empty if that cannot be the beginning of the jar."""
    digest, have = hashlib.sha256(), _size(part)
    if not 0 < have < jar.size:
        return digest, 0
    with part.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest, have


def _check_status(response: "httpx.Response") -> None:
    """Raise if the status is not a success: _RetryError if the next attempt may succeed, else LocalNeo4jError."""
    if response.is_success:
        return
    reason = f"{response.url.host} answers {response.status_code} {response.reason_phrase}"
    if response.is_server_error or response.status_code == 429:
        raise _RetryError(reason)
    raise LocalNeo4jError(
        f"Neo4j cannot be downloaded: {response.url.path.rpartition('/')[2]}: {reason}.",
        cure=f"If {MIRROR_VARIABLE} is set, check that it is the root of a Maven repository; else try again later.",
    )


def _network_error_text(error: "httpx.HTTPError") -> str:
    """A network failure in words, with its host."""
    import httpx

    host = error.request.url.host
    if isinstance(error, httpx.TimeoutException):
        return f"{host} does not answer in time"
    if isinstance(error, (httpx.ConnectError, httpx.ProxyError)):
        return f"{host} cannot be reached ({error})"
    return f"the connection to {host} broke ({error})"


def _size(file: Path) -> int:
    """The length of a file, -1 when there is none."""
    try:
        return file.stat().st_size
    except OSError:
        return -1


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@contextmanager
def _progress(jars: Sequence[Jar], wanted: bool) -> Iterator[Advance]:
    """A bar on stderr, in bytes; one plain line where stderr is not a terminal."""
    if not wanted or not jars:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    console = Console(stderr=True)
    total = sum(jar.size for jar in jars)
    if not console.is_terminal:
        console.print(f"Downloading Neo4j, once: {len(jars)} files, {total / 1e6:.0f} MB")
        yield lambda _: None
        return
    columns = (TextColumn("Neo4j, once"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("Neo4j", total=total)
        yield lambda gained: bar.advance(task, gained)
