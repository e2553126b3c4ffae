"""Lines of a stream: JSON lines and server-sent events end at line feeds alone.

`str.splitlines`, and `iter_lines` of httpx with it, also cut at U+2028, U+0085 and others, which JSON allows in a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class LineReader:
    """Reads a stream of UTF-8 that comes in pieces."""

    def __init__(self) -> None:
        self._begun: list[bytes] = []  # of the line whose end has not come

    def read(self, piece: bytes) -> Iterator[str]:
        """The lines that end in the next piece."""
        *ended, rest = piece.split(b"\n")
        for part in ended:
            yield self._line(part)
        if rest:
            self._begun.append(rest)

    def end(self) -> Iterator[str]:
        """The last line, if no line feed ends it."""
        if self._begun:
            yield self._line(b"")

    def _line(self, part: bytes) -> str:
        line = b"".join([*self._begun, part])
        self._begun = []
        return line.removesuffix(b"\r").decode("utf-8", "replace")


def lines_of(pieces: Iterable[bytes]) -> Iterator[str]:
    """The lines of a whole stream."""
    reader = LineReader()
    for piece in pieces:
        yield from reader.read(piece)
    yield from reader.end()


def json_lines(text: str) -> list[str]:
    """The lines of a file of JSON lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
