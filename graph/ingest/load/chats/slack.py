"""Exports of Slack: an archive with a folder for each channel, in it a file for each day, and a list of the users. A
channel is one chat.

users.json  channels.json  harbour/2022-05-02.json  harbour/2022-05-03.json        harbour.json
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import files_in_zip
from filigraph.graph.ingest.load.chats.chats import USERS, user_name

_USERS = re.compile(r"(?:^|/)users\.json$")
_LISTED = frozenset(("users.json", "channels.json", "groups.json", "dms.json", "mpims.json"))
_DAY = re.compile(r"(?P<channel>[^/]+)/\d{4}-\d\d-\d\d\.json$")


def slack_channels(content: bytes) -> list[tuple[str, bytes]]:
    """The channels of an export, each with all of its messages; [] of any other archive. Raises UnreadableDocument as
    `files_in_zip` does."""
    files = dict(files_in_zip(content))
    days = sorted(name for name in files if _DAY.search(name))
    listed = next((_list(files[name]) for name in files if _USERS.search(name)), [])
    users = {one["id"]: name for one in listed if isinstance(one.get("id"), str) and (name := user_name(one))}
    if not days or not users:
        return []
    channels: dict[str, list[Mapping[str, Any]]] = {}
    for name in days:
        match = _DAY.search(name)
        channels.setdefault(match["channel"] if match else "", []).extend(_list(files[name]))
    return [
        (f"{channel}.json", json.dumps({"name": channel, USERS: users, "messages": messages}).encode())
        for channel, messages in channels.items()
        if messages
    ]


def _list(content: bytes) -> list[Mapping[str, Any]]:
    with suppress(ValueError, RecursionError):
        data = json.loads(content)
        return [one for one in data if isinstance(one, Mapping)] if isinstance(data, list) else []
    return []


def refuse_list(name: str, text: str) -> None:
    """Raise UnreadableDocument for a list of users or channels of an export, which holds no message."""
    rows = _list(text.encode("utf-8", "replace")) if PurePosixPath(name).name in _LISTED else []
    if rows and all("id" in row and row.keys() & {"profile", "members", "creator"} for row in rows):
        cause = f"The file lists the {PurePosixPath(name).stem} of an export of Slack, and holds no messages."
        raise UnreadableDocument(cause, cure="Send the whole export as a .zip: then its messages name their users.")
