from __future__ import annotations

import pytest

from filigraph.app.cli.terminal import options
from filigraph.app.routes import common
from filigraph.graph.errors import InputError


@pytest.mark.parametrize(
    "given", ["author=A=B", "date>=1912-03-01", "date<=1912", "date>1911", "date<1913", "a=<b>", "a="]
)
def test_the_server_and_the_command_line_read_conditions_alike(given: str) -> None:
    assert common.conditions([given]) == options.conditions([given])


def test_a_range_keeps_its_bound() -> None:
    assert common.conditions(["date>=1912-03-01", "box=7"]) == {"date>=": "1912-03-01", "box": "7"}


@pytest.mark.parametrize("wrong", ["date", "=1912", ""])
def test_what_is_no_condition_is_refused(wrong: str) -> None:
    with pytest.raises(InputError):
        common.conditions([wrong])
