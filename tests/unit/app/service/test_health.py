"""What a server reports before it is ready, and after it loses something that it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from filigraph.app.lazy import Lazy
from filigraph.app.runtime import Runtime
from filigraph.app.service.service import Service
from filigraph.app.settings import Settings


class Store:
    """Stands for a store that is connected, or lost."""

    def __init__(self, *, alive: bool) -> None:
        self.alive = alive

    def answers(self) -> bool:
        return self.alive

    def close(self) -> None:
        """Nothing to close."""


def built(value: object) -> Any:
    lazy = Lazy(lambda: value)
    lazy()
    return lazy


def test_a_server_is_never_not_ready_without_a_word_why(tmp_path: Path) -> None:
    runtime = Runtime(Settings(FILIGRAPH_HOME=str(tmp_path), NEO4J_URI="bolt://127.0.0.1:1"), lambda: None)  # type: ignore[call-arg,arg-type,return-value]
    service = Service(runtime)
    assert not service.health().ready and "Neo4j" in service.health().starting
    runtime.store = built(Store(alive=True))
    assert not service.health().ready and "embedder" in service.health().starting
    runtime.embedder = built(None)
    assert not service.health().ready
    runtime.embedder = built(object())
    assert service.health().ready and not service.health().starting
    runtime.forget_store()  # as after a transaction that Neo4j refused
    assert service.health().ready, "it answers: it is neither lost nor connected to anew"
    runtime.store = built(Store(alive=False))
    runtime.forget_store()
    assert not service.health().ready and "Neo4j" in service.health().starting
