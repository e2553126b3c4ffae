from __future__ import annotations

import pytest

from filigraph.app.cli.terminal.text import clean, one_line, source_name, where_said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Élodie 王 🙂 e\u0301", "Élodie 王 🙂 e\u0301"),
        ("a\x1b[31mb\x07\x9b1mc\x00", "a[31mb1mc"),
        ("abc\u202edcb\u2066x", "abcdcbx"),
        ("a\ud800b", "ab"),
        ("line\n\tnext\r", "line\n\tnext"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
        (3, "3"),
    ],
)
def test_what_could_command_a_terminal_is_dropped(text: object, shown: str) -> None:
    assert clean(text) == shown


def test_one_line() -> None:
    assert one_line("  a\n b \x1b") == "a b"
    assert one_line("abcdef", 4) == "abc…"
    assert one_line("abcd", 4) == "abcd"
    assert one_line("Jules porte une chevalière", 20) == "Jules porte une…"
    assert one_line("Jules porte", 6) == "Jules…"
    assert one_line("這條街上沒有人認識他" * 3 + " 他", 12) == "這條街上沒有人認識他這…"


def test_the_name_of_a_file_is_never_cut_off() -> None:
    assert source_name("letters/a.txt") == "letters/a.txt"
    assert (
        source_name("/home/somebody/cases/the lighthouse/letters/06 diary.txt")
        == "…/cases/the lighthouse/letters/06 diary.txt"
    )
    assert source_name(f"/home/{'a' * 60}.txt") == f"…/{'a' * 60}.txt"
    assert source_name(f"https://example.org/{'a' * 60}/") == f"…/{'a' * 60}/"
    assert where_said({"source": "a.txt", "title": "Diary", "place": "page 2"}, "1958") == "Diary, page 2, 1958"
    assert where_said({"source": "a.txt", "place": ""}) == "a.txt"
