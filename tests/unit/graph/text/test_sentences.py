"""Sentences end where a reader sees them end, and every character belongs to one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.text.sentences import MAX_PIECES, MAX_SENTENCE_CHARS, MIN_PIECE_CHARS, sentence_groups, sentences


@pytest.mark.parametrize(
    ("language", "marked"),  # | between sentences
    [
        ("fr", "M. Lecoq et Mme. Lerouge sont là.| Il l'a.| Elle y a.| Fin."),
        ("fr", "« Je pars. »| Il sortit.| « Ah ! » dit-il.| « Où ? » demanda-t-il.| Rien."),
        ("fr", "— Oui… peut-être, dit-il.|\n— Non !|\n– Et\nalors ?|\n— Moi,\n— toi —, eux."),
        ("fr", "Le 20 février 18.., un dimanche.| Voir p. 5 et chap. 3.| J.-B. Delmas vint."),
        (
            "fr",
            "Paris, le 3 mars|\nMa chère Sophie,|\nJe t'écris pour te dire que je ne viens pas, Jules\nDelmas dort.",
        ),
        ("fr", "Inventaire :|\n- une bague|\n- deux montres|\n1. Le sceau|\n2. La clé"),
        ("fr", "Un titre|\n\nLe texte sans point|\n \n Encore"),
        (
            "en",
            'Mr. Holmes met J. H. Watson.| No.| It was I.| "Go!" he said.| "Stay."| She left...| No. 5 shut.',
        ),
        ("en", "I have seldom heard\nHolmes mention her.| In his eyes\nshe eclipses all."),
        ("en", "He paid 3.14 to the U.S. Army.| Version 2.0 came."),
        ("en", "Mon. 6 Nov.: Leeks lifted.| No. 2206, 10 Nov. Concertina.| The 3rd Dec. Ticket.| In the sun.| 12 men."),
        (
            "fr",
            "PRIX. – La vente est faite.| OBSÈQUES. – Hier.| – Oui.| – Non.| N° 31. Manteau.| Le 4 déc. Rien.",
        ),
        ("ru", "Это т. е. правда.| Г. Иванов жил в 1812 г. в Москве.| А. С. Пушкин.| Он и я.| Конец!"),
        ("de", "Am 3. März kam Dr. Weiß.| »Ja.«| Er ging.| »Nein!« sagte sie."),
        ("ja", "「行く。」と彼は言った。|東京へ！|大丈夫？|はい"),
        ("zh", "他走了。|“为什么？”|没人知道。"),
        ("ar", "هل هذا صحيح؟| نعم.| هذا هو."),
        ("hi", "यह सच है।| वह गया।"),
        ("", "Mr. Holmes et M. Lecoq.| Г. Иванов."),
        ("en", ""),
        ("en", " \n\n "),
    ],
)
def test_sentences(language: str, marked: str) -> None:
    text = marked.replace("|", "")
    assert [text[start:end] for start, end in sentences(text, language)] == [
        sentence.strip() for sentence in marked.split("|") if sentence.strip()
    ]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                "No. | Mark | Goods",
                "1 to 48 | a lozenge burnt in the lid | slag. For roads, 8 cwt. Each",
                "49 to 60 | BF | stove doors",
                "and nothing else",
            ],
        ),
        ("en", ["Clasp\tsilver. Wolf's head", "Coat\tmoth", "He left."]),
        (
            "fr",
            [
                "De : Balise",
                "À : Thibault Lacaze, rédaction de L'Écho des Salines",
                "Objet : l'appel d'offres",
                "par Thibault Lacaze",
                "J'ai lu votre papier sur les platanes malades du boulevard, qui m'a fait rire, et je me suis dit que "
                "vous sauriez peut-être garder une source.",
                "Ne cherchez pas mon nom.",
            ],
        ),
    ],
)
def test_a_line_is_a_sentence_where_nothing_was_wrapped(language: str, expected: list[str]) -> None:
    text = "\n".join(expected)
    assert [text[start:end] for start, end in sentences(text, language)] == expected


PIECES = st.sampled_from(
    [
        "M.",
        "Jules",
        "a",
        " ",
        "  ",
        "\n",
        "\n\n",
        ".",
        "!",
        "…",
        "»",
        "« ",
        "— ",
        "- ",
        "1. ",
        "。",
        "」",
        "É",
        "\u00a0",
        "5",
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=60).map("".join)), st.sampled_from(["", "fr", "en", "de", "xx"]))
def test_sentences_hold_every_character_once(text: str, language: str) -> None:
    found = sentences(text, language)
    assert all(start < end for start, end in found)
    assert all(first[1] <= second[0] for first, second in pairwise(found))
    assert "".join("".join(text[start:end].split()) for start, end in found) == "".join(text.split())
    assert all(text[start:end].strip() == text[start:end] for start, end in found)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "mot " * 50_000,
        "." * 200_000,
        ". " * 100_000,
        "« . »" * 40_000,
        "J. " * 70_000,
        " " * 200_000 + "a",
    ],
    ids=["one word", "no end", "points", "spaced points", "quotes", "initials", "spaces"],
)
def test_no_sentence_is_too_long(text: str) -> None:
    found = sentences(text, "fr")
    assert found
    assert max(end - start for start, end in found) <= MAX_SENTENCE_CHARS
    assert sum(len(text[start:end].replace(" ", "")) for start, end in found) == len(text.replace(" ", ""))


def test_a_long_sentence_is_cut_at_a_space() -> None:
    text = "mot " * 2_000
    assert all(
        text[start:end].endswith("mot") and text[start:end].startswith("mot") for start, end in sentences(text, "fr")
    )


# --------------------------------------------------------------------------------------------------------------------
# Pieces


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_groups(text, "en")]


LONG = "The signet ring is the emblem of a society of thieves."
OTHER = "Nobody in the house had ever seen the man before."


def test_a_sentence_is_a_piece() -> None:
    assert cut(f"{LONG} {OTHER}") == [LONG, OTHER]


def test_a_short_sentence_is_joined_with_the_next() -> None:
    assert cut(f"He did. {LONG} {OTHER}") == [f"He did. {LONG}", OTHER]
    assert cut(f"He did. So did she. {LONG}") == [f"He did. So did she. {LONG}"]


def test_a_short_sentence_at_the_end_is_joined_with_the_one_before() -> None:
    assert cut(f"{LONG} {OTHER} He did.") == [LONG, f"{OTHER} He did."]
    assert cut("He did.") == ["He did."]


def test_there_are_never_too_many_pieces() -> None:
    many = [f"This is the sentence of the number {n}, no more." for n in range(5 * MAX_PIECES - 1)]
    found = cut(" ".join(many))
    assert len(found) == MAX_PIECES
    assert found[0] == " ".join(many[:5])
    assert found[-1] == " ".join(many[-4:])
    assert len(cut(" ".join(many[:MAX_PIECES]))) == MAX_PIECES
    assert len(cut(" ".join(many[: MAX_PIECES + 1]))) == MAX_PIECES // 2 + 1


def test_nothing_has_no_pieces() -> None:
    assert sentence_groups("", "en") == sentence_groups(" \n\n", "fr") == []


@given(st.one_of(st.text(), st.lists(PIECES, max_size=200).map("".join)), st.sampled_from(["", "fr", "en", "de", "xx"]))
def test_pieces_hold_every_character_once(text: str, language: str) -> None:
    found = sentence_groups(text, language)
    assert len(found) <= MAX_PIECES
    assert all(first[1] <= second[0] for first, second in pairwise(found))
    assert "".join("".join(text[start:end].split()) for start, end in found) == "".join(text.split())
    assert len(found) == 1 or all(end - start >= MIN_PIECE_CHARS for start, end in found)
    ends = {end for _, end in sentences(text, language)}
    assert {end for _, end in found} <= ends, "cut where a sentence ends"


def test_a_line_of_a_chat_and_a_field_of_a_head_end_the_line_before() -> None:
    for first, second in (
        ("12/03/2024 à 21:13 - Ann: Bonsoir", "12/03/2024 à 21:14 - Bob: I sold the car to him."),
        ("[00:12:03] Q. And then", "[00:12:09] A. I sold the car to him."),
        ("Date: 4 May 2022", "Subject: what we shall do with the farm"),
    ):
        text = f"{first}\n{second}"
        assert [text[start:end] for start, end in sentences(text, "en")][:2] == [first, second]
