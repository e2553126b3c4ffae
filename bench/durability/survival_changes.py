"""Is an interrupted change completed by a second request? A server is killed at every commit of a change.

python -m bench.durability.survival_changes [--change update|import|reembed|merge|workspace] [--share 1/4]

The changes are to the demo's case file, already read: a document is updated; the whole is imported under a free name;
its vectors are swapped for another embedder's; a person joins two names; the workspace is deleted. Every writing
transaction of the change, and every index that is made or dropped, is a failpoint, as in `bench.durability.survival`:
SIGKILL ends the server right before it. The server is started again and gets the request once more, as from a client
without an answer. Then the hash of the workspace's export is compared with that of an undisturbed change; after a
deletion the export must be empty.
"""

from __future__ import annotations

import argparse
import io
import signal
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from bench.common import machine, save
from bench.durability.survival import WORKSPACE, Rig, Row, Running, at_each, failpoints, own_home
from bench.durability.survival_server import Failpoint
from filigraph.graph import ids
from filigraph.graph.records.entities import EntityRow
from filigraph.graph.transfer.export_workspace import export_to
from tests.making import case_file

Change = Literal["update", "import", "reembed", "merge", "workspace"]
CHANGES: tuple[Change, ...] = ("update", "import", "reembed", "merge", "workspace")
GONE = "gone"


@dataclass(frozen=True, kw_only=True)
class Changed:
    """The result of a change."""

    left: str  # the hash of the export; GONE if nothing is left
    killed: bool
    passed: tuple[str, ...]  # the transactions of the last server


class ChangingRig(Rig):
    """Changes that are killed."""

    def change(self, change: Change, failpoint: Failpoint | None = None) -> Changed:
        """A whole change of a fresh workspace, its server killed at a failpoint."""
        self.clear()
        self.fill()
        exported = self._exported()
        names = sorted({row.name for row in self._entities()})[:2]  # once: after the first try they are one
        if change == "import":
            self.clear()
        place = replace(self.place, times=2 if change == "reembed" else 1)
        first = server = Running(place, failpoint)
        try:
            if not self._ask(server, change, exported, names):
                server = Running(place)
                if not self._ask(server, change, exported, names):
                    raise RuntimeError(f"{change}: the server ended again")
        finally:
            for running in (first, server):
                running.stop()
        return Changed(
            left=self._left(),
            killed=first.process.exitcode == -signal.SIGKILL,
            passed=tuple(self.place.passed.read_text().split()),
        )

    def _ask(self, server: Running, change: Change, exported: bytes, names: Sequence[str]) -> bool:
        """Request a change; returns whether there was an answer."""
        here = f"/workspaces/{WORKSPACE}"
        if change == "update":
            source = case_file()[0]
            file = {"file": ("x", io.BytesIO(source.content + b"\n\nMathilde met Brun in Lyon."))}
            document = ids.document_id(WORKSPACE, source.name)
            reply = server.ask("PUT", f"{here}/documents/{document}", files=file, data={"extractor": "llm"})
        elif change == "import":
            reply = server.ask("POST", f"{here}/import", files={"file": ("x", io.BytesIO(exported))})
            if reply and reply.get("error", {}).get("cause", "").endswith("is not empty."):
                return True  # it was complete, only the answer was lost
        elif change == "reembed":
            reply = server.ask("POST", f"{here}/reembed", json={"embedder": ""})
        elif change == "merge":
            first, second = names
            same = {"kind": "same", "about": first, "other": second}
            reply = server.ask("POST", f"{here}/corrections", json={"corrections": [same]})
        else:
            reply = server.ask("DELETE", here, params={"confirm": WORKSPACE}, none=404)
            return reply is not None or server.process.is_alive()
        if reply and "error" in reply:
            raise RuntimeError(f"{change}: {reply['error']}")
        return reply is not None

    def _entities(self) -> list[EntityRow]:
        with self.store() as store:
            return list(store.graph(WORKSPACE).entity_rows().values())

    def _exported(self) -> bytes:
        file = io.BytesIO()
        with self.store() as store:
            export_to(file.write, store.graph(WORKSPACE))
        return file.getvalue()

    def _left(self) -> str:
        with self.store() as store:
            if store.database.rows("workspace_record", name=WORKSPACE):
                return export_to(lambda _: None, store.graph(WORKSPACE)).sha256
        return GONE


def main() -> None:
    """Kill, start again, ask again, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--change", choices=CHANGES, action="append")
    parser.add_argument("--share", default="1/1")
    options = parser.parse_args()
    first, count = (int(number) for number in options.share.split("/"))
    result: dict[str, Any] = {}
    with own_home() as home, ChangingRig(home) as rig:
        rig.place.neo4j()
        for change in options.change or CHANGES:
            result[change] = _measure(rig, change, first, count)
    save("survival_changes", {"machine": machine(), **result})


def _measure(rig: ChangingRig, change: Change, first: int, count: int) -> dict[str, Any]:
    expected = rig.change(change)

    def killed(place: Failpoint) -> Row:
        outcome = rig.change(change, place)
        return {"killed": outcome.killed, "same": outcome.left == expected.left}

    rows = at_each(change, failpoints(expected.passed)[first - 1 :: count], killed)
    summary = {"runs": len(rows), **{what: sum(row[what] for row in rows.values()) for what in ("killed", "same")}}
    return {"undisturbed": asdict(expected) | {"passed": len(expected.passed)}, "summary": summary, "at": rows}


if __name__ == "__main__":
    main()
