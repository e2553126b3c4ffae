"""Family trees: events and ties as sentences, complete, each quote in its record."""

from __future__ import annotations

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import content as loaded
from filigraph.graph.ingest.load.gedcom import gedcom
from filigraph.graph.ingest.split import split
from filigraph.graph.text.places import place_of
from tests.unit.graph.ingest.loading import read

TREE = """0 HEAD
1 SOUR Tree
1 CHAR UTF-8
0 @I1@ INDI
1 NAME Ann /Low/
2 GIVN Ann
1 NAME Ann /Moss/
1 SEX F
1 BIRT
2 DATE 3 MAY 1880
2 PLAC Kiel, , Germany
2 SOUR @S1@
3 PAGE 12
1 OCCU baker
2 DATE FROM 1900 TO 1910
1 NOTE She wrote let
2 CONC ters to
2 CONT her sister.
1 FAMS @F1@
0 @I2@ INDI
1 NAME Bo /Moss/
1 SEX M
1 DEAT Y
0 @I3@ INDI
1 NAME Eva /Moss/
1 SEX F
1 BIRT
2 DATE ABT 1905
1 FAMC @F1@
0 @F1@ FAM
1 HUSB @I2@
1 WIFE @I1@
1 CHIL @I9@
1 MARR
2 DATE JUN 1901
2 PLAC Brest
1 _UID 77
0 @S1@ SOUR
1 TITL Parish register
0 TRLR
"""


def test_events_and_ties_are_sentences_and_notes_go_on() -> None:
    document = read(TREE, "a.ged")
    assert document.media_type == "text/vnd.familysearch.gedcom" and document.language == "en"
    assert document.text == (
        "Ann Low\n\nAnn Low is also called Ann Moss.\n\nAnn Low was born in Kiel (Germany) on 3 May 1880.\n\n"
        "source: Parish register (S1); page: 12\n\noccupation: baker, from 1900 to 1910\n\n"
        "note: She wrote letters to\nher sister.\n\n"
        "Bo Moss\n\nBo Moss died.\n\n"
        "Eva Moss\n\nEva Moss was born about 1905.\n\n"
        "Bo Moss – Ann Low\n\nEva Moss is the daughter of Bo Moss.\n\n"
        "Eva Moss is the daughter of Ann Low.\n\nI9 is a child of Bo Moss.\n\nI9 is a child of Ann Low.\n\n"
        "Bo Moss married Ann Low in Brest in June 1901.\n\n"
        "title: Parish register"
    )
    assert document.warnings == (
        "left out, as no part of the text: HEAD (1 times), _UID (1 times)",
        "records that are named but are not there: I9",
    )


def test_a_quote_is_in_its_record() -> None:
    chunk = split(read(TREE, "a.ged"), "d")[0]
    at = chunk.text.index("Eva Moss was born")
    assert place_of(chunk.places, at, at + 5) == "entry I3"


def test_a_french_tree_is_in_french() -> None:
    tree = TREE.replace("1 CHAR", "1 LANG French\n1 CHAR")
    document = read(tree, "a.ged")
    assert document.language == "fr"
    assert "Ann Low est née le 3 mai 1880 à Kiel, Germany." in document.text
    assert "Eva Moss est la fille de Bo Moss." in document.text and "Bo Moss est mort." in document.text


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("ANSEL", b"Ren\xe2ee /Gar\xf0con/"),
        ("ANSEL", "Renée /Garçon/".encode("cp1252") + b" n\xe9 \xe0 Li\xe9"),  # which only says so
        ("ANSEL", "Renée /Garçon/".encode()),
        ("ANSEL", "Renée /Garçon/ von Jörg Schäfer".encode("cp1252")),  # each accent stands before a letter
        ("ANSEL", "Renée /Garçon/ und Jürgen Müller".encode("cp1252")),  # and bytes that ANSEL does not have
        ("ANSI", "Renée /Garçon/".encode("cp1252")),
        ("IBMPC", "Renée /Garçon/".encode("cp437")),
        ("UTF-8", "Renée /Garçon/".encode()),
    ],
)
def test_encodings_are_what_the_head_says_or_what_the_bytes_are(charset: str, name: bytes) -> None:
    content = b"0 HEAD\n1 CHAR " + charset.encode() + b"\n0 @I1@ INDI\n1 NAME " + name + b"\n0 TRLR\n"
    assert read(content, "a.ged").text.startswith("Renée Garçon")


