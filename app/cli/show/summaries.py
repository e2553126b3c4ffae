"""Render summaries."""

from __future__ import annotations

from filigraph.app.cli.show.ingest import expected, usage
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import clean, one_line

NAMED = 6  # max. entities shown per summary


def estimate(found: Data) -> None:
    """Estimate of a run."""
    expected(found, by=f"by {_by(found['writer'])}", counted=_summaries(found["summaries"]))


def levels(found: Data) -> None:
    """Summaries by level, and which are up to date."""
    out = console()
    rows = table("Level", "Summaries", "Up to date", right=(0, 1, 2))
    for one in found["levels"]:
        rows.add_row(str(one["level"]), f"{one['summaries']:,}", f"{one['kept']:,}")
    out.print(rows)
    if found["kept"] < found["summaries"]:
        line(out, f"`filigraph summarize` writes the others, by {_by(found['writer'])}.")


def estimated(found: Data) -> None:
    """Estimate of the summaries after an ingest."""
    line(console(), f"{_summaries(found['summaries'])} afterwards, by {_by(found['summary_writer'])}")
    for text in usage({"usage": found["summary_usage"], "cost": found["summary_cost"]}, about=True):
        line(console(), text)


def report(found: Data) -> None:
    """Report of a run."""
    out = console()
    unchanged = f", {found['unchanged']:,} unchanged" if found["unchanged"] else ""
    heading(out, "Summaries", f"{plural(found['documents'], 'document')} summarized{unchanged}")
    by = "sentences of the texts" if found["recipe"].startswith("extractive") else one_line(found["recipe"])
    levels = f" in {plural(found['levels'], 'level')}" if found["levels"] else ""
    line(out, f"{_summaries(found['summaries'])}{levels}, {found['written']:,} written now, by {by}")
    if found["dropped"]:
        line(out, f"{plural(found['dropped'], 'sentence')} left out: the text does not support them")
    if found["quoted"]:
        line(out, f"{_summaries(found['quoted'])} made of sentences: nothing of the LLM's reply could be used")
    for text in usage(found):
        line(out, text)
    line(out, styled("`filigraph outline` shows them.", "dim"))


def missing(found: Data) -> None:
    """What has no summaries, and the cure; nothing where all of it has some."""
    parts = [plural(found["documents"], "document")] if found["documents"] else []
    parts += ["what covers several documents"] if found["above"] else []
    if parts:
        told = f"No summaries up to date of {' and of '.join(parts)}: `filigraph summarize` writes them."
        line(console(), styled(told, "yellow"))


def outline(found: Data) -> None:
    """Summaries as a tree, highest level first, each under the one that covers it."""
    out = console()
    rows: list[Data] = found["summaries"]
    missing(found["missing"])
    if not rows and not any(found["missing"].values()):
        line(out, "There are no summaries yet: `filigraph summarize` writes them.")
    by_id = {row["id"]: row for row in rows}
    covered = {id_ for row in rows for id_ in row["covers"]}

    def show(row: Data, depth: int) -> None:
        out.print()
        line(out, styled(one_line(row["title"]), "bold"), 2 + 2 * depth)
        line(out, styled(clean(row["text"])), 2 + 2 * depth)
        if about := _about(row):
            line(out, styled(about, "dim"), 2 + 2 * depth)
        for id_ in row["covers"]:
            if id_ in by_id:
                show(by_id[id_], depth + 1)

    for row in rows:
        if row["id"] not in covered:
            show(row, 0)


def _about(row: Data) -> str:
    names = [one_line(entity["name"], 40) for entity in row["entities"][:NAMED]]
    tags = [one_line(tag, 40) for tag in row["tags"]]
    return " · ".join(filter(None, (", ".join(names), ", ".join(tags))))


def _by(writer: str) -> str:
    return "sentences of the texts" if writer == "quotes" else one_line(writer)


def _summaries(count: int) -> str:
    return f"{count:,} {'summary' if count == 1 else 'summaries'}"


def shares(found: Data) -> None:
    """Shares of summaries in the budget, by profile."""
    rows = table("Profile", "Chapters and more", "Two pages", right=(1, 2))
    for profile, own in found["shares"].items():
        rows.add_row(profile, f"{own['overview']:.0%}", f"{own['windows']:.0%}")
    console().print(rows)
