"""A fact is what a sentence states, not what it denies, asks, wishes or supposes."""

from __future__ import annotations

import re

import pytest

from filigraph.graph.text.factuality.phrases import unasserted_scopes
from filigraph.graph.text.negation import denies, is_stated, negated, speaker_of


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("Jules wears the ring.", "wears", "en"),
        ("Jules wore the ring, not the watch.", "wore", "en"),
        ("Nobody stirred; Jules wore the ring.", "wore", "en"),
        ("Ann is his daughter.", "is daughter of", "en"),
        ("He is Ann's father, if I may say so.", "is father of", "en"),
        ('"Who knows?" Jules asked Ann.', "asked", "en"),
        ("Jules did not see Ann, but he saw Paul and saw him well.", "saw", "en"),
        ("Jules porte la chevalière.", "porte", "fr"),
        ("Jules ne porte que la chevalière.", "porte", "fr"),
        ("Sans un mot, Jules porta la lettre à Sophie.", "porta", "fr"),
        ("Jules portait une bague si lourde.", "portait", "fr"),
        ("Jules trägt den Ring.", "trägt", "de"),
        ("Жюль носит кольцо.", "носит", "ru"),
        ("朱尔戴着戒指。", "戴着", "zh"),
        ("Jules was unlike any other.", "hates", "en"),  # in other words: it cannot be told
        ("Jules wears it.", "wears", "xx"),
        ("", "wears", "en"),
        ("Jules wears it.", "", "en"),
    ],
)
def test_what_is_stated(sentence: str, predicate: str, language: str) -> None:
    assert is_stated(sentence, predicate, language)


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("Jules did not wear the ring.", "wear", "en"),
        ("Jules didn't wear the ring.", "wear", "en"),
        ("Jules never once wore the ring.", "wore", "en"),
        ("Jules is not a thief.", "is", "en"),
        ("Jules wore no ring.", "wore", "en"),
        ("He left without seeing Nora.", "seeing", "en"),
        ("Jules might have met Nora.", "met", "en"),
        ("Perhaps Jules met Nora.", "met", "en"),
        ("If Jules knows Nora, all is lost.", "knows", "en"),
        ("Jules wanted to marry Nora.", "marry", "en"),
        ("Does Jules wear the ring?", "wear", "en"),
        ("Jules does it.", "does not wear", "en"),
        ("Jules does it.", "might marry", "en"),
        ("Jules n'a jamais porté la chevalière.", "porté", "fr"),
        ("Jules ne porte pas la chevalière.", "porte", "fr"),
        ("Jules aurait volé la chevalière.", "volé", "fr"),
        ("Jules porte peut-être la chevalière.", "porte", "fr"),
        ("Si Jules porte la chevalière, tout est perdu.", "porte", "fr"),
        ("Jules porte-t-il la chevalière ?", "porte", "fr"),
        ("Jules trug den Ring nicht.", "trug den Ring", "de"),
        ("Jules no lleva el anillo.", "lleva", "es"),
        ("Жюль не носит кольцо.", "носит", "ru"),
        ("朱尔没有戴着戒指。", "戴着", "zh"),
    ],
)
def test_what_is_denied_asked_wished_or_supposed(sentence: str, predicate: str, language: str) -> None:
    assert not is_stated(sentence, predicate, language)


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("To say nothing of the ring, Jules wore a watch.", "wore", "en"),
        ("Jules met Nora in May.", "met", "en"),
        ("In the month of May Jules met Nora.", "met", "en"),
        ("Jules could not help wearing the ring.", "wearing", "en"),
        ("No doubt Jules wore the ring.", "wore", "en"),
        ("Jules not only wore the ring but sold it.", "wore", "en"),
        ("He did not say who robbed Nora.", "robbed", "en"),
        ("Jules left without a word.", "left", "en"),
        ("If my brother comes, hide.", "is brother of", "en"),
        ("Why did Jules leave Paris?", "leave", "en"),
        ("Jules wore the ring, didn't he?", "wore", "en"),
        ("— Où donc, demanda Nora, est la bague ?", "demanda", "fr"),
        ("Jules ne boit presque jamais de vin.", "boit", "fr"),
        ("Jules porte sans doute la bague.", "porte", "fr"),
        ("Jules porte la bague, n'est-ce pas ?", "porte", "fr"),
        ("Si mon fils revient, cachez-vous.", "est le fils de", "fr"),
        ("Si Jules fut surpris, c'est que Nora était là.", "fut surpris de", "fr"),
    ],
)
def test_what_looks_like_a_denial_and_is_none(sentence: str, predicate: str, language: str) -> None:
    assert is_stated(sentence, predicate, language)


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("Jules never wore the ring.", "never wore", "en"),
        ("Gévrol n'admet pas les interruptions.", "n'admet pas", "fr"),
        ("Jules might marry Nora.", "might marry", "en"),
        ("Jules wanted to marry Nora.", "wanted to marry", "en"),
        ("Jules came back alone.", "came back without", "en"),
    ],
)
def test_a_predicate_may_deny_or_suppose_with_its_sentence(sentence: str, predicate: str, language: str) -> None:
    assert is_stated(sentence, predicate, language)


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("Jules wore the ring.", "never wore", "en"),
        ("Gévrol admet les interruptions.", "n'admet pas", "fr"),
        ("Jules met Nora.", "might marry", "en"),
        ("If he is my brother, hide.", "is brother of", "en"),
        ("Where could Jules have met Nora?", "met", "en"),
        ("Do you think that Jules met Nora?", "met", "en"),
    ],
)
def test_a_predicate_that_denies_or_supposes_more_than_its_sentence(
    sentence: str, predicate: str, language: str
) -> None:
    assert not is_stated(sentence, predicate, language)


