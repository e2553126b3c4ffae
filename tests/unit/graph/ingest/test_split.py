"""Chunks contain the whole text, at the offsets that they state, in whole sentences, within the maximum length."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph import ids
from filigraph.graph.errors import InputError
from filigraph.graph.ingest.split import CHARACTERS_PER_TOKEN, count_tokens, read_cut, split
from filigraph.graph.model.documents import CUT_PRESETS, Chunk, Cut, CutUnit, LoadedDocument, Place, Strategy

STRATEGIES: list[Strategy] = ["paragraph", "sentence", "fixed"]
SENTENCE = "Le jeune Jules porte une chevalière qui ne lui appartient pas."


def document(text: str, *places: Place, language: str = "fr") -> LoadedDocument:
    return LoadedDocument(
        source="a.txt", title="A", text=text, sha256="0", media_type="text/plain", language=language, places=places
    )


def chapter(label: str, start: int) -> Place:
    return Place(kind="chapter", label=label, start=start)


def numbered(count: int, per_paragraph: int = 4) -> str:
    """Sentences that all differ, in paragraphs."""
    sentences = [f"La phrase numéro {number} parle de Jules et de sa bague." for number in range(count)]
    return "\n\n".join(" ".join(sentences[start : start + per_paragraph]) for start in range(0, count, per_paragraph))


def assert_sound(text: str, chunks: list[Chunk], size: int) -> None:
    """What holds for any document, strategy and size."""
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    covered = 0
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.text == chunk.text.strip() != ""
        assert count_tokens(chunk.text) <= size
        assert len(chunk.text) <= size * CHARACTERS_PER_TOKEN
        assert not text[covered : chunk.start].strip()  # nothing is lost between two chunks
        assert chunk.end > covered  # each brings something new
        covered = chunk.end
    assert not text[covered:].strip()
    assert all(first.start < second.start for first, second in pairwise(chunks))


PIECES = st.sampled_from(
    [
        "Jules",
        "a",
        " ",
        "\n",
        "\n\n",
        ". ",
        "! ",
        "»",
        "« ",
        "— ",
        "。",
        "的",
        "é",
        "\u00a0",
        "👍",
        "x" * 300,
        " . " * 30,
    ]
)


@settings(max_examples=300)
@given(
    st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=120).map("".join)),
    st.sampled_from(STRATEGIES),
    st.integers(16, 60),
    st.sampled_from([0.0, 0.15, 0.5]),
    st.lists(st.integers(0, 400), max_size=4),
)
def test_any_text(text: str, strategy: Strategy, size: int, overlap: float, starts: list[int]) -> None:
    places = [chapter(str(start), start) for start in sorted(set(starts)) if start <= len(text)]
    chunks = split(document(text, *places), "d", strategy=strategy, size=size, overlap=overlap)
    assert_sound(text, chunks, size)
    assert chunks == split(document(text, *places), "d", strategy=strategy, size=size, overlap=overlap)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "mot " * 50_000, "的" * 50_000, "a." * 50_000, "a" + " " * 100_000 + "b", "a\n\n" * 30_000],
    ids=["one word", "one word again and again", "no spaces", "no gaps", "spaces", "paragraphs"],
)
def test_texts_that_nobody_wrote(text: str, strategy: Strategy) -> None:
    assert_sound(text, split(document(text), "d", strategy=strategy), 512)


def test_a_small_document_is_one_chunk() -> None:
    text = f"  {SENTENCE}\n\n# La suite\n\n{SENTENCE}\n"
    chunks = split(document(text, chapter("La suite", 67)), "d")
    assert len(chunks) == 1
    assert chunks[0].text == text.strip()
    assert chunks[0].place == ""
    assert (chunks[0].title, chunks[0].language, chunks[0].document_id) == ("A", "fr", "d")


def test_an_empty_document_has_no_chunks() -> None:
    assert split(document(" \n "), "d") == []


@pytest.mark.parametrize("strategy", ["paragraph", "sentence"])
def test_chunks_are_whole_sentences_and_so_is_the_overlap(strategy: Strategy) -> None:
    text = numbered(200)
    chunks = split(document(text), "d", strategy=strategy, size=128, overlap=0.15)
    assert_sound(text, chunks, 128)
    assert all(chunk.text.startswith("La phrase") and chunk.text.endswith("bague.") for chunk in chunks)
    for first, second in pairwise(chunks):
        shared = text[second.start : first.end]
        assert shared.startswith("La phrase")
        assert 0 < count_tokens(shared) <= 2 * 0.15 * 128


def test_paragraphs_stay_whole_where_they_can() -> None:
    text = numbered(200, per_paragraph=4)
    chunks = split(document(text), "d", size=128, overlap=0.0)
    assert all(text[chunk.end : chunk.end + 2] in ("\n\n", "") for chunk in chunks)
    by_sentence = split(document(text), "d", strategy="sentence", size=128, overlap=0.0)
    assert any(text[chunk.end : chunk.end + 2] not in ("\n\n", "") for chunk in by_sentence)


def test_without_overlap_nothing_stands_twice() -> None:
    text = numbered(100)
    for strategy in STRATEGIES:
        chunks = split(document(text), "d", strategy=strategy, size=64, overlap=0.0)
        assert sum(len(re.sub(r"\s", "", chunk.text)) for chunk in chunks) == len(re.sub(r"\s", "", text))


def test_a_sentence_too_long_for_a_chunk_is_cut_at_words() -> None:
    text = "mot " * 1_000 + "fin."
    chunks = split(document(text), "d", size=64)
    assert all(re.fullmatch(r"(mot )*(mot|fin\.)", chunk.text) for chunk in chunks)


def test_chunks_never_cross_a_chapter() -> None:
    parts = [f"Chapitre {number}\n\n{numbered(30)}\n\n" for number in (1, 2, 3)]
    starts = [0, len(parts[0]), len(parts[0]) + len(parts[1])]
    text = "".join(parts)
    places = [chapter(str(number), start) for number, start in enumerate(starts, start=1)]
    chunks = split(document(text, *places), "d", size=128)
    assert_sound(text, chunks, 128)
    assert set(starts) <= {chunk.start for chunk in chunks}
    assert sorted({chunk.place for chunk in chunks}) == ["chapter 1", "chapter 2", "chapter 3"]
    for chunk in chunks:
        assert sum(chunk.start < start < chunk.end for start in starts) == 0


def test_chunks_may_cross_a_page_and_name_the_one_they_begin_on() -> None:
    text = numbered(60, per_paragraph=60)
    pages = [Place(kind="page", label=str(number + 1), start=number * 500) for number in range(6)]
    chunks = split(document(text, *pages), "d", size=128)
    assert any(chunk.start < page.start < chunk.end for chunk in chunks for page in pages)
    assert all(chunk.place == f"page {min(6, chunk.start // 500 + 1)}" for chunk in chunks)


def test_equal_chunks_have_ids_of_their_own() -> None:
    text = "\n\n".join([SENTENCE] * 40)
    chunks = split(document(text), "d", size=32, overlap=0.0)
    assert len({chunk.text for chunk in chunks}) < len(chunks)
    assert [chunk.id for chunk in chunks[:2]] == [ids.chunk_id("d", chunks[0].text, n) for n in (0, 1)]
    assert {chunk.id for chunk in chunks}.isdisjoint(
        chunk.id for chunk in split(document(text), "e", size=32, overlap=0.0)
    )


def test_a_change_in_one_chapter_leaves_the_other_chunks_as_they_are() -> None:
    second = f"Chapitre 2\n\n{numbered(50)}"
    old, new = f"Chapitre 1\n\n{numbered(30)}\n\n", f"Chapitre 1\n\nTout autre chose. {numbered(31)}\n\n"
    before = split(document(old + second, chapter("1", 0), chapter("2", len(old))), "d", size=128)
    after = split(document(new + second, chapter("1", 0), chapter("2", len(new))), "d", size=128)
    in_second = [[chunk.id for chunk in chunks if chunk.place == "chapter 2"] for chunks in (before, after)]
    assert in_second[0] == in_second[1] != []


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("la bague", 2), ("chevalière !", 3), ("anticonstitutionnellement", 5), ("東京へ。", 4)],
)
def test_count_tokens(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.parametrize("wrong", [{"size": 3}, {"overlap": 0.9}, {"overlap": -0.1}, {"strategy": "words"}], ids=str)
def test_values_that_make_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError) as raised:
        split(document(SENTENCE), "d", **wrong)  # type: ignore[arg-type]
    assert raised.value.cure


# ---- by characters and words


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(st.sampled_from("ab. \n\u00e9!字"), max_size=3000),
    strategy=st.sampled_from(STRATEGIES),
    unit=st.sampled_from(["characters", "words"]),
    overlap=st.sampled_from([0.0, 0.15, 0.5]),
)
def test_chunks_of_any_unit_are_sound(text: str, strategy: Strategy, unit: CutUnit, overlap: float) -> None:
    size = 200 if unit == "characters" else 16
    chunks = split(document(text), "d", strategy=strategy, size=size, overlap=overlap, unit=unit)
    held = set[int]()
    for before, chunk in pairwise([None, *chunks]):
        assert chunk is not None and chunk.text == text[chunk.start : chunk.end] and chunk.text.strip() == chunk.text
        assert before is None or (before.start < chunk.start and before.end < chunk.end)
        held |= set(range(chunk.start, chunk.end))
        if unit == "characters":
            assert len(re.sub(r"\n(?:[^\S\n]*\n){3,}", "\n\n", chunk.text)) <= size
    assert all(place in held for place, letter in enumerate(text) if not letter.isspace())


def sized(cut: Cut) -> dict[str, Any]:
    return {"size": cut.size, "overlap": cut.overlap, "unit": cut.unit}


def test_a_chunk_of_characters_ends_where_a_paragraph_ends_near_its_size() -> None:
    preset = CUT_PRESETS["2000/300"]
    text = f"{'a' * 1499} {'b' * 420}\n\n{SENTENCE} {'c ' * 900}"
    first, second, *_ = split(document(text), "d", **sized(preset))
    assert first.text.endswith("b") and first.end == 1920  # a paragraph within the last 100 characters
    assert second.start == 1922  # what begins in the overlap is too long a word, but for the next
    sentences = f"{'a ' * 940}fin. {SENTENCE} {SENTENCE} {'c ' * 900}"
    first, second, *_ = split(document(sentences), "d", **sized(preset))
    assert first.text.endswith("pas.") and first.end <= 2000 and second.start >= first.end - 300
    nowhere = "mot " * 1000
    first, second, *_ = split(document(nowhere), "d", **sized(preset))
    assert (first.text[-4:], len(first.text)) == (" mot", 1999) and 290 < first.end - second.start <= 300


def test_many_blank_lines_count_as_one_break() -> None:
    text = f"{'a' * 990}{chr(10) * 400}{'b' * 990} end"
    (chunk,) = split(document(text), "d", size=2000, overlap=0.15, unit="characters")
    assert chunk.text == text
    assert len(split(document(text.replace("\n", "-")), "d", size=2000, overlap=0.15, unit="characters")) == 2


def test_paragraphs_of_words_go_together_up_to_350() -> None:
    paragraph = " ".join(f"mot{n}" for n in range(99)) + "."
    chunks = split(document("\n\n".join([paragraph] * 7)), "d", **sized(CUT_PRESETS["250-350 words"]))
    assert [len(chunk.text.split()) for chunk in chunks] == [297, 297, 99]


@pytest.mark.parametrize(
    ("asked", "cut"),
    [
        ({}, Cut()),
        ({"size": 1000, "overlap": 100, "unit": "characters"}, Cut(size=1000, overlap=0.1, unit="characters")),
        ({"unit": "characters"}, Cut(size=2000, unit="characters")),
        ({"preset": "2000/300"}, Cut(size=2000, overlap=0.15, unit="characters")),
    ],
)
def test_how_a_person_wants_texts_cut(asked: dict[str, Any], cut: Cut) -> None:
    assert read_cut(**asked) == cut


@pytest.mark.parametrize(
    "asked",
    [{"size": 0}, {"size": 10**9}, {"size": 100, "overlap": 51}, {"overlap": -1}, {"preset": "2000/300", "size": 9}],
)
def test_a_cut_that_cannot_be(asked: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        read_cut(**asked)


def test_marks_on_letters_are_no_tokens_of_their_own() -> None:
    assert count_tokens("مُحَمَّدٌ رَسُولٌ") == count_tokens("محمد رسول")
    assert count_tokens("शालिनी") <= 2
    assert count_tokens("Z\u0301\u0302\u0303a\u0301\u0302\u0303b\u0301") == count_tokens("Zab")
