"""OCR of pictures of text by the program tesseract, where it is installed.

It is asked through its command line: nothing of it is a dependency. A picture goes in and its text comes out by pipes,
so that no file is written. It gets one thread: pages are read one after the other, beside other work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, clean

LANGUAGES = "eng+fra"  # as tesseract names them
CURE = "Install tesseract with the languages of the text, or run OCR over it first (ocrmypdf)."
BY_OCR = "read by OCR"  # in a warning: all of it was read, letters may be wrong
TIMEOUT = 120  # seconds for one page


def installed_languages() -> tuple[str, ...]:
    """The languages that tesseract has here; () where it is not installed."""
    if shutil.which("tesseract") is None:
        return ()
    listing = _tesseract(["--list-langs"], b"").decode("utf-8", "replace").splitlines()
    return tuple(name for line in listing[1:] if (name := line.strip()) and name != "osd")


def usable(wanted: str, installed: Sequence[str]) -> str:
    """Those of the `wanted` languages ("eng+fra") that are installed, in that form; "" if none is."""
    return "+".join(name for name in wanted.split("+") if name in installed)


def text_of_picture(picture: bytes, languages: str) -> str:
    """The text of a PNG, JPEG, TIFF or PNM. Raises UnreadableDocument where tesseract fails."""
    return clean(_tesseract(["stdin", "stdout", "-l", languages], picture).decode("utf-8", "replace")).strip()


def read_picture(content: bytes, what: str, languages: str) -> Content:
    """A picture of text as a document. Raises UnreadableDocument where nothing reads it."""
    usable_languages = usable(languages, installed_languages())
    if not usable_languages:
        raise UnreadableDocument(f"The file is {what}, and no OCR for {languages} is installed.", cure=CURE)
    try:
        text = text_of_picture(content, usable_languages)
    except UnreadableDocument as error:
        raise UnreadableDocument(f"The file is {what}. {error.cause}", cure=error.cure) from error
    if not text:
        raise UnreadableDocument(f"The file is {what}, and OCR finds no text in it.", cure="Send a sharper scan.")
    return Content(text=text, warnings=(f"{BY_OCR} ({usable_languages}): letters may be wrong",))


def _tesseract(arguments: Sequence[str], content: bytes) -> bytes:
    try:
        done = subprocess.run(
            ["tesseract", *arguments],
            input=content,
            capture_output=True,
            check=False,
            timeout=TIMEOUT,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableDocument(f"OCR took more than {TIMEOUT} s over a page.", cure="Send a smaller scan.") from error
    except OSError as error:
        raise UnreadableDocument(f"tesseract cannot be run: {error}.", cure=CURE) from error
    if done.returncode:
        message = " ".join(done.stderr.decode("utf-8", "replace").split())[-200:].rstrip(".")
        raise UnreadableDocument(f"OCR failed: {message}.", cure="The picture may be damaged: save it again as PNG.")
    return done.stdout
