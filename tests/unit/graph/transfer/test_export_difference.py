"""The differences between two exports."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from filigraph.graph.errors import InputError
from filigraph.graph.transfer.check_lines import end_line
from filigraph.graph.transfer.export_difference import export_difference

DOCUMENT, CHUNK = "d" * 32, "c" * 32
TEXT = "Jules Delmas wears a ring. Jules sells it to Paul."


def export(entities: dict[str, list[str]], *facts: tuple[str, str, str, int, int]) -> io.BytesIO:
    """Entities by name with their mentions, and facts between them with the place of their sentence."""
    id_of = {name: f"{number:032x}" for number, name in enumerate(sorted(entities), start=1)}
    mention_of = {form: f"{number + 100:032x}" for number, form in enumerate(("Jules", "Jules Delmas", "Paul", "ring"))}
    extraction = {"triplets": [], "names": [], "extractor": "triples", "key": "k"}
    rows: list[dict[str, Any]] = [
        {"kind": "header", "format": "filigraph", "version": 1, "embedder": "e", "derived": True},
        {"kind": "settings", "settings": {}},
        {"kind": "documents", "id": DOCUMENT, "source": "letter.txt", "title": "", "sha256": "", "language": "en"}
        | {"metadata": '{"date": "1912-03-03"}', "media_type": "", "warnings": [], "places": "[]", "extractor": ""}
        | {"status": "complete", "unread": 0},
        {"kind": "chunks", "id": CHUNK, "document_id": DOCUMENT, "index": 0, "start": 0, "end": len(TEXT), "text": TEXT}
        | {"title": "", "place": "page 2", "language": "en", "terms": "", "extraction": extraction, "embedded": True}
        | {"stale": False, "next": None, "titles": []},
    ]
    rows += [
        {"kind": "mentions", "id": mention_of[form], "document_id": DOCUMENT, "key": form.lower(), "form": form}
        | {"type": "", "language": "en", "scanned": False, "part_of": "", "entity": id_of[name], "occurrences": []}
        for form, name in sorted((form, name) for name, forms in entities.items() for form in forms)
    ]
    rows += [
        {"kind": "entities", "id": id_of[name], "name": name, "aliases": [name], "type": "", "embedded": True}
        | {"chunks": [CHUNK]}
        for name in sorted(entities)
    ]
    rows += [
        {"kind": "facts", "id": f"{number + 500:032x}", "text": f"{one} {predicate} {two}", "predicate": predicate}
        | {"token": "T", "weight": 1, "embedded": True, "subject": id_of[one], "object": id_of[two]}
        | {"supports": [[CHUNK, start, end, "triples", "", [], "", ""]], "drawn": []}
        for number, (one, predicate, two, start, end) in enumerate(facts)
    ]
    lines = [json.dumps(row).encode() + b"\n" for row in rows]
    return io.BytesIO(b"".join(lines) + end_line(len(lines) + 1))


def test_names_and_facts_of_two_exports() -> None:
    apart = {"Jules": ["Jules"], "Jules Delmas": ["Jules Delmas"], "ring": ["ring"]}
    before = export(apart, ("Jules", "wears", "ring", 0, 26))
    after = export(
        {"Jules Delmas": ["Jules", "Jules Delmas"], "ring": ["ring"], "Paul": ["Paul"]},
        ("Jules Delmas", "wears", "ring", 0, 26),
        ("Jules Delmas", "sells it to", "Paul", 27, 50),
    )
    found = export_difference(before, after)
    assert [(row.name, row.others) for row in found.joined] == [("Jules Delmas", ("Jules", "Jules Delmas"))]
    assert (found.parted, found.renamed, found.facts_gone) == ((), (), ())
    assert (found.entities_came, found.entities_gone) == (("Paul",), ())
    (came,) = found.facts_came
    (said,) = came.sentences
    assert (came.subject, came.predicate, came.object) == ("Jules Delmas", "sells it to", "Paul")
    assert (said.sentence, said.source, said.place, said.date) == (
        "Jules sells it to Paul.",
        "letter.txt",
        "page 2",
        "1912-03-03",
    )


def test_the_same_twice_and_no_export() -> None:
    one, two = (export({"Jules": ["Jules"], "ring": ["ring"]}, ("Jules", "wears", "ring", 0, 26)) for _ in range(2))
    assert not any(vars(export_difference(one, two)).values())
    with pytest.raises(InputError, match="Line 1"):
        export_difference(io.BytesIO(b"{}\n"), two)
