"""The settings file, for every command and every start of the server: `filigraph config`.

It is a JSON object, name -> value as in the environment, in the data folder, readable only by its owner, because it may
contain keys and passwords. The environment overrides the file, even with an empty value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from filigraph.app.atomic import replace_text
from filigraph.graph.errors import InputError

HOME = "FILIGRAPH_HOME"
FILE = "settings.json"


def settings_file() -> Path:
    """The settings file: in the data folder of FILIGRAPH_HOME, else of the user."""
    if home := os.environ.get(HOME):
        return Path(home).expanduser().resolve() / "data" / FILE
    import platformdirs

    return Path(platformdirs.user_data_dir("filigraph")) / FILE


def read_settings() -> dict[str, str]:
    """The stored settings; empty if there is no file. Raises InputError if it is unreadable."""
    file = settings_file()
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{file} cannot be read ({error}).", cure="Fix or delete it.") from error
    if not isinstance(stored, dict) or not all(isinstance(value, str) for value in stored.values()):
        raise InputError(f"{file} must be a JSON object with string values.", cure="Fix or delete it.")
    return stored


def write_settings(stored: Mapping[str, str]) -> None:
    """Replace the stored settings; a reader, or a crash, sees the old file or the new one, never with wider
    permissions.
    """
    file = settings_file()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_text(file, json.dumps(dict(sorted(stored.items())), ensure_ascii=False, indent=2) + "\n")
    except OSError as error:
        raise InputError(
            f"{file} cannot be written ({error.strerror or error}).",
            cure=f"Fix its permissions or disk, or set {HOME}.",
        ) from error
