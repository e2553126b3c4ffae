"""Show cast lists, families and time lines."""

from __future__ import annotations

from filigraph.app.cli.terminal.console import Data, console, heading, line, more, plural, styled
from filigraph.app.cli.terminal.text import one_line, where_said

MAX_SENTENCE_CHARS = 200  # characters of a sentence
NAMES = 6  # of a person
TIES = {"parent": "parent of", "spouse": "spouse of", "sibling": "sibling of", "relative": "relative of"}


def show_cast(page: Data, first: int) -> None:
    """Each person with the sentence that names it first."""
    terminal = console()
    members = page["members"]
    if not members:
        line(terminal, "No person is named." if not page["total"] else "There are no more persons.")
        return
    heading(terminal, "Cast", f"{first + 1:,} to {first + len(members):,} of {page['total']:,}")
    for number, member in enumerate(members, start=first + 1):
        names = f"  ({', '.join(member['names'][:NAMES])})" if member["names"] else ""
        counted = plural(member["passages"], "passage")
        line(terminal, styled(f"{number}  {member['name']}", "bold").append_text(styled(f"{names}  {counted}", "dim")))
        if described := member["description"]:
            line(terminal, styled(f"{described['predicate']} {described['object']}{_own(described)}"), indent=4)
        if member["connections"]:
            shared = ", ".join(f"{other['name']} ({other['passages']})" for other in member["connections"])
            line(terminal, styled(f"with {shared}"), indent=4)
        _show_sentence(member["first"], indent=4)
    more(terminal, first + len(members), page["total"])


def show_families(page: Data, first: int) -> None:
    """Each family by generation, then its ties, each with the sentence that says it."""
    terminal = console()
    if not page["families"]:
        line(terminal, "There are no facts of kinship." if not page["total"] else "There are no more families.")
    for number, family in enumerate(page["families"], start=first + 1):
        heading(terminal, f"Family {number} of {page['total']:,}", plural(len(family["members"]), "person"))
        generations: dict[int, list[str]] = {}
        for member in family["members"]:
            born = f" (née {member['maiden_name']})" if member["maiden_name"] else ""
            generations.setdefault(member["generation"], []).append(f"{member['name']}{born}")
        for generation, names in generations.items():
            line(terminal, styled(f"{generation + 1}  {', '.join(names)}", "bold"))
        for tie in family["ties"]:
            notes = "".join(f"  ({word})" for word in ("open", "denied") if tie[word])
            notes += "".join(map(_own, tie["facts"][:1]))
            line(terminal, styled(f"{tie['first']} – {TIES[tie['kind']]} – {tie['other']}{notes}"), indent=4)
            for fact in tie["facts"][:1]:
                _show_sentence(fact, indent=6)
    more(terminal, first + len(page["families"]), page["total"])
    if page["alleged"]:
        heading(terminal, "Only somebody says so")
        for fact in page["alleged"]:
            line(terminal, styled(f"{fact['subject']} – {fact['predicate']} – {fact['object']}{_own(fact)}"), indent=4)
            _show_sentence(fact, indent=6)


def _own(fact: Data) -> str:
    return "  (stated by a person)" if fact["own"] else ""


def _show_sentence(statement: Data, indent: int) -> None:
    sentence = one_line(statement["sentence"], MAX_SENTENCE_CHARS)
    line(console(), styled(f"“{sentence}”  {where_said(statement)}", "dim"), indent=indent)


def show_timeline(page: Data, first: int) -> None:
    """The facts and documents by date, each fact with its sentence; then what has no date."""
    terminal = console()
    rows = in_order(page)
    if rows:
        heading(terminal, "Time line", f"facts {first + 1:,} to {first + len(page['facts']):,} of {page['total']:,}")
    else:
        line(terminal, "Nothing is dated here." if not page["total"] else "There are no more facts.")
    quoted = ""
    for row in rows:
        if "fact_id" not in row:
            line(terminal, styled(f"{row['date']:<12}", "bold").append_text(styled(where_said(row))))
            continue
        fact = f"{row['subject']} – {row['predicate']} – {row['object']}{_own(row)}"
        line(terminal, styled(f"{row['date']:<12}", "bold").append_text(styled(fact)))
        if row["sentence"] != quoted:  # one sentence may say several facts
            _show_sentence(row, indent=14)
        quoted = row["sentence"]
    more(terminal, first + len(page["facts"]), page["total"])
    if page["undated"]:
        line(terminal, styled(f"{plural(page['undated'], 'document')} without a date.", "dim"))
    if page["left_out"]:
        line(terminal, styled(f"{plural(page['left_out'], 'fact')} about editions left out.", "dim"))


def in_order(page: Data) -> list[Data]:
    """The documents and facts of a time line by date; of one date the documents first."""
    rows = [*page["documents"], *page["facts"]]
    return sorted(rows, key=lambda row: str(row["date"]))
