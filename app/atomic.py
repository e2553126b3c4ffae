"""Files that are replaced as a whole."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def replace_text(file: Path, text: str, mode: int = 0o600) -> None:
    """Replace a file as a whole: a reader, or a crash, sees the old text or the new one, never with wider permissions.
    Raises OSError; then only the old file remains.
    """
    partial = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        partial.unlink(missing_ok=True)  # left by a killed process: it may have wider permissions
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(file)
    except OSError:
        with suppress(OSError):
            partial.unlink()
        raise