def test_dates_that_are_in_no_form_stay_as_they_are() -> None:
    tree = "0 @I1@ INDI\n1 NAME Bo /Moss/\n1 BIRT\n2 DATE {}\n"
    for date, said in {
        "BET 1880 AND MAR 1882": "between 1880 and March 1882",
        "BEF 1900": "before 1900",
        "(in the war)": "(in the war)",
        "@#DFRENCH R@ 12 VEND 3": "(FRENCH R: 12 VEND 3)",
        "27.11.1957": "(27.11.1957)",
        "11 FEB 1731/32": "on 11 February 1731/32",
        "INT 1900 (about)": "in 1900 (about)",
        "soon (about 1900)": "(soon [about 1900])",
    }.items():
        assert read(tree.format(date), "a.ged").text == f"Bo Moss\n\nBo Moss was born {said}."


def test_lines_without_a_level_and_namesakes_are_named() -> None:
    tree = "0 @I1@ INDI\n1 NAME Bo /Moss/\n1 NOTE It was\nlate.\n0 @I2@ INDI\n1 NAME Bo /Moss/\n"
    document = read(tree, "a.ged")
    assert "note: It was\nlate." in document.text
    assert document.warnings == (
        "lines without a level, read as a part of the line above: 1",
        "several persons have one name: Bo Moss",
    )


def test_what_is_no_tree_is_read_as_text_and_a_tree_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read("Dear Ann,\nI left.", "a.ged").warnings == ("no record of a family tree: read as plain text",)
    deep = "0 @I1@ INDI\n" + "".join(f"{n} NOTE deep {n}\n" for n in range(1, 100))
    assert "deep 99" in read(deep, "a.ged").text
    monkeypatch.setattr(gedcom, "MOST_LINES", 10)
    with pytest.raises(UnreadableDocument, match="more than 10 lines"):
        read(deep, "a.ged")


def test_a_family_that_says_more_than_a_document_may_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded, "MAX_CHARACTERS", 10_000)
    members = "".join(f"1 HUSB H{n}\n1 CHIL C{n}\n" for n in range(1_000))
    with pytest.raises(UnreadableDocument, match="more than 10,000 characters"):
        read(f"0 @F1@ FAM\n{members}", "a.ged")


FAMILY = """0 @I1@ INDI
1 NAME Ann /Low/
2 GIVN Ann
2 NICK Nan
2 _MARNM Ann Hill
2 SOUR @S1@
1 SEX F
1 FAMC @F1@{}
0 @I2@ INDI
1 NAME Bob /Low/
1 SEX M
0 @I3@ INDI
1 NAME Eve /Low/
0 @F1@ FAM
1 HUSB @I2@
2 AGE 44y
1 WIFE @I3@
1 CHIL @I1@{}
0 @S1@ SOUR
1 TITL Register
"""


def test_what_is_below_a_name_or_a_tie_is_said() -> None:
    said = read(FAMILY.format("\n2 NOTE by letter", "\n2 NOTE the third"), "a.ged").text.split("\n\n")
    assert "name: Ann Low; nickname: Nan; married name: Ann Hill; source: Register (S1)" in said
    assert "family of the parents: Bob Low – Eve Low (F1); note: by letter" in said
    assert "husband: Bob Low (I2); age: 44y" in said and "child: Ann Low (I1); note: the third" in said


