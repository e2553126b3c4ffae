"""Labels and relationship types from models and texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.store.neo4j.labels import MAX_LABEL_CHARS, safe_label, safe_token


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("porte", "PORTE"),
        ("est l'emblème de", "EST_L_EMBLÈME_DE"),
        ("e\u0301crit", "ÉCRIT"),
        ("was born in", "WAS_BORN_IN"),
        ("  --is a--  ", "IS_A"),
        ("a__b", "A_B"),
        ("родился в", "РОДИЛСЯ_В"),
        ("出生于", "出生于"),
        ("में जन्मा", "में_जन्मा"),
        ("straße", "STRASSE"),
        ("n° 3", "N_3"),
        ("ﬁnds", "FINDS"),
        ("mentioned with", "MENTIONED_WITH"),
        ("a" * 100, "A" * MAX_LABEL_CHARS),
        (f"{'a' * 39} b", "A" * 39),
        ("x`) DETACH DELETE (n", "X_DETACH_DELETE_N"),
        ("a\u202eb\x00c\nd", "A_B_C_D"),
        ("", ""),
        ("!?", ""),
        ("💥", ""),
        ("\u0301", ""),
    ],
)
def test_a_token(text: str, token: str) -> None:
    assert safe_token(text) == token


OURS = (
    "Chunk __Entity__ entity Fact Mention FROM_CHUNK from-chunk FromChunk SAME_AS subject Decision decision Extraction "
    "Turn WorkspaceLock JobItem job-part EvaluationRun AuditEntry AccessKey Speed TokensSpent read_as NAMES_TITLE "
    "HAS_PART"
)


@pytest.mark.parametrize(
    "text", [*OURS.split(), "W_0123456789abcdef_C", "w 0123", "ｗ_abc", "`W_abc`", "_W_abc", "refers to", "Related To"]
)
def test_our_own_names_are_refused(text: str) -> None:
    assert safe_token(text) == ""
    assert safe_label(text) == ""


@pytest.mark.parametrize(
    ("text", "label"),
    [("person", "Person"), ("PERSON", "Person"), ("société secrète", "SociétéSecrète"), ("人物", "人物"), ("", "")],
)
def test_a_label(text: str, label: str) -> None:
    assert safe_label(text) == label


@given(st.text(max_size=80))
def test_any_text_gives_a_safe_token(text: str) -> None:
    token = safe_token(text)
    assert len(token) <= MAX_LABEL_CHARS
    assert not token.startswith("W_")
    assert safe_token(token) == token
    assert all(character == "_" or not character.isspace() for character in token)
    assert not set(token) & set("`'\"{}()[]:;\\/$\n")


@given(st.text(max_size=80))
def test_any_text_gives_a_safe_label(text: str) -> None:
    label = safe_label(text)
    assert "_" not in label
    assert bool(label) == bool(safe_token(text))
