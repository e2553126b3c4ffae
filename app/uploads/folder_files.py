"""The files of folders, each with its source."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from filigraph.app.uploads.ignored import IgnoreRules, ignore_rules, is_ignored
from filigraph.graph.errors import InputError
from filigraph.graph.text.identifiers import LANGUAGES

# Folders with other people's code or with files of programs: these always, the rest where a project begins.
NEVER_OURS = frozenset({"node_modules", "bower_components", "__pycache__", "site-packages", "third_party", "vendored"})
NOT_OURS = NEVER_OURS | {"dist", "build", "target", "vendor", "out", "coverage"}
PROJECTS = frozenset(
    ("package.json", "pyproject.toml", "setup.py", "setup.cfg", "go.mod", "Cargo.toml", "pom.xml", "build.gradle")
)
MAILDIR = frozenset({"cur", "new", "tmp"})  # the folders of a mailbox with one file per mail
_DAY_OF_CHAT = re.compile(r"\d{4}-\d\d-\d\d\.json")
_GENERATED_NAME = re.compile(r"\.min\.|[._](?:pb2|pb2_grpc|generated|gen)\.|\.pb\.go$|\.g\.", re.IGNORECASE)
_GENERATED = re.compile(rb"@generated\b|code generated .{0,80}do not edit|auto-?generated (?:file|by)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class FileToSend:
    """A file to send. Its source is the absolute path, so that a letter.txt in each of two folders gives two
    documents.
    """

    path: Path
    name: str
    size: int
    metadata: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None  # of a text in memory; `path` is then ignored
    users: Path | None = None  # of a day of a chat (Slack): the list that names who wrote in it

    def read(self) -> bytes:
        """What is sent. Raises OSError."""
        content = self.path.read_bytes() if self.content is None else self.content
        if self.users is None:
            return content
        from filigraph.graph.ingest.load.chats.slack import with_users

        return with_users(self.name, content, self.users.read_bytes())


@dataclass(kw_only=True)
class CollectedFiles:
    uploads: list[FileToSend] = field(default_factory=list)
    # source, cause, cure: in the form of the server's reports
    skipped: list[dict[str, str]] = field(default_factory=list)
    left_out: int = 0  # files and folders that .gitignore excludes, or that others or programs wrote

    def skip(self, source: object, cause: str, cure: str) -> None:
        self.skipped.append({"source": name_of(source), "cause": cause, "cure": cure})

    def check_some(self, paths: Sequence[Path]) -> None:
        """Raise InputError if nothing was found, not even a skipped file."""
        if not self.uploads and not self.skipped:
            raise InputError(
                f"There is no file to read in {', '.join(map(name_of, paths))}.",
                cure="Give another folder; hidden, ignored and generated files are read only if named themselves.",
            )


def name_of(path: object) -> str:
    """A path as valid UTF-8 text in NFC, whichever form the file system keeps, with `/` on Windows, too; other bytes
    are escaped with backslashes."""
    whole = str(path) if os.sep == "/" else str(path).replace(os.sep, "/")
    return unicodedata.normalize("NFC", os.fsencode(whole).decode("utf-8", "backslashreplace"))


def source_here(path: str) -> str:
    """The source of an ingested document with this path, relative to the working directory; a folder keeps its `/`."""
    whole = name_of(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111 - as `collect` does, and patterns
    return f"{whole}/" if path.endswith("/") and not whole.endswith("/") else whole


def collect(
    paths: Sequence[Path],
    *,
    leave_out: Sequence[Path | None],
    limit: int,
    metadata: Mapping[str, str] | None = None,
) -> CollectedFiles:
    """The files of `paths`, and of folders in them, without hidden files. `limit`: bytes of one file; `metadata`: of
    each.
    """
    collected = CollectedFiles()
    seen = {path.resolve() for path in leave_out if path}
    for path in paths:
        whole = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100 - resolve() would replace links by their goals
        for file in _walk(whole, collected) if whole.is_dir() else [whole]:
            if file.resolve() in seen:
                continue
            seen.add(file.resolve())
            _add(file, collected, limit, metadata or {})
    return collected


def is_generated(file: Path) -> bool:
    """Whether a program wrote a file of source code, according to its name or its head."""
    if file.suffix.lower() not in LANGUAGES:
        return False
    if _GENERATED_NAME.search(file.name):
        return True
    try:
        with file.open("rb") as opened:
            return bool(_GENERATED.search(opened.read(1024)))
    except OSError:  # sending it reports the error
        return False


def _walk(folder: Path, collected: CollectedFiles) -> Iterator[Path]:
    def unreadable(error: OSError) -> None:
        collected.skip(error.filename, f"The folder cannot be read ({error.strerror}).", "Allow it to be read.")

    ignored: dict[str, list[IgnoreRules]] = {}
    for root, folders, files in os.walk(folder, onerror=unreadable):
        here = Path(root)
        if set(folders) >= MAILDIR:  # other files there belong to the mail program; folders in it begin with a dot
            folders[:] = sorted(name for name in folders if name != "tmp" and (name in MAILDIR or name[0] == "."))
            continue
        rules = ignored[root] = [*ignored.get(str(here.parent), []), *ignore_rules(here)]
        not_ours = NOT_OURS if PROJECTS.intersection(files) else NEVER_OURS
        wanted = [name for name in sorted(folders) if not name.startswith(".")]
        folders[:] = [name for name in wanted if name not in not_ours and not is_ignored(here / name, rules, "/")]
        visible = [here / name for name in sorted(files) if not name.startswith(".")]
        ours = [file for file in visible if not is_ignored(file, rules) and not is_generated(file)]
        collected.left_out += len(wanted) - len(folders) + len(visible) - len(ours)
        yield from ours


def _add(file: Path, collected: CollectedFiles, limit: int, metadata: Mapping[str, str]) -> None:
    try:
        info = file.stat()
    except OSError as error:
        collected.skip(file, f"It cannot be found ({error.strerror}).", "Check the path.")
        return
    if not stat.S_ISREG(info.st_mode):
        collected.skip(file, "It is not a regular file.", "Give files or folders.")
    elif info.st_size > limit:
        collected.skip(file, *too_large(limit))
    else:
        if file.suffix.lower() in LANGUAGES:
            modified = datetime.fromtimestamp(info.st_mtime, UTC).isoformat(timespec="seconds")
            metadata = {"modified": modified, **metadata}
        users = _users_beside(file)
        size = info.st_size + (users.stat().st_size if users else 0)
        collected.uploads.append(FileToSend(path=file, name=name_of(file), size=size, metadata=metadata, users=users))


def _users_beside(file: Path) -> Path | None:
    """The list of the users of the chats (Slack) that a file is a day of."""
    listed = file.parent.parent / "users.json"
    return listed if _DAY_OF_CHAT.fullmatch(file.name) and listed.is_file() else None


def too_large(limit: int) -> tuple[str, str]:
    """(cause, cure) for a file of more than `limit` bytes."""
    cause = f"It is larger than {limit >> 20} MB, the most that the server takes in one request."
    return cause, "Split it, or raise FILIGRAPH_MAX_UPLOAD_MB on the server."
