"""Mail: who wrote to whom and when, then what."""

from __future__ import annotations

import email
import email.policy
from collections import Counter
from collections.abc import Mapping
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import EmailMessage

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, clean, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.markup import content_of_markup
from filigraph.graph.text.language import detect
from filigraph.graph.text.mail_headers import HEAD_LINES, head_of, sent_on

LONGEST_HEADER = 1000  # characters
_NAMED = 10  # attachments that a warning names
_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_OTHERWISE = {"Date": "Sent"}  # in what Outlook saves as text


def read_mail(content: bytes) -> Content | None:
    """The head, which is evidence, and the body; attachments are named in the warnings. None without a head: see
    `read_saved_mail`."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    read = {name: _header(message, name) or _header(message, _OTHERWISE.get(name, name)) for name in _HEADERS}
    head = {name: value for name, value in read.items() if value}
    if not head.keys() & {"From", "To", "Subject"}:
        return None
    try:
        attachments = [one_line(part.get_filename() or "without a name") for part in message.iter_attachments()]
        body, doubts = _body(message)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MessageError) as error:
        raise UnreadableDocument(f"The mail is damaged: {error!r}.", cure="Save its text as a file (.txt).") from error
    lines = "\n".join(f"{name}: {value}" for name, value in head.items())
    return Content(
        text=f"{lines}\n\n{body}",
        title=head.get("Subject", ""),
        metadata=_described({name.lower(): value for name, value in head.items()}, detect(body)),
        warnings=(*not_read(attachments), *doubts),
    )


def read_saved_mail(text: str) -> Content | None:
    """A mail that was saved as text: its head is in the language of the program ("De :", "Gesendet:"), and a part of
    the text. None without such a head."""
    head = {field: one_line(value, LONGEST_HEADER) for field, (value, _) in head_of(_first_lines(text)).items()}
    if not head:
        return None
    return Content(text=text, title=head.get("subject", ""), metadata=_described(head, detect(text)))


def _first_lines(text: str) -> list[str]:
    lines = (line.strip() for line in text[: HEAD_LINES * LONGEST_HEADER].split("\n"))
    return [line for line in lines if line][:HEAD_LINES]


def _described(head: Mapping[str, str], language: str) -> dict[str, str]:
    """What is kept of a head as metadata."""
    kept = {name: head[name] for name in ("from", "to", "date") if name in head}
    return kept | ({"date": sent_on(kept["date"], language)} if "date" in kept else {})


def not_read(attachments: list[str]) -> tuple[str, ...]:
    """One warning, however many there are: a mail may have thousands of parts."""
    if len(attachments) < 2:
        return tuple(f"attachment {name} is not read" for name in attachments)
    times = Counter(attachments)
    named = [f"{name} ({count} times)" if count > 1 else name for name, count in times.most_common(_NAMED)]
    more = f" and {len(times) - _NAMED} more" if len(times) > _NAMED else ""
    return (f"{len(attachments)} attachments are not read: {', '.join(named)}{more}",)


def _header(message: EmailMessage, name: str) -> str:
    """A header as text. From its raw value: the library's own parser takes minutes over a long one."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    head = str(raw)[:LONGEST_HEADER].encode("utf-8", "surrogateescape")
    text, _ = decode(head)
    try:
        return one_line(str(make_header(decode_header(text))), LONGEST_HEADER)
    except (ValueError, LookupError, MessageError):  # an unknown encoding, or broken base64
        return one_line(text, LONGEST_HEADER)


def _body(message: EmailMessage) -> tuple[str, tuple[str, ...]]:
    part = message.get_body(("plain", "html"))
    if part is None:
        return "", ("the mail has no text",)
    data = part.get_payload(decode=True)
    text, doubts = decode(data if isinstance(data, bytes) else b"", part.get_content_charset() or "")
    if part.get_content_type() == "text/html":
        return content_of_markup(text).text, doubts
    return clean(text), doubts
