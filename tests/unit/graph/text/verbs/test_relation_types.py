"""Which relation type a predicate has."""

from __future__ import annotations

import pytest

from filigraph.graph.text.verbs.measures import is_amount, is_time
from filigraph.graph.text.verbs.relation_lists import LANGUAGES, lexicon
from filigraph.graph.text.verbs.relation_types import MAX_PREDICATE_CHARS, relation_type

MOST = 39  # types, beside RELATED_TO


def told(predicate: str, language: str, object_: str = "Ann") -> str:
    """The type, with < where it runs from the object to the subject."""
    found = relation_type(predicate, object_, language)
    return f"{'<' if found.inverse else ''}{found.name}" if found else ""


@pytest.mark.parametrize(
    ("predicate", "type_"),
    [
        ("is the son of", "IS_CHILD_OF"), ("was his youngest daughter of", "IS_CHILD_OF"),
        ("father of", "<IS_CHILD_OF"), ("is the stepfather of", "IS_RELATIVE_OF"),
        ("is the wife of", "IS_MARRIED_TO"), ("married", "IS_MARRIED_TO"), ("is the twin sister of", "IS_SIBLING_OF"),
        ("is an old friend of", "KNOWS"), ("was born in", "IS_BORN_IN"), ("is secretary to", "WORKS_FOR"),
        ("works for", "WORKS_FOR"), ("is the mayor of", "HAS_ROLE_IN"), ("is a", "IS_A"), ("became an", "IS_A"),
        ("is in", "IS_IN"), ("stood beside a", "IS_NEAR"), ("is on duty at", "IS_IN"),
        ("lodged with the", "LIVES_IN"), ("walks up and down to the", "GOES_TO"),
        ("drove at six o'clock to", "GOES_TO"), ("came from", "COMES_FROM"), ("left the", "LEAVES"),
        ("has on its cover a", "HAS"), ("wore a heavy", "HAS"), ("is covered with", "HAS"), ("belongs to", "<HAS"),
        ("handed the note to", "GIVES_TO"), ("sent", "SENDS"), ("was sent to", "GOES_TO"), ("bought the", "GETS"),
        ("paid", "PAYS"), ("told", "SPEAKS_TO"), ("spoke with", "SPEAKS_TO"), ("asks about the", "SPEAKS_OF"),
        ("wrote", "CREATES"), ("wrote to", "WRITES_TO"), ("saw from the window", "SEES"), ("looked at his", "SEES"),
        ("found", "FINDS"), ("knows", "KNOWS"), ("suspects", "THINKS_OF"), ("wants to see", "WANTS"),
        ("father was", "IS_CHILD_OF"), ("son is", "<IS_CHILD_OF"), ("comes that night to", "GOES_TO"),
        ("begins to examine the", "SEES"), ("takes a good look at", "SEES"), ("is a song by", "<CREATES"),
        ("stars", "<HAS_ROLE_IN"), ("is the former wife of", "IS_MARRIED_TO"), ("betrays", "ACTS_AGAINST"),
        ("is in love with", "LOVES"), ("attacked", "ACTS_AGAINST"), ("killed", "KILLS"), ("helped", "HELPS"),
        ("opened the", "HANDLES"), ("is the house of", "<HAS"), ("drank a glass of", "HANDLES"),
        ("arrested and searched the", "SEES"), ("lurks behind the high", "IS_NEAR"), ("took possession of", "GETS"),
    ],
)  # fmt: skip
def test_the_head_of_an_english_predicate_decides(predicate: str, type_: str) -> None:
    assert told(predicate, "en") == type_


@pytest.mark.parametrize(
    ("predicate", "type_"),
    [
        ("est âgée de", "HAS_DESCRIPTION"), ("est décrit comme", "HAS_DESCRIPTION"), ("délivrée à", "GOES_TO"),
        ("est le fils de", "IS_CHILD_OF"), ("sœur de", "IS_SIBLING_OF"), ("est la belle-mère de", "IS_RELATIVE_OF"),
        ("a épousé", "IS_MARRIED_TO"), ("maire de", "HAS_ROLE_IN"), ("est née à", "IS_BORN_IN"),
        ("né en", "IS_BORN_IN"), ("est un ancien", "IS_A"), ("travaille pour", "WORKS_FOR"), ("habite", "LIVES_IN"),
        ("se trouve au", "IS_IN"), ("se met à examiner les", "SEES"), ("fait partie du", "IS_MEMBER_OF"),
        ("jette un coup d'œil sur", "SEES"), ("trahit son", "ACTS_AGAINST"), ("trahit un", ""),
        ("est l'héritier de", "HAS_ROLE_IN"),
        ("est située près du", "IS_NEAR"), ("se rend chez", "GOES_TO"),
        ("sort de la", "COMES_FROM"), ("quitte le", "LEAVES"), ("possède", "HAS"), ("porte une", "HAS"),
        ("appartient aux", "<HAS"), ("est couvert de", "HAS"), ("remet l'affaire au", "GIVES_TO"), ("reçoit", "GETS"),
        ("a volé", "GETS"), ("écrit à", "WRITES_TO"), ("dit à", "SPEAKS_TO"), ("interroge la", "SPEAKS_TO"),
        ("parle de", "SPEAKS_OF"), ("a peint", "CREATES"), ("examine les", "SEES"), ("a trouvé", "FINDS"),
        ("connaît", "KNOWS"), ("craint que", "THINKS_OF"), ("veut revoir", "WANTS"), ("aime", "LOVES"),
        ("tua", "KILLS"), ("a abattu", "KILLS"), ("s'est emparé de l'", "GETS"),
        ("est arrêté par les", "<ACTS_AGAINST"), ("découvrait des", "FINDS"), ("daté du", "COMES_FROM"),
        ("est entrée dans", "GOES_TO"), ("paie", "PAYS"),
        ("est notaire à", "HAS_ROLE_IN"), ("est l'emblème de", "<HAS"),
    ],
)  # fmt: skip
def test_the_head_of_a_french_predicate_decides(predicate: str, type_: str) -> None:
    assert told(predicate, "fr") == type_