@pytest.mark.parametrize("after", ['"Yes, he did."', " Oui, monsieur.", "« Certainement ! »", " — Oui."])
def test_what_is_asked_and_affirmed_is_stated(after: str) -> None:
    assert is_stated("Jules wears the ring?", "wears", "en", after)
    assert not is_stated("Jules wears the ring?", "wears", "en", "No. " + after)


@pytest.mark.parametrize(
    ("predicate", "language", "told"),
    [
        ("wears", "en", "not wears"),
        ("is married to", "en", "is not married to"),
        ("never met", "en", "never met"),
        ("a vu", "fr", "n'a pas vu"),
        ("se trouve à", "fr", "ne se trouve pas à"),
        ("ne porte pas", "fr", "ne porte pas"),
        ("conoce a", "es", "no conoce a"),
        ("bor i", "da", "not bor i"),
    ],
)
def test_a_denial_is_worded_as_one(predicate: str, language: str, told: str) -> None:
    assert negated(predicate, language) == told
    assert denies(told, language)


@pytest.mark.parametrize(
    ("predicate", "language"),
    [
        ("ne porte que", "fr"),
        ("left without", "en"),
        ("is not only", "en"),
        ("met", "en"),
        ("has its No. 3 account at", "en"),
    ],
)
def test_what_only_looks_like_a_denial_is_none(predicate: str, language: str) -> None:
    assert not denies(predicate, language)


def test_who_is_born_is_not_denied() -> None:
    assert not denies("né", "fr") and not denies("est né en", "fr")
    assert denies("n'est pas né", "fr")
    assert is_stated("Jules est né en 1871 à Lyon.", "est né à", "fr")


