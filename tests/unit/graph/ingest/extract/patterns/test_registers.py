"""Registers in plain text, which write the surname first."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.extract.patterns.registers import read_registers
from filigraph.graph.text.sentences import sentences


def said(text: str, language: str = "en") -> list[tuple[str, str, str, str]]:
    rows = read_registers(text, sentences(text, language), language)
    return [(t.subject, t.predicate, t.object, text[t.start : t.end]) for row in rows for t in row.triplets]


def test_an_entry_is_of_the_person_before_its_commas() -> None:
    text = "Passengers\n\n1. DELMAS, Jules, baker, born 1871\n2. ROCHE, Anne, laundress, born in Lyon\n"
    one, two = text.splitlines()[2:]
    assert said(text) == [
        ("DELMAS, Jules", "is", "baker", one),
        ("DELMAS, Jules", "born", "1871", one),
        ("ROCHE, Anne", "is", "laundress", two),
        ("ROCHE, Anne", "born in", "Lyon", two),
    ]


@pytest.mark.parametrize(
    ("lines", "language", "fact"),
    [
        ("Delmas, Jules - cook\nRoche, Anne - nurse", "en", ("Delmas, Jules", "is", "cook")),
        ("- Delmas, Jules: cook\n- Roche, Anne: nurse", "en", ("Delmas, Jules", "is", "cook")),
        ("1) Delmas, J. (cook)\n2) Roche, A. (nurse)", "en", ("Delmas, J.", "is", "cook")),
        ("N° 1 DELMAS, Jules, né en 1871\nN° 2 ROCHE, Anne, née à Lyon", "fr", ("DELMAS, Jules", "né en", "1871")),
        ("de la Tour, Marie ; lingère\nRoche, Anne ; lingère", "fr", ("de la Tour, Marie", "est", "lingère")),
    ],
)
def test_the_forms_of_entries(lines: str, language: str, fact: tuple[str, str, str]) -> None:
    assert said(f"Register\n\n{lines}\n", language)[0][:3] == fact


@pytest.mark.parametrize(
    "text",
    [
        "Lyon, France - silk\nParis, France - gloves\nLille, France - linen\n",
        "Apples, Pears - a crate\nPlums, Figs - a box\n",
        "Delmas, Jules - cook\n\nThe ship left.\n",
        "Jules, who was a baker, left.\nAnne, who was a nurse, stayed.\n",
    ],
)
def test_other_lists_and_prose_are_no_registers(text: str) -> None:
    assert not said(text)


def test_an_entry_without_more_is_a_name() -> None:
    text = "Index\n\nDelmas, Jules\nRoche, Anne\nVidal, Henri\n"
    (row, *rows) = read_registers(text, sentences(text, "en"), "en")
    assert [name for each in (row, *rows) for name in each.names] == ["Delmas, Jules", "Roche, Anne", "Vidal, Henri"]
