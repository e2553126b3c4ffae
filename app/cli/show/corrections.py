"""Render decisions, near misses, places, predicates and facts."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.terminal.console import Data, console, heading, line, more, plural, styled, table
from filigraph.app.cli.terminal.text import one_line, source_name

SIGNS = {"same": "=", "distinct": "≠", "aliases": "="}
NAME_CHARS = 60  # characters of a name
WHO = "  numbers of those, Enter none of them, s skip, q quit: "
END = "\n  That was all. u undo the last, q quit: "


def show_corrections(page: Data, first: int) -> None:
    """Decisions, one per line."""
    out = console()
    if not page["total"]:
        line(out, "Nothing was joined.")
        return
    last = first + len(page["corrections"])
    heading(out, "Joined", f"{first + 1:,} to {last:,} of {page['total']:,}")
    for row in page["corrections"]:
        why = [row["rule"], f"{row['score']:.2f}" if row["by"] == "rule" else "", row["at"][:16].replace("T", " ")]
        why += [one_line(row["note"], 80), "" if row["holds"] else "inactive: its names occur in no document now"]
        line(out, styled(_describe_correction(row)).append(f"  {' · '.join(filter(None, why))}", style="dim"))
        if row["by"] == "person":  # on a separate line, to be copied
            line(out, styled(f"undo: {row['id']}", "dim"), indent=4)


def show_near_misses(page: Data) -> None:
    """Near misses, each with a sentence per side."""
    terminal = console()
    if not page["total"]:
        line(terminal, "There is nothing to review.")
        return
    heading(terminal, "Nearly joined", f"{len(page['near_misses']):,} of {page['total']:,}, nearest first")
    for row in page["near_misses"]:
        line(terminal, styled(f"{_describe_correction({**row, 'kind': 'same'})}?"))
        for side in _sides(row):
            line(terminal, styled(side, "dim"), indent=4)


def show_names(reply: Data) -> None:
    """The names of an entity with their counts, then the decisions that joined them, then those it is kept from."""
    terminal = console()
    heading(terminal, plural(len(reply["forms"]), "name"), "")
    for row in reply["forms"]:
        line(
            terminal,
            styled(f"{row['count']:>7,}  {one_line(row['form'], NAME_CHARS)}  {source_name(row['source'])}"),
        )
    for title, same in (("One, for", True), ("Not", False)):
        rows = [row for row in reply["decisions"] if row["same"] is same]
        if rows:
            heading(terminal, title, "")
        for row in rows:
            sign = SIGNS["same" if same else "distinct"]
            why = [row["rule"], "asked in the review" if row["review"] else "", one_line(row["reason"], 200)]
            statement = f"{one_line(row['form'], NAME_CHARS)} {sign} {one_line(row['other'], NAME_CHARS)}"
            line(terminal, styled(statement).append(f"  {' · '.join(filter(None, why))}", style="dim"))


def show_who(page: Data) -> None:
    """Questions of who is who, each name with a sentence."""
    if not page["questions"]:
        line(console(), "There is nobody to ask about.")
    for number, row in enumerate(page["questions"]):
        show_who_question(row, number, len(page["questions"]))


def show_who_question(row: Data, number: int, total: int) -> None:
    """One of them; the others are numbered."""
    terminal = console()
    name = row["name"]
    heading(terminal, f"{number + 1:,} of {total:,}", f"Who of these is {one_line(name['form'], NAME_CHARS)}?")
    line(terminal, styled(one_line(name["sentence"], 200), "dim"), indent=4)
    for place, other in enumerate(row["others"], start=1):
        line(terminal, styled(f"{place}  {one_line(other['form'], NAME_CHARS)} ({other['count']:,})"))
        line(terminal, styled(one_line(other["sentence"], 200), "dim"), indent=4)


def question(row: Data, number: int, total: int) -> str:
    """A near miss as a question with a prompt for a key."""
    terminal = console()
    heading(terminal, f"{number + 1:,} of {total:,}", f"{row['rule']} {row['score']:.2f}")
    line(terminal, styled(f"{_describe_correction({**row, 'kind': 'same'})}?", "bold"))
    for side in _sides(row):
        line(terminal, styled(side), indent=4)
    return "  same? y / n, s skip, u undo the last, q quit: "


def show_outcome(result: Data) -> None:
    """Applied decisions and refusals."""
    terminal = console()
    for row in result["corrections"]:
        line(terminal, styled(f"decided; undo: {row['id']}"))
    for row in result["refused"]:
        line(terminal, styled(f"{row['number']}: {one_line(row['cause'])} {one_line(row['cure'])}", "yellow"))


def show_places(page: Data) -> None:
    """Places of names, in the format of `split`."""
    out = console()
    heading(out, plural(page["total"], "place"), f"{len(page['places']):,} shown")
    mention = ""
    for row in page["places"]:
        if row["mention_id"] != mention:
            mention = row["mention_id"]
            line(
                out,
                styled(
                    f"{one_line(row['form'], NAME_CHARS)}  {source_name(row['source'])}  --name {mention}",
                    "bold",
                ),
            )
        line(out, styled(one_line(row["sentence"], 200)), indent=4)
        line(out, styled(f"--place {row['chunk_id']}:{row['start']}-{row['end']}", "dim"), indent=4)


def show_predicates(page: Data) -> None:
    """Predicates and folds."""
    terminal = console()
    heading(terminal, plural(page["total"], "predicate"), f"{len(page['predicates']):,} shown")
    rows = table("", "Type", "Facts", "Sentences", right=(2, 3))
    for row in page["predicates"]:
        type_ = f"{'← ' if row['inverse'] else ''}{one_line(row['type'])}"
        counts = (f"{row['facts']:,}", f"{row['sentences']:,}")
        rows.add_row(styled(f"  {one_line(row['predicate'], NAME_CHARS)}"), styled(type_, "dim"), *counts)
    terminal.print(rows)
    for fold in page["folds"]:
        line(
            terminal,
            styled(
                _describe_correction(
                    {**fold, "kind": "merge_predicates", "name": fold["into"], "names": [], "others": []}
                )
            ),
        )
        why = filter(None, [one_line(fold["note"], 80), f"undo: {fold['id']}"])
        line(terminal, styled(" · ".join(why), "dim"), indent=4)


def show_suggestions(page: Data) -> None:
    """Pairs of predicates that may be synonymous."""
    terminal = console()
    if not page["suggestions"]:
        line(terminal, "No two predicates are near each other.")
    for row in page["suggestions"]:
        line(
            terminal,
            styled(f"{row['cosine']:.2f}  {one_line(row['form'], NAME_CHARS)} → {one_line(row['into'], NAME_CHARS)} ?"),
        )


def show_facts(page: Data, first: int) -> None:
    """Facts, each with its id."""
    terminal = console()
    last = first + len(page["facts"])
    heading(terminal, "Facts", f"{first + 1:,} to {last:,} of {page['total']:,}" if page["facts"] else "none")
    for row in page["facts"]:
        line(
            terminal, styled(" · ".join(one_line(row[part], NAME_CHARS) for part in ("subject", "predicate", "object")))
        )
        marks = [mark for mark, is_so in (("denied", row["denied"]), ("stated by a person", row["own"])) if is_so]
        details = [plural(row["weight"], "sentence"), *row["dates"], *marks, row["id"]]
        line(terminal, styled(" · ".join(one_line(part, NAME_CHARS) for part in details), "dim"), indent=4)
    more(terminal, last, page["total"])


def print_lines(lines: Sequence[str]) -> None:
    """Print lines unchanged."""
    terminal = console()
    for text in lines:
        line(terminal, styled(one_line(text)))


def _describe_correction(row: Data) -> str:
    names = [one_line(name["form"], NAME_CHARS) for name in row["names"]]
    others = [one_line(name["form"], NAME_CHARS) for name in row["others"]]
    if row["kind"] == "name":
        return f"{names[0]}: called {one_line(row['name'], NAME_CHARS)}"
    if row["kind"] == "type":
        return f"{names[0]}: of the type {one_line(row['name'], NAME_CHARS)}"
    if row["kind"] in ("rejected", "relabelled"):
        claim = one_line(row["name"] if row["kind"] == "rejected" else row["forms"][0], NAME_CHARS)
        ends = "wrong" if row["kind"] == "rejected" else f"said by: {one_line(row['name'], NAME_CHARS)}"
        return f"{names[0]} · {claim} · {others[0]}: {ends}"
    if row["kind"] == "stated":
        return f"{names[0]} · {one_line(row['name'], NAME_CHARS)} · {others[0]}: kept as a fact"
    if row["kind"] == "split_off":
        return f"{names[0]}: {plural(row['places'], 'place')} split off"
    if row["kind"] == "merge_predicates":
        return f"{', '.join(one_line(form, NAME_CHARS) for form in row['forms'])} → {one_line(row['name'], NAME_CHARS)}"
    if row["kind"] == "aliases":
        return " = ".join(names)
    more = ", …" if len(names) > 1 else ""
    return f"{names[0]}{more} {SIGNS[row['kind']]} {others[0]}{', …' if len(others) > 1 else ''}"


def _sides(row: Data) -> list[str]:
    sides = []
    for name in (row["names"][0], row["others"][0]):
        kind = f" ({one_line(name['type'], 30)})" if name["type"] else ""
        where = one_line(name["title"] or name["source"], NAME_CHARS)
        sides.append(f"{one_line(name['form'], NAME_CHARS)}{kind}, {where}: {one_line(name['sentence'], 160)}")
    return sides
