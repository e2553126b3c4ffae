"""What an extractor knows of the text before a chunk, from only the text."""

from __future__ import annotations

import re
from itertools import pairwise

from filigraph.graph.ingest.extract.context import CHARACTERS_BEFORE, in_context
from filigraph.graph.ingest.extract.preceding import weekdays_of
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Chunk, LoadedDocument


def pieces(text: str, language: str = "en", size: int = 64, overlap: float = 0.15) -> list[Chunk]:
    document = LoadedDocument(
        source="a.txt", title="A", text=text, sha256="", media_type="text/plain", language=language
    )
    return in_context(split(document, "d", size=size, overlap=overlap))


STORY = " ".join(f"On day {n} old Watson wrote to Sherlock Holmes of the rain at Dover." for n in range(20))


def test_the_first_chunk_has_nothing_before_it() -> None:
    assert pieces(STORY)[0].before == ""


def test_names_and_the_last_two_sentences_that_the_chunk_does_not_hold() -> None:
    first, _, third, *_ = pieces(STORY)
    assert third.text.startswith("On day 4 ")
    assert third.before == (
        "[Watson, Sherlock Holmes, Dover] On day 2 old Watson wrote to Sherlock Holmes of the rain at Dover. "
        "On day 3 old Watson wrote to Sherlock Holmes of the rain at Dover."
    )
    assert first.before == ""


def test_the_overlap_is_not_told_twice() -> None:
    for last, chunk in pairwise(pieces(STORY)):
        told = re.findall(r"On day \d+", chunk.before)
        assert told and not [day for day in told if f"{day} " in chunk.text]
        assert all(f"{day} " in last.text for day in told)


def test_it_depends_on_the_text_alone() -> None:
    chunks = pieces(STORY)
    assert in_context([*chunks]) == chunks


def test_a_long_sentence_is_cut_from_its_beginning() -> None:
    long = "it was late, " * 24 + "and then he came"
    last = pieces(f"Now {long}. The next day was a fine one for all of us.", size=110, overlap=0.0)[-1]
    assert last.before.startswith("… ") and last.before.endswith("and then he came.")
    assert len(last.before) <= CHARACTERS_BEFORE + 2


def test_a_pronoun_in_capitals_is_no_name() -> None:
    last = pieces('So said Ann: "He is in Rome." ' * 9 + "Nobody spoke a word of it to her for days.", overlap=0.0)[-1]
    assert last.before.startswith("[Ann, Rome] ")


def test_a_script_without_capitals_has_sentences_only() -> None:
    sentence = "华生写信给福尔摩斯，说多佛下雨了。"
    assert pieces(sentence * 20, "zh", size=64, overlap=0.0)[1].before == f"{sentence} {sentence}"


def test_what_a_narrator_says_of_himself_is_no_name() -> None:
    last = pieces("So Ann came. But I knew Rome, and Am I wrong? " * 9 + "Nobody spoke of it for days.", overlap=0.0)[
        -1
    ]
    assert "But I" in last.text + last.before
    names = last.before.partition("]")[0]
    assert "Rome" in names
    assert " I" not in names


def test_the_word_that_opens_a_sentence_is_no_part_of_a_name() -> None:
    told = "But Ann saw Mr. Hale. Then Mr. Hale left; but then Ann wept in Rome. Mr is a title. "
    assert pieces(told * 9 + "Nobody spoke of it for days.", overlap=0.0)[-1].before.startswith(
        "[Ann, Mr. Hale, Rome] "
    )


def test_who_signs_a_letter_is_its_i() -> None:
    told = "Je suis allée à Lyon voir la maison de mon oncle. " * 9
    letter = f"Chère Anne,\n\n{told}\n\nVotre amie,\n\nMarie Vial"
    assert "I = Marie Vial" in pieces(letter, "fr", overlap=0.0)[1].before


CALLED = """I rose and went with him to the window, and I saw that he was pale. I said nothing, for I knew him well.

"You see it, my dear Watson," said Holmes to me. "Look, Watson!"

"""


def test_a_novel_s_narrator_is_who_is_called_and_never_told_of() -> None:
    assert all(chunk.before.startswith("[I = Watson") for chunk in pieces(CALLED * 9))
    for told in (
        CALLED.replace("I saw", "Watson saw"),
        CALLED.replace("I ", "she "),
        CALLED.replace("Watson", "Holmes"),
    ):
        assert not any("I = " in chunk.before for chunk in pieces(told * 9))


def test_a_novel_s_narrator_names_himself_outside_quotation_marks() -> None:
    story = "I went to sea, and I came back, for I had no money. " * 12
    assert pieces(f"Call me Ishmael. {story}")[-1].before.startswith("[I = Ishmael")
    assert "I = " not in pieces(f'"Call me Ishmael," said he. {story}')[-1].before


def test_who_signs_a_long_letter_is_known_from_its_beginning() -> None:
    letter = "Dear Nora,\n\n" + "The rain at Dover has not stopped since you left us all. " * 20 + "\n\nPaul Hale"
    assert pieces(letter)[0].before == "[I = Paul Hale]"


def test_a_chunk_has_the_days_that_its_sentences_tell_of() -> None:
    letter = "Dear Ruth,\n\nYesterday the Petrel was sold. Next Tuesday we dine. In May 1890 it rained."
    document = LoadedDocument(source="a.txt", title="A", text=letter, sha256="", media_type="text/plain", language="en")
    (chunk,) = in_context(split(document, "d"), "1891-03-12")
    assert chunk.dates == ("1890-05", "1891-03-11", "1891-03-17")
    (chunk,) = in_context(split(document, "d"))
    assert chunk.dates == ("1890-05",)  # nobody knows when it was written
    assert pieces("Nothing is said of any time.")[0].dates == ()


def test_what_a_quoted_mail_says_of_yesterday_is_of_its_own_day() -> None:
    mail = (
        "Thanks, Ada. He sails tomorrow.\n\nOn Mon, 2 May 2022 at 10:00, Ada Finch <ada@case.test> wrote:\n"
        "> Yesterday I sold the boat.\n"
    )
    document = LoadedDocument(source="a.txt", title="A", text=mail, sha256="", media_type="text/plain", language="en")
    (chunk,) = in_context(split(document, "d"), "2022-05-09")
    assert {"2022-05-01", "2022-05-10"} <= set(chunk.dates)
    assert "2022-05-08" not in chunk.dates


def test_whether_a_weekday_is_a_person_is_decided_by_the_whole_document() -> None:
    first, second = "Freitag traf Robinson am Strand.", "Am Freitag regnete es in Kiel."
    chunks = [_german(first, 0), _german(second, 1)]
    assert [weekdays_of(chunk.before) for chunk in in_context(chunks)] == [frozenset(), None]
    both = [_german(first, 0), _german("Robinson schlief. Freitag kochte den Fisch.", 1)]
    assert [weekdays_of(chunk.before) for chunk in in_context(both)] == [None, None]


def _german(text: str, index: int) -> Chunk:
    start = index * 1000
    return Chunk(
        id=f"c{index}", document_id="d", index=index, start=start, end=start + len(text), text=text, title="", place="",
        language="de",
    )  # fmt: skip
