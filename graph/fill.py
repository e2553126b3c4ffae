"""Fill a form, top to bottom: batches of fields -> one retrieval -> one call -> check -> store.

Fields of one group are asked in batches. A field is asked again only if its nearest passages or the model changed since
its last answer; so a second run asks nothing, and an interrupted one continues. A person's values remain. If the reply
to a batch is unusable, its fields are asked one by one. Without an LLM, the facts propose values.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from filigraph.graph import ids
from filigraph.graph.ask.generation.compose import compose
from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.reader import AskGraph
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.errors import LLMResponseError
from filigraph.graph.forms import llm as form_llm
from filigraph.graph.forms.check import check_reply
from filigraph.graph.forms.plan import MAX_FIELDS_PER_CALL, Batch, batches
from filigraph.graph.forms.propose import RECIPE, propose
from filigraph.graph.model.answers import Composed
from filigraph.graph.model.forms import FieldValue, Form, FormField
from filigraph.graph.model.names import Occurrence
from filigraph.graph.model.retrieval import Evidence, Retrieved
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import LLM, estimate_tokens
from filigraph.graph.process.cancel import ShouldStop, stop_if

KEEP = 16  # passages of a batch
BUDGET = 5400  # tokens of evidence in a prompt: with fields and reply it stays below 8,192
PASSAGES_SHARE = 0.85  # share of it for passages; paths have the rest
HEADER = 50  # tokens around a passage
NEAREST = 5  # passages of a field by meaning, which no other passage changes: it is asked again if they changed


class FillGraph(AskGraph, Protocol):
    """A workspace whose forms are filled."""

    def field_values(self, form: str, about: str) -> Mapping[str, FieldValue]: ...
    def write_field_values(self, values: Sequence[FieldValue]) -> None: ...
    def finish_fill(self, form: str, about: str, fields: Sequence[str]) -> None: ...
    def named_places(self, chunk_ids: Sequence[str]) -> Sequence[tuple[str, int, int]]: ...


@dataclass(kw_only=True)
class FillReport:
    """The result of a run, filled in as it proceeds."""

    fields: int = 0  # of the form
    kept: int = 0  # fields whose passages have not changed, or that a person filled
    found: int = 0
    not_found: int = 0
    proposed: int = 0
    passages: int = 0  # fields without a value, but with the passages nearest to the question
    single: int = 0  # fields asked again by themselves
    usage: Usage = dataclasses.field(default_factory=Usage)


@dataclass(frozen=True, kw_only=True)
class FillEstimate:
    fields: int
    kept: int
    usage: Usage


@dataclass(frozen=True, kw_only=True)
class Filler:
    """Fills the forms of a workspace; `llm` is None without one."""

    graph: FillGraph
    embedder: Embedder
    reranker: Scorer | None = None
    llm: LLM | None = None
    timeout: float = 300.0
    cancelled: ShouldStop = field(default=lambda: False)

    @property
    def recipe(self) -> str:
        return form_llm.recipe(self.llm) if self.llm else RECIPE


def fill(form: Form, about: str, filler: Filler, *, size: int = MAX_FIELDS_PER_CALL) -> FillReport:
    """Fill the fields of a form, or bring them up to date. `form` already contains its subject (`forms.form.about`).
    Raises Cancelled, and what the LLM raises; values filled until then are kept for the next run.
    """
    report = FillReport()
    for batch in batches(form, size=size):
        fill_batch(batch, form.name, about, filler, report)
    return report


def fill_batch(batch: Batch, form: str, about: str, filler: Filler, report: FillReport) -> None:
    """Fill the fields of a batch that are not up to date, and store them."""
    stop_if(filler.cancelled)
    stored = filler.graph.field_values(form, about)
    report.fields += len(batch.fields)
    wanted = _without_a_persons(batch, stored)
    if filler.llm is None:
        values = [_propose_value(one, form, about, stored.get(one.id), filler) for one in wanted.fields]
    else:
        values = _fill_batch(wanted, batch, form, about, stored, filler, report) if wanted.fields else []
    new = [value for value in values if value != stored.get(value.field)]
    report.kept += len(batch.fields) - len(new)
    for value in new:
        setattr(report, value.state, getattr(report, value.state) + 1)
    filler.graph.write_field_values(new)
    report.usage = filler.llm.usage if filler.llm else Usage()


def estimate_fill(form: Form, about: str, filler: Filler) -> FillEstimate:
    """Estimate what `fill` would ask, without asking or writing anything."""
    stored = filler.graph.field_values(form.name, about)
    usage, stored_count = Usage(), 0
    for batch in batches(form):
        stop_if(filler.cancelled)
        wanted = _without_a_persons(batch, stored)
        stored_count += len(batch.fields) - len(wanted.fields)
        if filler.llm is None or not wanted.fields:
            continue
        outdated, _ = _outdated(wanted, stored, filler)
        stored_count += len(wanted.fields) - len(outdated)
        composed = _evidence(batch, filler) if outdated else None
        if composed and composed.context:
            usage += form_llm.expected_usage(outdated, composed.context)
    return FillEstimate(fields=len(form.fields), kept=stored_count, usage=usage)


# --------------------------------------------------------------------------------------------------------------------
# With an LLM


def _fill_batch(
    wanted: Batch,
    batch: Batch,
    form: str,
    about: str,
    stored: Mapping[str, FieldValue],
    filler: Filler,
    report: FillReport,
) -> list[FieldValue]:
    """The values of the wanted fields of a batch whose passages have changed. The search includes fields that a person
    filled, so that the others keep their passages.
    """
    assert filler.llm is not None
    fields, keys = _outdated(wanted, stored, filler)
    if not fields:
        return []
    composed = _evidence(batch, filler)
    replies = _replies(fields, composed, filler, report) if composed.context else {}
    named = [Occurrence(chunk_id=id_, start=start, end=end) for id_, start, end in _named_places(composed, filler)]
    values = []
    for one in fields:
        checked = check_reply(one, replies.get(one.id, form_llm.FieldReply()), composed.cited, named)
        values.append(
            FieldValue(
                form=form,
                about=about,
                field=one.id,
                state="found" if checked.values else "not_found",
                values=checked.values,
                normalized=checked.normalized,
                note=checked.note,
                key=keys[one.id],
                recipe=filler.recipe,
                evidence=checked.evidence,
            )
        )
    return values


def _evidence(batch: Batch, filler: Filler) -> Composed:
    """The passages for the combined questions of a batch, numbered. Questions that need reasoning use the
    cross-encoder, if there is one.
    """
    settings = AskSettings(keep=KEEP, profile="detail", rerank=batch.needs_reasoning)
    retrieved = retrieve(
        batch.question,
        graph=filler.graph,
        embedder=filler.embedder,
        reranker=filler.reranker,
        settings=settings,
        cancelled=filler.cancelled,
    )
    return compose(
        dataclasses.replace(retrieved, evidence=_passages_that_fit(retrieved.evidence)), budget_tokens=BUDGET
    )


def _passages_that_fit(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The best passages that have room beside the paths without a cut: cutting a passage that answers several fields
    would keep only the sentences near to one of them.
    """
    shown, left = [], int(PASSAGES_SHARE * BUDGET)
    for extract in evidence:
        if (needed := estimate_tokens(extract.text) + HEADER) <= left:
            shown.append(extract)
            left -= needed
    return tuple(shown or evidence[:1])


