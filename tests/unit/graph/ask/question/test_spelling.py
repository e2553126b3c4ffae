"""Misspelt names in a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from rapidfuzz.distance import OSA

from filigraph.graph.ask.question.spelling import corrected_spelling
from filigraph.graph.text.words import fold, tokens


@dataclass(frozen=True)
class Entity:
    name: str
    chunks: int = 3
    aliases: Sequence[str] = ()


NAMES = [
    Entity("Adèle Vauclain", 5, ("Mme Vauclain",)),
    Entity("Marion"),
    Entity("Lazare Montreuil"),
    Entity("Jules"),
    Entity("Julia"),
    Entity("signet ring"),
    Entity("Громов"),
]
TEXT = {
    "qui",
    "est",
    "who",
    "is",
    "what",
    "did",
    "steal",
    "the",
    "ring",
    "why",
    "does",
    "wear",
    "кто",
    "такой",
    "stole",
}
WORDS = TEXT | {word.folded for entity in NAMES for word in tokens(entity.name)}


def near(folded: str, slips: int) -> list[Entity]:
    """As the index of names finds them."""
    words = {entity: [word.folded for word in tokens(entity.name)] for entity in NAMES}
    return [entity for entity, own in words.items() if any(OSA.distance(folded, word) <= slips for word in own)]


def right(question: str) -> tuple[str, dict[str, str]]:
    found = corrected_spelling(question, lambda word: fold(word) in WORDS, near)
    return found.text, dict(found.taken)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Who is Adèle Vauclin?", "Who is Adèle Vauclain?"),
        ("Who is Vaulcain?", "Who is Vauclain?"),
        ("Qui est Vauclaine ?", "Qui est Vauclain ?"),
        ("What did Montreul steal?", "What did Montreuil steal?"),
        ("What did Montrueli steal?", "What did Montreuil steal?"),
        ("who is vauclin", "who is Vauclain"),
        ("Vauclin stole what?", "Vauclain stole what?"),
        ("Why does Vauclain's ring wear Marrion?", "Why does Vauclain's ring wear Marion?"),
        ("Кто такой Громав?", "Кто такой Громов?"),
    ],
)
def test_a_slip_finds_its_name(question: str, meant: str) -> None:
    text, taken = right(question)
    assert text == meant and len(taken) == 1


@pytest.mark.parametrize(
    "question",
    [
        "Who is Vauclain?",  # right as it is
        "Who is Julie?",  # Jules or Julia
        "Who is Vaublanc?",  # another name
        "What did the rung steal?",  # no name is near
        "Who is Jon?",  # too short to tell
        "Explain the ring.",
        "",
    ],
)
def test_what_is_right_or_may_be_another_stays(question: str) -> None:
    assert right(question) == (question, {})
