"""Ports that remain reserved: the system gives a port that was only looked up to the next program that connects."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_port() -> Iterator[int]:
    """A port of loopback where nobody listens, unless a program that is told of it does."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers set it: theirs may then join
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])
