"""Names in languages that no parser reads, and which of them share a sentence."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.extract.patterns.together import (
    PAIRS_A_CHUNK,
    PAIRS_A_SENTENCE,
    names_in,
    neighbouring_names,
    without_greetings,
)
from filigraph.graph.store.neo4j.labels import safe_token
from filigraph.graph.text.sentences import sentences


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("Gestern sah Kommissar Brandt den alten Jules Delmas am Bahnhof.", "de", {"Kommissar Brandt", "Jules Delmas"}),
        ("Und Robert kam und sprach. Da schwieg Robert.", "de", {"Robert"}),
        ("E Bianchi rise e pianse. Allora Bianchi partì.", "it", {"Bianchi"}),
        ("Dort half das Rote Kreuz. Die rote Fahne wehte am Roten Platz.", "de", {"Rote Kreuz", "Roten Platz"}),
        ("宝玉笑道。王熙凤来了。众人见王熙凤进门，都站起来。", "zh", {"王熙凤"}),
        ("福尔摩斯见到了夏洛克·福尔摩斯的朋友。", "zh", {"夏洛克·福尔摩斯"}),
        ("他读了《红楼梦》。", "zh", {"红楼梦"}),
        ("قرأ «ألف ليلة وليلة» مرتين.", "ar", {"ألف ليلة وليلة"}),
        ("جاء طارق منصور اليوم. رأيت طارق منصور في السوق.", "ar", {"طارق منصور"}),
        ("We saw Will Adébáyọ\u0300 there. He will go.", "es", {"Will Adébáyọ\u0300"}),  # ends in a combining mark
        ("DON LUIS.—¿Dónde está Inés?\n\nDON JUAN.—En casa de Inés.", "es", {"DON LUIS", "DON JUAN", "Inés"}),
        ("Il treno andò da Lione — Torino (Italia).", "it", {"Lione", "Torino", "Italia"}),
        ("Ayer vio Sofía a Julio Delmas en Lyon.", "es", {"Sofía", "Julio Delmas", "Lyon"}),
    ],
)
def test_names_of_other_languages(text: str, language: str, names: set[str]) -> None:
    assert names <= set(names_in(text, sentences(text, language), language))


@pytest.mark.parametrize(
    ("text", "language", "noun"),
    [
        ("Der Bahnhof lag hinter dem Haus. Am Bahnhof stand Jules Delmas.", "de", "Bahnhof"),
        ("Und Robert kam und sprach.", "de", "Und Robert"),
        ("NATHAN\n\nErster Aufzug\n\nErste Szene\n\nDAJA. Er ist es!\n", "de", "Erster Aufzug"),
        ("ESCENA PRIMERA\n\nDON LUIS.—¿Dónde está Inés?\n", "es", "ESCENA PRIMERA"),
        ("ESCENA II\n\nDON LUIS.—¿Dónde está Inés?\n", "es", "Dónde"),
        ("DON JUAN.—En el convento.\n", "es", "En"),
        ("CIUTTI (Aparte.)—Mi amo la vio.\n", "es", "Aparte"),
        ("他说：「我不知道你为什么要到这里来找我。」", "zh", "我不知道你为什么要到这里来找我"),
        ("قال الرجل للرجل الآخر شيئا.", "ar", "الرجل"),
    ],
)
def test_what_is_no_name(text: str, language: str, noun: str) -> None:
    assert noun not in names_in(text, sentences(text, language), language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Weder Ruth Pell noch Karl Voss sah den Fluss.", "de"),
        ("Nur Ruth Pell sah den Fluss.", "de"),
        ("Aunque Ruth Pell vio el mar.", "es"),
        ("Anche Ruth Pell vide il mare.", "it"),
    ],
)
def test_a_word_that_begins_a_clause_is_in_no_name(text: str, language: str) -> None:
    assert names_in(text, [(0, len(text))], language)[0] == "Ruth Pell"


def test_pairs_are_few_and_neighbours() -> None:
    sentence = "Anna Bell, Carl Dorn, Emil Frank, Gerd Hahn und Ida Jung kamen."
    found = neighbouring_names(
        sentence, [(0, len(sentence))], ["Anna Bell", "Carl Dorn", "Emil Frank", "Gerd Hahn", "Ida Jung"]
    )
    assert len(found) == PAIRS_A_SENTENCE
    assert (found[0].subject, found[0].object) == ("Anna Bell", "Carl Dorn")
    names = [f"Xa{chr(97 + n)} Ya{chr(97 + n)}" for n in range(26)]
    many = " ".join(f"{a}, {b}, {c}." for a in names for b in names[:5] for c in names[5:9])
    assert len(neighbouring_names(many, sentences(many, "de"), names)) == PAIRS_A_CHUNK


def test_a_pair_is_told_once_a_chunk_and_has_a_type_of_its_own() -> None:
    text = "Соня и Жюль пришли. Жюль и Соня ушли."
    found = neighbouring_names(text, sentences(text, "ru"), ["Соня", "Жюль"])
    assert [(t.subject, t.object, t.origin) for t in found] == [("Соня", "Жюль", "cooccurrence")]
    assert safe_token(found[0].predicate) == "MENTIONED_WITH"


def test_greetings_in_a_mail_of_another_language_are_blanked() -> None:
    text = "Liebe Mira,\n\nI met Paul.\n\nHerzliche Grüße\nAna\n"
    assert without_greetings(text) == "      Mira,\n\nI met Paul.\n\n               \nAna\n"
    assert without_greetings("Liebe Mira kam nicht.\n") == "Liebe Mira kam nicht.\n"


def test_greetings_and_closings_are_no_names() -> None:
    text = "Guten Tag, Otto Brandt. Liebe Grüße aus Bremen von Karl Voss."
    assert {"Liebe Grüße", "Guten Tag", "Grüße"}.isdisjoint(names_in(text, [(0, len(text))], "de"))
