"""The kind of a file: from its bytes if they show it, then from its name, then from its declared type."""

from __future__ import annotations

import io
import re
import struct
from pathlib import PurePosixPath

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import BZIP2, OPEN_DOCUMENT, kind_of_archive, open_archive
from filigraph.graph.ingest.load.mail.mailbox import begins_as_mail
from filigraph.graph.ingest.load.office.excel_97 import BARE, NEWER, OLDER
from filigraph.graph.ingest.load.office.word_97_file import STREAM
from filigraph.graph.ingest.load.tables.bank import IS_OFX, IS_QIF
from filigraph.graph.model.documents import Source
from filigraph.graph.text.identifiers import LANGUAGES

CODE = "text/x-source"  # the media type of source code

_CURE = "Send text, Markdown, PDF, Word, ODT, RTF, Excel, PPTX, CSV, HTML, EPUB, subtitles or mail (.eml, .msg, .mbox)."
MEDIA_TYPES = {
    "asciidoc": "text/asciidoc",
    "bank": "application/x-ofx",
    "bibtex": "application/x-bibtex",
    "calendar": "text/calendar",
    "code": CODE,
    "contacts": "text/vcard",
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "epub": "application/epub+zip",
    "gedcom": "text/vnd.familysearch.gedcom",
    "html": "text/html",
    "json": "application/json",
    "latex": "application/x-tex",
    "mail": "message/rfc822",
    "markdown": "text/markdown",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odt": "application/vnd.oasis.opendocument.text",
    "org": "text/org",
    "outlook": "application/vnd.ms-outlook",
    "pdf": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "ris": "application/x-research-info-systems",
    "rst": "text/x-rst",
    "rtf": "application/rtf",
    "subtitles": "text/vtt",
    "text": "text/plain",
    "web archive": "multipart/related",
    "wiki": "text/x-wiki",
    "word 97": "application/msword",
    "xls": "application/vnd.ms-excel",
    "xml": "application/xml",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_EXTENSIONS = {
    ".htm": "html", ".html": "html", ".xhtml": "html", ".eml": "mail", ".emlx": "mail",
    ".json": "json", ".ipynb": "json", ".md": "markdown", ".markdown": "markdown",
    **dict.fromkeys((".adoc", ".asc", ".asciidoc"), "asciidoc"), ".org": "org",
    **dict.fromkeys((".tex", ".latex", ".ltx"), "latex"), ".rst": "rst", ".wiki": "wiki", ".mediawiki": "wiki",
    **dict.fromkeys((".xml", ".nxml", ".tei", ".fb2", ".dita"), "xml"),
    **dict.fromkeys(LANGUAGES, "code"), ".csv": "csv", ".tsv": "csv",
    **dict.fromkeys((".srt", ".vtt", ".sbv", ".ttml", ".dfxp", ".smi", ".sami", ".sub", ".lrc"), "subtitles"),
    ".mht": "web archive", ".mhtml": "web archive", ".ass": "subtitles", ".ssa": "subtitles",
    ".bib": "bibtex", ".bibtex": "bibtex", ".biblatex": "bibtex", ".ris": "ris", ".ged": "gedcom",
    ".vcf": "contacts", ".vcard": "contacts", ".ics": "calendar", ".ical": "calendar",
}  # fmt: skip
_DECLARED = {
    "application/x-bibtex": "bibtex",
    "application/x-research-info-systems": "ris",
    "text/vnd.familysearch.gedcom": "gedcom",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/json": "json",
    "message/rfc822": "mail",
    "text/markdown": "markdown",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "text/vcard": "contacts",
    "text/x-vcard": "contacts",
    "text/calendar": "calendar",
    "text/vtt": "subtitles",
    "application/ttml+xml": "subtitles",
    "application/x-subrip": "subtitles",
}
# An XML file may begin with its kind or with a comment; so may HTML, which is tested first.
_XML = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<(?:\?xml\b|!DOCTYPE\s+\w|TEI\b|FictionBook\b)")
_MARKUP = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<(?:!--|[A-Za-z_])")
_HTML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype html|html)\b", re.I | re.S
)
_SUBTITLES = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:(?:<\?xml[^>]*>\s*)?<(?:\w+:)?tt\b[^<>]*(?:ns/ttml|/ttaf1)|<SAMI\b|\{\d{1,9}\}\{\d{1,9}\}\S)",
    re.IGNORECASE,
)
_LINES_OF_CONTENT = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*BEGIN:(VCARD|VCALENDAR)\s", re.IGNORECASE)
# An OpenDocument that is one file (.fodt), in its first element.
_FLAT = re.compile(rb"<office:document\b[^>]*\boffice:mimetype\s*=\s*[\"']([^\"']+)")
_HEAD_BYTES = 20_000
_PICTURES = (
    (b"\x89PNG", "a PNG image", "image/png"),
    (b"\xff\xd8\xff", "a JPEG image", "image/jpeg"),
    (b"II*\0", "a TIFF image", "image/tiff"),
    (b"MM\0*", "a TIFF image", "image/tiff"),
)
# Files that people send by mistake, by their first bytes; the control characters reveal any other binary file.
_NOT_DOCUMENTS = (
    (b"\x7fELF", "a program", _CURE),
    (b".snd", "a sound", "Send what is said in it, as a text."),
    (b"\xfd7zXZ\0", "a compressed file", "Unpack it and send what is inside."),
    (b"\x78\x9f\x3e\x22", "a mail in a form of Outlook's own (winmail.dat)", "Unpack it (tnef FILE) and send that."),
    (b"// <!-- <mdb:mork", "an index of a mail program (.msf)", "Send the folder itself, the file without .msf."),
    (b"-----BEGIN PGP MESSAGE", "encrypted (PGP)", "Decrypt it first (gpg --decrypt)."),
    (b"-----BEGIN PGP PUBLIC KEY", "a key (PGP)", "Send the messages."),
    (b"-----BEGIN PGP SIGNATURE", "a signature (PGP)", "Send what is signed."),
    (b"ITOLITLS", "a book for Microsoft Reader (.lit)", "Convert it to EPUB (Calibre)."),
    (b"L\0R\0F\0", "a book for Sony's reader (.lrf)", "Convert it to EPUB (Calibre)."),
    (b"%!PS", "a PostScript file", "Convert it to PDF (ps2pdf)."),
    (b"\x1f\x8b", "a compressed file", "Unpack it and send what is inside."),
    (b"!BDN", "a data file of Outlook (.pst, .ost)", "Export its folders as .mbox or .eml (readpst -r FILE)."),
    (b"\xcf\xad\x12\xfe", "a mail folder of Outlook Express (.dbx)", "Export its mails as .eml."),
    (b"\x1a\x00\x00\x04", "a database of Lotus Notes (.nsf)", "Export its mails as .eml or .mbox."),
    (b"AT&TFORM", "a DjVu file", "Convert it to PDF (ddjvu -format=pdf)."),
    (b"\xffWPC", "a WordPerfect file", "Save it as .docx, .odt or as text."),
    (b"ITSF", "a help file (.chm)", "Convert it to HTML (7z x FILE)."),
    (b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", "a OneNote file (.one)", "Export it as .docx or PDF."),
    (b"\0\1\0\0Standard Jet DB", "a database of Access (.mdb)", "Export its tables as .csv."),
    (b"\0\1\0\0Standard ACE DB", "a database of Access (.accdb)", "Export its tables as .csv."),
    (b"bplist00", "a web archive or property list of Apple", "Save the page as .html or PDF."),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it and send what is inside."),
    (b"Rar!\x1a", "a RAR archive", "Unpack it and send what is inside."),
)

# Files of one container, by a name in its directory.
_OLD_OFFICE = (
    ("EncryptedPackage", "an Office document with a password", "Save it without a password."),
    ("PowerPoint Document", "a presentation of an old PowerPoint (.ppt)", "Save it as .pptx or .odp."),
)
# Archives that are documents of other programs, by a file in them.
_OTHER_ARCHIVES = (
    ("xl/workbook.bin", "a binary workbook of Excel (.xlsb)", "Save it as .xlsx."),
    ("Index/Document.iwa", "a file of Pages, Numbers or Keynote", "Export it as .docx, .xlsx, .pptx or PDF."),
    ("index.xml", "a file of Pages or Numbers", "Export it as .docx, .xlsx or PDF."),
    ("index.apxl", "a file of Keynote", "Export it as .pptx or PDF."),
    ("FixedDocSeq.fdseq", "an XPS file", "Print it to PDF."),
)
_SIGNED = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07"  # begins the kinds of a file of S/MIME (RFC 5652), within its head
_SIGNED_BEGINS = 32  # bytes
_PROPERTY_OF_MAIL, _MAIL = "__substg1.0_", "__properties_version1.0"  # in a mail (MS-OXMSG)
_ENTRY_BYTES, _ENTRY_NAME_BYTES = 128, 64  # of an entry in a directory (MS-CFB)


def kind_of(source: Source) -> str:
    """A key of MEDIA_TYPES, or "picture". Raises UnreadableDocument for a kind that is not supported."""
    start = source.content[:1024]
    if b"%PDF-" in start:
        return "pdf"
    if start.startswith(b"PK\x03\x04"):
        if kind := kind_of_archive(source.content):
            return kind
        names = set(open_archive(source.content).namelist())
        for name, what, cure in _OTHER_ARCHIVES:
            if name in names:
                raise UnreadableDocument(f"The file is {what}.", cure=cure)
        raise UnreadableDocument("The file is an archive, not a supported document.", cure=f"Unpack it. {_CURE}")
    if start.startswith(b"{\\rtf"):
        return "rtf"
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        return _kind_of_compound(source.content)
    if start.startswith(BARE):
        return "xls"
    if any(start.startswith(signature) for signature, *_ in _PICTURES):
        return "picture"
    refuse_other(start)
    if _HTML.match(start):
        return "html"
    if _SUBTITLES.match(start):
        return "subtitles"
    if IS_QIF.match(start) or IS_OFX.match(start):
        return "bank"
    if b"<office:document" in start and (flat := _FLAT.search(source.content, 0, _HEAD_BYTES)):
        return OPEN_DOCUMENT.get(flat[1], "xml")
    if _XML.match(start) or start.startswith((b"\xff\xfe<\0?\0x\0", b"\xfe\xff\0<\0?\0x")):
        return "xml"
    by_name = _EXTENSIONS.get(PurePosixPath(source.name.replace("\\", "/")).suffix.lower())
    if not by_name and _media_type(source).startswith(("audio/", "video/")):
        raise UnreadableDocument("The file is a sound or a film.", cure="Send what is said in it, as a text.")
    if by_name == "xml" and not _MARKUP.match(start):
        by_name = "text"
    kind = by_name or _DECLARED.get(_media_type(source), "text")
    if kind == "text" and (match := _LINES_OF_CONTENT.match(start)):
        return "contacts" if match[1].upper() == b"VCARD" else "calendar"
    return "mail" if kind == "text" and begins_as_mail(source.content) else kind


def refuse_other(start: bytes) -> None:
    """Raise UnreadableDocument for a file that people take for a document, with advice."""
    for signature, what, cure in _NOT_DOCUMENTS:
        if start.startswith(signature):
            raise UnreadableDocument(f"The file is {what}.", cure=cure)
    if BZIP2.match(start):
        raise UnreadableDocument("The file is a compressed file.", cure="Unpack it and send what is inside.")
    if start[:1] == b"0" and _SIGNED in start[:_SIGNED_BEGINS]:
        cure = "Open it in the mail program and save the mail as .eml."
        raise UnreadableDocument("The file is a signed or encrypted message (S/MIME).", cure=cure)
    if start[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        raise UnreadableDocument("The file is a Kindle book (.mobi, .azw3).", cure="Convert it to EPUB (Calibre).")


def _kind_of_compound(content: bytes) -> str:
    """A Word or Excel file or a mail of Outlook, by the names at the top of its directory: others may be within."""
    names = _names_at_top(content)

    def has(name: str) -> bool:
        return name.casefold() in names if names else _has_entry(name, content)

    if has(_MAIL) or any(name.startswith(_PROPERTY_OF_MAIL) for name in names):
        return "outlook"
    for stream, what, cure in _OLD_OFFICE:
        if has(stream):
            raise UnreadableDocument(f"The file is {what}.", cure=cure)
    if has(STREAM):
        return "word 97"
    return "xls" if has(NEWER) or has(OLDER) else "outlook"


def _names_at_top(content: bytes) -> frozenset[str]:
    """The names in the root of a container, folded; none if it is damaged."""
    import olefile  # type: ignore[import-untyped]

    try:
        with olefile.OleFileIO(io.BytesIO(content)) as opened:
            return frozenset(path[0].casefold() for path in opened.listdir(streams=True, storages=True))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, struct.error):
        return frozenset()


def _has_entry(name: str, content: bytes) -> bool:
    """Whether an entry of a damaged directory has a name: a text may have the same word elsewhere."""
    entry = name.encode("utf-16-le").ljust(_ENTRY_NAME_BYTES, b"\0")
    at = content.find(entry)
    while at >= 0 and at % _ENTRY_BYTES:
        at = content.find(entry, at + 1)
    return at >= 0


def picture_of(content: bytes) -> tuple[str, str]:
    """The name of a kind of picture, and its media type."""
    return next((what, media_type) for signature, what, media_type in _PICTURES if content.startswith(signature))


def _media_type(source: Source) -> str:
    return source.media_type.partition(";")[0].strip().lower()


def charset_of(source: Source) -> str:
    match = re.search(r"charset=[\"']?([\w.:-]+)", source.media_type, re.IGNORECASE)
    return match[1] if match else ""
