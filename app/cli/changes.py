"""What an ingest changed, below its report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from filigraph.app.cli.show.views import show_comparison
from filigraph.app.cli.terminal.session import path, say
from filigraph.graph.errors import InputError, NotFound

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

LARGEST = 2_000  # chunks of a workspace whose changes are derived at once, in a few seconds
MOST_DOCUMENTS = 100  # new or changed
SHOWN = 5  # of each kind


def show_changes(client: Client, workspace: str, report: Mapping[str, Sequence[str]]) -> None:
    """How the graph and earlier answers differ from those without the new and changed documents; nothing if there were
    no others."""
    came = [*report["added"], *report["updated"]]
    if not came:
        return
    try:
        stats = client.get(path(workspace, "stats"))["stats"]
        if stats["documents"] <= len(came):
            return
        if stats["chunks"] > LARGEST or len(came) > MOST_DOCUMENTS:
            say("`filigraph news` shows what this changed.")
            return
        before = json.dumps({"without": came})
        show_comparison(client.get(path(workspace, "views", "diff"), before=before, count=SHOWN))
    except (InputError, NotFound):  # a document, or all of them, was deleted meanwhile
        return
