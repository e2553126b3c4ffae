"""Text messages of a telephone that programs save as XML (`<smses>`) become lines that say who wrote what and when.

<sms date="1651507451000" type="1" body="I left." contact_name="Ana" />      [2022-05-02 16:04:11] Ana: I left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree  # type: ignore[import-untyped]

from filigraph.graph.ingest.load.chats.chats import message_lines, moment
from filigraph.graph.ingest.load.chats.line_times import line_times
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line

_MESSAGES = re.compile(rb"<smses\b")
_OWNER = "Owner of the telephone"
_SENT = {"sms": ("type", "2"), "mms": ("msg_box", "2")}
_HEAD = 10_000  # bytes in which the messages begin: a style sheet may be above


def read_messages(content: bytes) -> Content | None:
    """None for any other XML."""
    if not _MESSAGES.search(content[:_HEAD]):
        return None
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(content, parser)
    messages: list[tuple[str, str, str]] = []
    pictures = 0
    for message in root.iter("sms", "mms") if root is not None else ():
        parts = [part for part in message.iter("part") if part.get("ct", "") != "application/smil"]
        words = [message.get("body") or "", *(part.get("text") or "" for part in parts)]
        said = re.sub(r"\s*\n\s*", "\n", clean("\n".join(word for word in words if word and word != "null")).strip())
        pictures += sum(not part.get("ct", "").startswith("text/") for part in parts)
        if said and (time := moment(message.get("date"))):
            messages.append((time, _who(message.tag, message.attrib), said))
    text = "\n".join(line for time, who, said in sorted(messages) for line in message_lines(time, who, said))
    left = (f"{LEFT_OUT} files and pictures of messages: {pictures:,}",) if pictures else ()
    return Content(text=text, lines=line_times(text), warnings=left) if text else None


def _who(kind: str, about: Mapping[str, str]) -> str:
    name, sent = _SENT[kind]
    if about.get(name) == sent:
        return _OWNER
    contact = about.get("contact_name") or ""
    return one_line(contact if contact not in ("", "null", "(Unknown)") else about.get("address") or "")
