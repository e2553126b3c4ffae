"""Render documents and counts."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table


def show_documents(found_documents: Sequence[Data], threads: Sequence[Sequence[str]], *, limited: bool) -> None:
    """A list of documents, the mails of a thread together; `limited`: only some were asked for."""
    terminal = console()
    if not found_documents:
        none = "No documents match." if limited else "There are no documents. `filigraph ingest PATH` reads some."
        line(terminal, none)
        return
    rows = table("Document", "", "Chunks", "Facts", right=(2, 3))
    by_id = {document["id"]: document for document in found_documents}
    mails_of = {id_: thread for thread in threads for id_ in thread}
    shown = dict.fromkeys(
        id_ for document in found_documents for id_ in mails_of.get(document["id"], (document["id"],))
    )
    begun: Sequence[str] = ()
    for document in (by_id[id_] for id_ in shown if id_ in by_id):
        state = "" if document["status"] == "complete" else " partial"
        state += f", {plural(document['unread'], 'chunk')} unread" if document["unread"] else ""
        named = styled(document["source"])
        if document["title"] not in ("", document["source"]):
            named.append("\n").append(styled(document["title"], "dim"))
        thread = mails_of.get(document["id"], ())
        if thread and thread is not begun:
            rows.add_row(styled(f"A thread of {len(thread)} mails", "dim"), "", "", "")
        begun = thread
        if thread:
            named = styled("  ").append(named)
        note = styled(f"{document['language'] or '–'}{state}", "dim")
        rows.add_row(named, note, f"{document['chunks']:,}", f"{document['facts']:,}")
    terminal.print(rows)


def show_document(details: Data) -> None:
    terminal = console()
    heading(terminal, details["title"] or details["source"], details["status"])
    rows = table("", "")
    for name in ("source", "id", "sha256", "language", "media_type", "chunks", "facts", "unread"):
        rows.add_row(
            styled(f"  {name.replace('_', ' ')}"), styled("–" if details[name] in ("", None) else details[name])
        )
    for name, value in details["metadata"].items():
        if name != "thread" or len(details["thread"]) < 2:
            rows.add_row(styled(f"  {name}"), styled(value))
    if details["places"]:
        rows.add_row(styled("  places"), styled("; ".join(place["until"] for place in details["places"])))
    for n, mail in enumerate(details["thread"] if len(details["thread"]) > 1 else ()):
        here = "this mail" if mail["id"] == details["id"] else mail["source"]
        named = ", ".join(filter(None, (mail["date"], mail["sender"], here)))
        rows.add_row(styled("  thread" if not n else ""), styled(named))
    terminal.print(rows)
    for warning in details["warnings"]:
        line(terminal, styled(warning, "yellow"))


def show_deleted(rows: Sequence[Data]) -> None:
    """Report of a deletion."""
    terminal = console()
    for row in rows:
        line(terminal, styled(row["source"]))
    line(terminal, f"{plural(len(rows), 'document')} deleted.")


def _count(count: int | bool) -> str:
    return ("no", "yes")[count] if isinstance(count, bool) else f"{count:,}"


def show_stats(reply: Data) -> None:
    """Counts, one per line."""
    terminal = console()
    heading(terminal, f"Workspace {reply['workspace']}")
    rows = table("", "")
    for name, value in reply["stats"].items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        shown = ", ".join(f"{key} {_count(count)}".strip() for key, count in parts)
        rows.add_row(styled(f"  {name.replace('_', ' ')}"), styled(shown or "–"))
    terminal.print(rows)
