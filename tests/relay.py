"""A relay before Neo4j that a test stops and starts: its clients see Neo4j fail and come back."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from filigraph.app.neo4j import Neo4jAddress
from tests.ports import held_port


class Relay:
    """Passes bytes on between a port of its own and Neo4j, while it is open."""

    def __init__(self, address: Neo4jAddress, port: int) -> None:
        parts = urlsplit(address.uri)
        self._target = (parts.hostname or "", parts.port or 0)
        self._port = port
        self.uri = f"bolt://127.0.0.1:{port}"
        self._server: socketserver.ThreadingTCPServer | None = None
        self._is_open = False
        self._ends: set[socket.socket] = set()  # of connections that are open
        self._lock = threading.Lock()  # of the two fields above

    def open(self) -> None:
        """Neo4j answers from now on."""
        relay = self

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True

        class Passing(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with socket.create_connection(relay._target) as there:
                    if not relay._let_in(self.request, there):
                        return
                    back = threading.Thread(target=_copy, args=(there, self.request))
                    back.start()
                    _copy(self.request, there)
                    back.join()

        self._is_open = True
        self._server = Server(("127.0.0.1", self._port), Passing)
        threading.Thread(target=self._server.serve_forever, args=(0.01,)).start()

    def shut(self) -> None:
        """Neo4j is gone; so are the connections to it."""
        if self._server is None:
            return
        self._server.shutdown()
        with self._lock:
            self._is_open = False
            ends, self._ends = self._ends, set()
        for end in ends:
            _hang_up(end)
        self._server.server_close()  # waits for its threads
        self._server = None

    def _let_in(self, *ends: socket.socket) -> bool:
        """Keep the ends of a connection, to hang up; False for one that came when the door was being shut."""
        with self._lock:
            if self._is_open:
                self._ends |= set(ends)
            return self._is_open


@contextmanager
def relay_to(address: Neo4jAddress) -> Iterator[Relay]:
    """One that is shut at first."""
    with held_port() as port:
        relay = Relay(address, port)
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
