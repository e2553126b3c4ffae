"""The language of passages and questions; "" rather than a guess."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.text.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Pourquoi se méfier de Jules ?", "fr"),
        ("POURQUOI SE MEFIER DE JULES", "fr"),
        ("Qui est Jules ?", "fr"),
        ("Qu’est-ce que l’emblème de La Griffe ?", "fr"),
        ("Why be wary of Jules?", "en"),
        ("Who is Irene Adler?", "en"),
        ("¿Quién es el ladrón?", "es"),
        ("Wer ist der Dieb und warum?", "de"),
        ("Chi è il ladro?", "it"),
        ("Quem é o ladrão?", "pt"),
        ("Кто такой Жюль?", "ru"),
        ("Хто такий Жуль?", "uk"),
        ("من هو اللص في هذه القصة؟", "ar"),
        ("این مرد را چه کسی دید", "fa"),
        ("מי זה הגנב ולמה?", "he"),
        ("谁是小偷？", "zh"),
        ("泥棒は誰ですか", "ja"),
        ("도둑은 누구입니까", "ko"),
        ("Ποιος είναι;", "el"),
        ("यह कौन है", "hi"),
        ("马里奥·爱迪生贡献了 NFL 擒杀", "zh"),
        ("Joël Germain (born in Château-Thierry) is a retired French defender.", "en"),
        ("Miloš Zličić is a footballer. He is a younger brother of Lazar Zličić.", "en"),
    ],
)
def test_detect(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize("text", ["", "Jules", "Jules Delmas, 12", "1234 !?", "👍", "a" * 100_000])
def test_what_cannot_be_told(text: str) -> None:
    assert detect(text) == ""


def test_a_foreign_preface_does_not_decide() -> None:
    preface = "This is what the editor has to say of it, and that is all. " * 300
    novel = "Le jeune homme ne savait pas ce que la police avait trouvé dans la maison. " * 3000
    assert detect(preface + novel) == "fr"


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert detect(text) == detect(text)
    assert len(detect(text)) in (0, 2)


def test_a_name_or_an_hour_does_not_make_a_text_foreign() -> None:
    assert detect("Paul de la Roche met Ann in Lyon. John wrote to Ann.") == "en"
    assert detect("[3/12/24, 9:14 AM] Ann: I left at 8:02 am.") == "en"
    assert detect("Hier Carl a vendu la ferme à Odile. Mardi dernier, Nora a vu Otto à Lyon.") == "fr"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I married Agnes Roth.", "en"),
        ("Anselme Bory employait Victorine Tournier.", "fr"),
        ("Julie a sauvé Octave.", "fr"),
        ("Captain Rourke leaves Lyon tomorrow evening.", "en"),
        ("Karl verkaufte Haus.", ""),
        ("Ana vendió la casa.", ""),
        ("nyhed sandhed", ""),
    ],
)
def test_a_verb_decides_if_nothing_else_does(text: str, language: str) -> None:
    assert detect(text) == language
