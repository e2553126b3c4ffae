"""Plan: batches of fields that are asked together, and their search queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from filigraph.graph.model.forms import Form, FormField
from filigraph.graph.text.question_words import needs_reasoning

MAX_FIELDS_PER_CALL = 5  # fields of one group in a call


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Fields that are asked together."""

    fields: tuple[FormField, ...]
    needs_reasoning: bool = False  # they ask why or how: the cross-encoder reranks the passages

    @property
    def question(self) -> str:
        """The search query: their questions, combined."""
        return " ".join(field.question for field in self.fields)


def batches(form: Form, *, size: int = MAX_FIELDS_PER_CALL, only: Sequence[str] | None = None) -> list[Batch]:
    """The fields of a form in batches of one group each, as few and as even as `size` allows; `only` some of them.
    Questions that need reasoning are not batched with plain ones."""
    fields = [field for field in form.fields if only is None or field.id in only]
    planned: list[Batch] = []
    for _, run in groupby(fields, key=lambda field: field.group):
        group = list(run)
        for weighing in (False, True):
            planned += _even_batches(
                [field for field in group if needs_reasoning(field.question) is weighing], size, weighing
            )
    return planned


def _even_batches(fields: Sequence[FormField], size: int, weighing: bool) -> list[Batch]:
    parts = -(-len(fields) // size)
    cuts = [len(fields) * part // parts for part in range(parts + 1)] if parts else []
    return [Batch(fields=tuple(fields[a:b]), needs_reasoning=weighing) for a, b in pairwise(cuts)]
