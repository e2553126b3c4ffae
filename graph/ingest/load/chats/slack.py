"""Exports of Slack: an archive with a folder per channel, which has a file per day, and a list of the users. A channel
becomes one chat; any other file is a document.

users.json  channels.json  harbour/2022-05-02.json  harbour/2022-05-03.json        harbour.json

In a folder that was unpacked from it each day is a file of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.chats.chats import USERS, user_name

_USERS = re.compile(r"(?:^|/)users\.json$")
_LISTED = frozenset(("users.json", "channels.json", "groups.json", "dms.json", "mpims.json"))
# Lists for programs, next to the chats.
_TECHNICAL = frozenset(
    (
        "integration_logs.json",
        "canvases.json",
        "canvas_in_the_conversation.json",
        "lists.json",
        "file_conversations.json",
    )
)
_DAY = re.compile(r"[^/]/\d{4}-\d\d-\d\d\.json$")


def with_channels(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The files of an archive; in an export, each channel is one file with all of its messages."""
    lists = [rows for name, content in files if _USERS.search(name) and (rows := _list(content))]
    users = _users(chain(*lists))
    days = {name: rows for name, content in files if _DAY.search(name) and (rows := _list(content)) is not None}
    if not days or not users:
        return [*files]
    channels: dict[PurePosixPath, list[Mapping[str, Any]]] = {}
    for name in sorted(days):
        channels.setdefault(PurePosixPath(name).parent, []).extend(days[name])
    chats = [
        (f"{path.name}.json", json.dumps({"name": path.name, USERS: users, "messages": messages}).encode())
        for path, messages in channels.items()
        if messages
    ]
    others = [(name, content) for name, content in files if name not in days]
    return chats + [(name, content) for name, content in others if PurePosixPath(name).name not in _LISTED | _TECHNICAL]


def with_users(name: str, content: bytes, listed: bytes) -> bytes:
    """A day of a channel with the names of its users; what is no such day stays as it is."""
    messages, users = _list(content), _users(_list(listed) or ())
    if not messages or not users or not all("ts" in one for one in messages):
        return content
    path = PurePosixPath(name)
    return json.dumps({"name": f"{path.parent.name} {path.stem}", USERS: users, "messages": messages}).encode()


def _users(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {one["id"]: name for one in rows if isinstance(one.get("id"), str) and (name := user_name(one))}


def _list(content: bytes) -> list[Mapping[str, Any]] | None:
    """The rows of a file; None if it is not a list."""
    with suppress(ValueError, RecursionError):
        data = json.loads(content)
        return [one for one in data if isinstance(one, Mapping)] if isinstance(data, list) else None
    return None


def refuse_list(name: str, text: str) -> None:
    """Raise UnreadableDocument for a list of users or channels of an export, which contains no message."""
    rows = _list(text.encode("utf-8", "replace")) if PurePosixPath(name).name in _LISTED else []
    if rows and all("id" in row and row.keys() & {"profile", "members", "creator"} for row in rows):
        cause = f"The file lists the {PurePosixPath(name).stem} of an export of Slack, and holds no messages."
        raise UnreadableDocument(cause, cure="Send the whole export, as a .zip or a folder.")
