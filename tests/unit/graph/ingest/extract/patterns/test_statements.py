"""Who speaks where a mail quotes or forwards another, in a chat, a transcript and a play."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.extract.patterns.statements import statements

HEAD = "From: Bram Teague <b@x.test>\nTo: Ada Finch <a@x.test>\nDate: 3 May 2022\n\nThanks.\n\n"


@pytest.mark.parametrize(
    "quoted",
    [
        "-----Original Message-----\nFrom: Ada Finch\nSent: 2 May 2022\nTo: Bram Teague\n\nI sold it.",
        "---------- Forwarded message ---------\nDe : Ada Finch\nEnvoyé : 2 mai 2022\nÀ : Bram Teague\n\nI sold it.",
        "On Mon, 2 May 2022 at 09:00, Ada Finch <a@x.test> wrote:\n> I sold it.",
        "On Mon, 2 May 2022 at 09:00, Ada Finch <a@x.test>\nwrote:\n> I sold it.",
        "Le lun. 2 mai 2022 à 09:00, Ada Finch <a@x.test> a écrit :\n> I sold it.",
        "Am 02.05.2022 um 09:00 schrieb Ada Finch <a@x.test>:\n> I sold it.",
    ],
)
def test_what_a_mail_quotes_is_said_by_its_own_author(quoted: str) -> None:
    text = f"{HEAD}{quoted}\n"
    at = text.index("I sold it")
    assert [part.author for part in statements(text) if part.start <= at < part.end] == ["Ada Finch"]


def test_after_the_quoted_lines_the_sender_speaks_again() -> None:
    text = f"{HEAD}On Mon, 2 May 2022, Ada Finch wrote:\n> I sold it.\n\nI did not know.\n"
    at = text.index("I did not")
    assert not [part for part in statements(text) if part.start <= at < part.end]


@pytest.mark.parametrize(
    "text",
    [
        "12.03.24, 21:14 - Ana: I sold it.\n12.03.24, 21:15 - Ben: Good.\n",
        "[12/03/2024, 21:14:05] Ana: I sold it.\n[12/03/2024, 21:15:00] Ben: Good.\n",
        "[00:12:03] Ana: I sold it.\n[00:12:09] Ben: Good.\n",
        "ANA. I sold it.\n\nBEN. Good.\n\nANA. Yes.\n",
        "ANA.\nI sold it.\n\nBEN, aside.\nGood.\n\nANA\n(Kneeling)\nYes.\n",
        "ANA: I sold it.\n\nBEN: Good.\n\nANA: Yes.\n",
        "Ana. I sold it.\n\nBen. Good.\n\nAna. Yes.\n\nBen. No.\n",
    ],
)
def test_the_lines_of_chats_and_plays_have_speakers(text: str) -> None:
    assert [part.author for part in statements(text)][:2] == ["Ana", "Ben"]


def test_what_nobody_in_particular_says_ends_a_speech() -> None:
    text = "ANA. I sold it.\n\nBEN. Good.\n\nALL. Hurrah!\n\nANA. Yes.\n\nACT II. A mill\n\nI was there.\n"
    assert [part.author for part in statements(text)] == ["Ana", "Ben", "", "Ana", ""]
    questions = "Q. Who paid you?\nA. Lena Voss paid me.\nQ. When?\nA. Then.\n"
    assert [part.author for part in statements(questions)] == [""] * 4


@pytest.mark.parametrize(
    "text",
    [
        "NAME: Jules Delmas\nDATE: 3 May\nPLACE: Lyon\n\nNAME: Anne Roche\nDATE: 4 May\nPLACE: Vienne\n",
        "CONFIDENTIAL\nAnn left.\n\nCONFIDENTIAL\nBen left.\n\nCONFIDENTIAL\nCy left.\n",
        "A. Apples are sold.\n\nB. Pears are not.\n\nA. Ships are sold.\n",
        "THE GREY MILL\n\nAnn left.\n\nTHE RED MILL\n\nBen left.\n\nTHE GREY MILL\n\nCy left.\n",
    ],
)
def test_fields_running_heads_and_lists_are_no_speakers(text: str) -> None:
    assert not [part.author for part in statements(text) if part.author]


def test_a_plain_text_has_no_other_speakers() -> None:
    assert not statements("MRS. SPARSIT'S rooms.\n\nMRS. BOUNDERBY sold it.\n\nMRS. SPARSIT went out.\n")
    assert not statements("CHAPTER I. The boat\n\nAnn sold it. She wrote: nothing.\n\nCHAPTER II. The sea\n")


def test_a_direction_after_the_name_of_a_speaker_is_no_part_of_it() -> None:
    play = (
        "MADAME ORMOY (se levant). — Avez-vous la bague ?\n\nLE MAJOR PELLE. — Oui.\n\n"
        "MADAME ORMOY, à part. — Elle est en verre.\n"
    )
    found = [(part.author, play[part.told[1] :].split(" ")[0]) for part in statements(play)]
    assert found == [("Madame Ormoy", "Avez-vous"), ("Le Major Pelle", "Oui.\n\nMADAME"), ("Madame Ormoy", "Elle")]
