"""Render documents and counts."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table


def documents(found: Sequence[Data], *, limited: bool) -> None:
    """A list of documents; `limited`: only some were asked for."""
    out = console()
    if not found:
        none = (
            "No document is meant by that."
            if limited
            else "There are no documents. `filigraph ingest PATH` reads some."
        )
        line(out, none)
        return
    rows = table("Document", "", "Chunks", "Facts", right=(2, 3))
    for document in found:
        state = "" if document["status"] == "complete" else " partial"
        state += f", {plural(document['unread'], 'chunk')} unread" if document["unread"] else ""
        named = styled(document["source"])
        if document["title"] not in ("", document["source"]):
            named.append("\n").append(styled(document["title"], "dim"))
        note = styled(f"{document['language'] or '–'}{state}", "dim")
        rows.add_row(named, note, f"{document['chunks']:,}", f"{document['facts']:,}")
    out.print(rows)


def document(found: Data) -> None:
    """Details of a document."""
    out = console()
    heading(out, found["title"] or found["source"], found["status"])
    rows = table("", "")
    for name in ("source", "id", "sha256", "language", "media_type", "chunks", "facts", "unread"):
        rows.add_row(styled(f"  {name.replace('_', ' ')}"), styled("–" if found[name] in ("", None) else found[name]))
    for name, value in found["metadata"].items():
        if name != "thread" or len(found["thread"]) < 2:
            rows.add_row(styled(f"  {name}"), styled(value))
    if found["places"]:
        rows.add_row(styled("  places"), styled("; ".join(place["until"] for place in found["places"])))
    for n, mail in enumerate(found["thread"] if len(found["thread"]) > 1 else ()):
        here = "this mail" if mail["id"] == found["id"] else mail["source"]
        named = ", ".join(filter(None, (mail["date"], mail["sender"], here)))
        rows.add_row(styled("  thread" if not n else ""), styled(named))
    out.print(rows)
    for warning in found["warnings"]:
        line(out, styled(warning, "yellow"))


def deleted(found: Sequence[Data]) -> None:
    """Report of a deletion."""
    out = console()
    for row in found:
        line(out, styled(row["source"]))
    line(out, f"{plural(len(found), 'document')} deleted.")


def stats(found: Data) -> None:
    """Counts, one per line."""
    out = console()
    heading(out, f"Workspace {found['workspace']}")
    rows = table("", "")
    for name, value in found["stats"].items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        shown = ", ".join(f"{key} {count:,}".strip() for key, count in parts)
        rows.add_row(styled(f"  {name.replace('_', ' ')}"), styled(shown or "–"))
    out.print(rows)
