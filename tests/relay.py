"""A door in front of Neo4j that a test shuts and opens: whoever goes through it sees Neo4j gone, and back again."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from filigraph.app.neo4j import Neo4jAddress


class Relay:
    """Passes bytes on between a port of its own and Neo4j, while it is open."""

    def __init__(self, address: Neo4jAddress) -> None:
        parts = urlsplit(address.uri)
        self._target = (parts.hostname or "", parts.port or 0)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = int(free.getsockname()[1])
        self.uri = f"bolt://127.0.0.1:{self._port}"
        self._server: socketserver.ThreadingTCPServer | None = None
        self._ends: set[socket.socket] = set()  # of connections that are open

    def open(self) -> None:
        """Neo4j answers from now on."""
        relay = self

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True

        class Passing(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with socket.create_connection(relay._target) as there:
                    relay._ends |= {self.request, there}
                    back = threading.Thread(target=_copy, args=(there, self.request))
                    back.start()
                    _copy(self.request, there)
                    back.join()

        self._server = Server(("127.0.0.1", self._port), Passing)
        threading.Thread(target=self._server.serve_forever, args=(0.01,)).start()

    def shut(self) -> None:
        """Neo4j is gone; so are the connections to it."""
        if self._server is None:
            return
        self._server.shutdown()
        for end in self._ends:
            _hang_up(end)
        self._ends = set()
        self._server.server_close()  # waits for its threads
        self._server = None


@contextmanager
def relay_to(address: Neo4jAddress) -> Iterator[Relay]:
    """One that is shut at first."""
    relay = Relay(address)
    try:
        yield relay
    finally:
        relay.shut()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        _hang_up(end)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
