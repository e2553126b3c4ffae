"""The interface of a provider's batches: requests sent together, answered within a day, at a lower price.

Adapter: `adapters/openai_batches.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLMRequest

# running: replies come; ended: all replies are there; cancelled: as ended, because somebody cancelled it; refused: the
# provider took none of it
BatchState = Literal["running", "ended", "cancelled", "refused"]


@dataclass(frozen=True, kw_only=True)
class ProviderBatch:
    id: str
    state: BatchState
    back: int = 0  # requests that are answered, or have failed
    files: tuple[str, ...] = ()  # of the provider, with replies and failures
    why: str = ""  # reason of a refusal
    queue_full: bool = False  # it was refused because the provider's queue is full


@dataclass(frozen=True, kw_only=True)
class BatchReply:
    """The result of one request."""

    id: str  # of the request
    text: str = ""
    error: str = ""  # why there is no text
    hints: frozenset[str] = frozenset()  # for `line`: changes with which the request does not fail again
    usage: Usage = field(default_factory=Usage)


class BatchServer(Protocol):
    """A provider. Every method raises LLMUnavailable, LLMDown if it does not answer for now, and Cancelled."""

    @property
    def model(self) -> str: ...

    def check(self) -> None:
        """Raises InputError if the server has no batches."""
        ...

    def line(self, request_id: str, request: LLMRequest, hints: Collection[str]) -> bytes:
        """A request as a line of a batch's file."""
        ...

    def upload(self, tag: str, file: Path) -> str:
        """Send a file of lines; returns the provider's id of it."""
        ...

    def create(self, tag: str, file_id: str) -> ProviderBatch:
        """Create a batch from a file. It does not retry: after an error `find` says whether there is a batch."""
        ...

    def find(self, tag: str, file_id: str) -> ProviderBatch | None:
        """The batch that was created under a tag or of a file, if there is one."""
        ...

    def poll(self, batch_id: str) -> ProviderBatch | None:
        """The state of a batch; None if the provider does not know it any more."""
        ...

    def cancel(self, batch_id: str) -> None:
        """Cancel a batch; its replies so far remain available. A batch that has ended does not change."""
        ...

    def replies(self, batch: ProviderBatch) -> Iterator[BatchReply]:
        """The results, in any order. Unreadable lines are left out."""
        ...

    def delete_file(self, file_id: str) -> None: ...
