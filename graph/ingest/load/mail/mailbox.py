"""Mailboxes in one file (mbox), and files of any name that contain a mail."""

from __future__ import annotations

import re
from collections.abc import Iterator

# With a time or nothing else: a sentence may also begin with "From", and the next line with "Note:".
_POSTMARK = re.compile(rb"^From (?:[^\r\n]*\d:\d\d[^\r\n]*|[-?]? *)\r?\n(?=>?[!-9;-~]+:[ \t\r\n])", re.MULTILINE)
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_HEADER = re.compile(rb"([!-9;-~]+):.*(?:\r?\n[ \t].*)*\r?\n")
_FIRST_LINE = re.compile(rb"(?:>?From .*\r?\n)?")
_MAX_HEAD_BYTES = 100_000  # bytes; each of many servers adds some lines
_SENT_HEADERS = frozenset((b"from", b"to", b"subject"))
_ON_THE_WAY = frozenset(
    (b"message-id", b"mime-version", b"received", b"return-path", b"delivered-to", b"content-transfer-encoding")
)
_APPLE_COUNT = re.compile(rb"\s*(\d{1,10})[ \t]*\r?\n")


def is_mailbox(content: bytes) -> bool:
    """Whether a file begins with the postmark of a message: in an mbox, a line before each."""
    return bool(_POSTMARK.match(content))


def messages(content: bytes) -> Iterator[bytes]:
    """The messages of a mailbox, as sent."""
    marks = list(_POSTMARK.finditer(content))
    ends = [*(mark.start() for mark in marks[1:]), len(content)]
    for mark, end in zip(marks, ends, strict=True):
        yield _ESCAPED.sub(rb"\1", content[mark.end() : end])


def begins_as_mail(content: bytes) -> bool:
    """Whether a file begins with the head of a mail sent by a program: a head typed by a person has fewer fields."""
    fields: set[bytes] = set()
    at = _FIRST_LINE.match(content).end()  # type: ignore[union-attr] # it matches nothing, too
    while at < _MAX_HEAD_BYTES and (line := _HEADER.match(content, at)):
        fields.add(line[1].lower())
        at = line.end()
    return bool(fields & _SENT_HEADERS and fields & _ON_THE_WAY)


def without_count(content: bytes) -> bytes:
    """A mail in Apple's format (.emlx), without its length before and the program's notes after it."""
    count = _APPLE_COUNT.match(content)
    return content[count.end() : count.end() + int(count[1])] if count else content
