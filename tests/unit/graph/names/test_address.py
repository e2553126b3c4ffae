"""Whom a short form means in a novel: titles, frequency and families distinguish people with one name."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from filigraph.graph.model.names import Resolution
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.resolve import resolve
from tests.unit.graph.names.making import row


def read(counts: Mapping[str, int]) -> tuple[dict[str, str], Resolution]:
    """Form -> entity, in one document where each form has so many places."""
    mentions = [row("novel", form, count=count) for form, count in counts.items()]
    found = resolve(find_candidates(mentions))
    return {mention.form: found.entity_of[mention.id] for mention in mentions}, found


def are_one(first: str, second: str, counts: Mapping[str, int]) -> bool:
    entity, _ = read(counts)
    return entity[first] == entity[second]


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        # a mother is not her daughter
        ("Mrs. Hallow", "Celia Hallow", {"Mrs. Hallow": 60, "Celia Hallow": 20, "Miss Hallow": 9, "Celia": 30}),
        ("Mme Hallow", "Celia Hallow", {"Mme Hallow": 60, "Celia Hallow": 4, "Celia": 90}),
        ("Lady Hallow", "Celia Hallow", {"Lady Hallow": 60, "Celia Hallow": 20, "Miss Celia": 4}),
        # who is called by the given name, is not Mr. Hallow
        ("Mr. Hallow", "Edwin Hallow", {"Mr. Hallow": 30, "Edwin Hallow": 5, "Edwin": 90, "Celia Hallow": 3}),
        ("Hallow", "Edwin Hallow", {"Hallow": 30, "Edwin Hallow": 5, "Edwin": 90, "Miss Hallow": 3}),
        # nor is who is called "Mr. Edwin"
        ("Mr. Hallow", "Edwin Hallow", {"Mr. Hallow": 60, "Edwin Hallow": 6, "Mr. Edwin": 7}),
        # one of several of a family is not her mother
        ("Mrs. Hallow", "Annie Hallow", {"Mrs. Hallow": 12, "Annie Hallow": 7, "Annie": 11, "Flora Hallow": 5}),
        # an aunt, a boy, the young and the old beside others of the surname
        ("Aunt Hallow", "Mrs. Hallow", {"Aunt Hallow": 83, "Mrs. Hallow": 149, "Miss Hallow": 20}),
        ("Master Hallow", "Mr. Hallow", {"Master Hallow": 4, "Mr. Hallow": 118, "Hallow": 180}),
        ("young Hallow", "Mr. Hallow", {"young Hallow": 5, "Mr. Hallow": 90, "Celia Hallow": 40}),
        ("old Hallow", "Captain Hallow", {"old Hallow": 28, "Captain Hallow": 23}),
        ("le père Vernet", "Vernet", {"le père Vernet": 4, "la mère Vernet": 2, "Vernet": 290}),
        ("la mère Vernet", "Mme Vernet", {"le père Vernet": 4, "la mère Vernet": 2, "Mme Vernet": 90}),
        # father and son: a knight, a viscount, an officer
        ("Sir Hugh", "Hugh", {"Sir Hugh": 228, "Mr. Hugh": 14, "Hugh": 117}),
        ("Sir Hugh", "Hugh", {"Sir Hugh": 5, "Hugh": 41}),
        ("Sir Hugh Hallow", "Mr. Hugh Hallow", {"Sir Hugh Hallow": 46, "Mr. Hugh Hallow": 5}),
        ("Lady Hallow", "Captain Hallow", {"Lady Hallow": 40, "Captain Hallow": 23, "Hallow": 97}),
        ("Sir Hugh Hallow", "Captain Hallow", {"Sir Hugh Hallow": 46, "Captain Hallow": 23}),
        ("le comte Vernet", "le vicomte Vernet", {"le comte Vernet": 14, "le vicomte Vernet": 2}),
        ("Major Hallow", "George Hallow", {"Major Hallow": 9, "George Hallow": 23}),
        # a lord and his younger son, a lord's wife and a daughter
        ("Lord Hallow", "Lord George Hallow", {"Lord Hallow": 15, "Lord George Hallow": 4}),
        ("Lady Hallow", "Lady Celia Hallow", {"Lady Hallow": 5, "Lady Celia Hallow": 3}),
        # a wife who is called by her husband's given name
        ("Mrs. Bute Hallow", "Bute Hallow", {"Mrs. Bute Hallow": 26, "Bute Hallow": 9}),
        # a frequent "Mr. G S" tells the one from "Mr. S"
        ("Mr. Hallow", "Mr. Hugh Hallow", {"Mr. Hallow": 200, "Mr. Hugh Hallow": 25, "Hugh Hallow": 20}),
        ("Hallow", "Hugh Hallow", {"Hallow": 20, "Mr. Hallow": 200, "Mr. Hugh Hallow": 25, "Hugh Hallow": 20}),
        # the eldest sister alone is Miss Hallow
        ("Miss Hallow", "Edith Hallow", {"Miss Hallow": 30, "Edith Hallow": 8, "Miss Edith": 4, "Martha Hallow": 7}),
        # a namesake that is seen twice
        ("Martha", "Martha Pring", {"Martha": 50, "Martha Pring": 2, "Miss Pring": 5}),
        # titles that exclude each other, in English
        ("Mr. Hallow", "Sir Hugh Hallow", {"Mr. Hallow": 20, "Sir Hugh Hallow": 9}),
        ("Mr. Hallow", "Colonel Hallow", {"Mr. Hallow": 20, "Colonel Hallow": 9, "Hallow": 1}),
        ("Miss Hallow", "Lady Hallow", {"Miss Hallow": 20, "Lady Hallow": 9}),
        ("Sir Robert Hallow", "Bob Hallow", {"Sir Robert Hallow": 9, "Bob Hallow": 9}),
        # a rank stands before a surname
        ("Colonel Hugh", "Hugh Hallow", {"Colonel Hugh": 9, "Hugh Hallow": 9}),
        # an officer is not his daughter; a wife called by her husband's name is not his mother
        ("Colonel Hallow", "Celia Hallow", {"Colonel Hallow": 9, "Celia Hallow": 20, "Celia": 30}),
        (
            "Mrs. Hallow",
            "Mrs. Hugh Hallow",
            {"Mrs. Hallow": 90, "Mrs. Hugh Hallow": 1, "Mr. Hallow": 90, "Hugh Hallow": 6, "Hugh": 90},
        ),
        ("Mrs. Hallow", "Squire Hallow", {"Mrs. Hallow": 5, "Squire Hallow": 16, "Squire": 70}),
        # nobody takes a surname for want of others
        ("Hallow", "Count Edwin Hallow", {"Hallow": 25, "Hugh Hallow": 27, "Hugh": 160, "Count Edwin Hallow": 1}),
        ("Charles", "Charles X", {"Charles": 9, "Charles X": 3}),
        # old, late: told from the others
        ("old Mr. Hallow", "Mr. Edwin Hallow", {"old Mr. Hallow": 9, "Mr. Edwin Hallow": 9}),
        ("the late Mr. Hallow", "Mr. Edwin Hallow", {"the late Mr. Hallow": 9, "Mr. Edwin Hallow": 9}),
        ("feu M. Hallow", "M. Edwin Hallow", {"feu M. Hallow": 9, "M. Edwin Hallow": 9}),
        # two names that were read as one bridge nothing
        ("Celia", "Mrs. Pring", {"Celia": 50, "Mrs. Pring": 30, "Mr. Pring": 9, "Mrs. Pring Celia": 1}),
        ("Miss Hallow", "Mr. Hallow", {"Miss Hallow": 50, "Mr. Hallow": 30, "Charming Miss Hallow": 2}),
        # a word behind Mr and Mrs is a surname
        ("Mr. Hugh", "Hugh Pring", {"Mr. Hugh": 5, "Mrs. Hugh": 9, "Hugh Pring": 9}),
        # a knight or a lady has no short given name; who is mostly called by it may be the child
        ("Tom", "Sir Thomas", {"Tom": 20, "Sir Thomas": 90, "Sir Thomas Hallow": 4}),
        ("Kitty", "Catherine", {"Kitty": 20, "Lady Catherine": 90, "Catherine": 30, "Catherine Hallow": 4}),
        ("Tom", "Thomas", {"Tom": 90, "Thomas": 20, "Thomas Hallow": 4}),
        ("Nan", "Hannah", {"Nan": 2, "Hannah": 112}),
        ("Betsy", "Queen Elizabeth", {"Betsy": 3, "Queen Elizabeth": 5}),
        # what may be a man's given name is no Miss's
        ("Miss Hallow", "Norland Hallow", {"Miss Hallow": 5, "Norland Hallow": 40}),
        ("Mrs. Hallow", "Charlie Hallow", {"Mrs. Hallow": 5, "Charlie Hallow": 4}),
        # a woman named once may be the frequent Mrs. S; "Miss G S" is distinguished from "Miss S"
        ("Miss Hallow", "Hannah Hallow", {"Mrs. Hallow": 90, "Miss Hallow": 6, "Hannah Hallow": 1}),
        ("Miss Hallow", "Miss Nancy Hallow", {"Miss Hallow": 80, "Miss Nancy Hallow": 1, "Miss Nancy": 38}),
        ("Dame Pring", "Nancy Pring", {"Dame Pring": 5, "Nancy Pring": 2, "Miss Pring": 1}),
        # a knight is not who is called by the given name, nor does "brother Hugh" bridge them
        ("Hugh", "Sir Hugh", {"Hugh": 51, "Sir Hugh": 9, "brother Hugh": 1}),
        ("Hugh", "Sir Hugh Hallow", {"Hugh": 2, "Sir Hugh Hallow": 1}),
        # a given name in full is not short for another
        ("William", "Bill Hallow", {"William": 9, "Bill Hallow": 5, "Mr. Hallow": 5}),
        # two given names with a hyphen are one
        ("Jean", "Jean-Paul Vernet", {"Jean": 9, "Jean-Paul Vernet": 9}),
        ("Jean Vernet", "Jean-Baptiste Vernet", {"Jean Vernet": 2, "Jean-Baptiste Vernet": 2}),
        ("Marie Vernet", "Anne-Marie Vernet", {"Marie Vernet": 2, "Anne-Marie Vernet": 2}),
        ("Antoinette", "Marie-Antoinette", {"Antoinette": 2, "Marie-Antoinette": 1}),
        # a manor is nobody
        ("Howard", "Howard Grove", {"Howard": 2, "Howard Grove": 59}),
        # what distinguishes namesakes: a place, a calling
        ("Mr. Pring", "Mr. Pring of Hull", {"Mr. Pring": 9, "Mr. Pring of Hull": 2, "Mr. Pring of York": 2}),
        ("Mr. Pring", "Farmer Pring", {"Mr. Pring": 106, "Farmer Pring": 1}),
    ],
)
def test_who_is_another(first: str, second: str, counts: dict[str, int]) -> None:
    assert not are_one(first, second, counts)


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        # variants of one name first
        ("Hallow", "Mr. Hallow", {"Hallow": 100, "Mr. Hallow": 250, "Celia Hallow": 1, "Miss Hallow": 30}),
        ("Hallow", "M. Hallow", {"Hallow": 60, "M. Hallow": 70, "colonel Hallow": 7, "lieutenant Hallow": 1}),
        # the far more frequent of several
        ("Hallow", "Hugh Hallow", {"Hallow": 90, "Hugh Hallow": 50, "Edwin Hallow": 3}),
        ("Mr. Hallow", "Hugh Hallow", {"Mr. Hallow": 200, "Admiral Hallow": 4, "Hugh Hallow": 50}),
        # Miss wins over Mrs
        ("Miss Hallow", "Martha Hallow", {"Miss Hallow": 200, "Mrs. Hallow": 7, "Martha Hallow": 8}),
        # a family shows that a word is a given name
        ("Norland", "Norland Hallow", {"Norland": 40, "Norland Hallow": 20, "Mrs. Hallow": 30}),
        ("Captain Hallow", "Celia Hallow", {"Captain Hallow": 9, "Captain Celia Hallow": 2, "Celia Hallow": 9}),
        # titles that go together
        ("Madame Orlova", "Countess Orlova", {"Madame Orlova": 30, "Countess Orlova": 9}),
        ("sir Hallow", "M. Hallow", {"sir Hallow": 9, "M. Hallow": 30}),
        ("Mr. John Hallow", "Captain John Hallow", {"Mr. John Hallow": 9, "Captain John Hallow": 9}),
        # a short given name that fits one bearer
        ("Lizzy", "Elizabeth Hallow", {"Lizzy": 40, "Elizabeth": 200, "Elizabeth Hallow": 20, "Miss Hallow": 9}),
        # a wife who is called by both
        (
            "Mrs. Hallow",
            "Rachel Hallow",
            {"Mrs. Hallow": 90, "Rachel Hallow": 5, "Mrs. Rachel Hallow": 9, "Rachel": 90},
        ),
        # a bare surname is a man's
        ("Hallow", "Hugh Hallow", {"Hallow": 90, "Mr. Hallow": 20, "Hugh Hallow": 50, "Celia Hallow": 8}),
        # who has no family, or is mostly called by the surname, is called both ways
        ("Hallow", "Silas Hallow", {"Hallow": 90, "Silas": 213, "Silas Hallow": 36}),
        ("Vernet", "Georges Vernet", {"Vernet": 290, "Georges": 119, "Georges Vernet": 19, "Rose Vernet": 3}),
        # the old and the young do not part the others
        ("Hallow", "Mr. Hallow", {"Hallow": 300, "Mr. Hallow": 120, "old Hallow": 2, "young Hallow": 3}),
        # of a well-known family, though seldom called by the whole name
        ("Dorothea", "Dorothea Hallow", {"Dorothea": 900, "Dorothea Hallow": 2, "Miss Hallow": 60}),
        # a noble title stands for M. and Mme
        ("le comte de Vernet", "M. de Vernet", {"le comte de Vernet": 5, "M. de Vernet": 4, "Vernet": 10}),
        # a given name that no table has, before a surname with a particle
        ("M. de Vernet", "Quentyn de Vernet", {"M. de Vernet": 60, "M. Quentyn de Vernet": 2, "Quentyn de Vernet": 1}),
        ("Quentyn", "le marquis Quentyn d'Eyrik", {"Quentyn": 5, "le marquis Quentyn d'Eyrik": 1}),
        ("la comtesse de Vernet", "Mme de Vernet", {"la comtesse de Vernet": 5, "Mme de Vernet": 4}),
        ("Celia", "Celia Hallow", {"Celia": 525, "Celia Hallow": 18, "Miss Celia": 17, "Mrs. Celia": 12}),
        ("Aunt Hallow", "Mrs. Hallow", {"Aunt Hallow": 16, "Mrs. Hallow": 49}),
        # a woman who alone bears a surname
        ("Hallow", "Miss Hallow", {"Hallow": 137, "Miss Hallow": 80}),
        ("Lison", "tante Lison", {"Lison": 10, "tante Lison": 36}),
        # a servant
        ("Zoulie", "mademoiselle Zoulie", {"Zoulie": 90, "mademoiselle Zoulie": 3}),
        # a place or a calling behind or before a name
        ("Mr. Pring", "Mr. Pring of Hull", {"Mr. Pring": 209, "Mr. Pring of Hull": 1, "Adam Pring": 1}),
        ("Mr. Pring", "Adam Pring", {"Mr. Pring": 209, "Mr. Pring of Hull": 1, "Adam Pring": 1}),
        ("Celia", "Celia Pring", {"Celia": 900, "Miss Celia": 9, "Celia Pring": 7, "Celia Pring of Hull": 1}),
        ("Farmer Pring", "Pring", {"Pring": 332, "Mr. Pring": 22, "Farmer Pring": 24}),
        # a farmer, and a woman named so once, who may be his wife, are no family
        (
            "Pring",
            "Edwin Pring",
            {"Pring": 332, "Mr. Pring": 22, "Farmer Pring": 24, "Edwin Pring": 30, "Edwin": 390, "Martha Pring": 1},
        ),
    ],
)
def test_who_is_one(first: str, second: str, counts: dict[str, int]) -> None:
    assert are_one(first, second, counts)


@pytest.mark.parametrize(("dead", "alive"), [("the late Mr. Hallow", "Mr. Hallow"), ("feu M. Vernet", "M. Vernet")])
def test_the_dead_are_not_their_living_namesakes(dead: str, alive: str) -> None:
    surname = alive.split()[1]
    longer = {f"Mr. Hugh {surname}": 2, surname: 40}
    assert not are_one(dead, alive, {dead: 4, alive: 90, **longer})
    assert are_one(dead, alive, {dead: 4, alive: 6}), "who is named as often may be dead"


def test_what_is_doubtful_is_asked() -> None:
    counts = {"Mr. Hallow": 200, "Mr. Hugh Hallow": 25}
    entity, found = read(counts)
    asked = {frozenset((miss.first, miss.second)) for miss in found.near_misses}
    ids = {form: row("novel", form).id for form in counts}
    assert entity["Mr. Hallow"] != entity["Mr. Hugh Hallow"]
    assert frozenset(ids.values()) in asked
