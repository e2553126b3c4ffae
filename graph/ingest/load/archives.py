"""Archives, with limits on their unpacked size."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import posixpath
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Sequence
from itertools import islice
from typing import Any
from xml.etree import ElementTree

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archive_names import decoded_names
from filigraph.graph.ingest.load.content import one_line

MAX_UNPACKED = 300_000_000  # bytes, all members together
MAX_MEMBER = 50_000_000  # bytes of one member; the XML of a long novel has 15 million
MAX_TREE = 10_000_000  # bytes of a member that is held in memory as a tree
_MEMBERS = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}
_HIDDEN = re.compile(r"(?:^|/)(?:\.|__MACOSX/|Thumbs\.db$|desktop\.ini$)")  # files that systems add to folders
_UTF8_NAME = 0x800  # flag of members with UTF-8 names
_TAR, _TAR_AT = b"ustar", 257  # in its first header
# What bzip2 writes after its level: a block, or the end of an empty file. "BZh" alone may begin a text.
BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_COMPRESSED: tuple[tuple[re.Pattern[bytes], Any], ...] = (
    (re.compile(rb"\x1f\x8b"), gzip.open),
    (BZIP2, bz2.open),
    (re.compile(rb"\xfd7zXZ\0"), lzma.open),
)
_MAX_RATIO = 200  # unpacked to packed; XML of a book reaches 20
_MAX_MEMBERS = 20_000
_LONGEST_NAME = 500  # characters
RESAVE = "Open it in the program that made it and save it again."
# What a parser of binary files raises on a damaged one.
PARSER_ERRORS = (
    struct.error,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    OSError,
    AssertionError,
)


def open_archive(content: bytes) -> zipfile.ZipFile:
    """The archive, after its directory shows that unpacking is safe. zipfile never unpacks more of a member than the
    directory says.
    """
    archive = _bounded(content)
    if any(map(_is_encrypted, archive.infolist())):
        raise UnreadableDocument("The file is encrypted.", cure="Save it without a password.")
    return archive


def _is_encrypted(member: zipfile.ZipInfo) -> bool:
    return bool(member.flag_bits & 1)


def _bounded(content: bytes) -> zipfile.ZipFile:
    """The archive, within the limits; some members may be encrypted."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError) as error:
        raise UnreadableDocument(f"The file is a broken archive: {error}.", cure=RESAVE) from error
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    packed_tightly = any(
        member.file_size > 10_000_000 and member.file_size > _MAX_RATIO * max(1, member.compress_size)
        for member in members
    )
    if unpacked > MAX_UNPACKED or packed_tightly or len(members) > _MAX_MEMBERS:
        raise _too_much(unpacked, len(members))
    return archive


OPEN_DOCUMENT = {
    f"application/vnd.oasis.opendocument.{name}".encode(): kind
    for name, kind in (("text", "odt"), ("spreadsheet", "ods"), ("presentation", "odp"))
}


def kind_of_archive(content: bytes) -> str:
    """ "docx", "epub", "xlsx", "pptx", "odt", "ods", "odp", or "" for any other archive."""
    names = set(open_archive(content).namelist())
    if kind := next((kind for kind, member in _MEMBERS.items() if member in names), ""):
        return kind
    if "content.xml" in names and "mimetype" in names:
        with open_archive(content) as archive:
            media_type = read_member(archive, "mimetype", 200).strip().removesuffix(b"-template")
        return OPEN_DOCUMENT.get(media_type, "")
    return "epub" if "META-INF/container.xml" in names else ""


def files_in_zip(content: bytes) -> tuple[list[tuple[str, bytes]], list[str]]:
    """The files of an archive with their names, and one line for each that cannot be unpacked; no files if the archive
    is itself a document, such as a book or a sheet. Raises UnreadableDocument if it is damaged or encrypted as a whole,
    or would unpack to too much.
    """
    files: list[tuple[str, bytes]] = []
    problems: list[str] = []
    with _bounded(content) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if {"mimetype", "[Content_Types].xml", "META-INF/MANIFEST.MF"} & {member.filename for member in members}:
            return [], []
        if members and all(map(_is_encrypted, members)):
            raise UnreadableDocument("The file is encrypted.", cure="Save it without a password.")
        for member, name in zip(members, _member_names(members), strict=True):
            if not name or _HIDDEN.search(name):
                continue
            if _is_encrypted(member):
                problems.append(f"{name} is not read: it is encrypted")
                continue
            try:
                files.append((name, archive.read(member)))
            except Exception as error:  # noqa: BLE001 - each way of packing has its own; the others are whole
                problems.append(f"{name} cannot be unpacked ({type(error).__name__}: {one_line(str(error))})")
    return files, problems


