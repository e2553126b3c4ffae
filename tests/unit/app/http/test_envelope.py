"""What a refused request says."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from filigraph.app.http.envelope import validation_cause


def test_what_a_validator_says_has_no_prefix() -> None:
    assert validation_cause([{"loc": ("body", "rounds"), "msg": "Value error, too many."}]) == "rounds: too many."


class Body(BaseModel, extra="forbid"):
    """A request."""

    text: Annotated[str, Field(min_length=1, max_length=1000)] = "a"
    count: Annotated[int, Field(ge=1, le=20)] = 1
    names: Annotated[list[str], Field(max_length=2)] = []
    method: Literal["walk", "dense"] = "walk"
    llm: bool = False


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"text": "a" * 1001}, "text: it may have at most 1,000 characters."),
        ({"text": ""}, "text: it needs at least 1 character(s)."),
        ({"text": 3}, "text: it must be text."),
        ({"count": 21}, "count: it must be at most 20."),
        ({"count": "many"}, "count: it must be a whole number."),
        ({"names": ["a", "b", "c"]}, "names: it may have at most 2 entries."),
        ({"method": "magic"}, "method: it must be 'walk' or 'dense'."),
        ({"llm": "perhaps"}, "llm: it must be true or false."),
        ({"colour": 1}, "colour: there is no such field."),
    ],
)
def test_what_is_wrong_is_said_in_words(sent: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Body.model_validate(sent)
    assert validation_cause(raised.value.errors()) == said
