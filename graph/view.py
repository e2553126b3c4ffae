"""View: the part of a workspace that is visible."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from filigraph.graph.ids import content_id

DATE = "date"  # the metadata field with the date of a document


@dataclass(frozen=True, kw_only=True)
class View:
    """The visible part of a workspace: everything that meets all conditions. `View()` is the whole workspace."""

    sources: tuple[str, ...] = ()  # only these documents: names, folders, patterns; empty: all
    where: Mapping[str, str] = field(default_factory=dict)  # only documents with these metadata
    without: tuple[str, ...] = ()  # all but these documents
    until: tuple[str, ...] = ()  # "DOCUMENT:chapter 12": of this document nothing after that place
    within: tuple[str, ...] = ()  # "DOCUMENT:chapter 1-10": only these parts of documents; empty: all
    as_of: str = ""  # an ISO date: no later documents
    dated_by: str = DATE  # the metadata field with a document's date
    undated: Literal["in", "out"] = "in"  # documents without a date, if `as_of` is given
    without_decisions: tuple[str, ...] = ()  # ids of people's decisions that are ignored
    without_facts: tuple[str, ...] = ()  # ids of facts that are left out, whatever states them
    named: str = ""  # the stored view of this name, in place of all other fields
    limit: View | None = None  # the limit of its reader: the view is a part of it

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> View:
        """The view in JSON fields."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
        }
        return cls(**values)

    @property
    def narrowing(self) -> View:
        """The conditions within the limit."""
        return replace(self, limit=None) if self.limit else self

    @property
    def outer(self) -> View:
        """The view of everything that its reader may see."""
        return View(limit=self.limit)

    @property
    def leaves_out(self) -> bool:
        """Whether it leaves out documents, decisions or facts by name: then the answer is compared with the one
        before.
        """
        return bool(self.without or self.without_decisions or self.without_facts)

    def before(self) -> View:
        """The same without leaving out anything by name."""
        return replace(self, without=(), without_decisions=(), without_facts=())

    @property
    def key(self) -> str:
        """The same key for equal views."""
        return content_id("view", json.dumps(asdict(self), sort_keys=True, ensure_ascii=False))

    def __bool__(self) -> bool:
        """Whether it may leave out anything."""
        documents = self.sources or self.where or self.without or self.until or self.within or self.as_of
        return bool(documents or self.without_decisions or self.without_facts or self.named or self.limit)

    def fields(self) -> dict[str, Any]:
        """The fields that differ from `View()`, without the reader's limit."""
        usual = asdict(View())
        return {name: value for name, value in asdict(self.narrowing).items() if value != usual[name]}


ALL = View()
