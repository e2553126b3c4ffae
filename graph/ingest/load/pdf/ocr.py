"""OCR of pictures of text with the program tesseract, if it is installed.

It runs through its command line, so it is not a dependency. Pictures and texts go through pipes, without files. It gets
one thread: pages are read one after the other, beside other work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, clean

LANGUAGES = "eng+fra"  # in tesseract's form
CURE = "Install tesseract with the languages of the text, or run OCR over it first (ocrmypdf)."
BY_OCR = "read by OCR"  # in a warning: all was read, letters may be wrong
TIMEOUT = 120  # seconds for one page


def installed_languages() -> tuple[str, ...]:
    """The languages of the installed tesseract; () if it is not installed."""
    if shutil.which("tesseract") is None:
        return ()
    listing = _tesseract(["--list-langs"], b"").decode("utf-8", "replace").splitlines()
    return tuple(name for line in listing[1:] if (name := line.strip()) and name != "osd")


def known_languages(wanted: str, installed: Sequence[str]) -> str:
    """The installed languages among the `wanted` ("eng+fra"), in the same form; "" if there are none."""
    return "+".join(name for name in wanted.split("+") if name in installed)


def text_of_picture(picture: bytes, languages: str) -> str:
    """The text in a PNG, JPEG, TIFF or PNM. Raises UnreadableDocument if tesseract fails."""
    return clean(_tesseract(["stdin", "stdout", "-l", languages], picture).decode("utf-8", "replace")).strip()


def read_picture(content: bytes, what: str, languages: str) -> Content:
    """A picture of text as a document. Raises UnreadableDocument if OCR is not available."""
    usable_languages = known_languages(languages, installed_languages())
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
