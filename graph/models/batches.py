"""The seam to a provider's batches: requests handed over together, answered within a day, at a lower price.

Adapter: `adapters/openai_batches.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from filigraph.graph.models.llm import LLMRequest, Usage

# running: replies come; ended: all replies are there; cancelled: as ended, because somebody cancelled it; refused: the
# provider took none of it
BatchState = Literal["running", "ended", "cancelled", "refused"]


@dataclass(frozen=True, kw_only=True)
class ProviderBatch:
    """A batch, as the provider reports it."""

    id: str
    state: BatchState
    back: int = 0  # requests that are answered, or have failed
    files: tuple[str, ...] = ()  # of the provider, with replies and failures
    why: str = ""  # it was refused
    queue_full: bool = False  # it was refused because too much waits at the provider already


@dataclass(frozen=True, kw_only=True)
class BatchReply:
    """What came back for one request."""

    id: str  # of the request
    text: str = ""
    error: str = ""  # why there is no text
    hints: frozenset[str] = frozenset()  # how to ask so that it does not fail again: for `line`
    usage: Usage = field(default_factory=Usage)


class BatchServer(Protocol):
    """A provider. Every method raises LLMUnavailable, LLMDown where it does not answer for now, and Cancelled."""

    @property
    def model(self) -> str: ...

    def check(self) -> None:
        """Raises InputError where the server has no batches."""
        ...

    def line(self, request_id: str, request: LLMRequest, hints: Collection[str]) -> bytes:
        """A request as a line of a batch's file."""
        ...

    def upload(self, tag: str, file: Path) -> str:
        """Send a file of lines; the provider's id of it."""
        ...

    def create(self, tag: str, file_id: str) -> ProviderBatch:
        """Have the requests of a file answered. Not tried again by itself: after an error `find` says whether there is
        a batch."""
        ...

    def find(self, tag: str, file_id: str) -> ProviderBatch | None:
        """The batch that was created under a tag or of a file, if there is one."""
        ...

    def look(self, batch_id: str) -> ProviderBatch | None:
        """How far a batch is; None where the provider does not know it any more."""
        ...

    def cancel(self, batch_id: str) -> None:
        """Have a batch cancelled; what it has answered by then can still be had. One that has ended stays as it is."""
        ...

    def replies(self, batch: ProviderBatch) -> Iterator[BatchReply]:
        """What came back, in any order. A line that cannot be read is left out."""
        ...

    def delete_file(self, file_id: str) -> None: ...