def _outdated(
    batch: Batch, stored: Mapping[str, FieldValue], filler: Filler
) -> tuple[tuple[FormField, ...], dict[str, str]]:
    """The fields without a value, or whose nearest passages, prompt or model changed; and the key of each. A new
    passage for one field of a batch does not affect the others.
    """
    keys = {one.id: _field_key(one, filler) for one in batch.fields}
    known = {id_: value.key for id_, value in stored.items()}
    return tuple(one for one in batch.fields if known.get(one.id) != keys[one.id]), keys


def _field_key(one: FormField, filler: Filler) -> str:
    """The hash of what a field's value depends on: the field, the model, and its passages in any order. Deleting a
    passage deletes the values that rest on it, so only passages that may add something count here."""
    stop_if(filler.cancelled)
    parts = (one.question, one.type, one.help, *one.values)
    extracts = [extract for extract in _found_alone(one, filler).evidence if extract.kind == "chunk"]
    near = sorted(extracts, key=lambda extract: (-(extract.cosine or 0.0), extract.title, extract.text))[:NEAREST]
    passages = sorted(ids.content_id("passage", extract.title, extract.text) for extract in near)
    return ids.content_id("field", filler.recipe, *parts, "", *passages)


def _named_places(composed: Composed, filler: Filler) -> Sequence[tuple[str, int, int]]:
    return filler.graph.named_places([extract.id for extract in composed.cited])


def _replies(
    fields: Sequence[FormField], composed: Composed, filler: Filler, report: FillReport
) -> dict[str, form_llm.FieldReply]:
    """The LLM's replies for fields: one call for all, then one call for each field that it skipped."""
    replies = _call(fields, composed, filler)
    for one in fields:
        if len(fields) > 1 and one.id not in replies:
            report.single += 1
            replies |= _call([one], composed, filler)
    return replies


def _call(fields: Sequence[FormField], composed: Composed, filler: Filler) -> dict[str, form_llm.FieldReply]:
    assert filler.llm is not None
    stop_if(filler.cancelled)
    try:
        return form_llm.ask_fields(
            fields, composed.context, filler.llm, timeout=filler.timeout, cancelled=filler.cancelled
        )
    except LLMResponseError:
        return {}


# --------------------------------------------------------------------------------------------------------------------
# Without one


def _propose_value(one: FormField, form: str, about: str, before: FieldValue | None, filler: Filler) -> FieldValue:
    """A proposal for a field from the facts, with its own retrieval and no LLM call."""
    stop_if(filler.cancelled)
    retrieved = _found_alone(one, filler)
    proposal = propose(one, retrieved, filler.graph.entities_of_types)
    value = FieldValue(
        form=form,
        about=about,
        field=one.id,
        state="proposed" if proposal.value else "passages" if proposal.evidence else "not_found",
        values=(proposal.value,) if proposal.value else (),
        key=ids.content_id("field", RECIPE, one.question, one.type),
        recipe=RECIPE,
        evidence=proposal.evidence,
    )
    if before and before.state == "found":  # an LLM's value is better than a proposal
        return before
    return value


def _found_alone(one: FormField, filler: Filler) -> Retrieved:
    settings = AskSettings(keep=KEEP, profile="detail", rerank=False)
    return retrieve(
        one.question,
        graph=filler.graph,
        embedder=filler.embedder,
        settings=settings,
        cancelled=filler.cancelled,
    )


def _without_a_persons(batch: Batch, stored: Mapping[str, FieldValue]) -> Batch:
    """The batch without the fields that a person filled."""
    persons = {id_ for id_, value in stored.items() if value.corrected is not None}
    return dataclasses.replace(batch, fields=tuple(one for one in batch.fields if one.id not in persons))
