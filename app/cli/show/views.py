"""Render views and what differs between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line
from filigraph.graph.view import DATE

if TYPE_CHECKING:
    from rich.console import Console

WHY = {  # a hop of a path breaks
    "unsaid": "no visible fact says it",
    "left_out": "the fact is left out",
    "parted": "it does not join the hop before",
}


def show_named_views(reply: Data) -> None:
    """The views of a workspace that have names, each with its share of the server's memory for views."""
    terminal, rows = console(), reply["views"]
    if not rows:
        line(terminal, "No view has a name. `filigraph views create NAME --until ...` keeps one.")
    for row in rows:
        details = f"  {options_of_view(row['view'])}  {_memory(row['memory_bytes'], reply['memory_limit_bytes'])}"
        line(terminal, styled(row["name"]).append_text(styled(details, "dim")))


def _memory(size: int, limit: int) -> str:
    if not size:
        return "(not in memory)"
    return f"({size / 2**20:,.1f} MB in memory, {size / limit:.1%} of the limit)"


def show_kept_view(saved: Data, workspace: str) -> None:
    """A view that was given a name."""
    terminal = console()
    line(terminal, styled(f"{saved['name']}: {options_of_view(saved['view'])}"))
    counted = {"documents": "document", "chunks": "chunk", "entities": "entity", "facts": "fact"}
    visible = [plural(saved[plural_name], singular, plural_name) for plural_name, singular in counted.items()]
    line(terminal, styled(f"  Visible: {', '.join(visible)}.", "dim"))
    terminal.print(
        styled(f"  Read it with -w {workspace}@{saved['name']}", "dim"), soft_wrap=True
    )  # to be copied: whole


def show_comparison(difference: Data) -> None:
    """What differs between two views."""
    out = console()
    titles = {
        "joined": "Names that are one now",
        "parted": "Names that are no longer one",
        "renamed": "Renamed",
        "entities_came": "New names",
        "entities_gone": "Names that are gone",
        "facts_came": "New facts",
        "facts_gone": "Facts that are gone",
    }
    for name, title in titles.items():
        if total := difference["totals"][name]:
            heading(out, title, f"{total:,}")
            for row in difference[name]:
                line(out, styled(f"  {_difference_text(row)}"))
            if total > len(difference[name]):
                line(out, styled(f"  and {total - len(difference[name]):,} more: --count", "dim"))
    changed = [row for row in difference.get("answers", ()) if row["changed"]]
    if changed:
        heading(out, "Answers that change", f"{len(changed):,} of {len(difference['answers']):,}")
    for row in changed:
        _show_answer(out, row)
    if not changed and not any(difference["totals"].values()):
        line(out, "Nothing differs.")


def _show_answer(out: Console, row: Data) -> None:
    """An earlier question in both views: the paths, or the best passages if there are none."""
    line(out, styled(f"  {one_line(row['question'])}"))
    for when in ("before", "after"):
        said = row[f"path_{when}"] or (row[f"source_{when}"] and f"no path; best passage in {row[f'source_{when}']}")
        line(out, styled(f"    {when}: {one_line(said or 'nothing')}", "dim"))
    for broken in row["breaks"]:
        line(out, styled(f"    hop {broken['hop']} breaks: {one_line(broken['text'])} ({WHY[broken['why']]})", "dim"))


def _difference_text(row: Data | str) -> str:
    if isinstance(row, str):
        return row
    if "others" in row:
        return f"{row['name']}: {', '.join(row['others'])}"
    return f"{row['subject']} {row['predicate']} {row['object']} ({row['source']})"


def options_of_view(view: Data) -> str:
    """What a view says, in the words of the options."""
    options = {"within": "in", "until": "until", "without": "without", "without_decisions": "without-decision"}
    options |= {"without_facts": "without-fact", "sources": "only"}
    parts = [f'--{option} "{entry}"' for name, option in options.items() for entry in view.get(name, ())]
    dated = {"dated-by": view.get("dated_by", DATE), "undated": view.get("undated", "in")}
    if view.get("as_of"):
        parts += [f"--as-of {view['as_of']}", *(f"--{option} {value}" for option, value in dated.items())]
    parts += [f"@{view['named']}"] if view.get("named") else []
    for key, value in view.get("where", {}).items():
        parts.append(f'--only-where "{key}{"" if key.endswith(("<", ">", "=")) else "="}{value}"')
    return " ".join(parts)
