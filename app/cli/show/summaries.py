"""Render summaries."""

from __future__ import annotations

from filigraph.app.cli.show.ingest import show_expected, usage
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import clean, one_line

MAX_NAMED_ENTITIES = 6  # max. entities shown per summary


def show_estimate(figures: Data) -> None:
    show_expected(figures, by=f"by {_writer_text(figures['writer'])}", counted=_summaries(figures["summaries"]))


def show_levels(figures: Data) -> None:
    """Summaries by level, and which are up to date."""
    terminal = console()
    rows = table("Level", "Summaries", "Up to date", right=(0, 1, 2))
    for level in figures["levels"]:
        rows.add_row(str(level["level"]), f"{level['summaries']:,}", f"{level['kept']:,}")
    terminal.print(rows)
    if figures["kept"] < figures["summaries"]:
        line(terminal, f"`filigraph summarize` writes the others, by {_writer_text(figures['writer'])}.")


def show_estimated(figures: Data) -> None:
    """Estimate of the summaries after an ingest."""
    line(console(), f"{_summaries(figures['summaries'])} afterwards, by {_writer_text(figures['summary_writer'])}")
    for text in usage({"usage": figures["summary_usage"], "cost": figures["summary_cost"]}, about=True):
        line(console(), text)


def show_report(result: Data) -> None:
    terminal = console()
    unchanged = f", {result['unchanged']:,} unchanged" if result["unchanged"] else ""
    heading(terminal, "Summaries", f"{plural(result['documents'], 'document')} summarized{unchanged}")
    by = "sentences of the texts" if result["recipe"].startswith("extractive") else one_line(result["recipe"])
    levels = f" in {plural(result['levels'], 'level')}" if result["levels"] else ""
    line(terminal, f"{_summaries(result['summaries'])}{levels}, {result['written']:,} written now, by {by}")
    if result["dropped"]:
        line(terminal, f"{plural(result['dropped'], 'sentence')} left out: the text does not support them")
    if result["quoted"]:
        line(terminal, f"{_summaries(result['quoted'])} made of sentences: nothing of the LLM's reply could be used")
    for text in usage(result):
        line(terminal, text)
    line(terminal, styled("`filigraph outline` shows them.", "dim"))


def show_missing(counts: Data) -> None:
    """What has no summaries, and the cure; nothing where all of it has some."""
    parts = [plural(counts["documents"], "document")] if counts["documents"] else []
    parts += ["what covers several documents"] if counts["above"] else []
    if parts:
        message = f"No summaries up to date of {' and of '.join(parts)}: `filigraph summarize` writes them."
        line(console(), styled(message, "yellow"))


def show_outline(reply: Data) -> None:
    """Summaries as a tree, highest level first, each under the one that covers it."""
    terminal = console()
    rows: list[Data] = reply["summaries"]
    show_missing(reply["missing"])
    if not rows and not any(reply["missing"].values()):
        line(terminal, "There are no summaries yet: `filigraph summarize` writes them.")
    by_id = {row["id"]: row for row in rows}
    covered = {id_ for row in rows for id_ in row["covers"]}

    def show(row: Data, depth: int) -> None:
        terminal.print()
        line(terminal, styled(one_line(row["title"]), "bold"), 2 + 2 * depth)
        line(terminal, styled(clean(row["text"])), 2 + 2 * depth)
        if about := _entities_and_tags(row):
            line(terminal, styled(about, "dim"), 2 + 2 * depth)
        for id_ in row["covers"]:
            if id_ in by_id:
                show(by_id[id_], depth + 1)

    for row in rows:
        if row["id"] not in covered:
            show(row, 0)


def _entities_and_tags(row: Data) -> str:
    names = [one_line(entity["name"], 40) for entity in row["entities"][:MAX_NAMED_ENTITIES]]
    tags = [one_line(tag, 40) for tag in row["tags"]]
    return " · ".join(filter(None, (", ".join(names), ", ".join(tags))))


def _writer_text(writer: str) -> str:
    return "sentences of the texts" if writer == "quotes" else one_line(writer)


def _summaries(count: int) -> str:
    return f"{count:,} {'summary' if count == 1 else 'summaries'}"


def show_shares(reply: Data) -> None:
    """Shares of summaries in the budget, by profile."""
    rows = table("Profile", "Chapters and more", "Two pages", right=(1, 2))
    for profile, own in reply["shares"].items():
        rows.add_row(profile, f"{own['overview']:.0%}", f"{own['windows']:.0%}")
    console().print(rows)