@pytest.mark.parametrize(
    ("sentence", "predicate"),
    [
        ("Paul traf Eva Lang gestern in Bremen nicht.", "traf"),
        ("Anna hat Paul keineswegs geheiratet.", "heiratete"),
        ("Jakob weigerte sich, Rudolf zu zahlen.", "zahlte"),
    ],
)
def test_german_denies_at_the_end_and_conjugates(sentence: str, predicate: str) -> None:
    names = [sentence.index(name) for name in re.findall(r"[A-Z]\w+", sentence)[:2]]
    assert not is_stated(sentence, predicate, "de", "", names)
    assert is_stated("Paul heiratete Anna, ohne sie zu lieben.", "heiratete", "de")
    assert is_stated("Ich habe Anna geheiratet.", "heiratete", "de")


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("Die Wolle kam aus Bremen zu Eva Lang.", "kam aus", "de"),
        ("Er verlor seine Habe in Bremen.", "verlor", "de"),
        ("Habe Peter Vogt gestern in Bremen getroffen.", "getroffen", "de"),
        ("Ich fuhr nach Bremen, besuchte Eva Lang und habe sie dort geheiratet.", "geheiratet", "de"),
        ("Peter Vogt heiratete Eva Lang in Bremen und hatte keine Kinder.", "heiratete", "de"),
        ("Peter Vogt verließ Bremen weil ihn niemand kannte.", "verließ", "de"),
        ("Eva Lang heiratete Peter Vogt, will aber nie glücklich gewesen sein.", "heiratete", "de"),
        ("Eva Lang heiratete Peter Vogt, hätte aber beinahe die Hochzeit verpasst.", "heiratete", "de"),
        ("Peter Vogt arbeitete nicht nur in Bremen.", "arbeitete", "de"),
        ("Jan Bos trouwde met Anna in Gent en had geen kinderen.", "trouwde met", "nl"),
        ("The house stands to the north of Dover.", "stands to the north of", "en"),
        ("He settled himself as a grocer in Dover.", "settled himself as", "en"),
        ("Little Ann had a brother in Dover.", "had a brother in", "en"),
        ("Ann married Paul; it was wrong.", "married", "en"),
        ("Il épousa Anne : c'était une erreur.", "épousa", "fr"),
    ],
)
def test_facts_beside_words_that_deny_elsewhere(sentence: str, predicate: str, language: str) -> None:
    assert is_stated(sentence, predicate, language)


def test_a_german_denial_reaches_over_nouns_that_und_joins() -> None:
    for sentence in (
        "Paul traf Eva und Karl nicht.",
        "Paul traf Eva und ihren alten Freund nicht.",
        "Er sah aber Eva nicht.",
        "Paul traf weder Eva noch Karl.",
    ):
        assert not is_stated(sentence, "sah" if "sah" in sentence else "traf", "de")
    sentence = "Paul traf Eva nicht in Bremen, sondern in Gent."
    assert is_stated(sentence, "traf", "de")
    assert not is_stated(sentence, "traf in", "de", names=[sentence.index("Bremen")])


def test_ne_pas_plus_que_denies_and_ne_que_does_not() -> None:
    assert not is_stated("Germain n'a pas plus fondé le Cercle que moi.", "a fondé", "fr")
    assert is_stated("Jules ne porte que la bague.", "porte", "fr")


def test_no_question_that_affirms() -> None:
    assert is_stated("There can be no question that Ann stole the ring.", "stole", "en")


def test_a_witness_whom_the_writer_names_is_not_the_source() -> None:
    told = "The door was open, as Ann told the clerk."
    assert speaker_of(told, "was", "en") == "Ann"
    for witness in ("as Ann would tell you", "as Ann may have told you", "as Ann could tell the clerk"):
        assert speaker_of(f"The door was open, {witness}.", "was", "en") == ""
        assert not unasserted_scopes(f"The door was open, {witness}.", "en")


