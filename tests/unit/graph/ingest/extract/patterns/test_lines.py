"""Facts from tables, the head of a mail and the name under a letter, where there is no sentence."""

from __future__ import annotations

from filigraph.graph.ingest.extract.patterns.lines import LineFacts, in_third_person, read_line_facts
from filigraph.graph.text.sentences import sentences

TABLE = "Relevé du soir.\n\nBadge | Sens | Porte | Heure\n--- | --- | --- | ---\n0009 | sortie | B | 21:22\n\nFin."
MAIL = "From: Claire Kerbrat <c@musee.example>\nTo: Ruth Ansell\nDate: Tue, 19 May 2009\nSubject: Re: trawlers\n\n"


def lines(text: str, language: str = "en") -> LineFacts:
    return read_line_facts(text, sentences(text, language), language)


def facts(text: str, language: str = "en") -> list[tuple[str, str, str]]:
    return [(t.subject, t.predicate, t.object) for t in lines(text, language).triplets]


def test_a_row_says_what_the_head_of_its_table_says_of_it() -> None:
    assert facts(TABLE, "fr") == [("Badge 0009", "sens", "sortie"), ("Badge 0009", "heure", "21:22")]
    (first, _) = lines(TABLE, "fr").triplets
    assert TABLE[first.start : first.end] == "0009 | sortie | B | 21:22"


def test_a_row_is_of_the_cell_that_names_something() -> None:
    table = "Date | In or out | Party | Amount\n22 Jan. 1968 | in | Northern Hulls | £86,400\n"
    assert facts(table) == [("Northern Hulls", "amount", "£86,400")]
    assert [(t.when, t.when_date) for t in lines(table).triplets] == [("22 Jan. 1968", "1968-01-22")]


def test_what_is_no_table_says_nothing() -> None:
    assert facts("He said: a | b | c, and left.\nOne | two\n1 | 2 | 3\n4 | 5 | 6\n") == []


def test_the_head_of_a_mail_says_who_wrote_to_whom_about_what() -> None:
    found = lines(f"{MAIL}Dear Miss Ansell,\nThe sea is calm.")
    assert [(t.subject, t.predicate, t.object) for t in found.triplets] == [
        ("Claire Kerbrat", "wrote to", "Ruth Ansell"),
        ("Claire Kerbrat", "wrote about", "trawlers"),
    ]
    assert found.author == "Claire Kerbrat"
    french = "De : Hélène Pastor, maître de port\nÀ : Thibault Lacaze\nDate : jeudi\n\nMonsieur,"
    assert facts(french, "fr") == [("Hélène Pastor", "a écrit à", "Thibault Lacaze")]
    russian = "От: Иван Петров\nКому: Анна Орлова\nДата: 3 мая\n\nЗдравствуйте."
    assert facts(russian, "ru") == [("Иван Петров", "wrote to", "Анна Орлова")]


def test_from_alone_is_no_head_of_a_mail() -> None:
    assert lines("From: the sea we come.\nWe go there too.") == LineFacts()


def test_the_name_under_a_letter_is_its_author() -> None:
    assert lines("Dear Hal,\nI am a widow. I sign nothing.\nYours,\nNell Vyse").author == "Nell Vyse"
    assert lines("I am a widow. I sign nothing.\nNell Vyse").author == ""


def test_what_i_did_is_said_of_somebody() -> None:
    assert in_third_person("have sent") == "has sent"
    assert [in_third_person(verb) for verb in ("suis", "vais à", "veux")] == ["est", "va à", "veut"]
    assert in_third_person("wrote") == "wrote"
    assert [in_third_person(verb) for verb in ("live in", "carry", "met", "was")] == [
        "lives in",
        "carries",
        "met",
        "was",
    ]
    french = ("connais", "vends", "mets", "vis", "achetai", "avais", "achète", "ai vu")
    assert [in_third_person(verb, "fr") for verb in french] == [
        "connaît",
        "vend",
        "met",
        "vit",
        "acheta",
        "avait",
        "achète",
        "a vu",
    ]
