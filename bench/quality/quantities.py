"""Amounts and quantities of sentences: how many are read with the right value and unit, by which reader?

python -m bench.quality.quantities [--show]

`quantity_sentences.jsonl` was written before our rules, which were then mended on it: its figures compare readers, and
are not figures of unseen text. `quantulum3` (English) and `price-parser` (one price of a text) take part where they are
installed; of theirs a value with any unit counts as right.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bench.common import OWN_DATA, lines, save
from filigraph.graph.text.numbers.quantities import quantities
from filigraph.graph.text.words import fold

SENTENCES = OWN_DATA / "quantity_sentences.jsonl"
Read = Callable[[str, str], list[tuple[Decimal, str]]]


def ours(text: str, language: str) -> list[tuple[Decimal, str]]:
    return [(one.value, one.unit) for one in quantities(text, language)]


def by_quantulum(text: str, _: str) -> list[tuple[Decimal, str]]:
    setattr(import_module("quantulum3.classifier"), "USE_CLF", False)  # noqa: B010  # its model needs an older scikit-learn
    read = import_module("quantulum3.parser").parse(text)
    return [(Decimal(str(one.value)), "") for one in read if one.unit.name != "dimensionless"]


def by_price_parser(text: str, _: str) -> list[tuple[Decimal, str]]:
    price = import_module("price_parser").Price.fromstring(text)
    return [(price.amount, "")] if price.amount is not None else []


def readers() -> Iterator[tuple[str, Read]]:
    yield "ours", ours
    if find_spec("quantulum3"):
        yield "quantulum3", by_quantulum
    if find_spec("price_parser"):
        yield "price-parser", by_price_parser


def measured(name: str, read: Read, *, show: bool) -> dict[str, Any]:
    """The numbers of right values, of values read and of values in the text, by language."""
    by_language: dict[str, list[int]] = {}
    for row in lines(SENTENCES):
        gold = [(Decimal(value), fold(unit)) for value, unit in row["values"]]
        quantities = [(round(value, 4), fold(unit)) for value, unit in read(row["text"], row["language"])]
        kinds = [(value, unit if name == "ours" else "") for value, unit in gold]
        right = sum(min(quantities.count(one), kinds.count(one)) for one in set(kinds))
        counts = by_language.setdefault(row["language"], [0, 0, 0])
        for at, count in enumerate((right, len(quantities), len(gold))):
            counts[at] += count
        if show and (right < len(gold) or len(quantities) > right):
            print(name, row["text"], "| read:", *map(str, quantities), "| gold:", *map(str, gold))
    return {
        language: {"right": right, "read": read_, "gold": gold}
        for language, (right, read_, gold) in by_language.items()
    }


if __name__ == "__main__":
    result = {name: measured(name, read, show="--show" in sys.argv) for name, read in readers()}
    print(result)
    save("quantities", result)
