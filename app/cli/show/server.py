"""Render keys, workspaces, the audit log and the doctor's checks."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.show.views import options_of_view
from filigraph.app.cli.terminal.console import Data, console, line, styled, table
from filigraph.app.cli.terminal.text import clean

MARKS = {"ok": ("✓", "green"), "weak": ("!", "yellow"), "none": ("–", "dim"), "broken": ("✗", "bold red")}


def show_checks(results: Sequence[Data]) -> None:
    """Diagnostic checks with cures."""
    terminal = console()
    rows = table("", "", "")
    for check in results:
        mark, style = MARKS[check["state"]]
        text = styled(check["detail"])
        if check["cure"]:
            text.append(f"\n{clean(check['cure'])}", style="dim" if check["state"] == "none" else "yellow")
        rows.add_row(styled(mark, style), styled(check["name"], "bold"), text)
    terminal.print(rows)


def show_keys(entries: Sequence[Data]) -> None:
    terminal = console()
    if not entries:
        line(terminal, "There are no keys: every user of this machine has full access.")
        return
    rows = table("Key", "May", "Workspace", "Made")
    for key in entries:
        created = key["made"][:10]
        where = ": ".join(filter(None, (key["workspace"] or "all", options_of_view(key["view"]))))
        rows.add_row(styled(key["name"]), styled(key["scope"]), styled(where), styled(created))
    terminal.print(rows)


def show_workspaces(page: Data) -> None:
    terminal = console()
    if not page["workspaces"]:
        line(terminal, "There are no workspaces. `filigraph ingest` makes one.")
        return
    for row in page["workspaces"]:
        shard = f"on shard {row['shard']}" if row["shard"] != "home" else ""
        line(terminal, styled(row["name"]).append_text(styled(f"  {shard}", "dim")))


def show_audit(entries: Sequence[Data]) -> None:
    """A page of the audit log."""
    terminal = console()
    if not entries:
        line(terminal, "Nothing was changed.")
        return
    rows = table("When (UTC)", "Who", "What", "Where")
    for entry in entries:
        what = styled(entry["action"].replace("/v1/workspaces/{workspace}/", "").replace("/v1/", ""))
        if entry["subject"]:
            what.append(f"\n{clean(entry['subject'])[:200]}", style="dim")
        if entry["status"] >= 400:
            what.append(f"\nended with {entry['status']}", style="yellow")
        when = entry["at"][:19].replace("T", " ")
        rows.add_row(styled(when, "dim"), styled(entry["by"]), what, styled(entry["workspace"] or "–"))
    terminal.print(rows)
