"""Decided: which mentions are the same, by persons (kept) and by rules (replaced whenever they are derived anew)."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.ids import alias_group_id
from filigraph.graph.model import AliasGroup, Decision
from filigraph.graph.store.bound import Bound, written
from filigraph.graph.store.database import Row, Run

SAME, NOT_SAME = "SAME_AS", "NOT_SAME_AS"


class DecidePart(Bound):
    """Decisions are relationships between mentions: SAME_AS or NOT_SAME_AS {rule, score, by}.

    Near misses are kept as NOT_SAME_AS with `review`: true, apart from the vetoes of rules.
    """

    def person_decisions(self) -> list[Decision]:
        """What persons decided, by mention ids."""
        return [Decision(**row) for row in self._rows("person_decisions")]

    def add_person_decision(self, decision: Decision) -> None:
        """Note what a person decided; it replaces what was decided of the same two. Raises NotFound."""
        first, second = sorted((decision.first, decision.second))
        if first == second:
            raise InputError("A mention is the same as itself: there is nothing to decide.")
        type_ = SAME if decision.same else NOT_SAME
        self._change("undecided")
        made = {"first": first, "second": second, "type": type_, "rule": decision.rule, "score": decision.score}
        if not self._change("add_person_decision", **made):
            raise NotFound(f"There is no mention {first}, or no mention {second}.")

    def alias_groups(self) -> list[AliasGroup]:
        """The names that persons say are one."""
        rows = self._rows("alias_groups")
        return [AliasGroup(names=tuple(row["names"]), document_id=row["document_id"]) for row in rows]

    def add_alias_groups(self, groups: Sequence[AliasGroup]) -> None:
        """Note names that a person says are one; a group that is there already is left as it is."""
        rows = [
            {
                "id": alias_group_id(self._name, group.document_id, group.names),
                "names": list(dict.fromkeys(group.names)),
                "document_id": group.document_id,
            }
            for group in groups
        ]
        self._change("undecided")
        self._database.write_batches(
            rows, lambda run, batch: written(run, "add_alias_groups", batch, workspace=self._name)
        )

    def write_rule_decisions(self, decisions: Sequence[Decision]) -> None:
        """What rules decided, accepted or vetoed, is exactly this."""
        self._replace(decisions, review=False)

    def near_misses(self, limit: int) -> list[Decision]:
        """The pairs that rules nearly took for the same, nearest first."""
        rows = self._rows("rule_decisions", review=True)[:limit]
        return [
            Decision(
                first=row["first"], second=row["second"], same=False, rule=row["rule"], score=row["score"], by="rule"
            )
            for row in rows
        ]

    def write_near_misses(self, decisions: Sequence[Decision]) -> None:
        """The near misses are exactly these."""
        self._replace(decisions, review=True)

    def _replace(self, decisions: Sequence[Decision], *, review: bool) -> None:
        wanted = {_identity(row): row for row in map(_decision_row, decisions)}
        present = {_identity(row): row for row in self._rows("rule_decisions", review=review)}
        gone = [{"id": row["first"], **row} for key, row in present.items() if key not in wanted]
        new = [row for key, row in wanted.items() if key not in present]

        def remove(run: Run, batch: list[Row]) -> None:
            run("remove_rule_decisions", workspace=self._name, review=review, rows=batch)

        self._database.write_batches(gone, remove)
        self._database.write_batches(
            new,
            lambda run, batch: written(run, "write_rule_decisions", batch, workspace=self._name, review=review),
        )


def _decision_row(decision: Decision) -> Row:
    return {
        "id": f"{decision.first} and {decision.second}",
        "first": decision.first,
        "second": decision.second,
        "type": SAME if decision.same else NOT_SAME,
        "rule": decision.rule,
        "score": float(decision.score),
    }


def _identity(row: Row) -> tuple[str, str, str, str, float]:
    return (row["first"], row["second"], row["type"], row["rule"], row["score"])
