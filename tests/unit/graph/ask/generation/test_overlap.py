"""Overlap: a sentence that chunks share is in one passage of the evidence."""

from __future__ import annotations

from dataclasses import replace

from filigraph.graph.ask.generation.overlap import without_overlap
from tests.unit.graph.ask.generation.claw_evidence import THE_PATH, evidence, hop, retrieved

FIRST = "He came at noon. The lamp went out. Nobody saw him there."
SECOND = "Nobody saw him there. The key was gone. Ann wept for days."
THIRD = "Ann wept for days."


def test_what_chunks_share_is_in_the_first_of_them() -> None:
    found = without_overlap(retrieved([evidence("2", SECOND), evidence("1", FIRST)]))
    assert [item.text for item in found.evidence] == [SECOND, "He came at noon. The lamp went out."]


def test_a_passage_with_nothing_of_its_own_goes() -> None:
    found = without_overlap(retrieved([evidence("2", SECOND), evidence("3", THIRD)]))
    assert [item.id for item in found.evidence] == ["2"]


def test_a_sentence_stays_where_a_path_quotes_it() -> None:
    quote = hop("Nobody", "saw", "him", "1", "Nobody saw him there.")
    path = replace(THE_PATH, hops=(quote,))
    found = without_overlap(retrieved([evidence("2", SECOND), evidence("1", FIRST)], [path]))
    assert [item.text for item in found.evidence] == ["The key was gone. Ann wept for days.", FIRST]


def test_other_documents_keep_theirs() -> None:
    other = replace(evidence("1", FIRST), document_id="another")
    found = without_overlap(retrieved([evidence("2", SECOND), other]))
    assert [item.text for item in found.evidence] == [SECOND, FIRST]


def test_places_and_nearest_sentences_move_with_the_text() -> None:
    at = SECOND.index("The key")
    second = replace(
        evidence("2", SECOND, place="page 3"),
        places=((0, "page 2"), (at, "page 3")),
        nearest=((at, at + len("The key was gone.")), (0, 21)),
    )
    cut = without_overlap(retrieved([evidence("1", FIRST), second])).evidence[1]
    assert cut.text == "The key was gone. Ann wept for days."
    assert [cut.text[start:end] for start, end in cut.nearest] == ["The key was gone."]
    assert cut.places == ((0, "page 3"),)
    assert cut.place == "page 3"


def test_a_text_of_two_documents_takes_one_place_and_the_paths_rest_on_it() -> None:
    copy = replace(evidence("9", FIRST, source="copy.txt"), document_id="another")
    path = replace(THE_PATH, hops=(hop("Nobody", "saw", "him", "9", "Nobody saw him there."),))
    found = without_overlap(retrieved([evidence("1", FIRST), copy], [path]))
    assert [(item.id, item.also) for item in found.evidence] == [("1", ("copy.txt",))]
    assert [one.chunk_ids for one in found.paths] == [("1",)]


SOLD = "I sold the old boat to Carl Ostrow."
MAIL = f"From: Ada\nTo: Bo\nDate: 2022-05-02\n\n{SOLD}"
ANSWER = (
    "From: Bo\nTo: Ada\nDate: 2022-05-03\n\nI will call the port.\n\n"
    "Ada wrote:\n> I sold the old boat\n> to Carl Ostrow."
)
OTHER = "From: Cy\nTo: Ada\nDate: 2022-05-04\n\nThe port is closed now.\n\n> I sold the old boat to Carl\n> Ostrow."


def mails(*texts: str) -> list[str]:
    items = [replace(evidence(str(n), text), document_id=str(n)) for n, text in enumerate(texts)]
    return [item.text for item in without_overlap(retrieved(items)).evidence]


def test_what_mails_quote_is_in_the_mail_itself() -> None:
    assert mails(ANSWER, MAIL) == [ANSWER[: ANSWER.index("> I sold")].strip(), MAIL]


def test_what_two_mails_quote_of_a_third_stays_in_the_first() -> None:
    assert mails(ANSWER, OTHER) == [ANSWER, OTHER[: OTHER.index(">")].strip()]


def test_what_stands_below_the_head_of_another_mail_is_in_the_mail_itself() -> None:
    quoted = f"\n________________\nFrom: Ada\nSent: Monday, May 2, 2022\nTo: Bo\nSubject: Boat\n\n{SOLD}"
    answer = f"From: Bo\nTo: Ada\nDate: 2022-05-03\n\nI will call the port.\n{quoted}"
    later = f"From: Cy\nTo: Ada\nDate: 2022-05-04\n\nThe port is closed now.\n{quoted}"
    found = mails(answer, later, MAIL)
    assert [SOLD in text for text in found] == [False, False, True]
    assert "I will call the port." in found[0] and "The port is closed now." in found[1]
    assert sum(SOLD in text for text in mails(answer, later)) == 1


def test_what_is_no_quotation_stays() -> None:
    assert mails(SOLD, f"Again: it rained.\n\n{SOLD}") == [SOLD, f"Again: it rained.\n\n{SOLD}"]


def test_a_mail_does_not_end_in_the_middle_of_what_it_says() -> None:
    listed = "\n- the mill at Arles, bought in May 1921\n- the barn behind it."
    head = "From: {}\nTo: Ada\nDate: 2022-05-04\n\n"
    other, mail = f"{head.format('Bo')}Ada sold{listed}", f"{head.format('Cy')}He never sold{listed}"
    assert mails(other, mail) == [other, mail]
