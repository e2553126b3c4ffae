"""Who speaks if a mail quotes or forwards another, in a chat, a transcript and a play."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from filigraph.graph.ingest.extract.patterns.lines import author_of
from filigraph.graph.ingest.extract.patterns.statements.mails import sender_name
from filigraph.graph.ingest.extract.patterns.statements.parts import statements
from filigraph.graph.text.sentences import sentences

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
        "On Mon, May 2, 2022 at 9:00 AM Ada Finch <ada1975@x24.test> wrote:\n> I sold it.",
        "El lun, 2 may 2022 a las 9:00, Ada Finch (<a@x.test>) escribió:\n> I sold it.",
        "Il giorno lun 2 mag 2022 alle ore 09:00 Ada Finch <a@x.test>\nha scritto:\n> I sold it.",
        "Em seg., 2 de mai. de 2022 às 09:00, Ada Finch <a@x.test> escreveu:\n> I sold it.",
        "Op ma 2 mei 2022 om 09:00 schreef Ada Finch <a@x.test>:\n> I sold it.",
        "пн, 2 мая 2022 г. в 09:00, Ada Finch <a@x.test> написала:\n> I sold it.",
        "2022年5月2日(月) 9:00 Ada Finch <a@x.test>:\nI sold it.",
        "пн, 2 мая 2022 г. в 09:00, Ada Finch <a@x.test>:\nI sold it.",
        "Ada Finch <a@x.test>, 2 May 2022 Pzt, 09:00 tarihinde şunu yazdı:\nI sold it.",
        "po 2. 5. 2022 v 9:00 odesílatel Ada Finch <a@x.test> napsal:\nI sold it.",
        "From:   Ada Finch/Dover/Orme\nTo:     Bram Teague/Lyon/Orme@Orme\nDate:   02/05/2022 09:00\n\nI sold it.",
        "发件人: Ada Finch <a@x.test>\n发送时间: 2022年5月2日\n收件人: Bram\n主题: it\n\nI sold it.",
        "Van: Ada Finch\nVerzonden: 2 mei 2022\nAan: Bram Teague\nOnderwerp: it\n\nI sold it.",
        "Od: Ada Finch\nWysłano: 2 maja 2022\nDo: Bram Teague\nTemat: it\n\nI sold it.",
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
        "12/03/2024 à 21:14 - Ana: I sold it.\n12/03/2024 à 21:15 - ~ Ben: Good.\n",
        "Ana, [12.03.2024 21:14]\nI sold it.\n\nBen, [12.03.2024 21:15]\nGood.\n",
        "Ana   0:03\nI sold it.\n\nBen   1:02:15\nGood.\n",
        "21:14 <Ana> I sold it.\n21:15 <@Ben> Good.\n",
        "[2024-03-12 21:14:05] <Ana> I sold it.\n[2024-03-12 21:15:05] <Ben> Good.\n",
        "21:14:05 12.3.2024 - Ana: I sold it.\n21:15:00 12.3.2024 - Ben: Good.\n",
        "[12/03/2024 21:14] Ana\nI sold it.\n\n[12/03/2024 21:15] Ben\nGood.\n",
        "00:00:03 Ana\nI sold it.\n\n00:00:12 Ben\nGood.\n",
        "PERSONS\n\nANA, a pilot.\nBEN, her brother.\n\nANA. I sold it.\n\nBEN. Good.\n",
        "ANA. I sold it.\n\nBEN. Good.\n\nANA. Yes.\n",
        "ANA.\nI sold it.\n\nBEN, aside.\nGood.\n\nANA\n(Kneeling)\nYes.\n",
        "ANA: I sold it.\n\nBEN: Good.\n\nANA: Yes.\n",
        "Ana. I sold it.\n\nBen. Good.\n\nAna. Yes.\n\nBen. No.\n",
        "21:14 < Ana> I sold it.\n21:15 < Ben> Good.\n",
        "2024년 3월 12일 오후 9:14, Ana : I sold it.\n2024년 3월 12일 오후 9:15, Ben : Good.\n",
        "21:14\tAna\tI sold it.\n21:15\tBen\tGood.\n",
        "Ana, sworn, says: I sold it.\n\nBen, sworn, says: I am a carter.\n",
        "Ana deposed: I sold it.\n\nBen, a carter, duly sworn, stated: I drove.\n",
        "2024/3/12 下午9:14 - Ana: I sold it.\n2024/3/12 下午9:15 - Ben: Good.\n",
        "ANA\n\nI sold it.\n\nBEN\n\nWhy?\n\nANA\n\nI was ill.\n\nBEN\n\nWere you?\n",
        "| Person speaking | Text |\n| ANA | I sold it. |\n| BEN | Good. |\n",
        "ANA.—I sold it.\n\nBEN.—Good.\n\nANA.—Yes.\n",
        "ANA (alone). Ben saw me.\n\nBEN. Ana!\n",
        "Ana: I sold it.\nBen: To whom?\nAna: To Karl.\n",
        "Ana [00:01:12]: I sold it.\nBen [00:01:20]: To whom?\nAna [00:01:22]: To Karl.\n",
        "From: Eva Roe\nTo: Otto\nSubject: Chat\n\nAna: I sold it.\nBen: To whom?\nAna: Karl.\nBen: Good.\n",
        "Ana : J'ai vendu.\n\nBen : À qui ?\n\nAna : À Marc.\n",
    ],
)
def test_the_lines_of_chats_and_plays_have_speakers(text: str) -> None:
    assert [part.author for part in statements(text)][:2] == ["Ana", "Ben"]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Mr. ADA FINCH (Dover): I sold it.\n\nMrs. RUTH PELL (Lyon): Good.\n", ["Mr. ADA FINCH", "Mrs. RUTH PELL"]),
        ("M. le président. Bien.\n\nMme Claire Aubin. J'ai vendu.\n", ["M. le président", "Mme Claire Aubin"]),
        (
            "GEORGE PELL. I am a carman.\n\nRUTH MOON. I keep a shop.\n\nGUILTY. Aged 23.\n",
            ["George Pell", "Ruth Moon"],
        ),
    ],
)
def test_debates_and_old_trials_have_speakers(text: str, speakers: list[str]) -> None:
    assert [part.author for part in statements(text) if part.author] == speakers


@pytest.mark.parametrize(
    "text",
    [
        "LE PRÉSIDENT : Parlez.\n\nMe ANA : I sold it.\n\nLE PRÉSIDENT : Bien.\n\nBEN : Good.\n",
        "ANA, called as a witness, was sworn.\n\nMR. HALE: Go on.\n\nTHE WITNESS: I sold it.\n\nMR. HALE: Good.\n",
        "AN INTERVIEW WITH ANA\n\nQ: Well?\n\nA: I sold it.\n\nQ: When?\n\nA: In May.\n",
    ],
)
def test_witnesses_advocates_and_who_is_interviewed_say_i(text: str) -> None:
    at = text.index("I sold it")
    said = max((part for part in statements(text) if part.start <= at), key=lambda part: part.start)
    assert said.author == "Ana"


def test_what_nobody_in_particular_says_ends_a_speech() -> None:
    text = "ANA. I sold it.\n\nBEN. Good.\n\nALL. Hurrah!\n\nANA. Yes.\n\nACT II. A mill\n\nI was there.\n"
    assert [part.author for part in statements(text)] == ["Ana", "Ben", "", "Ana", ""]
    questions = "Q. Who paid you?\nA. Lena Voss paid me.\nQ. When?\nA. Then.\n"
    assert [part.author for part in statements(questions)] == [""] * 4
    timed = "[00:01] Q. Who paid you?\n[00:02] A. Lena Voss paid me.\n[00:03] Q. When?\n[00:04] A. Then.\n"
    assert [part.author for part in statements(timed)] == [""] * 4


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
    found = [(part.author, play[part.speaker_line[1] :].split(" ")[0]) for part in statements(play)]
    assert found == [("Madame Ormoy", "Avez-vous"), ("Le Major Pelle", "Oui.\n\nMADAME"), ("Madame Ormoy", "Elle")]


@pytest.mark.parametrize(
    "intro",
    [
        "On Wed, Mar 13, 2019 at 9:12 AM Lena Voss <l@case.test> wrote:",
        "Am Mi., 13. März 2019 um 09:12 Uhr schrieb Lena Voss <l@case.test>:",
        "Le mer. 13 mars 2019 à 09:12, Lena Voss <l@case.test> a écrit :",
    ],
)
def test_the_line_before_a_quoted_mail_is_its_head(intro: str) -> None:
    older_mail = "____________\nDe : Henri Vidal\nEnvoyé : mardi 12 mars 2019\n\nI met him.\n"
    text = f"Thank you.\n\n{intro}\n\nI sold it.\n\n{older_mail}"
    quoted, older = statements(text)
    assert (quoted.author, older.author) == ("Lena Voss", "Henri Vidal")
    assert text[slice(*quoted.head)] == intro
    assert text[slice(*older.head)].startswith("____") and text[slice(*older.head)].endswith("2019")


def test_what_a_quoted_mail_quotes_is_nobody_s_and_an_answer_below_does_not_end_it() -> None:
    text = f"{HEAD}Ada Finch wrote:\n> I sold it.\n>> I hired him.\n> I met her.\nI know.\n> I left.\nYes.\n"
    said = {text[part.start : part.end].strip("> \n").split("\n")[-1]: part.author for part in statements(text)}
    assert said == {"> I sold it.": "Ada Finch", "I hired him.": "", "I met her.": "Ada Finch", "I left.": "Ada Finch"}


def test_the_hour_of_a_chat_is_not_a_part_of_the_name() -> None:
    chat = "3/12/24, 9:14 PM - Ana: I sold it.\n3/12/24, 9:15 p.m. - Ben: Good.\n"
    assert [part.author for part in statements(chat)] == ["Ana", "Ben"]


def test_a_time_behind_a_word_that_is_no_name_begins_no_speech() -> None:
    assert not statements("Monday 12:30\nLunch\n\nTuesday 12:30\nLunch\n\narrived at 13:05\n\nleft at 14:10\n")


def test_who_examines_asks_and_the_next_witness_answers() -> None:
    text = "ANA, sworn.\n\nBY MR. ROE:\n\nQ. One?\nA. Two.\n\nBEN, sworn.\n\nQ. Three?\nA. Four.\n"
    assert [part.author for part in statements(text)] == ["Mr. Roe", "Ana", "Mr. Roe", "Ben"]
    deposed = statements("DÉPOSITION DE LÉNA VOSS\n\nQ. Quoi ?\nR. Je l'ai vendu.\n")
    assert [part.author for part in deposed] == ["", "Léna Voss"]


@pytest.mark.parametrize(
    ("line", "witness"),
    [
        ("Ben Roe testified that he saw me there, and he lied.", "Ana Voss"),
        ("Ben Roe was a witness against me.", "Ana Voss"),
        ("Ben Roe recalled the night.", "Ana Voss"),
        ("A. Ben Roe testified.", "Ana Voss"),
        ("BEN ROE, a witness called by the defence, testified that he is a carter.", "Ben Roe"),
        ("Ben Roe, a witness for the Crown, sworn and examined.", "Ben Roe"),
        ("Ben Roe testified as follows:", "Ben Roe"),
        ("Ben Roe recalled to the stand.", "Ben Roe"),
    ],
)
def test_who_is_said_to_have_testified_is_not_the_next_witness(line: str, witness: str) -> None:
    text = f"ANA VOSS, sworn.\n\nQ. One?\nA. I heard it.\n{line}\nQ. Did he?\nA. Yes.\n"
    assert statements(text)[-1].author == witness


@pytest.mark.parametrize(
    "text",
    [
        "From: Ana\nSubject: Are you well?\n\nI am.\n\nFrom: Ben\nSubject: I am, are you?\n",
        "Colour: red\nEngine: old\nColour: blue\nEngine: new\n",
        "Name: Ana\nCity: Are you sure?\nName: Ben\nCity: I am.\n",
        "Morning: I met Anna Grey.\nEvening: Did I sleep?\nMorning: I met Ruth.\nEvening: I read.\n",
        "Dover: I met Anna Grey.\nParis: I met Otto.\nDover: my aunt came.\nParis: we left.\n",
        "Pros: You can visit Ruth.\nCons: You must pay Otto.\nPros: your friends come.\nCons: I hate it.\n",
        "Note: I know Ruth.\n\nNote: you know Otto.\n\nLucy: I never told her.\n",
    ],
)
def test_fields_with_a_colon_are_no_speakers(text: str) -> None:
    assert {part.author for part in statements(text)} <= {""}


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Ana: I sold it.\nBen: To whom?\nAna: To Karl.\n\nKarl left.\n", ["Ana", "Ben", "Ana", ""]),
        ("Ana: I sold it.\n\nTo Karl.\n\nBen: Why?\n\nAna: I had to.\n\nI had no bread.\n", ["Ana", "Ben", "Ana"]),
        ("De Vries: Who?\nAna: I.\nDe Vries: Why?\nNote: Karl left.\nAna: I know.\n",
         ["De Vries", "Ana", "De Vries", "", "Ana"]),
        ("Mr. Roe: Who?\nAna: I.\nMr. Roe: Why?\nAna: I had to.\n", ["Mr. Roe", "Ana", "Mr. Roe", "Ana"]),
        ("12:30 I left Dover: it rained.\n13:15 We met Otto: he was ill.\n", []),
        ("Ana Ruiz: I sold it.\nOtto Brandt: I saw it.\nAna Ruiz: We left.\n", ["Ana Ruiz", "Otto Brandt", "Ana Ruiz"]),
    ],
)  # fmt: skip
def test_a_talk_ends_where_nobody_is_labelled(text: str, speakers: Sequence[str]) -> None:
    assert [part.author for part in statements(text)] == speakers


def test_questions_may_have_line_numbers_or_no_stop() -> None:
    assert len(statements("1 Q. Who?\n2 A. Karl Roe.\n3 Q. Did you?\n4 A. No.\n")) == 4
    assert len(statements("   Q     Who?\n   A     Karl Roe.\n   Q     Did you?\n")) == 3
    assert not statements("1 A. Smith\n2 B. Roe\n3 A. Pell\n")


def test_a_role_in_a_trial_ends_the_speech_before_it() -> None:
    text = "ANA PELL. I am a maid.\n\nBEN ROE. I am a carter.\n\nPrisoner. I never sold it.\n\nThe Court. Go.\n"
    assert [part.author for part in statements(text)] == ["Ana Pell", "Ben Roe", "", ""]


def test_a_witness_who_speaks_again_has_the_same_name() -> None:
    text = "LENA VOSS, sworn.\nMR. ROE: Who?\nTHE WITNESS: Otto.\nMR. ROE: And?\nTHE WITNESS: I left.\n"
    assert [part.author for part in statements(text)] == ["Mr. Roe", "Lena Voss"] * 2


def test_a_long_examination_is_read_at_once() -> None:
    assert len(statements("ANA, sworn.\n" + "Q. Why?\nA. I saw.\n" * 20_000)) == 40_000


def test_a_clock_before_a_place_or_a_price_is_no_speaker() -> None:
    assert not statements("12.30, Dover. The ship left.\n14.20, Calais. It came in.\n")
    assert not statements("12.50, Tea. Good.\n14.20, Coffee. Bad.\n")


def test_a_given_name_is_no_time_zone() -> None:
    said = statements(f"{HEAD}On 2 May 2022, at 18:04, Scott Lamb <s@x.test> wrote:\n> I sold it.\n")
    assert said[0].author == "Scott Lamb"
    said = statements(f"{HEAD}On 2 May 2022, at 6:04 PM, a1975@x.test wrote:\n> I sold it.\n")
    assert said[0].author == ""


def test_what_the_program_of_a_chat_says_is_nobody_s() -> None:
    text = "18:04 <ana> I sold it.\n18:05 -!- carl [~c@x] has joined #port\n18:06 <ben> Good.\n"
    assert [part.author for part in statements(text)] == ["ana", "", "ben"]


def test_each_letter_of_several_is_by_whoever_signs_it() -> None:
    text = (
        "LETTER I\n\nLondon, 2 May 1791.\n\nMy dear Nora,\n\nI met Otto.\n\nYour friend,\n\nLENA VOSS.\n\nLETTER II\n\n"
        "Chère Lena,\n\nI sold the mill.\n\nBien à toi,\nNora Quill\n\nDear Ann,\n\nI left.\n"
    )

    def author(words: str) -> str:
        at = text.index(words)
        return next((part.author for part in statements(text) if part.start <= at < part.end), "nobody yet")

    assert [author(words) for words in ("I met", "I sold", "I left")] == ["Lena Voss", "Nora Quill", ""]
    assert author("LETTER II") == ""
    assert statements("Dear Ann,\n\nI left.\n\nYours,\nBo Lind\n") == ()


@pytest.mark.parametrize(
    ("said", "closing"),
    [
        ("Thank you for your letter.\n\nOtto Reiss", "Yours sincerely,"),
        ("I saw ta mère.\n\nElle part", "Bien à toi,"),
        ("Ihre Karte kam.\n\nWir danken", "Mit freundlichen Grüßen,"),
        ("Love is cold.\n\nOtto", "I remain, dear Sir, yours truly,"),
        ("I sold it.", "With all my love,"),
        ("I sold it.", "Your affectionate friend,"),
        ("I sold it.", "I am, dear Sir, your obedient servant,"),
        ("I sold it.", "Most sincerely yours,"),
        ("J'ai vendu.", "Bien affectueusement, votre ami,"),
        ("Es ist weg.", "Herzliche Grüße, Deine,"),
    ],
)
def test_a_letter_is_by_the_last_name_below_a_closing(said: str, closing: str) -> None:
    text = f"Dear Ann,\n\n{said}\n\n{closing}\n\nLena Voss\n\nDear Bo,\n\nThank you for your letter.\n\nOtto left.\n"
    assert [part.author for part in statements(text)] == ["Lena Voss", "", ""]


def test_a_letter_whose_closing_words_are_in_a_sentence_is_nobody_s() -> None:
    text = "Dear Ann,\n\nThank you for your letter.\n\nOtto Reiss\n\nDear Bo,\n\nI left.\n\nYours,\nLena\n"
    assert [part.author for part in statements(text)] == ["", "Lena", ""]


def test_cries_in_a_dialogue_greet_nobody() -> None:
    said = "— Mon Dieu !\n\nElle sortit.\n\n— Ma chère,\n\ndit-elle.\n\nMon Dieu !\n\nVotre ami,\nPaul\n"
    assert statements(said) == ()
    letters = (
        "Lieber Otto!\n\nIch ging.\n\nDeine\u00a0Freundin,\nLena\n\nLieber Bo!\n\nIch kam.\n\nDein Freund,\nPaul\n"
    )
    assert [part.author for part in statements(letters) if part.author] == ["Lena", "Paul"]


def test_a_line_without_end_costs_no_time() -> None:
    assert statements(f"{HEAD}{'a' * 1_000_000}\n") == () and statements(f"{HEAD}{'a' * 1_000_000}:\n") == ()


def test_questions_and_answers_in_capitals_are_no_names() -> None:
    text = "Audition de Lena Voss\n\nDEMANDE : Où ?\nRÉPONSE : J'ai vu Bo.\nDEMANDE : Quand ?\n"
    assert [part.author for part in statements(text)] == ["", "Lena Voss", ""]


def test_what_follows_a_dash_in_subtitles_is_not_the_speaker_s_before() -> None:
    text = "ADA FINCH: I sold it.\n- I paid you.\n- Who is he?\nBO LIND: I am.\nADA FINCH: Yes.\n"
    assert [part.author for part in statements(text)] == ["Ada Finch", "", "", "Bo Lind", "Ada Finch"]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ('"O\'Hara, Nora" <n@x.test>', "Nora O'Hara"),
        ("Vane, Piers <p@x.test>", "Piers Vane"),
        ("clara@m.test (Clara Munro)", "Clara Munro"),
        ('"Solway Dock, Ltd." <s@x.test>', "Solway Dock"),
        ("Ada Finch (Harbour Office)", "Ada Finch (Harbour Office)"),
        ("Hélène Pastor, maître de port", "Hélène Pastor"),
    ],
)
def test_a_comma_in_the_name_of_a_sender(value: str, name: str) -> None:
    assert sender_name(value) == name


def test_what_is_below_the_line_of_a_help_desk_is_not_the_sender_s() -> None:
    text = (
        f"{HEAD}##- Please type your reply above this line -##\n\nAda Finch (Port)\n2 May 2022, 18:04\n\nI sold it.\n"
    )
    (part,) = statements(text)
    assert part.author == "" and part.start < text.index("I sold it") < part.end


def test_a_blank_line_below_its_head_does_not_make_a_quoted_mail_another_s() -> None:
    text = (
        f"{HEAD}On Tue, May 3, 2022 at 10:00 AM Bo Lind <b@x.test> wrote:\n\n> I paid.\n>\n"
        "> On Mon, May 2, 2022 at 6:04 PM Ada Finch <a@x.test> wrote:\n>\n>> I sold it.\n>>\n>> I left.\n> I saw it.\n"
    )

    def author(words: str) -> str:
        at = text.index(words)
        return next(part.author for part in statements(text) if part.start <= at < part.end)

    assert [author(words) for words in ("I paid", "I sold", "I left")] == ["Bo Lind", "Ada Finch", "Ada Finch"]
    assert author("I saw") != "Ada Finch"


@pytest.mark.parametrize(
    "before",
    [
        "2022-05-02T18:04:11Z INFO gate - ", "2024-03-01 12:00:03,123 - gate.main - WARNING - ",
        "[2024-03-01 12:00:03] production.ERROR: ", "2024-03-01 12:00:03.123  INFO 12 --- [main] c.e.Gate : ",
        "2024-03-01 12:00 INFO ",
    ],
)  # fmt: skip
def test_what_a_log_has_before_what_it_says_is_a_label(before: str) -> None:
    text = f"{before}Ada Finch left.\n{before}Bo Lind came.\n"
    assert [(text[slice(*part.head)], part.author) for part in statements(text)] == [(before, "")] * 2


def test_you_names_nobody() -> None:
    assert (sender_name("You"), sender_name("Me <a@x.test>")) == ("", "")
    assert [part.author for part in statements("21:14 - You: I left.\n21:15 - Ana: Why?\n21:16 - Bo: Yes.\n")] == [
        "", "Ana", "Bo",
    ]  # fmt: skip
    first, second = (f"From: {who}\nType: x\nSent: 2 May 2022\n\nI left.\n" for who in ("Ana Ruiz (+1)", "You"))
    text = f"{first}\n{second}"
    assert [part.author for part in statements(text)] == [""]


@pytest.mark.parametrize(
    "text",
    [
        "[12/03/2024 21:14] Ana Ruiz\nI met Paul.\n\n[12/03/2024 21:15] Karl Voss\nI left.\n",
        "21:14:05 From Ana Ruiz to Everyone:\n\tI met Paul.\n21:15:05 From Karl Voss to Everyone:\n\tI left.\n",
        "21:14:05 Von Ana Ruiz an alle : I met Paul.\n21:15:05 Von Karl Voss an alle : I left.\n",
        "21:14:05 From Ana Ruiz (Direct Message) : I met Paul.\n21:15:05 From Karl Voss : I left.\n",
    ],
)
def test_chats_that_were_copied_from_a_meeting(text: str) -> None:
    said = {part.author: text[part.head[1] : part.end].strip() for part in statements(text)}
    assert said == {"Ana Ruiz": "I met Paul.", "Karl Voss": "I left."}


@pytest.mark.parametrize("end", ["\n", ":\n", ": "])
def test_a_particle_begins_a_name_if_nobody_is_written_to(end: str) -> None:
    text = f"21:14 Von Arnim{end}I met Paul.\n\n21:15 De Vries{end}I left.\n"
    assert [part.author for part in statements(text)] == ["Von Arnim", "De Vries"]


def test_who_only_says_something_in_a_tale_is_no_witness() -> None:
    assert not list(statements("Ana, laughing, said: I sold it.\n\nI went home.\n"))


def test_titles_in_capitals_before_i_are_not_speakers() -> None:
    assert not statements("BOOK ONE. I was born in Dover.\n\nMore.\n\nPART TWO. I went to sea.\n\nMore.\n")
    assert not statements("MY YOUTH. I was born in Dover.\n\nMore.\n\nTHE SEA. I went to sea.\n\nMore.\n")
    assert len(statements("GEORGE PELL. I am a carman.\n\nANN LOW. I saw him.\n")) == 2


def test_two_persons_are_not_one_in_a_directory_and_an_hour_alone_begins_no_mail() -> None:
    assert sender_name("Ada Finch/Dover/Orme@Orme") == "Ada Finch"
    assert sender_name("Ann Low / Paul Reed") == "Ann Low / Paul Reed"
    assert not statements("Contact Paul Reed <p@c.test> before 10:30:\n- bring it\n")
    (mail,) = statements("Hello.\n\nAnn Low <a@b.test>, 3 Mar 2025 Pzt, 10:12 tarihinde şunu yazdı:\n> Sold it.\n")
    assert mail.author == "Ann Low"


@pytest.mark.parametrize(
    "text",
    [
        "12:30 - Arrived: I met Otto.\n14:00 - Departed: I gave him the sledge.\n",
        "12:30 - Weather: fine.\n14:00 - Barometer: low.\n15:00 - Wind: I measured it.\n",
        "12h30 - Parti: j'ai vu Otto.\n14h00 - Parti: j'ai vu Eva.\n",
        "London: you should see the Tower.\nLyon: you will love the rivers.\n",
        "Le résultat : Nous avons perdu.\n\nLe calcul : Voyez la page 2.\n",
    ],
)
def test_what_happened_and_places_are_no_speakers(text: str) -> None:
    assert not statements(text)


@pytest.mark.parametrize(
    "text",
    [
        "Le président : Parlez.\n\nM. Roche : J'ai vendu.\n\nLe président : Bien.\n",
        "The moderator: Do you agree?\n\nMr. Roche: I sold it.\n\nThe moderator: I see.\n",
    ],
)
def test_an_office_in_small_letters_speaks(text: str) -> None:
    first, second, third = (part.author for part in statements(text))
    assert first == third != second and second.endswith("Roche")


def test_a_sentence_about_a_witness_does_not_name_the_next_one() -> None:
    told = "In court.\nKarl Roe testified for the defence."
    text = f"DEPOSITION OF ANA ROE\n\nQ. Where?\nA. {told}\nQ. And you?\nA. I left.\n"
    assert {part.author for part in statements(text)} == {"", "Ana Roe"}


@pytest.mark.parametrize(
    ("title", "who"),
    [
        ("Diary of Miriam Cole", "Miriam Cole"),
        ("The Testimony of Ana Roe, 12 June 1954", "Ana Roe"),
        ("Journal de Paul Roux", "Paul Roux"),
    ],
)
def test_whose_diary_or_testimony_a_text_is(title: str, who: str) -> None:
    text = f"{title}\n\nI sold the mill.\n"
    assert author_of(text, sentences(text, "en")) == who


@pytest.mark.parametrize("title", ["Journal of Clinical Medicine", "Statement of Account", "Diary of a Madman"])
def test_a_title_may_name_nobody(title: str) -> None:
    text = f"{title}\n\nI sold the mill.\n"
    assert author_of(text, sentences(text, "en")) == ""


def test_each_of_several_testimonies_is_by_its_own_witness() -> None:
    text = "Statement of Emma Roe\n\nI sold it.\n\nStatement of Paul Hale\n\nI bought it.\n"
    assert [part.author for part in statements(text)] == ["Emma Roe", "Paul Hale"]