@pytest.mark.parametrize(
    ("predicate", "language"),
    [
        ("is not the son of", "en"), ("never met", "en"), ("no longer lives in", "en"), ("didn't kill", "en"),
        ("refused to marry", "en"), ("failed to kill", "en"), ("would kill", "en"), ("may be the father of", "en"),
        ("n'est pas le fils de", "fr"), ("n’a jamais rencontré", "fr"), ("refuse d'épouser", "fr"),
        ("peut habiter", "fr"), ("ne connaît que", "fr"), ("aucun lien avec", "fr"),
    ],
)  # fmt: skip
def test_what_is_denied_or_only_possible_has_no_type(predicate: str, language: str) -> None:
    assert told(predicate, language) == ""


@pytest.mark.parametrize(
    ("predicate", "type_"),
    [
        ("is killed by", "<KILLS"), ("was arrested yesterday by the", "<ACTS_AGAINST"), ("examined by", "<SEES"),
        ("written by", "<CREATES"), ("was seen in", "IS_IN"), ("is lit by a", ""),
        ("was found by chance at", "IS_IN"),
    ],
)  # fmt: skip
def test_what_is_done_by_the_object_runs_from_it(predicate: str, type_: str) -> None:
    assert told(predicate, "en") == type_


@pytest.mark.parametrize(
    "predicate",
    ["went to fetch the", "gave the painter of", "zorbles the", "thing", "of of of", "signal between son and"],
)
def test_what_no_list_explains_has_no_type(predicate: str) -> None:
    assert told(predicate, "en") == ""


def test_the_types_are_those_of_the_language() -> None:
    assert told("is in", "fr") == told("habite", "en") == told("was in", "de") == told("is in", "") == ""


def test_before_a_date_any_predicate_tells_when() -> None:
    for name, language in (
        ("6 June 1912", "en"),
        ("last Monday", "en"),
        ("21 h 30", "fr"),
        ("Vers 21:30", "fr"),
        ("le 7", "fr"),
    ):
        assert is_time(name, language)
    for name in ("Mayfair", "May", "Friday", "Room 1912", "7 Pope's Court", ""):
        assert not is_time(name, "en")
    assert not is_time("12 bis, rue du Puits-Salé", "fr") and not is_time("6 June 1912", "de")
    assert [told(said, "en", "6 June") for said in ("goes to", "zorbles on", "born in")] == [
        *("ON_DATE", "ON_DATE", "IS_BORN_IN"),
    ]
    assert told("is closed until", "en", "6 June") == told("did not meet on", "en", "6 June") == ""


def test_an_amount_is_no_place() -> None:
    assert (
        is_amount("£86,400")
        and is_amount("37 francs 40")
        and not is_amount("Room 6")
        and not is_amount("7 Pope's Court")
    )
    assert (told("monte à", "fr", "37 francs"), told("monte à", "fr", "la tour")) == ("", "GOES_TO")
    assert told("received", "en", "£86,400") == "GETS"


def test_a_mood_or_a_material_is_no_place() -> None:
    assert told("lives in", "en", "mortal terror") == told("was in", "en", "black ink") == ""
    assert told("met with", "en", "some success") == told("se réfugie dans le", "fr", "rêve") == ""
    assert told("lives in", "en", "Terror House") == "LIVES_IN" and told("craint le", "fr", "scandale") == "THINKS_OF"
    assert told("was taken in by", "en") == told("was cross-indexing his", "en") == told("s'en tient au", "fr") == ""


def test_what_begins_with_a_preposition_is_no_object() -> None:
    assert (told("is", "en", "in black"), told("pays", "en", "in full"), told("a", "fr", "de la peinture")) == (
        "",
        "",
        "HAS",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_text_is_read_in_time_and_has_no_type(language: str) -> None:
    hostile = [
        "`}) DETACH DELETE n //",
        "\x00\u202e\ud800",
        "'" * 150,
        "de " * 60,
        "is " * 60,
        "a" * MAX_PREDICATE_CHARS,
        ",;.",
        "",
        "''s",
    ]
    for predicate in [*hostile, "kills" + "x" * 1_000_000, "is the son of " * 100_000, "1" * 1_000_000]:
        assert told(predicate, language, predicate) in ("", "COMES_FROM")
        assert told("is in", language, predicate) in ("", "IS_IN")
    assert told("is " * MAX_PREDICATE_CHARS, language) == told("x" * 10_000, language) == ""


def test_a_letter_and_its_accent_are_one() -> None:
    assert told("e\u0301crit a\u0300", "fr") == "WRITES_TO"


def test_both_languages_have_the_same_few_types() -> None:
    types = {}
    for language in LANGUAGES:
        lists = lexicon(language)
        roles = [lists.copula, lists.apposition, lists.passive, lists.nouns, *lists.verbs.values()]
        types[language] = {type_.name for listed in roles for type_ in listed.values()} - {"NONE"} | {"ON_DATE"}
    assert types["en"] == types["fr"] and len(types["en"]) <= MOST
