"""Whom each place of a form means if the form names several persons of a document; no store."""

from __future__ import annotations

from collections.abc import Sequence, Set

import pytest

from filigraph.graph import ids
from filigraph.graph.model.names import Decision, Mention, Occurrence, Part
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.homonyms import may_share_forms, parts_by_context
from filigraph.graph.names.mentions import scan
from filigraph.graph.names.resolve import resolve
from filigraph.graph.records.documents import NameOccurrences, PlacedChunk
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.text.names.parse import name_key

RAIN = "The rain fell on the roofs of the town and nobody was in the streets that led down to the old quay. " * 12
DOCUMENT = ids.document_id("w", "book.txt")
MARSHES = ("John Marsh", "Robert Marsh", "Mr. Marsh", "John", "Robert")
BROTHERS = "John Marsh and Robert Marsh kept the ferry. John Marsh held the rope and Robert Marsh the wheel."
SISTERS = (
    "Jane Hale and Elizabeth Hale had no brother. " * 3
    + "People called Jane Hale the beauty; they called her sister Miss Elizabeth Hale."
)
HALES = ("Jane Hale", "Elizabeth Hale", "Miss Elizabeth Hale", "Miss Hale", "Jane", "Elizabeth")


class Book:
    """A document of paragraphs, cut into chunks, with the places of some names."""

    def __init__(self, *paragraphs: str, names: Sequence[str], chunks: Sequence[tuple[int, int]] = ()) -> None:
        self.text = "\n\n".join(paragraphs)
        spans = chunks or [(0, len(self.text))]
        texts = {f"chunk{start}": (start, self.text[start:end]) for start, end in spans}
        forms = {name_key(name): name for name in names}
        self.mentions: list[Mention] = scan([(id_, DOCUMENT, "en", text) for id_, (_, text) in texts.items()], forms)
        self.form = {mention.id: mention.form for mention in self.mentions}
        places = [(m.id, place) for m in self.mentions for place in m.occurrences]
        self.places = NameOccurrences(
            id=DOCUMENT,
            chunks=tuple(
                PlacedChunk(
                    id=id_,
                    start=start,
                    text=text,
                    names=tuple((m, place.start, place.end) for m, place in places if place.chunk_id == id_),
                )
                for id_, (start, text) in texts.items()
            ),
        )

    def rows(self, parts: Sequence[Part] = ()) -> list[MentionRow]:
        """Its mentions, those with parts less frequent."""
        rows = [row(m.id, m.key, m.form, len(m.occurrences)) for m in self.mentions]
        for part in parts:
            (whole,) = (row for row in rows if row.id == part.of)
            rows.remove(whole)
            rows += [row(whole.id, whole.key, whole.form, whole.count - len(part.places))]
            rows += [row(part.id, whole.key, whole.form, len(part.places), part_of=part.of)]
        return rows

    def told(self, taken: Set[Occurrence] = frozenset()) -> list[tuple[str, str, list[str]]]:
        """Rule, bearers, and what follows each place."""
        return [
            (part.rule, " or ".join(sorted(self.form[id_] for id_ in part.bearers)), self.after(part))
            for part in parts_by_context(self.places, self.rows(), taken=taken)
        ]

    def after(self, part: Part) -> list[str]:
        starts = {chunk.id: chunk.start for chunk in self.places.chunks}
        ends = sorted({starts[place.chunk_id] + place.end for place in part.places})
        return [self.text[end : end + 20].lstrip(',;" .').split(" ")[0].strip(',"') for end in ends]


def row(id_: str, key: str, form: str, count: int, part_of: str = "") -> MentionRow:
    return MentionRow(
        id=id_,
        document_id=DOCUMENT,
        key=key,
        form=form,
        type="",
        language="en",
        scanned=False,
        looked_up=form,
        count=count,
        entity_id="",
        part_of=part_of,
    )


def test_who_is_spoken_to_is_there() -> None:
    book = Book(
        BROTHERS,
        RAIN,
        'John stood at the bar. "Good evening, Mr. Marsh," said the keeper.',
        RAIN,
        'Robert did not answer. "Come in, Mr. Marsh; sit down," said the judge.',
        RAIN,
        "Mr. Marsh was seen at noon.",
        names=MARSHES,
    )
    assert sorted(book.told()) == [("addressed", "John Marsh", ["said"]), ("addressed", "Robert Marsh", ["sit"])]


def test_who_is_named_before_is_meant_but_not_in_the_same_sentence() -> None:
    book = Book(
        BROTHERS,
        RAIN,
        "John Marsh came home late. Mr. Marsh slept until noon.",
        RAIN,
        "Robert Marsh never knew what Mr. Marsh wanted.",
        RAIN,
        "Mr. Marsh died.",
        names=MARSHES,
    )
    assert book.told() == [("named-before", "John Marsh", ["slept"])]


def test_where_two_are_near_nothing_is_told() -> None:
    book = Book(BROTHERS, 'Robert saw John. "Good evening, Mr. Marsh," said the keeper.', names=MARSHES)
    assert book.told() == []


def test_the_narrators_form_means_who_has_it_and_to_her_face_it_means_her_sister() -> None:
    told_of_jane = [f"Miss Hale went to town on day {day}. Jane was glad." for day in range(9)]
    book = Book(
        SISTERS,
        *told_of_jane,
        RAIN * 3,
        'Elizabeth turned round. "I take no leave of you, Miss Hale," said her ladyship.',
        RAIN * 3,
        'Elizabeth heard it. "I have told Miss Hale so," said her ladyship.',
        names=HALES,
    )
    assert sorted(book.told()) == [
        ("addressed", "Elizabeth Hale", ["said"]),
        ("untold", "Elizabeth Hale or Jane Hale", ["so"]),
    ]


