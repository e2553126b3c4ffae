"""Text messages of a telephone, saved as XML (`<smses>`), become lines with author, time and text.

<sms date="1651507451000" type="1" body="I left." contact_name="Ana" />      [2022-05-02 16:04:11] Ana: I left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree  # type: ignore[import-untyped]

from filigraph.graph.ingest.load.chats.chats import iso_time, message_lines
from filigraph.graph.ingest.load.chats.line_times import line_times
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line

_MESSAGES = re.compile(rb"<smses\b")
OWNER = "Owner of the telephone"
_BOX = {"sms": "type", "mms": "msg_box"}  # attribute with the box of a message
_SENT = frozenset(("2", "4", "5", "6"))  # sent, waiting, failed, queued
_DRAFT = "3"
_FROM = "137"  # the type of the sender's address
_HEAD_BYTES = 10_000  # bytes within which the messages begin: a style sheet may be above them
# Files with messages in base64: the parser stops at values of more than 10 MB.
_DATA = re.compile(rb"""(\sdata=)(["'])[A-Za-z0-9+/=\s]{1000,}\2""")
# A character beyond 16 bits in two halves, as Java programs write it, which XML does not allow.
_HALVES = re.compile(rb"&#(5529[6-9]|55[3-9]\d\d|5[67]\d{3});(?:&#(563[2-9]\d|56[4-9]\d\d|57\d{3});)?")
_FIRST_HALVES, _SECOND_HALVES = range(0xD800, 0xDC00), range(0xDC00, 0xE000)


def read_messages(content: bytes) -> Content | None:
    """None for any other XML."""
    if not _MESSAGES.search(content[:_HEAD_BYTES]):
        return None
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(_HALVES.sub(_join_surrogates, _DATA.sub(rb"\1\2\2", content)), parser)
    rows = list(root.iter("sms", "mms")) if root is not None else []
    contacts = {row.get("address"): _contact(row) for row in rows if not _is_group(row)}
    names = {address: contact for address, contact in contacts.items() if address and contact}
    messages: list[tuple[str, str, str]] = []
    pictures = drafts = 0
    for message in rows:
        if message.get(_BOX[message.tag]) == _DRAFT:
            drafts += 1
            continue
        parts = [part for part in message.iter("part") if part.get("ct", "") != "application/smil"]
        words = [message.get("body") or "", *(part.get("text") or "" for part in parts)]
        message_text = re.sub(
            r"\s*\n\s*", "\n", clean("\n".join(word for word in words if word and word != "null")).strip()
        )
        pictures += sum(not part.get("ct", "").startswith("text/") for part in parts)
        if message_text and (time := iso_time(message.get("date"))):
            messages.append((time, _sender(message, names), message_text))
    text = "\n".join(
        line for time, who, message_text in sorted(messages) for line in message_lines(time, who, message_text)
    )
    counts = {"files and pictures of messages": pictures, "drafts": drafts}
    parts_left = "; ".join(f"{what}: {count:,}" for what, count in counts.items() if count)
    left = (f"{LEFT_OUT} {parts_left}",) if parts_left else ()
    return Content(text=text, lines=line_times(text), warnings=(*_damage(parser), *left)) if text else None


def _join_surrogates(match: re.Match[bytes]) -> bytes:
    """Two halves of a character joined; a single half as the replacement character."""
    one, other = (int(group) if group else 0 for group in match.groups())
    if one in _FIRST_HALVES and other in _SECOND_HALVES:
        return b"&#%d;" % (0x10000 + ((one - _FIRST_HALVES.start) << 10) + other - _SECOND_HALVES.start)
    codes = [0xFFFD if 0xD800 <= code < 0xE000 else code for code in (one, other) if code]
    return b"".join(b"&#%d;" % code for code in codes)


def _damage(parser: etree.XMLParser) -> tuple[str, ...]:
    """A warning if the parser skipped something, or gave up."""
    error = next(iter(parser.error_log.filter_from_fatals()), None)
    if error is None:
        return ()
    return (f"the XML is damaged in line {error.line:,} ({one_line(error.message)}): messages may be missing",)


def _sender(message: etree._Element, names: Mapping[str, str]) -> str:
    if message.get(_BOX[message.tag]) in _SENT:
        return OWNER
    if not _is_group(message):
        return _contact(message) or one_line(message.get("address") or "")
    sender = next((one.get("address") or "" for one in message.iter("addr") if one.get("type") == _FROM), "")
    return names.get(sender) or one_line(sender)


def _is_group(message: etree._Element) -> bool:
    """Whether a message had more than two participants: its address and contact list them all."""
    return "~" in (message.get("address") or "")


def _contact(message: etree._Element) -> str:
    contact = message.get("contact_name") or ""
    return one_line(contact) if contact not in ("null", "(Unknown)") else ""
