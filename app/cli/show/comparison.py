"""Show entities side by side."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import one_line, where_said

FACTS = 8  # of a predicate and an entity
SHARED = 20
MAX_SENTENCE_CHARS = 160


def show_comparison(comparison: Data) -> None:
    """A column for each, then what they share, then each two."""
    terminal = console()
    entities = comparison["entities"]
    rows = table("", *(one_line(entity["name"], 60) for entity in entities))
    rows.add_row(styled("type", "dim"), *(styled(entity["type"] or "–") for entity in entities))
    rows.add_row(styled("names", "dim"), *(styled(", ".join(entity["aliases"])) for entity in entities))
    rows.add_row(styled("named", "dim"), *map(_mention_counts, entities))
    rows.add_row(styled("first", "dim"), *map(_first, entities))
    for relation in comparison["relations"]:
        sides = [_facts(facts, entity["id"]) for facts, entity in zip(relation["facts"], entities, strict=True)]
        rows.add_row(styled(one_line(relation["predicate"], 40), "bold"), *sides)
    terminal.print(rows)
    if comparison["shared"]:
        heading(terminal, "Several have to do with", f"{len(comparison['shared']):,}")
        for row in comparison["shared"][:SHARED]:
            predicates = [
                "; ".join(dict.fromkeys(fact["predicate"] for fact in facts)) or "–" for facts in row["facts"]
            ]
            line(terminal, styled(f"{row['name']}: {' | '.join(predicates)}"), indent=2)
        if len(comparison["shared"]) > SHARED:
            line(terminal, styled(f"and {len(comparison['shared']) - SHARED:,} more: --json", "dim"), indent=2)
    for pair in comparison["pairs"]:
        names = " and ".join(one_line(entities[pair[side]]["name"], 60) for side in ("first", "other"))
        heading(terminal, names, f"{plural(pair['passages'], 'passage')} with both")
        for fact in pair["between"]:
            words = f"{fact['subject']} – {fact['predicate']} – {fact['object']}{_notes(fact)}"
            line(terminal, styled(words), indent=2)
            line(terminal, styled(f"“{one_line(fact['sentence'])}”  {where_said(fact)}", "dim"), indent=4)
        for row in pair["together"]:
            for sentence in row["sentences"]:
                text = styled(f"“{one_line(sentence['text'])}”")
                where = where_said({**row, "place": sentence["place"]})
                line(terminal, text.append_text(styled(f"  {where}", "dim")), indent=2)


def _notes(fact: Data) -> str:
    notes = ["denied"] if fact["denied"] else []
    notes += [f"according to {one_line(fact['according_to'], 40)}"] if fact["according_to"] else []
    notes += ["stated by a person"] if fact["own"] else []
    return "".join(f"  ({note})" for note in notes)


def _mention_counts(entity: Data) -> Text:
    return styled(f"{plural(entity['places'], 'place')}, {plural(entity['chunks'], 'passage')}")


def _first(entity: Data) -> Text:
    places = entity["first"][:1]
    return styled(
        "\n".join(f"“{one_line(row['sentence'], MAX_SENTENCE_CHARS)}” {where_said(row)}" for row in places) or "–"
    )


def _facts(facts: Sequence[Data], id_: str) -> Text:
    texts = list[str]()
    for fact in facts[:FACTS]:
        outgoing = fact["subject_id"] == id_
        other = fact["object"] if outgoing else f"{fact['subject']} →"
        notes = [f" ({fact['weight']})"] if fact["weight"] > 1 else []
        notes += [" (denied)"] if fact["denied"] else []
        notes += [" (stated by a person)"] if fact["own"] else []
        texts.append("".join([one_line(other, 60), *notes]))
    more = [f"and {len(facts) - FACTS:,} more"] if len(facts) > FACTS else []
    return styled(", ".join([*texts, *more]) or "–")
