from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.text.names.inverted import natural_order
from filigraph.graph.text.names.pairs import conflict, difference, is_short_of, signature
from filigraph.graph.text.names.parse import canonical_name, is_proper, name_key, parse


@pytest.mark.parametrize(
    ("form", "key"),
    [
        ("La Griffe", "griffe"),
        ("«la Griffe»", "griffe"),
        ("  the\tClaw ", "claw"),
        ("l’Étranger", "etranger"),
        ("d'Artagnan", "artagnan"),
        ("une chevalière d'argent", "chevaliere d argent"),
        ("\u202eJules\u202c", "jules"),
        ("ＪＵＬＥＳ", "jules"),
        ("А́лла Рай", "алла рай"),
        ("習近平", "習近平"),
        ("A. Nazarbayev", "a nazarbayev"),  # an initial, no article
        ("A Nazarbayev", "a nazarbayev"),
        ("a young nurse", "young nurse"),
        ("UN Women", "un women"),
        ("THE WORLD BANK", "world bank"),
        ("El Salvador", "el salvador"),  # not Salvador
        ("El-Sisi", "el sisi"),
        ("Le", "le"),
        ("7", "7"),
        ("« … »", ""),
        ("", ""),
    ],
)
def test_key(form: str, key: str) -> None:
    assert name_key(form) == key


@given(st.text(max_size=40))
def test_a_key_is_the_key_of_itself_unless_an_article_hides_in_it(form: str) -> None:
    key = name_key(form)
    assert bool(key) or not any(letter.isascii() and letter.isalnum() for letter in form)
    assert key == key.casefold().strip()
    assert "  " not in key


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("le jeune Jules", ("jules",)),
        ("Le jeune Jules Delmas", ("jules", "delmas")),
        ("Poor Cynthia", ("cynthia",)),
        ("My dear Miss Cynthia", ("cynthia",)),
        ("my aunt Cynthia", ("cynthia",)),
        ("mon cher Raoul", ("raoul",)),
        ("meine liebe Hanna", ("hanna",)),
        ("My Little Garden", ("my", "little", "garden")),  # a title
        ("Notre Dame", ("notre", "dame")),
        ("ce Vernet", ("vernet",)),
        ("Ce Raoul", ("raoul",)),
        ("that Wickham", ("wickham",)),
        ("This Life", ("this", "life")),
        ("Little Rock", ("little", "rock")),
        ("Mr. Sherlock Holmes", ("sherlock", "holmes")),
        ("monsieur le comte de Sairmeuse", ("de", "sairmeuse")),
        ("monsieur le duc de Sairmeuse", ("duc", "de", "sairmeuse")),
        ("Me Delmas", ("delmas",)),
        ("Comrade Syme", ("syme",)),
        ("Genosse Brandt", ("brandt",)),
        ("Mgr Myriel", ("myriel",)),
        ("comrades in arms", ("comrades", "in", "arms")),
        ("St. Clair", ("st", "clair")),
        ("le père Goriot", ("goriot",)),
        ("Dumas fils", ("dumas",)),
        ("Robert Downey Jr.", ("robert", "downey")),
        ("King of Italy", ("king", "of", "italy")),
        ("Lady of Avalon", ("lady", "of", "avalon")),
        ("the old man", ("old", "man")),  # no name to leave behind
        ("Docteur", ("docteur",)),
        ("Madame", ("madame",)),
    ],
)
def test_core(form: str, words: tuple[str, ...]) -> None:
    assert parse(form).core == words


def test_what_the_words_beside_a_name_say() -> None:
    assert parse("Mme Delmas").gender == "f"
    assert parse("Jules Delmas").gender == "m"
    assert parse("Mrs. John Cavendish").gender == "f"
    assert parse("père Delmas").kin == {"father"}
    assert parse("inspecteur Gévrol").titles == {"inspector"}
    assert parse("le vieux Salvat").age == "elder"
    assert parse("Dumas père").generation == "elder"
    assert parse("Louis XIV").numbers == (14,)
    assert parse("Charles Ier").numbers == parse("Charles I").numbers == (1,)
    assert parse("I. Newton").numbers == ()
    assert parse("Trust 2007-AHL2").numbers == (2, 2007)
    assert parse("the Judge").role
    assert parse("Monsieur le juge").role
    assert not parse("UN").role


@pytest.mark.parametrize("form", ["Jules", "La Griffe", "le 14 juillet", "習近平", "iPhone 6"])
def test_proper(form: str) -> None:
    assert is_proper(form)


