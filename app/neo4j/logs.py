"""The logs of Neo4j and its Java, and the line in them that says why they ended."""

import re
from pathlib import Path

from filigraph.app.neo4j.folders import Neo4jFolders

CAUSE = re.compile(r"\bERROR\b|^Caused by: |^Exception in thread")
STAMP = re.compile(r"^\S+ \S+ ERROR +(\[[^]]*\] *)?|^Caused by: |^Exception in thread \S+ |^Optional\[(?=.*\]$)")
CLASS_NAME = re.compile(r"^(?:[a-z_]\w*\.)+([A-Z][\w$]*(?:Exception|Error)): ")
NOT_OPENED = re.compile(r"Failed to start DatabaseId\{\w+\[neo4j\]\}|\[neo4j/\w+\].*while starting the database")
DATED = re.compile(r"^\d{4}-\d\d-\d\d ")
FULL = ("No space left", "quota exceeded")
SAYS_NOTHING = ("Error: Could not create the Java Virtual Machine", "Error: A fatal exception has occurred")
MAX_CAUSE_CHARS = 300  # characters of a cause: it is one line of a message


def lines_of(file: Path) -> list[str]:
    """The lines of a log; none if there is no such file."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def last_error(folders: Neo4jFolders) -> tuple[str, Path]:
    """Why the JVM ended, in its own words, and the file with more details.

    Neo4j's own log is best; a JVM that failed earlier writes to its console. In both the last cause is the root cause.
    """
    for file in (folders.log, folders.console):
        if named := [line for line in lines_of(file) if CAUSE.search(line)]:
            return _shortened(named[-1]), file
    spoken = [line for line in lines_of(folders.console) if line.strip() and not line.startswith(SAYS_NOTHING)]
    return (_shortened(spoken[-1]) if spoken else "its Java said nothing"), folders.console


def why_not_opened(folders: Neo4jFolders) -> str:
    """Why the running server could not open its database in this start; "" if it could, or still tries."""
    for file in (folders.debug, folders.log):
        lines = lines_of(file)
        at = next((number for number, line in enumerate(lines) if NOT_OPENED.search(line)), None)
        if at is None:
            continue
        rest = lines[at + 1 :]
        end = next((number for number, line in enumerate(rest) if DATED.match(line)), len(rest))
        causes = [line for line in rest[:end] if line.startswith("Caused by: ")] or rest[:1] or [lines[at]]
        return _shortened(causes[-1]).partition(". ")[0]  # the rest advises to delete unreadable files
    return ""


def cure_of(cause: str, file: Path, folders: Neo4jFolders) -> str:
    """What to do about a cause that Neo4j names in `file`."""
    if any(words in cause for words in FULL):
        return f"Free some space on the disk of {folders.server}, then start it again: what was committed is there."
    if "OutOfMemoryError" in cause:
        return f"Give it more memory, such as FILIGRAPH_NEO4J_HEAP=2g; {file} says more."
    if "transaction log" in cause:
        return f"Put a copy of {folders.server} back, or move {folders.server} away and ingest again; {file} says more."
    return f"Read its log: {file}."


def port_was_taken(folders: Neo4jFolders) -> bool:
    """Whether Neo4j ended because another program had just taken its port."""
    written = lines_of(folders.log) + lines_of(folders.console)
    return any("already in use" in line or "PortBindException" in line for line in written)


def _shortened(line: str) -> str:
    """A line without its date, its class names and its end."""
    text = STAMP.sub("", line.strip())
    if text != line.strip() and line.startswith("Optional["):
        text = text.removesuffix("]")
    text = CLASS_NAME.sub("", text).rstrip(".")
    return text if len(text) <= MAX_CAUSE_CHARS else f"{text[:MAX_CAUSE_CHARS]}…"