def test_a_form_of_one_bearer_is_not_split() -> None:
    book = Book(
        "John Marsh kept the ferry. Anna Hale paid him. Miss Hale paid John Marsh twice.",
        'John stood at the bar. "Good evening, Mr. Marsh," said Miss Hale.',
        names=(*MARSHES, "Anna Hale", "Miss Hale"),
    )
    assert book.told() == []


def test_a_mother_is_neither_daughter() -> None:
    book = Book(
        SISTERS,
        *(f"Jane came on day {day}. Mrs. Hale was not at home." for day in range(6)),
        RAIN,
        'Elizabeth waited. "Pray, Mrs. Hale, sit down," said her ladyship.',
        names=(*HALES, "Mrs. Hale"),
    )
    assert book.told() == []


def test_one_place_in_two_chunks_is_in_one_part() -> None:
    text = "\n\n".join(
        [BROTHERS, RAIN, 'John stood there. "Good evening, Mr. Marsh," said the keeper.', RAIN, "Mr. Marsh died."]
    )
    at = text.index("John stood")
    book = Book(text, names=MARSHES, chunks=[(0, at + 70), (at, len(text))])
    (part,) = parts_by_context(book.places, book.rows())
    assert len(part.places) == 2 and {place.chunk_id for place in part.places} == {"chunk0", f"chunk{at}"}


def test_a_mention_keeps_a_place() -> None:
    book = Book(BROTHERS, RAIN, 'John stood there. "Good evening, Mr. Marsh," said the keeper.', names=MARSHES)
    assert book.told() == []


def test_the_parts_that_are_there_do_not_matter() -> None:
    book = Book(
        BROTHERS, RAIN, 'John rose. "Good evening, Mr. Marsh," said the keeper.', RAIN, "Mr. Marsh died.", names=MARSHES
    )
    parts = parts_by_context(book.places, book.rows())
    assert parts and parts_by_context(book.places, book.rows(parts)) == parts


def test_what_a_person_split_off_is_not_told() -> None:
    book = Book(
        BROTHERS, RAIN, 'John rose. "Good evening, Mr. Marsh," said the keeper.', RAIN, "Mr. Marsh died.", names=MARSHES
    )
    (part,) = parts_by_context(book.places, book.rows())
    assert book.told(taken=set(part.places)) == []


def test_french_is_spoken_behind_a_dash() -> None:
    book = Book(
        "Lucien Delmare et Paul Delmare tenaient le bac. Lucien Delmare avait la corde et Paul Delmare la barre.",
        "La pluie tombait sur les toits de la ville et personne ne passait dans les rues du port. " * 12,
        "Paul entra sans bruit.",
        "— Bonsoir, monsieur Delmare, dit l'aubergiste.",
        "La pluie tombait sur les toits de la ville et personne ne passait dans les rues du port. " * 12,
        "Monsieur Delmare mourut.",
        names=("Lucien Delmare", "Paul Delmare", "monsieur Delmare", "Lucien", "Paul"),
    )
    assert book.told() == [("addressed", "Paul Delmare", ["dit"])]


def test_a_quick_look_at_the_names() -> None:
    assert may_share_forms(["mr marsh", "john marsh", "robert marsh"])
    assert not may_share_forms(["mr marsh", "john marsh", "robert", "robert"])


def test_who_speaks_is_not_spoken_to() -> None:
    book = Book(
        BROTHERS,
        RAIN * 3,
        '"You are late, Mr. Marsh," said Robert. Nobody answered.',
        RAIN * 3,
        "Mr. Marsh died.",
        names=MARSHES,
    )
    assert book.told() == []


def test_who_is_spoken_of_is_not_spoken_to() -> None:
    book = Book(
        BROTHERS, RAIN, 'John rose. "Your poor uncle, Mr. Marsh, is dead," said the keeper.', RAIN, names=MARSHES
    )
    assert book.told() == []


KEEPER = 'John stood at the bar. "Good evening, Mr. Marsh," said the keeper.'
NOON = "Mr. Marsh was seen at noon."


def test_a_text_without_blank_lines_is_read_line_by_line() -> None:
    lines = [BROTHERS, *[RAIN, KEEPER] * 300, RAIN, NOON]
    assert Book("\n".join(lines), names=MARSHES).told() == Book(*lines, names=MARSHES).told()


@pytest.mark.parametrize(
    ("bearer", "same", "home"),
    [
        ("John Marsh", True, "John Marsh"),
        ("John Marsh", False, "Mr. Marsh"),
        ("Robert Marsh", True, "Robert Marsh"),
        ("Robert Marsh", False, "John Marsh"),
    ],
)
def test_what_a_person_says_of_the_form_holds_for_all_its_places(bearer: str, same: bool, home: str) -> None:
    book = Book(BROTHERS, RAIN, KEEPER, RAIN, NOON, names=MARSHES)
    (part,) = parts_by_context(book.places, book.rows())
    id_of = {form: id_ for id_, form in book.form.items()}
    said = Decision(first=part.of, second=id_of[bearer], same=same, rule="person", score=1.0, by="person")
    entity_of = resolve(find_candidates(book.rows([part])), decisions=[said], text_parts=[part]).entity_of
    assert entity_of[part.id] == entity_of[id_of[home]]
