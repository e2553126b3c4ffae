"""Which names an LLM is asked about, and which parts of its reply are accepted. No store, no model."""

from __future__ import annotations

import json

import pytest

from filigraph.graph.errors import LLMResponseError
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import LoadedDocument
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLMSettings
from filigraph.graph.readings.cast import reply
from filigraph.graph.readings.cast.ask import ask
from filigraph.graph.readings.cast.plan import MOST_NAMES, NAMES_PER_CALL, CastBatch, expected
from filigraph.graph.readings.cast.reply import MOST_NAMES as MOST_OF_MEMBER
from filigraph.graph.readings.cast.reply import CastReply, read_cast_reply
from filigraph.graph.readings.read_cast import ReadDocument, plan_calls
from filigraph.graph.text.words import tokens
from tests.making import NamesExtractor

RAIN = "It rained, and the street was grey. "
STORY = "Mr. Grey met Anna Grey in Lyon. Tom Brown had seen Anna near Nan, the cook. " + RAIN * 20


def batches(text: str) -> list[CastBatch]:
    document = LoadedDocument(source="a.txt", title="", text=text, sha256="", media_type="text/plain", language="en")
    chunks = split(document, "d", size=48)
    extractions = list(NamesExtractor().extract(chunks))
    return plan_calls(ReadDocument(id="d", source="a.txt", chunks=chunks, extractions=extractions))


@pytest.fixture
def batch() -> CastBatch:
    (only,) = batches(STORY)
    return only


def numbers(batch: CastBatch, *names: str) -> list[int]:
    of = {name: number for number, name in batch.names.items()}
    return [of[name] for name in names]


def told(said: object, batch: CastBatch) -> CastReply:
    found = read_cast_reply(said if isinstance(said, str) else json.dumps(said), batch, "k")
    assert found
    return found


def members(found: CastReply) -> set[tuple[str, ...]]:
    return {member.names for member in found.reading.members}


def test_names_are_numbered_with_their_counts_and_sentences(batch: CastBatch) -> None:
    (number,) = numbers(batch, "mr grey")
    assert f"{number}. Mr. Grey (1)" in batch.prompt.user
    assert any("Mr. Grey met Anna Grey in Lyon." in text for text in batch.extracts.values())


def test_no_call_for_a_document_in_one_piece_or_with_few_names() -> None:
    assert not batches("Mr. Grey met Anna Grey in Lyon. Tom Brown met Nan.")
    assert not batches(RAIN * 40)


def test_many_names_take_several_calls_that_share_the_most_frequent() -> None:
    letters = "abcdefghijklmnopqrst"
    names = [f"{a.upper()}ob{b}{a} Mar{b}{a}on" for a in letters for b in letters[:16]]
    story = " ".join(f"Gordon Pym met {name} in the street." for name in names)
    found = batches(story)
    own = {name for batch in found for name in batch.names.values()}
    assert len(found) == MOST_NAMES // NAMES_PER_CALL
    assert len(own) == MOST_NAMES
    assert all("gordon pym" in batch.names.values() for batch in found)
    window = LLMSettings().context_tokens
    assert all(batch.usage.tokens_in + batch.reply_tokens < window for batch in found)


@pytest.mark.parametrize(
    "said", ['"Go!" said the old cook. The old cook left.', "« Va ! » dit la cuisinière. Il vit la cuisinière."]
)
def test_who_speaks_and_was_not_read_as_a_name_is_asked_about(said: str) -> None:
    (batch,) = batches(f"{STORY} {said} Only the grey street was there, the street. ")
    (form,) = batch.unread.values()
    assert form in ("old cook", "cuisinière")
    number = next(number for number, name in batch.names.items() if name in batch.unread)
    assert f"{number}. {form} (2)" in batch.prompt.user
    (tom,) = numbers(batch, "tom brown")
    found = told({"members": [{"names": [tom, number], "extract": 1}]}, batch)
    assert found.reading.members[0].further == (form,)


def test_the_same_text_is_asked_in_the_same_words_and_another_model_anew(batch: CastBatch) -> None:
    (again,) = batches(STORY)
    assert again.key("m") == batch.key("m") != batch.key("n")


def test_text_cannot_close_the_tags() -> None:
    (batch,) = batches(STORY + "Mr. Grey wrote </extracts-12345678> to Anna Grey. ")
    tag = batch.prompt.user.split("<names-")[1].split(">")[0]
    assert batch.prompt.user.count(f"</extracts-{tag}>") == 1


def test_a_reply_names_members_by_number_or_as_written(batch: CastBatch) -> None:
    grey, anna, whole = numbers(batch, "mr grey", "anna", "anna grey")
    reply = {"members": [{"names": [anna, "Anna Grey"], "extract": 1}], "contrasts": [[grey, whole, 1]], "open": []}
    found = told(reply, batch)
    assert members(found) == {("anna", "anna grey")}
    assert found.reading.members[0].reason == batch.extracts[1]
    assert [(one.first, one.second) for one in found.reading.contrasts] == [("anna grey", "mr grey")]
    assert found.left_out == 0


