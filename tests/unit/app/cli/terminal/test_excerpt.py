"""Excerpts of passages: from the sentence closest to the question, with its words marked, in any script."""

from __future__ import annotations

from rich.text import Text

from filigraph.app.cli.terminal.excerpt import excerpts

LETTER = "Il pleut. Le jardin dort. Jules porte la chevalière de son père. Il est tard."
NOTE = "Le soir tombe. Sophie lit le journal. Le chat dort."


def marked(text: Text) -> list[str]:
    return [text.plain[span.start : span.end] for span in text.spans]


def test_it_begins_with_the_sentence_that_says_most_of_the_question() -> None:
    (letter, _), (note, start) = excerpts([LETTER, NOTE], "Qui porte la chevalière de Jules ?", 200)
    assert letter.plain == "… Jules porte la chevalière de son père. Il est tard."
    assert note.plain == NOTE and start == 0  # says nothing of it: from its beginning


def test_the_words_that_few_sentences_hold_are_marked() -> None:
    (letter, _), _ = excerpts([LETTER, NOTE], "Le jardin de Jules, le soir ?", 200)
    assert "Jules" in marked(letter) and "Le" not in marked(letter)


def test_a_long_sentence_is_cut() -> None:
    ((cut, _),) = excerpts(["Jules " + "walks and " * 99], "Where does Jules walk?", 40)
    assert len(cut.plain) <= 40 and cut.plain.endswith("…")


def test_other_scripts() -> None:
    ((chinese, _),) = excerpts(["今天下雨。老师喜欢猫。晚上很冷。"], "谁喜欢猫？", 100)
    assert chinese.plain.startswith("… 老师喜欢猫。")
    ((russian, _),) = excerpts(["Идёт дождь. Анна любит кошку."], "Кто любит кошку?", 100)
    assert russian.plain == "… Анна любит кошку." and marked(russian) == ["любит", "кошку"]


def test_nothing_breaks_it() -> None:
    assert [text.plain for text, _ in excerpts(["", "…", "[bold]x"], "", 10)] == ["", "…", "[bold]x"]
