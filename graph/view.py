"""View: which part of what was read is visible."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from filigraph.graph.ids import content_id

DATE = "date"  # the metadata field that says when a document is from


@dataclass(frozen=True, kw_only=True)
class View:
    """The visible part of a workspace: whatever meets all conditions. `View()` is the whole workspace."""

    sources: tuple[str, ...] = ()  # these documents alone: names, folders, patterns; all where there are none
    where: Mapping[str, str] = field(default_factory=dict)  # those alone whose metadata say so
    without: tuple[str, ...] = ()  # all but these documents
    until: tuple[str, ...] = ()  # "DOCUMENT:chapter 12": of this document nothing behind that place
    within: tuple[str, ...] = ()  # "DOCUMENT:chapter 1-10": these parts of documents alone; all where there are none
    as_of: str = ""  # an ISO date: no document that is later
    dated_by: str = DATE  # the metadata field that has a document's date
    undated: Literal["in", "out"] = "in"  # documents without a date, where `as_of` is given
    without_decisions: tuple[str, ...] = ()  # ids of decisions of persons that do not hold
    without_facts: tuple[str, ...] = ()  # ids of facts that are not known, whatever says them
    named: str = ""  # the view that the workspace keeps under this name, which stands for all the rest
    limit: View | None = None  # what its reader may see: all that is said here is a part of that

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> View:
        """The view that JSON fields say."""
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
        """Whether it leaves out documents, decisions or facts by name: the answer is compared with that before."""
        return bool(self.without or self.without_decisions or self.without_facts)

    def before(self) -> View:
        """The same with what it leaves out by name."""
        return replace(self, without=(), without_decisions=(), without_facts=())

    @property
    def key(self) -> str:
        """The same for views that say the same."""
        return content_id("view", json.dumps(asdict(self), sort_keys=True, ensure_ascii=False))

    def __bool__(self) -> bool:
        """Whether anything may be left out."""
        documents = self.sources or self.where or self.without or self.until or self.within or self.as_of
        return bool(documents or self.without_decisions or self.without_facts or self.named or self.limit)

    def fields(self) -> dict[str, Any]:
        """The fields that differ from `View()`, without the reader's limit."""
        usual = asdict(View())
        return {name: value for name, value in asdict(self.narrowing).items() if value != usual[name]}


ALL = View()