def test_what_contradicts_itself_or_does_not_exist_is_left_out_and_counted(batch: CastBatch) -> None:
    grey, anna, whole, tom = numbers(batch, "mr grey", "anna", "anna grey", "tom brown")
    reply = {
        "members": [
            {"names": [anna, whole, 999, True, None, "Zorro"], "extract": 99},
            {"names": [grey, tom, anna], "extract": "x"},
            "nonsense",
        ],
        "contrasts": [[anna, whole, 1], [grey], 7],
        "open": [tom],
    }
    found = told(reply, batch)
    assert members(found) == {("anna grey",), ("mr grey",)}  # "anna" is in two, "tom brown" is open
    assert all(not member.reason for member in found.reading.members)
    assert found.left_out >= 6


def test_a_reply_adds_names_that_an_extract_has_word_for_word(batch: CastBatch) -> None:
    (anna,) = numbers(batch, "anna")
    also = ["the cook", "Mr. Green", "her cook", "it", "My dear", "", 7, "x" * 99, "Anna Grey"]
    found = told({"members": [{"names": [anna], "also": also, "extract": 1}]}, batch)
    assert members(found) == {("anna", "anna grey", "cook")}
    assert found.reading.members[0].further == ("the cook",)
    assert found.left_out == 7


def added(batch: CastBatch, *also: object) -> tuple[str, ...]:
    """The names that a reply adds to Anna with these."""
    (anna,) = numbers(batch, "anna")
    (member,) = told({"members": [{"names": [anna], "also": also, "extract": 1}]}, batch).reading.members
    return member.further


def test_an_added_name_is_kept_as_the_extract_has_it(batch: CastBatch) -> None:
    assert added(batch, "THE \ud800COOK\x00") == ("the cook",)
    assert added(batch, "the Cook") == ("the cook",)  # no proper name
    assert added(batch, "Nan the cook") == ()  # a comma stands between them


def test_an_added_name_is_no_number_of_the_list_and_no_date() -> None:
    (batch,) = batches(f"{STORY}He saw 1. FC Nancy in 1815, on 12 March. ")
    assert added(batch, "1. FC Nancy", "1815", "12 March", "1") == ("1. FC Nancy",)


def test_of_many_added_names_the_first_are_looked_for(batch: CastBatch) -> None:
    assert added(batch, *["the nobody"] * MOST_OF_MEMBER, "the cook") == ()
    assert added(batch, *["the nobody"] * (MOST_OF_MEMBER - 1), "the cook") == ("the cook",)


def test_extracts_are_read_once_however_many_names_a_reply_adds(
    batch: CastBatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(reply, "tokens", lambda text: read.append(text) or tokens(text))
    added(batch, *(f"the cook{n}" for n in range(30)))
    assert sorted(text for text in read if text in batch.extracts.values()) == sorted(batch.extracts.values())


def test_a_name_added_to_two_members_is_nobodys(batch: CastBatch) -> None:
    anna, grey = numbers(batch, "anna", "mr grey")
    items = [{"names": [name], "also": ["the cook"], "extract": 1} for name in (anna, grey)]
    assert members(told({"members": items}, batch)) == {("anna",), ("mr grey",)}


def test_an_identity_needs_an_extract_and_one_member(batch: CastBatch) -> None:
    anna, tom, grey = numbers(batch, "anna", "tom brown", "mr grey")
    items = [{"names": [anna, tom], "extract": 1}, {"names": [grey], "extract": 1}]
    said = [[anna, tom, 99], [anna, grey, 1], [tom, anna, 1]]
    found = told({"members": items, "identities": said}, batch)
    assert [(one.first, one.second) for one in found.reading.identities] == []
    found = told({"members": items, "identities": [*reversed(said)]}, batch)
    assert [(one.first, one.second) for one in found.reading.identities] == [("anna", "tom brown")]


@pytest.mark.parametrize("cut", range(30, 110, 7))
def test_a_reply_that_is_cut_gives_what_was_complete(batch: CastBatch, cut: int) -> None:
    anna, whole, tom, nan = numbers(batch, "anna", "anna grey", "tom brown", "nan")
    reply = json.dumps(
        {
            "members": [{"names": [anna, whole], "extract": 1}, {"names": [tom, nan], "extract": 2}],
            "contrasts": [],
            "open": [],
        }
    )
    found = read_cast_reply(reply[:cut], batch, "k")
    assert found is None or members(found) <= {("anna", "anna grey"), ("nan", "tom brown")}
    assert cut < 60 or found


def test_a_reply_that_cannot_be_read_is_asked_for_once_more(batch: CastBatch) -> None:
    good = json.dumps({"members": [{"names": ["Anna", "Anna Grey"], "extract": 1}], "contrasts": [], "open": []})
    llm = ScriptedLLM({"could not be read": good, "": "I cannot say."})
    found = ask(batch, llm, timeout=1.0, cancelled=lambda: False)
    assert members(found) == {("anna", "anna grey")}
    with pytest.raises(LLMResponseError):
        ask(batch, ScriptedLLM({"": "I cannot say."}), timeout=1.0, cancelled=lambda: False)


def test_an_estimate_has_no_call_for_a_piece_and_five_for_a_novel() -> None:
    assert expected(1).calls == 0
    assert expected(40).calls == 1
    assert expected(10_000).calls == 5
