"""REST client of the Python client and the command line; maps error responses to the classes of graph/errors.py."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any, BinaryIO, NoReturn
from urllib.parse import urlsplit

import httpx

from filigraph.app.home import OWNER_HEADER
from filigraph.app.settings import is_loopback
from filigraph.app.version import installed_version, is_version
from filigraph.graph import errors
from filigraph.graph.text.lines import lines_of

TIMEOUT = httpx.Timeout(30.0, read=120.0, write=None)  # seconds; a stream sends "alive" every 10
# A server closes a connection on which nothing came for five seconds. A request must not meet that end.
LIMITS = httpx.Limits(keepalive_expiry=2.0)
# A server answers at once, unless its machine pauses; even then its system accepts connections.
HEALTH = httpx.Timeout(60.0, connect=5.0)
LONG = httpx.Timeout(30.0, read=None)  # requests without a stream, which may have to load a model

PIECE_BYTES = 1 << 18  # bytes

JSON = dict[str, Any]


CLASSES: Mapping[str, type[errors.FiligraphError]] = {
    cls.code: cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.FiligraphError)
}


class Client:
    """HTTP client for one server. Methods raise the server's errors, and ServerUnavailable if it cannot be reached."""

    def __init__(
        self, url: str, *, key: str = "", owner: str = "", transport: httpx.BaseTransport | None = None
    ) -> None:
        self.url = url.rstrip("/")
        self._view: dict[str, str] = {}
        # proxies from the environment do not apply to loopback addresses
        proxies = not is_loopback(urlsplit(url).hostname or "")
        try:
            self._http = httpx.Client(
                base_url=self.url,
                timeout=TIMEOUT,
                limits=LIMITS,
                trust_env=proxies,
                transport=transport,
                headers={
                    **({"authorization": f"Bearer {key}"} if key else {}),
                    **({OWNER_HEADER: owner} if owner else {}),
                },
            )
        except UnicodeEncodeError:
            raise errors.InputError(
                "FILIGRAPH_KEY is not a key.", cure="Set it to the key as `keys create` printed it."
            ) from None

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def health(self) -> JSON:
        """The health of a server of any version. Raises ServerUnavailable if it is not a Filigraph server."""
        with self._mapped():
            try:
                response = self._http.get("/v1/health", timeout=HEALTH)
            except httpx.RemoteProtocolError:  # a kept connection that the server has just closed
                response = self._http.get("/v1/health", timeout=HEALTH)
        data = _json(response)
        if response.status_code != 200 or not is_version(str(data.get("version", ""))) or "live" not in data:
            raise errors.ServerUnavailable(
                f"The program at {self.url} is not a Filigraph server.", cure="Correct FILIGRAPH_URL, or unset it."
            )
        return data

    def check_version(self) -> JSON:
        """The server's health. Raises ServerUnavailable if its version differs from the installed one."""
        health = self.health()
        installed, running = installed_version(), health["version"]
        if installed != running:
            raise errors.ServerUnavailable(
                f"The server at {self.url} is version {running}, this command is version {installed}.",
                cure="Stop it with `filigraph down` and run the command again, or install the server's version here.",
            )
        return health

    def within(self, view: Mapping[str, Any]) -> Client:
        """The same, which reads of workspaces what is visible in a view alone (`get`); on the same connections."""
        client = copy(self)
        client._view = {"view": json.dumps(dict(view), ensure_ascii=False)} if view else {}
        return client

    @property
    def view(self) -> JSON | None:
        """The view that is read; None for whole workspaces."""
        return json.loads(self._view["view"]) if self._view else None

    def get(self, path: str, **params: Any) -> JSON:
        with self._mapped():
            url = httpx.URL(path).copy_merge_params({**params, **self._view})
        return _checked(self._send("GET", url))

    def post(self, path: str, body: JSON) -> JSON:
        return _checked(self._send("POST", path, json=body))

    def text(self, path: str) -> str:
        """GET a response as text."""
        response = self._send("GET", path)
        _checked(response)
        return response.text

    def upload(self, path: str, **form: Any) -> JSON:
        """POST a multipart form."""
        return _checked(self._send("POST", path, **form))

    def put(self, path: str, body: JSON) -> JSON:
        return _checked(self._send("PUT", path, json=body))

    def delete(self, path: str, body: JSON | None = None) -> JSON:
        return _checked(self._send("DELETE", path, json=body))

    def _send(self, method: str, path: httpx.URL | str, **request: Any) -> httpx.Response:
        with self._mapped():
            return self._http.request(method, path, timeout=LONG, **request)

    def stream(self, path: str, *, method: str = "POST", **request: Any) -> Iterator[JSON]:
        """Yield the events of a streamed response except "alive". Raises the error of an "error" event."""
        with self._mapped(), self._http.stream(method, path, **request) as response:
            if response.status_code != 200:
                response.read()
                _refuse(response)
            for line in lines_of(response.iter_bytes()):
                event = json.loads(line)
                if event["event"] == "error":
                    raise error_of(event["error"])
                if event["event"] != "alive":
                    yield event

    @contextmanager
    def download(self, path: str) -> Iterator[httpx.Response]:
        """GET a file as a streamed response."""
        with self._mapped():
            url = httpx.URL(path).copy_merge_params(self._view)
        with self._mapped(), self._http.stream("GET", url, timeout=LONG) as response:
            if response.status_code != 200:
                response.read()
                _refuse(response)
            yield response

    def save(self, path: str, file: BinaryIO) -> JSON:
        """Write an export to a file. Raises ServerUnavailable if its sha256 differs from the ETag."""
        digest, size = hashlib.sha256(), 0
        with self.download(path) as response:
            for piece in response.iter_bytes(PIECE_BYTES):
                digest.update(piece)
                size += len(piece)
                file.write(piece)
            promised = response.headers.get("etag", "").strip('"')
        if promised and promised != digest.hexdigest():
            cause = "The export is damaged: its sha256 is not the one that the server sent."
            raise errors.ServerUnavailable(cause, cure="Export again.")
        return {"sha256": digest.hexdigest(), "bytes": size}

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        """Map httpx errors to ServerUnavailable."""
        try:
            yield
        except httpx.ConnectError as error:
            raise errors.ServerUnavailable(
                f"No Filigraph server answers at {self.url}.",
                cure="Start one with `filigraph up`, or correct FILIGRAPH_URL.",
            ) from error
        except httpx.TimeoutException as error:
            raise errors.ServerUnavailable(
                f"The server at {self.url} does not answer in time.",
                cure="Read its log, or stop it with `filigraph down`.",
            ) from error
        except httpx.InvalidURL as error:
            raise errors.InputError(f"The request cannot be sent: {error}.", cure="Give a shorter text.") from error
        except UnicodeEncodeError as error:
            raise not_utf8(error) from error
        except (httpx.HTTPError, ValueError) as error:
            raise errors.ServerUnavailable(
                f"The server at {self.url} stopped in mid-answer.", cure="Run the command again: what was read is kept."
            ) from error


