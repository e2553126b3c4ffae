"""Responses of the route of lists."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In
from filigraph.app.schemas.questions import AskedViewIn
from filigraph.graph.analysis.list_items import ListItem
from filigraph.graph.text.numbers.quantities import Quantity

if TYPE_CHECKING:
    from filigraph.graph.analysis.list_items import ItemList
    from filigraph.graph.text.list_questions import ListQuestion

ListOrder = Literal["document", "date", "amount", "score"]


@dataclass(frozen=True, kw_only=True)
class ListItemOut(ListItem):
    """An item of the list, with the sentence or row that states it."""

    amount: Annotated[
        Quantity | None,
        Field(description="The one to show: of the unit asked, else money, within the limits, else the first."),
    ] = None


class ListConditionsOut(BaseModel):
    """How the words were understood."""

    about: Annotated[str, Field(description="The listed things, without the conditions.")]
    least: Annotated[float | None, Field(description="The lower limit of an amount.")]
    most: Annotated[float | None, Field(description="The upper limit.")]
    unit: Annotated[str, Field(description="The unit of the limits; empty without limits.")]
    period: Annotated[str, Field(description="The requested days, as first..last; empty for any.")]


class SumOut(BaseModel):
    """A sum."""

    unit: Annotated[str, Field(description="The common unit of the amounts.")]
    value: Annotated[float, Field(description="Their sum.")]


class ListItemsOut(BaseModel):
    """A list, and what it was made of. It may be incomplete, and may contain items that do not belong."""

    total: Annotated[int, Field(description="Number of items.")]
    passages: Annotated[int, Field(description="Number of passages that were searched.")]
    of_passages: Annotated[int, Field(description="Number of passages in total.")]
    read: Annotated[int, Field(description="Number of passages that an LLM read; in these only its items count.")]
    models: Annotated[list[str], Field(description="The LLMs that read.")]
    calls: Annotated[int, Field(description="Number of answered calls.")]
    of_calls: Annotated[int, Field(description="Number of calls for all searched passages; 0 if there was none.")]
    left_out: Annotated[
        int,
        Field(description="Number of the LLM's items left out: not in their passage, or outside the conditions."),
    ]
    sums: Annotated[
        list[SumOut], Field(description="The sum, if every item has one amount and all have the same unit.")
    ]
    understood: Annotated[ListConditionsOut, Field(description="How the request was understood.")]
    items: Annotated[list[ListItemOut], Field(description="The requested items.")]

    @classmethod
    def of(
        cls, question: ListQuestion, item_list: ItemList, *, order: ListOrder, first: int, count: int
    ) -> ListItemsOut:
        rows = [_with_amount(item, question) for item in item_list.items]
        rows.sort(key=lambda row: _key(row, order, question.unit))
        period = question.period
        understood = ListConditionsOut(
            about=question.about,
            least=_float(question.least),
            most=_float(question.most),
            unit=question.unit,
            period=str(period) if period else "",
        )
        sums = [SumOut(unit=unit, value=float(value)) for unit, value in item_list.sums.items()]
        shown = {"total": len(rows), "sums": sums, "understood": understood, "items": rows[first : first + count]}
        return cls.model_validate(vars(item_list) | shown)


class ReadListIn(In):
    """A list for which an LLM reads."""

    text: Annotated[str, Field(min_length=1, max_length=2000, description="What to list, or a question.")]
    view: Annotated[AskedViewIn | None, Field(description="As if only a part of the workspace had been read.")] = None
    budget: Annotated[int, Field(ge=0, le=100_000, description="Calls of the LLM; 0: no limit.")] = 0
    priority: Annotated[int, Field(ge=-100, le=100, description="The job with the highest priority runs first.")] = 0


def _float(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def _with_amount(item: ListItem, question: ListQuestion) -> ListItemOut:
    from filigraph.graph.text.numbers.quantity_units import same_unit

    def rank(one: Quantity) -> tuple[bool, bool, bool]:
        unit_asked = bool(question.unit) and same_unit(one.unit, question.unit)
        return not unit_asked, one.kind != "money", not question.holds(one.value)

    return ListItemOut(**vars(item), amount=min(item.quantities, key=rank, default=None))


def _key(row: ListItemOut, order: ListOrder, unit: str) -> tuple[bool, str, float]:
    """Items that are equal in this keep the order of their documents; those without a date or amount come last."""
    if order == "date":
        return not row.date, row.date, 0.0
    if order == "score":
        return False, "", -row.score
    if order == "amount":
        from filigraph.graph.text.numbers.quantity_units import same_unit

        amounts = [
            quantity.value
            for quantity in row.quantities
            if (unit and same_unit(quantity.unit, unit)) or (not unit and quantity.kind == "money")
        ]
        return not amounts, "", -float(max(amounts, default=0))
    return False, "", 0.0
