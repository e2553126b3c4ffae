"""Mail: who wrote to whom and when, then what."""

from __future__ import annotations

import email
import email.policy
from collections import Counter
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import EmailMessage

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, clean, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.markup import content_of_markup

LONGEST_HEADER = 1000  # characters
_NAMED = 10  # attachments that a warning names
_HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read_mail(content: bytes) -> Content | None:
    """The head, which is evidence, and the body; attachments are named in the warnings. None without a head: a mail
    that was saved as text has its headers in the language of the program ("De :", "Objet :")."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    head = {name: value for name in _HEADERS if (value := _header(message, name))}
    if not head:
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
        metadata={name.lower(): head[name] for name in ("From", "To", "Date") if name in head},
        warnings=(*not_read(attachments), *doubts),
    )


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
