"""Show two entities side by side."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import one_line

FACTS = 8  # of a predicate and an entity
SHARED = 20
WIDEST = 160


def show_comparison(comparison: Data) -> None:
    """Two columns, then what both share."""
    terminal = console()
    one, two = comparison["first"], comparison["other"]
    rows = table("", one_line(one["name"], 60), one_line(two["name"], 60))
    rows.add_row(styled("type", "dim"), styled(one["type"] or "–"), styled(two["type"] or "–"))
    rows.add_row(styled("names", "dim"), styled(", ".join(one["aliases"])), styled(", ".join(two["aliases"])))
    rows.add_row(styled("named", "dim"), _named(one), _named(two))
    rows.add_row(styled("first", "dim"), _first(one), _first(two))
    for relation in comparison["relations"]:
        sides = [_facts(relation[side], entity["id"]) for side, entity in (("first", one), ("other", two))]
        rows.add_row(styled(one_line(relation["predicate"], 40), "bold"), *sides)
    terminal.print(rows)
    if comparison["between"]:
        heading(terminal, "Of the one with the other")
        for fact in comparison["between"]:
            line(terminal, styled(f"{fact['subject']} – {fact['predicate']} – {fact['object']}"), indent=2)
            line(terminal, styled(f"“{one_line(fact['sentence'])}”  {_where(fact)}", "dim"), indent=4)
    if comparison["shared"]:
        heading(terminal, "Both have to do with", f"{len(comparison['shared']):,}")
        for row in comparison["shared"][:SHARED]:
            predicates = [
                "; ".join(dict.fromkeys(fact["predicate"] for fact in row[side])) for side in ("first", "other")
            ]
            line(terminal, styled(f"{row['name']}: {' | '.join(predicates)}"), indent=2)
        if len(comparison["shared"]) > SHARED:
            line(terminal, styled(f"and {len(comparison['shared']) - SHARED:,} more: --json", "dim"), indent=2)
    heading(terminal, "Passages that name both", f"{comparison['passages']:,}")
    for row in comparison["together"]:
        for sentence in row["sentences"]:
            where = ", ".join(filter(None, (row["source"], sentence["place"])))
            line(terminal, styled(f"“{one_line(sentence['text'])}”").append_text(styled(f"  {where}", "dim")), indent=2)


def _named(entity: Data) -> Text:
    return styled(f"{plural(entity['places'], 'place')}, {plural(entity['chunks'], 'passage')}")


def _first(entity: Data) -> Text:
    places = entity["first"][:1]
    return styled("\n".join(f"“{one_line(row['sentence'], WIDEST)}” {_where(row)}" for row in places) or "–")


def _facts(facts: Sequence[Data], id_: str) -> Text:
    texts = list[str]()
    for fact in facts[:FACTS]:
        outgoing = fact["subject_id"] == id_
        other = fact["object"] if outgoing else f"{fact['subject']} →"
        texts.append(f"{one_line(other, 60)} ({fact['weight']})" if fact["weight"] > 1 else one_line(other, 60))
    more = [f"and {len(facts) - FACTS:,} more"] if len(facts) > FACTS else []
    return styled(", ".join([*texts, *more]) or "–")


def _where(row: Data) -> str:
    return ", ".join(filter(None, (row["source"], row["place"])))
