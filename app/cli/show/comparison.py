"""Show two entities side by side."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import one_line

FACTS = 8  # of a predicate and an entity
SHARED = 20
WIDEST = 160


def show_comparison(found: Data) -> None:
    """Two columns, then what both share."""
    out = console()
    one, two = found["first"], found["other"]
    rows = table("", one_line(one["name"], 60), one_line(two["name"], 60))
    rows.add_row(styled("type", "dim"), styled(one["type"] or "–"), styled(two["type"] or "–"))
    rows.add_row(styled("names", "dim"), styled(", ".join(one["aliases"])), styled(", ".join(two["aliases"])))
    rows.add_row(styled("named", "dim"), _named(one), _named(two))
    rows.add_row(styled("first", "dim"), _first(one), _first(two))
    for relation in found["relations"]:
        sides = [_facts(relation[side], entity["id"]) for side, entity in (("first", one), ("other", two))]
        rows.add_row(styled(one_line(relation["predicate"], 40), "bold"), *sides)
    out.print(rows)
    if found["between"]:
        heading(out, "Of the one with the other")
        for fact in found["between"]:
            line(out, styled(f"{fact['subject']} – {fact['predicate']} – {fact['object']}"), indent=2)
            line(out, styled(f"“{one_line(fact['sentence'])}”  {_where(fact)}", "dim"), indent=4)
    if found["shared"]:
        heading(out, "Both have to do with", f"{len(found['shared']):,}")
        for row in found["shared"][:SHARED]:
            said = ["; ".join(dict.fromkeys(fact["predicate"] for fact in row[side])) for side in ("first", "other")]
            line(out, styled(f"{row['name']}: {' | '.join(said)}"), indent=2)
        if len(found["shared"]) > SHARED:
            line(out, styled(f"and {len(found['shared']) - SHARED:,} more: --json", "dim"), indent=2)
    heading(out, "Passages that name both", f"{found['passages']:,}")
    for row in found["together"]:
        for sentence in row["sentences"]:
            where = ", ".join(filter(None, (row["source"], sentence["place"])))
            line(out, styled(f"“{one_line(sentence['text'])}”").append_text(styled(f"  {where}", "dim")), indent=2)


def _named(entity: Data) -> Text:
    return styled(f"{plural(entity['places'], 'place')}, {plural(entity['chunks'], 'passage')}")


def _first(entity: Data) -> Text:
    places = entity["first"][:1]
    return styled("\n".join(f"“{one_line(row['sentence'], WIDEST)}” {_where(row)}" for row in places) or "–")


def _facts(facts: Sequence[Data], id_: str) -> Text:
    said = list[str]()
    for fact in facts[:FACTS]:
        out = fact["subject_id"] == id_
        other = fact["object"] if out else f"{fact['subject']} →"
        said.append(f"{one_line(other, 60)} ({fact['weight']})" if fact["weight"] > 1 else one_line(other, 60))
    more = [f"and {len(facts) - FACTS:,} more"] if len(facts) > FACTS else []
    return styled(", ".join([*said, *more]) or "–")


def _where(row: Data) -> str:
    return ", ".join(filter(None, (row["source"], row["place"])))
