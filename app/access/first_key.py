"""The first key of a public server that nobody can create a key for by hand, such as one in a container."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from filigraph.app.atomic import replace_text
from filigraph.app.home import guard_writes
from filigraph.graph.errors import UnavailableError

if TYPE_CHECKING:
    from filigraph.app.access.keys import Keys
    from filigraph.graph.store import AccessKey

RETRY_SECONDS = 1.0  # seconds between two tries


def have_first_key(keys: Keys, file: Path, say: Callable[[str], None]) -> None:
    """If there is no key yet, create the admin key `admin` and write it into the file. If there are keys, create none:
    starting a server on somebody else's Neo4j must not give a key to it.
    """
    if _wait_for_keys(keys, say):
        if not file.exists():
            say(
                f"This Neo4j has keys already, so none was written to {file}: sign in with one of them. Where all are "
                "lost, `filigraph keys create NAME --scope admin` on this machine, or in this container, makes another."
            )
        return
    _, secret = keys.create("admin", "admin", "")
    with guard_writes(file):
        replace_text(file, secret + "\n")
    say(f"The first key, admin, is in {file}: the page asks for it. Make keys for people with it, and keep it safe.")


def _wait_for_keys(keys: Keys, say: Callable[[str], None]) -> Sequence[AccessKey]:
    """The existing keys, as soon as Neo4j answers, however long that takes; says once what it waits for."""
    reported = ""
    while True:
        try:
            return keys.all()
        except UnavailableError as error:
            if error.cause != reported:
                reported = error.cause
                say(f"Waiting for Neo4j: {reported}")
            time.sleep(RETRY_SECONDS)