def not_utf8(error: UnicodeEncodeError) -> errors.InputError:
    """What to tell of a text with bytes that are not UTF-8, which Python keeps as halves of characters."""
    excerpt = error.object[max(0, error.start - 40) : error.end + 40]
    return errors.InputError(f"{excerpt!a} is not UTF-8.", cure="Encode it in UTF-8.")


@contextmanager
def written_to(output: Path) -> Iterator[BinaryIO]:
    """Write to a `.part` file and rename it on success, so that no incomplete file appears; links, pipes and devices
    (/dev/stdout) are written to, not replaced. Raises InputError."""
    special = output.is_symlink() or (output.exists() and not output.is_file() and not output.is_dir())
    part = output.with_name(f"{output.name}.part")
    try:
        with (output if special else part).open("wb") as file:
            yield file
        if not special:
            part.replace(output)
    except OSError as error:
        cause = f"{output} cannot be written ({error.strerror or error})."
        raise errors.InputError(cause, cure="Check the path.") from error
    finally:
        if not special:
            part.unlink(missing_ok=True)


def error_of(detail: Mapping[str, str]) -> errors.FiligraphError:
    """The error of a response's envelope."""
    cls = CLASSES.get(detail["code"], errors.FiligraphError)
    error = cls(detail["cause"], cure=detail["cure"])
    error.code = detail["code"]  # codes of the HTTP layer, such as too_large, have no class
    return error


def _checked(response: httpx.Response) -> JSON:
    if not response.is_success:
        _refuse(response)
    return _json(response)


def _refuse(response: httpx.Response) -> NoReturn:
    detail = _json(response).get("error")
    if isinstance(detail, dict) and {"code", "cause", "cure"} <= detail.keys():
        raise error_of(detail)
    raise errors.ServerUnavailable(
        f"The server answered {response.status_code} without saying why.", cure="Check that FILIGRAPH_URL is right."
    )


def _json(response: httpx.Response) -> JSON:
    try:
        data = response.json()
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}
