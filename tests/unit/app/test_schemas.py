"""The Python client's schemas repeat some of the models, which it does not import; both are the same."""

from __future__ import annotations

from typing import get_args

from filigraph.app.schemas.embedding import Task
from filigraph.graph.models.embed import PASSAGE_TASKS, QUERY_TASKS


def test_the_tasks_of_a_text_are_those_that_models_name() -> None:
    assert sorted(get_args(Task)) == sorted([*QUERY_TASKS, *PASSAGE_TASKS])