def files_in_tar(content: bytes) -> tuple[list[tuple[str, bytes]], list[str]]:
    """The files of a .tar, also a compressed one; the one file of a .gz, .bz2 or .xz, without a name. Links and devices
    are no files. Raises UnreadableDocument if it is damaged, or would unpack to too much.
    """
    try:
        unpacked = _decompressed(content)
        if unpacked[_TAR_AT : _TAR_AT + len(_TAR)] != _TAR:
            return ([("", unpacked)], []) if unpacked is not content else ([], [])
        with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
            members = list(islice((member for member in archive if member.isfile()), _MAX_MEMBERS + 1))
            if len(members) > _MAX_MEMBERS or sum(member.size for member in members) > MAX_UNPACKED:
                raise _too_much(len(unpacked), len(members))
            named = [(_safe_name(member.name), archive.extractfile(member)) for member in members]
            return [(name, file.read()) for name, file in named if file and name and not _HIDDEN.search(name)], []
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError, ValueError) as error:
        cause = f"The file is a broken archive: {one_line(str(error))}."
        raise UnreadableDocument(cause, cure="Pack it again, or send what is inside.") from error


def _decompressed(content: bytes) -> bytes:
    """What is in a compressed file; any other file itself."""
    opened = next((opened for signature, opened in _COMPRESSED if signature.match(content)), None)
    if opened is None:
        return content
    with opened(io.BytesIO(content)) as file:
        unpacked: bytes = file.read(MAX_UNPACKED + 1)
    if len(unpacked) > MAX_UNPACKED:
        raise _too_much(len(unpacked), 1)
    return unpacked


def _too_much(size: int, members: int) -> UnreadableDocument:
    return UnreadableDocument(
        f"The file unpacks to {size / 1e6:,.0f} MB in {members:,} parts, which looks like an attack.",
        cure="Save the text alone, without images, or in several files.",
    )


def _member_names(members: Sequence[zipfile.ZipInfo]) -> list[str]:
    """Safe paths for members, below the archive."""
    named = [_bytes_of_name(member) for member in members]
    guessed = iter(decoded_names([name for name in named if name is not None]))
    return [
        _safe_name(member.filename if name is None else next(guessed))
        for member, name in zip(members, named, strict=True)
    ]


def _bytes_of_name(member: zipfile.ZipInfo) -> bytes | None:
    """The name of a member as it is written; None if its encoding is known."""
    name = member.orig_filename.partition("\0")[0]
    if member.flag_bits & _UTF8_NAME or name != member.filename:  # zipfile has replaced it by a name in UTF-8
        return None
    try:
        return name.encode("cp437")
    except UnicodeError:
        return None


def _safe_name(name: str) -> str:
    parts = posixpath.normpath(name.replace("\\", "/")).split("/")
    return one_line("/".join(part for part in parts if part not in ("", ".", "..")), _LONGEST_NAME)


def xml_of(archive: zipfile.ZipFile, path: str) -> ElementTree.Element:
    # expat >= 2.4.1 bounds entities
    return ElementTree.fromstring(read_member(archive, path, MAX_TREE))  # noqa: S314


def read_member(archive: zipfile.ZipFile, path: str, limit: int | None = None) -> bytes:
    """The bytes of a member, at most `limit`. Raises UnreadableDocument for a larger one."""
    limit = MAX_MEMBER if limit is None else limit
    size = archive.getinfo(path).file_size
    if size > limit:
        raise UnreadableDocument(
            f"The file's part {one_line(path)} has {size / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB.",
            cure="Save the text alone, without images, or in several files.",
        )
    return archive.read(path)


def tag_of(node: ElementTree.Element) -> str:
    return str(node.tag).rpartition("}")[2]


def text_of(tree: ElementTree.Element | None, tag: str) -> str:
    nodes = tree.iter() if tree is not None else ()
    return next(("".join(node.itertext()).strip() for node in nodes if tag_of(node) == tag), "")
