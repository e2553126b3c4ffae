"""The words of a question show what it wants."""

from __future__ import annotations

from datetime import date

import pytest

from filigraph.graph.ask.question.profile import read_profile
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.text.time.periods import period_in


@pytest.mark.parametrize(
    ("question", "profile"),
    [
        ("Where is the signet ring mentioned?", "entity"),
        ("List every mention of Irene Adler.", "entity"),
        ("Which chapters mention Moriarty?", "entity"),
        ("Où est-il question de la chevalière ?", "entity"),
        ("OÙ PARLE-T-ON DE JULES ?", "entity"),
        ("Donne-moi tous les passages sur Lecoq", "entity"),
        ("¿Dónde se habla de Jules?", "entity"),
        ("Wo wird der Ring erwähnt?", "entity"),
        ("Dove si parla di Jules?", "entity"),
        ("Где упоминается кольцо?", "entity"),
        ("哪里提到了戒指？", "entity"),
        ("Summarize the investigation", "synthesis"),
        ("How does Sophie change over the book?", "synthesis"),
        ("Résume l’enquête.", "synthesis"),
        ("Comment Lecoq évolue-t-il ?", "synthesis"),
        ("¿Cuáles son los temas principales?", "synthesis"),
        ("Fasse den Roman zusammen", "synthesis"),
        ("Какие главные темы романа?", "synthesis"),
        ("请概括这部小说", "synthesis"),
        ("What is the most recent letter about?", "recent"),
        ("Quelles sont les dernières nouvelles de Jules ?", "recent"),
        ("Quelle est la lettre la plus récente ?", "recent"),
        ("最新的报告说了什么？", "recent"),
        ("Why be wary of Jules?", "detail"),
        ("Pourquoi se méfier de Jules ?", "detail"),
        ("Where was Jules born?", "detail"),
        ("Où Jules est-il né ?", "detail"),
        ("Where is the country located that is named after the sandwich?", "detail"),
        ("Which film was released more recently, A or B?", "detail"),
        ("Quel film est sorti plus récemment, A ou B ?", "detail"),
        ("Who was the last to see the ring?", "detail"),
        ("Qui est le dernier des Delmas ?", "detail"),
        ("", "detail"),
        ("12 ??", "detail"),
    ],
)
def test_the_intent_follows_the_words(question: str, profile: Profile) -> None:
    assert read_profile(question) == profile


@pytest.mark.parametrize(
    ("question", "profile"),
    [
        ("What was found since 4 March 1912?", "recent"),
        ("Who has lived at the mill since 1890?", "detail"),
        ("Résume ce qui est arrivé depuis mars 1912", "synthesis"),
    ],
)
def test_a_period_asks_for_what_is_recent(question: str, profile: Profile) -> None:
    assert read_profile(question, period_in(question, "en", date(1912, 4, 10))) == profile
