"""Filigraph: a server that answers questions about documents and shows the path it walked.

    from filigraph import Filigraph

    with Filigraph("http://127.0.0.1:8484") as filigraph:
        print(filigraph.workspace("case").ask("Pourquoi se méfier de Jules ?").text)

The client imports neither the models nor the server. `docs/clients.md` has more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from filigraph.app.client.filigraph import Filigraph
    from filigraph.graph.errors import FiligraphError

__all__ = ["Filigraph", "FiligraphError"]


def __getattr__(name: str) -> Any:
    """Imported when it is asked for: the rooms below are imported through this package, and need none of it."""
    if name == "Filigraph":
        from filigraph.app.client.filigraph import Filigraph

        return Filigraph
    if name == "FiligraphError":
        from filigraph.graph.errors import FiligraphError

        return FiligraphError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
