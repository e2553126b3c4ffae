"""Load made files, and look at their places."""

from __future__ import annotations

import io
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
