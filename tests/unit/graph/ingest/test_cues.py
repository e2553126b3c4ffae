"""Subtitles in other forms than SubRip's: their words, lines and times."""

from __future__ import annotations

import pytest

from tests.unit.graph.ingest.loading import read

TTML = """<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" {rate}>
<head><metadata><ttm:agent xml:id="a"><ttm:name>Ana</ttm:name></ttm:agent></metadata></head>
<body><div><p begin="{begin}">I sold<br/>the boat.</p><p begin="{later}" ttm:agent="a">To whom?</p></div></body></tt>"""


@pytest.mark.parametrize(
    ("begin", "later", "rate"),
    [
        ("00:00:05.500", "00:01:02:12", ""),
        ("5.5s", "1:02.0", ""),
        ("50f", "620f", 'xmlns:ttp="x" ttp:frameRate="10"'),
        ("5500ms", "62", ""),
    ],
)
@pytest.mark.parametrize("name", ["a.ttml", "a.xml"])
def test_timed_text_of_the_w3c(begin: str, later: str, rate: str, name: str) -> None:
    document = read(TTML.format(begin=begin, later=later, rate=rate), name)
    assert document.text == "I sold the boat.\n[00:01:02] Ana: To whom?"
    assert [(line.label, line.start) for line in document.lines] == [("00:00:05", 0), ("00:01:02", 17)]
    assert document.warnings == ()


def test_sami_in_its_old_encoding() -> None:
    sami = (
        "<SAMI><HEAD><TITLE>x</TITLE></HEAD><BODY>\r\n<SYNC Start=1000><P Class=KRCC>안녕하세요,<br>김철수입니다.\r\n"
        "<SYNC Start=4000><P Class=KRCC>&nbsp;\r\n<SYNC Start=65000><P Class=KRCC>네, 알겠습니다.\r\n</BODY></SAMI>"
    )
    document = read(sami.encode("euc_kr"), "a.smi")
    assert document.text == "안녕하세요, 김철수입니다.\n네, 알겠습니다."
    assert [line.label for line in document.lines] == ["00:00:01", "00:01:05"]


def test_microdvd_counts_pictures() -> None:
    document = read("{1}{1}25.000\n{25}{75}Where is Otto?|{y:i}He left.\n{100}{200}/In Ghent.\n", "a.txt")
    assert document.text == "Where is Otto? He left.\nIn Ghent."
    assert [line.label for line in document.lines] == ["00:00:01", "00:00:04"]
    assert read("{25}{75}Where is Otto?\n", "a.sub").text == "Where is Otto?"


def test_the_lines_of_a_song_stand_where_they_are_sung_first() -> None:
    document = read("[ti:Song]\n[00:12.00][01:12.00]I sold <00:13.10>the boat.\n[00:17.2]In Ghent.\n", "a.lrc")
    assert document.text == "I sold the boat.\nIn Ghent."
    assert [line.label for line in document.lines] == ["00:00:12", "00:00:17"]


def test_damaged_timed_text_is_refused() -> None:
    with pytest.raises(Exception, match="damaged"):
        read('<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="1s">Otto', "a.ttml")


@pytest.mark.parametrize(
    ("inside", "text"),
    [("<span>" * 20_000 + "Sold." + "</span>" * 20_000, "Sold."), ("<p>" * 500 + "Sold." + "</p>" * 500, "Sold.")],
    ids=["spans", "paragraphs"],
)
def test_nested_elements_of_timed_text_are_read_once(inside: str, text: str) -> None:
    document = read(f'<tt xmlns="http://www.w3.org/ns/ttml"><body><p>{inside}</p></body></tt>', "a.ttml")
    assert document.text == text