@pytest.mark.parametrize(
    ("sentence", "fact", "language"),
    [
        ("Gregory Nash denied ever having hired Simon Ode.", "Gregory hired Simon", "en"),
        ("Dinah Frome denied, under oath, having forged the passport.", "Dinah forged passport", "en"),
        ("No witness saw Dinah Frome blackmail Hector Lyle.", "Dinah blackmailed Hector", "en"),
        ('"Mona Crale hid the jewels," lied the footman.', "Mona hid jewels", "en"),
        ("Flora Penn stood trial for poisoning the well.", "Flora poisoned well", "en"),
        ("Owen Pryce is no more the owner of Bellamy House than I am.", "Owen owns Bellamy", "en"),
        ("Edith Marlow decided against selling the ledger.", "Edith sold ledger", "en"),
        ("Edith Marlow was forbidden to sell the ledger.", "Edith sold ledger", "en"),
        ("There is no proof whatever that Edith burned the ledger.", "Edith burned ledger", "en"),
        ("Édith supplia son frère de brûler le registre.", "Édith brûle registre", "fr"),
        ("Édith désespérait de trouver le registre.", "Édith trouve registre", "fr"),
        ("Edith was engaged to marry Hubert but broke it off.", "Edith married Hubert", "en"),
        ("It would take more than spite for Edith to murder Hubert.", "Edith murdered Hubert", "en"),
        ("Edith did everything except marry Hubert.", "Edith married Hubert", "en"),
        ("Edith missed meeting Hubert by an hour.", "Edith met Hubert", "en"),
        ("Winnie espérait en vain rencontrer Hubert.", "Winnie rencontre Hubert", "fr"),
        ("Winnie ne se souvient pas d'avoir jamais rencontré Hubert.", "Winnie rencontre Hubert", "fr"),
        ("Winnie fut empêchée de rencontrer Hubert.", "Winnie rencontre Hubert", "fr"),
        ("Aucun témoin n'a vu Solange Tardieu blesser Basile Noir.", "Solange blesse Basile", "fr"),
        ("Paul Vasseur a été acquitté du vol du registre.", "Paul vole registre", "fr"),
        ("Karl Brandt bestreitet, Otto Lang bestochen zu haben.", "Karl bestach Otto", "de"),
        ("Fritz Adler hätte die Mühle gemietet, wenn er Geld gehabt hätte.", "Fritz mietete Mühle", "de"),
        ("Max Orth könnte die Bank beraubt haben.", "Max beraubte Bank", "de"),
        ("Weder Max Orth noch sein Sohn verkaufte den Hof.", "Max verkaufte Hof", "de"),
        ("Inés Pardo fue absuelta de chantajear a Raúl Mena.", "Inés chantajeó Raúl", "es"),
        ("Nadie vio a Inés Pardo chantajear a Raúl Mena.", "Inés chantajeó Raúl", "es"),
        ("Ni Miguel Ortiz ni su hijo vendieron la granja.", "Miguel vendió granja", "es"),
        ("Es poco probable que Miguel Ortiz escribiera la carta.", "Miguel escribió carta", "es"),
        ("Олег Котов снял бы мельницу, если бы она стоила дешевле.", "Олег снял мельницу", "ru"),
        ("Борис Орлов мог ограбить банк.", "Борис ограбил банк", "ru"),
        ("Нина Павлова поклялась, что никогда не отравляла колодец.", "Нина отравила колодец", "ru"),
    ],
)
def test_deeds_that_nobody_saw_or_that_might_have_been(sentence: str, fact: str, language: str) -> None:
    subject, predicate, object_ = fact.split()
    assert not is_stated(sentence, predicate, language, "", [sentence.index(subject), sentence.index(object_)])


@pytest.mark.parametrize(
    ("sentence", "fact", "language"),
    [
        ("Acquitted of the theft, Mona Crale later stabbed Ivo Brand.", "Mona stabbed Ivo", "en"),
        ("Nobody saw Mona Crale before she stabbed Ivo Brand.", "Mona stabbed Ivo", "en"),
        ("Denis Roux ne rencontra qu'Odile Faure.", "Denis rencontre Odile", "fr"),
        ("Raúl Mena, que no confiaba en nadie, escondió las joyas.", "Raúl escondió joyas", "es"),
        ("Олег Котов спрятал кольцо, хотя никто его не просил.", "Олег спрятал кольцо", "ru"),
    ],
)
def test_deeds_beside_what_nobody_saw(sentence: str, fact: str, language: str) -> None:
    subject, predicate, object_ = fact.split()
    assert is_stated(sentence, predicate, language, "", [sentence.index(subject), sentence.index(object_)])
