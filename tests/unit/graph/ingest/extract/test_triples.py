"""Ready triples: what a file may contain, and where each triple is stored."""

from __future__ import annotations

import json

import pytest

from filigraph.graph.ingest.extract.contract import extraction_key
from filigraph.graph.ingest.extract.triples import MAX_PROBLEMS, TripleExtractor, parse_triples
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction

TEXT = "Jules was born in Lyon. He wears a silver ring. The ring is the emblem of The Claw."


def chunk(text: str, index: int = 0, document: str = "d") -> Chunk:
    return Chunk(
        id=f"{document}-{index}", document_id=document, index=index, start=0, end=len(text), text=text, title="",
        place="", language="en",
    )  # fmt: skip


def lines(*items: object) -> bytes:
    return b"\n".join(json.dumps(item, ensure_ascii=False).encode() for item in items)


def test_lists_and_objects_by_source_or_passage() -> None:
    read = parse_triples(
        b"\xef\xbb\xbf"
        + lines(
            {"passage_id": "a", "triples": [["Jules", "wears", "ring"], ["Jules", "wears", "ring"]]},
            {"source": "b.txt", "triples": [{"subject": " Élise ", "predicate": "aime\n", "object": "Paul"}]},
            {"source": "a", "triples": [["ring", "emblem of", "The Claw"]]},
            {"source": "empty", "triples": []},
        )
        + b"\n\n"
    )
    assert read.problems == ()
    assert read.triples == {
        "a": (("Jules", "wears", "ring"), ("ring", "emblem of", "The Claw")),
        "b.txt": (("Élise", "aime", "Paul"),),
        "empty": (),
    }


@pytest.mark.parametrize(
    ("triple", "problem"),
    [
        (["Jules", "wears"], "neither three texts"),
        ("Jules wears ring", "neither three texts"),
        ({"subject": "Jules", "predicate": "wears"}, "the object is missing"),
        (["Jules", None, "ring"], "the predicate is missing"),
        (["Jules", "wears", 7], "the object is not a text"),
        (["", "wears", "ring"], "the subject has no letter and no digit"),
        (["Jules", "wears", " … "], "the object has no letter and no digit"),
        (["J" * 5000, "wears", "ring"], "the subject has 5000 characters"),
        (["Jules", "w" * 5000, "ring"], "the predicate has 5000 characters"),
    ],
)
def test_a_triple_that_cannot_be_used_is_named_and_the_rest_goes_on(triple: object, problem: str) -> None:
    read = parse_triples(lines({"source": "a", "triples": [["x", "y", "z"], triple, ["u", "v", "w"]]}))
    assert read.triples == {"a": (("x", "y", "z"), ("u", "v", "w"))}
    assert len(read.problems) == 1
    assert read.problems[0].startswith("line 1, triple 2: ")
    assert problem in read.problems[0]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1]", 'no "source"'),
        (b'{"source": "", "triples": []}', 'no "source"'),
        (b'{"source": 3, "triples": []}', 'no "source"'),
        (b'{"source": "a"}', 'no "triples"'),
        (b'{"source": "a", "triples": "x"}', 'no "triples"'),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_the_rest_goes_on(line: bytes, problem: str) -> None:
    read = parse_triples(line + b"\n" + lines({"source": "ok", "triples": [["x", "y", "z"]]}))
    assert read.triples == {"ok": (("x", "y", "z"),)}
    assert len(read.problems) == 1
    assert read.problems[0].startswith("line 1: ")
    assert problem in read.problems[0]


def test_a_file_of_another_kind_does_not_report_every_line() -> None:
    read = parse_triples(b"nonsense\n" * (MAX_PROBLEMS + 50))
    assert len(read.problems) == MAX_PROBLEMS + 1
    assert read.problems[-1] == "and 50 more"


def test_lone_surrogates_do_not_come_through() -> None:
    read = parse_triples(rb'{"source": "a", "triples": [["Jules\ud800", "wears", "ring"], ["Jules", "wears", "ring"]]}')
    assert read.triples == {"a": (("Jules", "wears", "ring"),)}
    assert read.problems == (
        r"line 1, triple 1: the subject holds half of a character (\ud800); write the whole one, or take it out",
    )


def read(triples: dict[str, list[tuple[str, str, str]]], chunks: list[Chunk]) -> list[Extraction]:
    extractor = TripleExtractor(triples)
    return list(extractor.extract(extractor.prepared(chunks)))


def test_each_triple_goes_to_the_sentence_that_fits_best() -> None:
    rows = [("Jules", "was born in", "Lyon"), ("silver ring", "worn by", "Jules"), ("ring", "is emblem of", "Claw")]
    (extraction,) = read({"d": rows}, [chunk(TEXT)])
    assert [TEXT[t.start : t.end] for t in extraction.triplets] == [
        "Jules was born in Lyon.",
        "He wears a silver ring.",
        "The ring is the emblem of The Claw.",
    ]
    assert [(t.subject, t.predicate, t.object) for t in extraction.triplets] == rows
    assert extraction.extractor == "triples"


def test_each_triple_counts_once_in_the_chunk_that_holds_both_names() -> None:
    chunks = [
        chunk("Jules lived there."),
        chunk("Jules came to Lyon. It rained.", 1),
        chunk("It rained. Jules left Lyon.", 2),
    ]
    rows = [("Jules", "came to", "Lyon"), ("Jules", "knew", "Sophie"), ("Paul", "knew", "Élise")]
    found = read({"d": rows}, chunks)
    assert [[t.predicate for t in extraction.triplets] for extraction in found] == [["knew", "knew"], ["came to"], []]
    assert [t.subject for t in found[0].triplets] == ["Jules", "Paul"]


def test_chunks_keep_their_order_and_those_without_triples_say_so() -> None:
    extractor = TripleExtractor({"a": [("Jules", "wears", "ring")]})
    chunks = [chunk("A ring.", 0, "b"), chunk("Jules wears a ring.", 0, "a"), chunk("", 1, "a")]
    chunks = extractor.prepared(chunks)
    found = list(extractor.extract(chunks))
    assert [extraction.key for extraction in found] == [extraction_key(item, extractor) for item in chunks]
    assert [len(extraction.triplets) for extraction in found] == [0, 1, 0]
    assert found[0].note == "no triples were given for this document"
    assert found[1].note == ""


def test_a_document_without_text_keeps_its_triples() -> None:
    (extraction,) = read({"d": [("Jules", "wears", "ring")]}, [chunk("")])
    assert [(t.start, t.end) for t in extraction.triplets] == [(0, 0)]


def test_other_triples_change_the_reading_of_their_document_alone() -> None:
    first, other = TripleExtractor({"a": [("x", "y", "z")]}), TripleExtractor({"a": [("x", "y", "w")], "b": []})
    again = TripleExtractor({"b": [("u", "v", "w")], "a": [("x", "y", "z")]})
    assert first.version_for("a") == again.version_for("a") != other.version_for("a")
    keys = [extraction_key(each.prepared([chunk("x z", 0, "a")])[0], each) for each in (first, again, other)]
    assert keys[0] == keys[1] != keys[2]


def test_a_chunk_is_read_alone_as_among_all() -> None:
    extractor = TripleExtractor({"d": [("Jules", "wears", "ring"), ("Nora", "left", "Lyon")]})
    chunks = extractor.prepared([chunk("Jules wears a ring."), chunk("Nora left Lyon.", 1), chunk("It rained.", 2)])
    together = list(extractor.extract(chunks))
    assert [next(extractor.extract([each])) for each in chunks] == together
    assert [len(extraction.triplets) for extraction in together] == [1, 1, 0]
