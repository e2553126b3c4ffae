"""Mail: the head (sender, addressees, date), then the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.mail.mail_parts import DAMAGE, LONGEST_HEADER, header_of, message_of, parts_of
from filigraph.graph.ingest.load.mail.pgp import without_armour
from filigraph.graph.ingest.load.markup.markup import content_of_markup, declared_encoding
from filigraph.graph.text.formats.mail_headers import MAX_HEAD_LINES, head_of, sent_on, thread_of
from filigraph.graph.text.formats.mail_quotes import THREAD
from filigraph.graph.text.language import detect

UNDETERMINED = "und"  # ISO 639-2 code for an undetermined language
ATTACHMENTS = "attachments"  # metadata of a mail or PDF: the names of its attachments

_MAX_NAMED_FILES = 10  # pictures and attachments in a warning
_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_OTHERWISE = {"Date": "Sent"}  # names of fields in Outlook's text format


def read_mail(content: bytes) -> Content | None:
    """The head, which is evidence, and all of the text; the warnings name the pictures in it. Attachments are not part
    of the text: see `unpack.py`. None without a head: see `read_saved_mail`.
    """
    message = message_of(content)
    read = {name: header_of(message, name) or header_of(message, _OTHERWISE.get(name, name)) for name in _HEADERS}
    head = {name: value for name, value in read.items() if value}
    if not head.keys() & {"From", "To", "Subject"}:
        return None
    try:
        parts = parts_of(message)
    except DAMAGE as error:
        raise UnreadableDocument(f"The mail is damaged: {error!r}.", cure="Save its text as a file (.txt).") from error
    body, unread = without_armour("\n\n".join(parts.texts))
    empty = () if body or parts.attached else ("the mail has no text",)
    names = [file.name for file in parts.attached]
    subject = head.get("Subject", "")
    # The head is in English, regardless of the mail's language.
    language = detect(body) or detect(f"{subject}\n{body}") or UNDETERMINED
    described = _described({name.lower(): value for name, value in head.items()}, language)
    answers = " ".join(header_of(message, name) for name in ("References", "In-Reply-To"))
    thread = named_thread(head.get("Subject", ""), header_of(message, "Message-ID"), answers)
    return Content(
        text=with_head(head, body),
        title=head.get("Subject", ""),
        language=language,
        metadata=described | named_attachments(names) | thread,
        warnings=(*not_read("picture", parts.pictures), *empty, *unread, *parts.doubts),
    )


def read_web_archive(content: bytes) -> Content | None:
    """A page that a browser saved with its pictures (.mht): only the page; None if there is none."""
    message = message_of(content)
    try:
        pages = [part for part in message.walk() if part.get_content_type() == "text/html"]
        page_bytes = pages[0].get_payload(decode=True) if pages else b""
        charset = pages[0].get_content_charset() or "" if pages else ""
    except DAMAGE as error:
        raise UnreadableDocument(f"The page is damaged: {error!r}.", cure="Save it again, or as .html.") from error
    if not isinstance(page_bytes, bytes) or not page_bytes.strip():
        return None
    page = content_of_markup(*decode(page_bytes, charset or declared_encoding(page_bytes)))
    left = (f"{LEFT_OUT} pages within the page: {len(pages) - 1:,}",) if len(pages) > 1 else ()
    return replace(page, title=page.title or header_of(message, "Subject"), warnings=(*page.warnings, *left))


def with_head(head: Mapping[str, str], body: str) -> str:
    lines = "\n".join(f"{name}: {value}" for name, value in head.items())
    return f"{lines}\n\n{body}"


def named_attachments(names: Sequence[str]) -> dict[str, str]:
    """Metadata with the names of attachments, as far as there is room."""
    return {ATTACHMENTS: one_line(", ".join(names), LONGEST_HEADER)} if names else {}


def named_thread(subject: str, own_id: str = "", references: str = "") -> dict[str, str]:
    """Metadata with the thread of a mail."""
    thread = thread_of(own_id, references, subject)
    return {THREAD: thread} if thread else {}


def read_saved_mail(text: str) -> Content | None:
    """A mail that was saved as text: its head is in the language of the program ("De :", "Gesendet:") and remains in
    the text. None without such a head.
    """
    head = {field: one_line(value, LONGEST_HEADER) for field, (value, _) in head_of(_first_lines(text)).items()}
    if not head:
        return None
    subject = head.get("subject", "")
    return Content(text=text, title=subject, metadata=_described(head, detect(text)) | named_thread(subject))


def _first_lines(text: str) -> list[str]:
    lines = (line.strip() for line in text[: MAX_HEAD_LINES * LONGEST_HEADER].split("\n"))
    return [line for line in lines if line][:MAX_HEAD_LINES]


def _described(head: Mapping[str, str], language: str) -> dict[str, str]:
    """The metadata from a head."""
    fields = {name: head[name] for name in ("from", "to", "date") if name in head}
    return fields | ({"date": sent_on(fields["date"], language)} if "date" in fields else {})


def not_read(what: str, names: Sequence[str]) -> tuple[str, ...]:
    """One warning for all parts: a mail may have thousands."""
    if len(names) < 2:
        return tuple(f"{what} {name} is not read" for name in names)
    times = Counter(names)
    named = [f"{name} ({count} times)" if count > 1 else name for name, count in times.most_common(_MAX_NAMED_FILES)]
    more = f" and {len(times) - _MAX_NAMED_FILES} more" if len(times) > _MAX_NAMED_FILES else ""
    return (f"{len(names)} {what}s are not read: {', '.join(named)}{more}",)
