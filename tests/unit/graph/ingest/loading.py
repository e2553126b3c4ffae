"""Load files made by a test, and look at their places."""

from __future__ import annotations

import io
import struct
import zipfile

from reportlab.pdfgen.canvas import Canvas

from filigraph.graph.ingest.load import load
from filigraph.graph.model.documents import LoadedDocument, Source


def read(content: bytes | str, name: str = "a.txt", media_type: str = "", **metadata: str) -> LoadedDocument:
    data = content.encode() if isinstance(content, str) else content
    return load(Source(name=name, content=data, media_type=media_type, metadata=metadata))


def places(document: LoadedDocument) -> list[tuple[str, str]]:
    """Each place's label with the first line that stands there."""
    return [(place.label, document.text[place.start :].lstrip().split("\n")[0]) for place in document.places]


def archive(members: dict[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return target.getvalue()


def pdf(pages: list[str], title: str = "") -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target)
    canvas.setTitle(title)
    for page in pages:
        canvas.drawString(72, 720, page)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def compound_file(streams: list[tuple[str, bytes]], storage: str, inside: list[tuple[str, bytes]]) -> bytes:
    """All streams are short, so they stand in the root's stream, in sectors of 64 bytes."""
    mini, mini_fat, starts = b"", [], []
    for _, data in [*streams, *inside]:
        count = max(1, -(-len(data) // 64))
        starts.append(len(mini_fat))
        mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + count), 0xFFFFFFFE]
        mini += data.ljust(count * 64, b"\0")
    mini = mini.ljust(-(-len(mini) // 512) * 512, b"\0")

    def entry(name: str, kind: int, child: int, right: int, start: int, size: int) -> bytes:
        encoded = name.encode("utf-16-le")
        head = encoded.ljust(64, b"\0") + struct.pack("<HBB3I", len(encoded) + 2, kind, 1, 0xFFFFFFFF, right, child)
        return head + bytes(36) + struct.pack("<IQ", start, size)

    none, first = 0xFFFFFFFF, 2 + len(streams)
    entries = [entry("Root Entry", 5, 1, none, 3, len(mini)), entry(storage, 1, first, 2, 0, 0)]
    for n, (name, data) in enumerate([*streams, *inside]):
        last = n in (len(streams) - 1, len(streams) + len(inside) - 1)
        entries.append(entry(name, 2, none, none if last else n + 3, starts[n], len(data)))
    directory = b"".join(entries).ljust(2048, b"\0")
    # Sectors: 0 this table; 1, 4, 5, 6 the directory; 2 the table of the small ones; 3, 7, 8, ... the root's stream.
    table = [0xFFFFFFFD, 4, 0xFFFFFFFE, 7, 5, 6, 0xFFFFFFFE]
    table += [*range(8, 7 + len(mini) // 512 - 1), 0xFFFFFFFE]
    parts = [directory[512 * n : 512 * n + 512] for n in range(4)]
    pieces = [mini[512 * n : 512 * n + 512] for n in range(len(mini) // 512)]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<5H", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<9I", 0, 1, 1, 0, 4096, 2, 1, 0xFFFFFFFE, 0) + struct.pack("<I", 0)
    sectors = [
        struct.pack(f"<{len(table)}I", *table).ljust(512, b"\xff"),
        parts[0],
        struct.pack(f"<{len(mini_fat)}I", *mini_fat).ljust(512, b"\xff"),
        pieces[0],
        *parts[1:],
        *pieces[1:],
    ]
    return header.ljust(512, b"\xff") + b"".join(sectors)
