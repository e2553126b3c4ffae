"""The parts of a mail: its text, the pictures in the text, and the attachments."""

from __future__ import annotations

import base64
import binascii
import email
import email.policy
import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.errors import MessageError
from email.header import decode_header
from email.message import EmailMessage, MIMEPart
from pathlib import PurePosixPath

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import clean, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.mail.mailbox import without_count
from filigraph.graph.ingest.load.markup.markup import content_of_markup
from filigraph.graph.text.words import tokens

# raised by the parser of a damaged mail
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, MessageError)
LONGEST_HEADER = 1000  # characters
_LONGEST_NAME = 150  # characters
_TEXTS = ("text/plain", "text/html")
_NOTHING_TO_READ = frozenset(  # signatures, and parts for programs
    (
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/applefile",
        "application/pgp-encrypted",
        "message/delivery-status",
        "message/disposition-notification",
        "text/rfc822-headers",
    )
)
_STUB = 0.5  # a plain text with a smaller share of the words of its HTML is only a substitute
_FEW = 0.2  # max. share of the words of one form that the other may lack: labels of links, a line about the program
# In ASCII: in a script without spaces, words follow a link at once. Bounded: a long run of signs would take minutes.
_LINK = re.compile(r"(?<![A-Za-z])[A-Za-z][A-Za-z0-9+.-]{0,19}://[!-~]+|(?<![!-~])[!-~]{1,300}@[!-~]+")
# A boundary with "=" and without quotation marks, as some programs write it: the parser would find no parts.
_BARE_BOUNDARY = re.compile(
    rb"""^((?:[ \t]{1,60}|Content-Type:[^\n"]{1,99};[ \t]{0,9})boundary=)([^\s";=][^\s";]{0,69})(?=;?[ \t]{0,9}\r?$)""",
    re.MULTILINE | re.IGNORECASE,
)
_SOFT_BREAK = re.compile(r"(?<!^--) \r?\n>* ?", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A file in another: attached to a mail or a PDF, or packed in an archive."""

    name: str
    media_type: str
    content: bytes


@dataclass(kw_only=True)
class MailParts:
    """The parts of a mail, in order."""

    texts: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)  # how the encodings of texts were guessed
    pictures: list[str] = field(default_factory=list)  # names of pictures in the text
    attached: list[Attachment] = field(default_factory=list)


def message_of(content: bytes) -> EmailMessage:
    quoted = _BARE_BOUNDARY.sub(rb'\1"\2"', without_count(content))
    return email.message_from_bytes(quoted, policy=email.policy.default)


def parts_of(message: EmailMessage) -> MailParts:
    """The parts of a message. Raises one of DAMAGE."""
    parts = MailParts()
    if message.get_content_type() in _TEXTS:
        _add_text(message, parts)
    else:
        _add(message, parts)
    parts.attached = _without_repeated_invitations(parts.attached)
    return parts


def _without_repeated_invitations(attached: Sequence[Attachment]) -> list[Attachment]:
    """An invitation is a form of the text, and often a file beside it, too."""
    invitations = {file.content for file in attached if not file.media_type.startswith("text/calendar")}
    return [
        file for file in attached if not (file.media_type.startswith("text/calendar") and file.content in invitations)
    ]


def _add(part: MIMEPart, parts: MailParts) -> None:
    kind = part.get_content_type()
    if kind in _NOTHING_TO_READ:
        return
    if kind == "multipart/alternative":
        _add_best(part, parts)
    elif part.get_content_maintype() == "multipart":
        for child in part.iter_parts():
            _add(child, parts)
    elif kind in _TEXTS and not part.get_filename() and not part.is_attachment():
        _add_text(part, parts)
    elif part.get_content_maintype() == "image" and not part.is_attachment():
        parts.pictures.append(_name(part, len(parts.pictures) + 1))
    else:
        _add_attached(part, parts)


def _add_best(part: MIMEPart, parts: MailParts) -> None:
    """Add the best of several forms of one text: the plain one, unless it only refers to another or lacks some of its
    words; both if each has words of its own.
    """
    forms: dict[str, MailParts] = {}
    for child in part.iter_parts():
        child_parts = MailParts()
        _add(child, child_parts)
        kind = child.get_content_type()
        is_form = not child.is_multipart() and not child.get_filename() and kind not in (*_TEXTS, "text/calendar")
        if not is_form:
            parts.pictures += child_parts.pictures
            parts.attached += child_parts.attached
        if child_parts.texts:
            forms.setdefault("plain" if child.get_content_type() == "text/plain" else "other", child_parts)
    for form in _telling(forms.get("plain"), forms.get("other")):
        parts.texts += form.texts
        parts.doubts += form.doubts


def _telling(plain: MailParts | None, other: MailParts | None) -> list[MailParts]:
    """The forms that together have all words of a text."""
    if not plain or not other:
        return [form for form in (plain, other) if form]
    all_words, all_others = _words(plain), _words(other)
    if len(all_words) < _STUB * len(all_others):
        return [other]
    words, others = frozenset(all_words), frozenset(all_others)
    if len(others - words) <= _FEW * len(others):
        return [plain]
    return [other] if len(words - others) <= _FEW * len(words) else [plain, other]


def _words(parts: MailParts) -> list[str]:
    """The words and figures of a text; in scripts without spaces, its characters."""
    return [word.folded for text in parts.texts for word in tokens(_LINK.sub(" ", text))]


def _add_text(part: MIMEPart, parts: MailParts) -> None:
    text, doubts = decode(_bytes(part), part.get_content_charset() or "")
    if str(part.get_param("delsp", "")).lower() == "yes":  # format=flowed: a line's last space divides even words
        text = _SOFT_BREAK.sub("", text)
    if part.get_content_type() == "text/html":
        page = content_of_markup(text, doubts, mark_quotes=True)
        text, doubts = page.text, page.warnings
    else:
        text = clean(text)
    if text.strip():
        parts.texts.append(text)
    parts.doubts += doubts


def _add_attached(part: MIMEPart, parts: MailParts) -> None:
    number = len(parts.attached) + 1
    try:
        attachment = Attachment(name=_name(part, number), media_type=_media_type(part), content=_bytes(part))
    except DAMAGE as error:  # only this part of the mail is lost
        parts.doubts.append(f"attachment {number} cannot be read: {type(error).__name__}")
    else:
        parts.attached.append(attachment)


def _bytes(part: MIMEPart) -> bytes:
    if part.get_content_type() != "message/rfc822":
        data = part.get_payload(decode=True)
        return data if isinstance(data, bytes) else b""
    inner = part.get_content()
    if str(part["Content-Transfer-Encoding"] or "").strip().lower() == "base64":  # not allowed, but it occurs
        try:
            return base64.b64decode(inner.get_payload())
        except (binascii.Error, TypeError, ValueError):
            pass
    whole: bytes = inner.as_bytes(policy=email.policy.default.clone(refold_source="none"))
    return whole


def _media_type(part: MIMEPart) -> str:
    charset = part.get_content_charset()
    return part.get_content_type() + (f"; charset={charset}" if charset else "")


def _name(part: MIMEPart, number: int) -> str:
    """The name of a file without folders, or a generated one."""
    written = _decoded(part.get_filename() or "")
    kind = part.get_content_type()
    if kind == "message/rfc822":
        subject = written.replace("\\", "/").rstrip("/").removesuffix(".eml") or header_of(
            part.get_content(), "Subject"
        )
        return f"{one_line(subject.replace('/', '_'), _LONGEST_NAME) or f'message {number}'}.eml"
    return file_name(written) or f"part {number}{mimetypes.guess_extension(kind) or ''}"


def file_name(written: str) -> str:
    """The name of an attached file without folders; "" if it has none."""
    path = PurePosixPath(one_line(written.replace("\\", "/").rstrip("/"), LONGEST_HEADER))
    return one_line(path.stem, _LONGEST_NAME) + path.suffix[:20] if path.name else ""


def header_of(message: MIMEPart, name: str) -> str:
    """A header as text, from its raw value: the library's own parser takes minutes for a long one."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return one_line(_decoded(str(raw)), LONGEST_HEADER)


def _decoded(raw: str) -> str:
    """The text of a header. The labels of encodings mean what programs use them for."""
    text, _ = decode(raw[:LONGEST_HEADER].encode("utf-8", "surrogateescape"))
    try:
        return "".join(_decoded_word(part, charset) for part, charset in decode_header(text))
    except (ValueError, LookupError, MessageError, UnreadableDocument):  # broken base64, or not a text
        return text


def _decoded_word(part: str | bytes, charset: str | None) -> str:
    if isinstance(part, str):
        return part
    return decode(part, charset)[0] if charset else part.decode("raw-unicode-escape")
