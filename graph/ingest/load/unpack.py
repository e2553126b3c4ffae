"""Files with several documents: rows of .jsonl, files of a .zip or .tar, messages of a mailbox, chats of an account,
attachments of mails and PDFs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import files_in_tar, files_in_zip
from filigraph.graph.ingest.load.chats.chats import chats_in
from filigraph.graph.ingest.load.chats.slack import with_channels
from filigraph.graph.ingest.load.content import one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.file_types import charset_of, kind_of
from filigraph.graph.ingest.load.mail.mail_parts import DAMAGE, Attachment, header_of, message_of, parts_of
from filigraph.graph.ingest.load.mail.mailbox import is_mailbox, messages
from filigraph.graph.ingest.load.mail.outlook import attached_to_outlook
from filigraph.graph.ingest.load.pdf.pdf_attachments import attached_to_pdf
from filigraph.graph.ingest.load.tables.json_rows import split_jsonl
from filigraph.graph.model.documents import Source
from filigraph.graph.text.time.dates import iso_date

ATTACHED_TO = "attached_to"  # metadata of an attachment: its mail or PDF
SENT = "sent"  # metadata of an attachment: the date of its mail

_DEEPEST = 10  # max. nesting of files
_LARGEST = 1_000_000_000  # bytes of all attachments in a file
_LONGEST_ID = 150  # characters


def documents_in(source: Source) -> tuple[list[Source], list[str]]:
    """The documents of a file, and one line for each part of it that cannot be used; most files are one document. Those
    of a .zip or .tar, of a mailbox, and attachments of mails and PDFs have names like files in a folder:
    "inbox.mbox/…", "a.eml/b.pdf". Raises UnreadableDocument for a .jsonl file that is not a text.
    """
    if source.name.lower().endswith(".jsonl"):
        return split_jsonl(source)
    documents = Documents()
    documents.add(source)
    return documents.sources, documents.problems


def _parts(source: Source) -> tuple[Sequence[Attachment], Sequence[str]]:
    """The files of an archive, the messages of a mailbox, the chats of an account, and lines about unreadable ones;
    nothing for a single document.
    """
    problems: list[str] = []
    try:
        if is_mailbox(source.content):
            mails = enumerate(messages(source.content), start=1)
            return [
                Attachment(name=_message_name(content, number), media_type="message/rfc822", content=content)
                for number, content in mails
            ], []
        name = source.name.lower()
        files: list[tuple[str, bytes]] = []
        if name.endswith(".zip"):
            files, problems = files_in_zip(source.content)
            files = with_channels(files)
        elif files_within := files_in_tar(source.content)[0]:
            own = PurePosixPath(source.name)
            files = [(file or own.stem or own.name, content) for file, content in files_within]
        elif name.endswith(".json"):
            files = _chats(source)
    except UnreadableDocument:  # loading it reports this
        return [], []
    except Exception as error:  # noqa: BLE001 - one odd file must not cost the others of its archive
        return [], [one_line(f"what is in it cannot be read ({type(error).__name__}: {error})")]
    return [Attachment(name=name, media_type="", content=content) for name, content in files], problems


def _chats(source: Source) -> list[tuple[str, bytes]]:
    chats = chats_in(decode(source.content, charset_of(source))[0])
    return [(f"{chat}.json", text.encode()) for chat, text in chats]


@dataclass(kw_only=True)
class Documents:
    sources: list[Source] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    copies: dict[str, int] = field(default_factory=dict)  # how often each name was used
    size: int = 0

    def reserve_name(self, name: str) -> str:
        """Reserve the name, or if it is taken "name (2).pdf", and return it."""
        path, own = PurePosixPath(name), name
        while own in self.copies:
            self.copies[name] += 1
            own = f"{path.parent}/{path.stem} ({self.copies[name]}){path.suffix}"
        self.copies[own] = 1
        return own

    def add(self, source: Source, depth: int = 0) -> None:
        parts, unread = _parts(source)
        self.problems += [f"{source.name}: {problem}" for problem in unread]
        if parts:
            self._add_within(source, parts, {}, "", depth)
            return
        if depth and self._add_rows(source):
            return
        self.sources.append(source)
        attached, about, unread = _attached(source)
        self.problems += [f"{source.name}: {problem}" for problem in unread]
        self._add_within(source, attached, about, "attachment ", depth)

    def _add_rows(self, source: Source) -> bool:
        """Add the rows of a nested .jsonl file; False if none is usable."""
        if not source.name.lower().endswith(".jsonl"):
            return False
        try:
            rows, problems = split_jsonl(source)
        except UnreadableDocument:  # loading it reports this
            return False
        if rows:
            self.sources += [replace(row, name=self.reserve_name(f"{source.name}/{row.name}")) for row in rows]
            self.problems += problems
        return bool(rows)

    def _add_within(
        self, source: Source, files: Sequence[Attachment], about: Mapping[str, str], what: str, depth: int
    ) -> None:
        for file in files:
            self.size += len(file.content)
            if depth == _DEEPEST or self.size > _LARGEST:
                why = "files are within each other without end" if depth == _DEEPEST else "it unpacks to too much"
                self.problems.append(f"{source.name}: {what}{file.name} is not read: {why}")
                continue
            own = Source(
                name=self.reserve_name(f"{source.name}/{file.name}"),
                content=file.content,
                media_type=file.media_type,
                metadata={**source.metadata, **about},
            )
            self.add(own, depth + 1)


def _attached(source: Source) -> tuple[Sequence[Attachment], Mapping[str, str], Sequence[str]]:
    """The attachments of a mail or a PDF, metadata that name it, and lines about unreadable ones. Loading reports a
    file that is itself unreadable.
    """
    try:
        kind = kind_of(source)
        if kind == "outlook":
            return attached_to_outlook(source.content), {ATTACHED_TO: source.name}, ()
        if kind == "pdf":
            files, unread = attached_to_pdf(source.content)
            return files, {ATTACHED_TO: source.name}, unread
        if kind != "mail":
            return (), {}, ()
        message = message_of(source.content)
        sent = iso_date(header_of(message, "Date"))
        return parts_of(message).attached, {ATTACHED_TO: source.name} | ({SENT: sent} if sent else {}), ()
    except (UnreadableDocument, *DAMAGE):
        return (), {}, ()
    except Exception as error:  # noqa: BLE001 - one odd file must not cost the others of its mailbox
        return (), {}, [one_line(f"what is attached cannot be read ({type(error).__name__}: {error})")]


def _message_name(content: bytes, number: int) -> str:
    """The name, from the message's own id: it remains the same when other messages of the mailbox are deleted."""
    own = header_of(message_of(content), "Message-ID").strip("<> ").replace("/", "_")
    return f"{own[:_LONGEST_ID] or number}.eml"
