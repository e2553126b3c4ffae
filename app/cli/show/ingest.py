"""Render an ingest: live progress, and a short report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from filigraph.app.cli.terminal.console import Data, LiveProgress, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import duration as duration
from filigraph.app.cli.terminal.text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from filigraph.app.client.rest import Client

CURABLE = ("the schema", "reached the cap")  # in reasons why something was dropped: another schema, smaller chunks
SHOWN_PROBLEMS = 20
SHOWN_SECONDS = 0.05  # shorter stages are omitted
STAGES = {
    "check": "checking the file",
    "embed": "computing vectors",
    "swap": "putting vectors in their places",
    "load": "opening",
    "delete": "deleting documents",
    "ask": "answering",
    "fill": "filling fields",
    "batch": "waiting for the provider",
    "extract": "reading facts",
    "read": "storing",
    "scan": "looking for known names",
    "cast": "asking who is who",
    "resolve": "telling who is who",
    "entities": "entities",
    "facts": "facts",
    "finish": "finishing",
    "summarize": "summarizing",
    "contradictions": "comparing what is said",
    "lists": "reading for a list",
}


class IngestProgress(LiveProgress):
    def __init__(self, *, quiet: bool, files: int) -> None:
        super().__init__(quiet=quiet)
        self._files = self._bar.add_task("files", total=files)
        self._label = "sending"
        self._stage = self._bar.add_task(self._label, total=None)

    def sent(self, files: int) -> None:
        """Count the files of a sent batch."""
        self._bar.advance(self._files, files)
        self._show_stage("sending", 0, None)

    def take(self, event: Data) -> None:
        """Handle an event of the stream."""
        if event["event"] == "waiting":
            self._show_stage(one_line(event["message"]), 0, None)
        elif event["event"] == "progress":
            stage = str(event["stage"])
            self._show_stage(STAGES.get(stage, stage), event["done"], event["total"] or None)

    def _show_stage(self, label: str, done: int, total: int | None) -> None:
        """Show the current stage; one without a total gets a new task, since rich cannot reset a total to None."""
        if label != self._label or total is None:
            self._bar.remove_task(self._stage)
            self._stage, self._label = self._bar.add_task(label, total=total), label
        self._bar.update(self._stage, completed=done, total=total)


def follow_stream(
    client: Client, address: str, result: str, *, quiet: bool, steps: int = 1, **request: Any
) -> dict[str, Any]:
    """Send a request, show its progress, and return the `result` of its last event."""
    last: dict[str, Any] = {}
    with IngestProgress(quiet=quiet, files=steps) as progress:
        for event in client.stream(address, **request):
            progress.take(event)
            last = event.get(result) or last
    return last


def show_report(reply: Data) -> None:
    terminal = console()
    counts = {key: len(reply[key]) for key in ("added", "updated", "unchanged", "skipped")}
    heading(terminal, "Documents", ", ".join(f"{count:,} {key}" for key, count in counts.items() if count) or "none")
    if "chunks" in reply:
        empty = f", {reply['empty_chunks']:,} of them without facts" if reply["empty_chunks"] else ""
        line(terminal, f"{plural(reply['chunks'], 'chunk')} read{empty}")
        line(
            terminal,
            f"{plural(reply['entities'], 'entity', 'entities')} and {plural(reply['facts'], 'fact')} in the workspace",
        )
        for text in usage(reply):
            line(terminal, text)
        if reply.get("unsummarized"):
            text = f"{plural(reply['unsummarized'], 'document')} without summaries up to date: `filigraph summarize`"
            line(terminal, styled(text, "yellow"))
        line(terminal, f"{sum(reply['seconds'].values()):.1f} s{stages(reply['seconds'])}")
    skipped = [f"{entry['source']}: {entry['cause']} {entry['cure']}" for entry in reply["skipped"]]
    show_problems(terminal, "Skipped", skipped)
    show_problems(terminal, "Read, but not all of it", reply["problems"])
    show_problems(terminal, "Read, with this to know", reply.get("remarks", []))
    show_problems(terminal, "Chunks without facts (`filigraph gaps` lists them)", _often_first(reply.get("notes", {})))
    curable = {what: count for what, count in reply.get("counts", {}).items() if any(word in what for word in CURABLE)}
    show_problems(terminal, "Outside the schema, or more than one passage may hold", _often_first(curable))


def show_expected(figures: Data, *, by: str, counted: str) -> None:
    """Estimate of LLM calls and cost; `counted`: the items to write."""
    terminal = console()
    heading(terminal, "Estimate", by)
    line(terminal, f"{counted}, {figures['kept']:,} of them up to date" if figures["kept"] else counted)
    for text in usage(figures, about=True):
        line(terminal, text)


def usage(figures: Data, *, about: bool = False) -> list[str]:
    """Calls, tokens and cost of the LLM; empty without calls."""
    used, cost = figures.get("usage") or {}, figures.get("cost")
    if not used.get("calls"):
        return []
    mark = "about " if about else ""
    tokens = f"{mark}{used['tokens_in']:,} tokens in and {used['tokens_out']:,} out"
    price = f", {mark}{cost:,.2f} at the prices that are set" if cost is not None else ""
    return [f"{plural(used['calls'], 'call')} of the LLM: {tokens}{price}"]


def _often_first(counts: Mapping[str, int]) -> list[str]:
    return [f"{count:,}  {what}" for what, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def stages(seconds: Mapping[str, float]) -> str:
    """Seconds per stage, for stages of at least SHOWN_SECONDS."""
    shown = ", ".join(f"{stage} {elapsed:.1f}" for stage, elapsed in seconds.items() if elapsed >= SHOWN_SECONDS)
    return f": {shown}" if shown else ""


def show_problems(terminal: Console, title: str, lines: Sequence[str]) -> None:
    """A list of problems, truncated if long."""
    if not lines:
        return
    heading(terminal, title)
    for text in lines[:SHOWN_PROBLEMS]:
        line(terminal, one_line(text))
    if len(lines) > SHOWN_PROBLEMS:
        line(terminal, f"and {len(lines) - SHOWN_PROBLEMS:,} more; --json lists them all")