@pytest.mark.parametrize("form", ["La chevalière", "the ring", "voleurs", "l'homme", "..."])
def test_not_proper(form: str) -> None:
    assert not is_proper(form)


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("M. Delmas", "Mme Delmas", "gender"),
        ("Mrs. John Cavendish", "John Cavendish", "gender"),
        ("chevalière", "chevalier", "gender"),
        ("Martine Dupont", "Martin Dupont", "gender"),
        ("Г. Иванова", "Г. Иванов", "gender"),
        ("Miss Murdoch", "Mrs. Murdoch", "title"),
        ("Mrs. Watson", "Dr. Watson", "title"),
        ("Colonel Moran", "Dr. Moran", "title"),
        ("père Delmas", "Jules Delmas", "title"),
        ("Jean Delmas", "Jules Delmas", "first name"),
        ("Sherlock Holmes", "Mycroft Holmes", "first name"),
        ("Louis XIV", "Louis XV", "number"),
        ("rue 3", "rue 4", "number"),
        ("Dumas père", "Dumas fils", "generation"),
        ("le vieux Delmas", "le jeune Delmas", "epithet"),
        ("North Elmham", "South Elmham", "direction"),
    ],
)
def test_conflict(first: str, second: str, why: str) -> None:
    assert conflict(parse(first), parse(second)) == why
    assert conflict(parse(second), parse(first)) == why


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("J. Delmas", "Jules Delmas"),
        ("Delmas", "Jules Delmas"),
        ("Emanuel Macron", "Emmanuel Macron"),
        ("The Claw", "La Griffe"),
        ("Dr. Watson", "Mr. Watson"),
        ("Boris Johnson", "Alexandre Boris de Pfeffel Johnson"),
        ("Emmanuel Macrone", "Emmanuel Macron"),  # a family name has no feminine in French
        ("le père Tabaret", "M. Tabaret"),
        ("Goodwill Company", "Good Will Company"),
    ],
)
def test_no_conflict(first: str, second: str) -> None:
    assert conflict(parse(first), parse(second)) == ""


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Holmes", "Sherlock Holmes"),
        ("Mr. Holmes", "Sherlock Holmes"),
        ("Jules", "Jules Delmas"),
        ("J. Delmas", "Jules Delmas"),
        ("Jules Delmas", "Jules Antoine Delmas"),
        ("St. Clair", "Neville St. Clair"),
        ("de Gaulle", "Charles de Gaulle"),
        ("Hugh", "Hugh, King of Italy"),
        ("Lothair II", "Lothair II of Lotharingia"),
        ("Evie", "Evelyn Howard"),
        ("Letty", "Lettice Upton"),
        ("Jean", "Jean Valjean"),
        ("Mary", "Mary Bridges"),
    ],
)
def test_short_form(short: str, long: str) -> None:
    assert is_short_of(parse(short), parse(long))
    assert not is_short_of(parse(long), parse(short))


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Paris", "University of Paris"),
        ("France", "Tour de France"),
        ("New York", "New York Times"),
        ("Italy", "Bordighera, Italy"),
        ("Lorraine", "Lower Lorraine"),
        ("Holmes", "Holmes"),
        ("ring", "signet ring"),
        ("Inglethorp", "Inglethorp's room"),
        ("Jean", "Saint-Jean"),
        ("Mary", "Mary River"),
        ("Carey", "Carl Brown"),
        ("Rossi", "Rosalind Miller"),
        ("Christie", "Christopher Cole"),
        ("Betty", "Beatrice Miller"),  # has a name of her own in the table
    ],
)
def test_no_short_form(short: str, long: str) -> None:
    assert not is_short_of(parse(short), parse(long))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Siemens AG", "Siemens Aktiengesellschaft"),
        ("Vitol Holding S.A.", "Vitol Holding"),
        ("OAO Gazprom", "Gazprom"),
        ("NURISTANI, Abdul Aziz", "Abdul Aziz Nuristani"),
        ("Lloyds Banking Group Public Limited Company", "Lloyds Banking Group plc"),
    ],
)
def test_same_signature(first: str, second: str) -> None:
    assert signature(parse(first)) == signature(parse(second))


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("PolPot", "Pol Pot", "spacing"),
        ("Bernhard Müller", "Bernard Muller", "spelling"),
        ("Tony Award", "Tony Awards", "word"),  # another form of the word, no slip
        ("Count of Savoy", "County of Savoy", "word"),
        ("Julian Bonnet", "Julien Bonnet", "near word"),  # two given names
        ("Abdallah al-Duri", "Abdallah al-Ubaidi", "word"),
        ("Charles W. Socarides", "Charles Socarides", "initials"),
        ("Robert Petre", "Robert James Petre", "extra"),
        ("Victory", "Victory Parade", "extra"),
        ("Friedrich Hans", "Hans Friedrich", "order"),
    ],
)
def test_difference(first: str, second: str, kind: str) -> None:
    assert difference(parse(first), parse(second)).kind == kind


def test_canonical_name_is_the_most_frequent_proper_form_without_epithet() -> None:
    assert canonical_name([("le jeune Jules", 9), ("Jules", 3), ("Jules Delmas", 2)]) == "Jules"
    assert canonical_name([("b", 1), ("C", 1), ("B", 1)]) == "B"
    assert canonical_name([("la bague", 2), ("anneau", 2)]) == "anneau"
    assert canonical_name([("Jules", 1), ("Delmas", 2), ("Jules", 2)]) == "Jules"
    assert canonical_name([("the Judge", 5), ("Ann Hart", 1)]) == "Ann Hart"
    assert canonical_name([("DELMAS, Jules", 5), ("Jules Delmas", 1)]) == "Jules Delmas"
    assert canonical_name([("Springfield, Illinois", 5), ("Springfield", 1)]) == "Springfield, Illinois"
    assert canonical_name([]) == ""


@pytest.mark.parametrize(
    ("form", "natural"),
    [
        ("O'BRIEN, Mary (née Walsh)", "Mary O'Brien"),
        ("Smith, John, Jr.", "John Smith"),
        ("DELMAS, Jules, fils", "Jules Delmas"),
        ("Delmas, Jules (baker)", "Jules Delmas"),
        ("Lyon, Vienne, Givors", ""),
    ],
)
def test_what_a_list_writes_after_a_name_is_no_part_of_it(form: str, natural: str) -> None:
    assert natural_order(form) == natural


@pytest.mark.parametrize("place", ["Vienne, Isère", "Boston, Massachusetts", "Hamburg, Germany", "Dover, Kent"])
def test_a_town_and_its_country_are_no_name_with_the_surname_first(place: str) -> None:
    assert not natural_order(place)
    assert natural_order("Delmas, Jules") == "Jules Delmas"
