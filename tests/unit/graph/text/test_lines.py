"""Lines of a stream."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.text.lines import LineReader, json_lines, lines_of


@given(st.lists(st.text(alphabet="aé\u2028\x85\x0c")), st.integers(1, 5))
def test_lines_end_at_line_feeds_alone_wherever_pieces_end(lines: list[str], size: int) -> None:
    whole = "".join(f"{line}\n" for line in lines).encode()
    assert list(lines_of(whole[n : n + size] for n in range(0, len(whole), size))) == lines


def test_the_last_line_may_have_no_end() -> None:
    assert list(lines_of([b"a\r\nb", b"c"])) == ["a", "bc"]
    assert list(lines_of([b"\xc3", b"\xa9\n\xff"])) == ["é", "\ufffd"]
    reader = LineReader()
    assert (list(reader.read(b"a")), list(reader.end()), list(reader.end())) == ([], ["a"], [])


def test_files_of_other_systems() -> None:
    assert json_lines('"a\u2028b"\r\n2\r3\n') == ['"a\u2028b"', "2", "3", ""]