@pytest.mark.parametrize(
    ("family", "child", "ties"),
    [
        ("2 PEDI birth", "2 _FREL Natural", ["the daughter of Bob Low", "the daughter of Eve Low"]),
        ("2 PEDI adopted", "2 NOTE x", ["the adopted daughter of Bob Low", "the adopted daughter of Eve Low"]),
        ("2 PEDI FOSTER", "2 NOTE x", ["the foster daughter of Bob Low", "the foster daughter of Eve Low"]),
        ("2 NOTE x", "2 _FREL Step\n2 _MREL Natural", ["the stepdaughter of Bob Low", "the daughter of Eve Low"]),
        ("1 ADOP\n2 FAMC @F1@\n3 ADOP WIFE", "", ["the daughter of Bob Low", "the adopted daughter of Eve Low"]),
        ("2 PEDI sealing", "2 NOTE x", []),
        ("2 STAT disproven", "2 NOTE x", []),
        ("2 STAT CHALLENGED", "2 NOTE x", []),
    ],
)
def test_a_child_that_was_not_born_to_its_parents_is_not_said_to_be_theirs(
    family: str, child: str, ties: list[str]
) -> None:
    document = read(FAMILY.format(f"\n{family}", f"\n{child}"), "a.ged")
    assert [line for line in document.text.split("\n\n") if line.startswith("Ann Low is")] == [
        f"Ann Low is {tie}." for tie in ties
    ]
    if not ties:  # then a note says it
        assert family[2:].partition(" ")[2] in document.text


def test_french_ties_elide_and_name_the_adopted() -> None:
    tree = f"0 HEAD\n1 LANG French\n{FAMILY.replace('Eve', 'Hélène').replace('Bob', 'Hans')}"
    text = read(tree.format("", ""), "a.ged").text
    assert "Ann Low est la fille d'Hélène Low." in text and "Ann Low est la fille de Hans Low." in text
    text = read(tree.format("\n2 PEDI adopted", ""), "a.ged").text
    assert "Ann Low a été adoptée par Hélène Low." in text and "est la fille" not in text
    tree = "0 @I1@ INDI\n1 NAME Yves /Low/\n1 RESI\n2 DATE FROM APR 1900 TO 1901\n"
    text = read(f"0 HEAD\n1 LANG fr\n{tree}", "a.ged").text
    assert text.endswith("Yves Low a habité d'avril 1900 à 1901.")
    assert read("0 HEAD\n1 LANG Frisian\n0 @I1@ INDI\n1 NAME Bo\n", "a.ged").language == "en"


def test_a_marriage_that_is_none_is_no_wedding() -> None:
    tree = FAMILY.format("", "\n1 MARR\n2 TYPE {}\n2 DATE 1901")
    assert "Bob Low married Eve Low in 1901." in read(tree.format("civil"), "a.ged").text
    text = read(tree.format("unmarried"), "a.ged").text
    assert "marriage (unmarried): in 1901" in text and "Low married" not in text


def test_nothing_of_a_line_is_cut_and_text_before_the_first_record_stays() -> None:
    place, name = f"Kiel {'by the sea ' * 30}end", f"Bo {'Bo ' * 100}end"
    tree = f"From the attic\n0 @I1@ INDI\n1 NAME\tAnn /Low/\n1 BIRT\n2 PLAC {place}\n0 @I2@ INDI\n1 NAME {name}\n"
    document = read(tree, "a.ged")
    said = document.text.split("\n\n")
    assert said[:3] == ["From the attic", "Ann Low", f"Ann Low was born in {place}."] and said[-1] == name
    assert document.warnings == ("lines before the first record, read as text: 1",)
    assert [line.label for line in document.lines] == ["I1", "I2"]


def test_the_sex_of_a_child_is_not_looked_for_in_each_family(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[str] = []
    first = gedcom.Node.first

    def counted(node: gedcom.Node, tag: str) -> str:
        looked_for.append(tag)
        return first(node, tag)

    monkeypatch.setattr(gedcom.Node, "first", counted)
    families = "".join(f"0 @F{n}@ FAM\n1 HUSB Bo\n1 CHIL @I1@\n" for n in range(100))
    read(f"0 @I1@ INDI\n1 NAME Ann /Low/\n1 SEX F\n{families}", "a.ged")
    assert looked_for.count("SEX") < 10
