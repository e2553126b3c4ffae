"""Render evaluations: live progress, a table of figures, and a comparison of earlier runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from filigraph.app.cli.show.ingest import show_problems, stages
from filigraph.app.cli.terminal.console import Data, LiveProgress, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import one_line

if TYPE_CHECKING:
    from rich.console import Console

RECALLS = {"recall@2": "R@2", "recall@5": "R@5", "recall@10": "R@10"}
PRECISIONS = {"precision@2": "P@2", "precision@5": "P@5", "precision@10": "P@10"}
RANKS = {"r_precision": "R-prec", "mrr": "MRR", "all_gold@5": "all@5"}
TIMES = {"p50_ms": "p50 ms", "p95_ms": "p95 ms"}
TARGETS = {"recall@5": "R@5 > 80", "precision@5": "P@5 > 60", "mrr": "MRR > 70", "mean_ms": "mean < 100 ms"}
METHODS = ("bm25", "dense", "hybrid", "filigraph")
MARKS = {True: "✓ reached", False: "✗ missed"}
BY_TYPE = "recall@5"


class EvaluationProgress(LiveProgress):
    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._tasks = {"": self._bar.add_task("sending", total=None)}

    def take(self, event: Data) -> None:
        """Handle an event of the stream; each method has its own line."""
        if event["event"] == "waiting":
            self._bar.update(self._tasks[""], description=one_line(event["message"]))
        elif event["event"] == "progress":
            stage = str(event["stage"])
            if "" in self._tasks:
                self._bar.remove_task(self._tasks.pop(""))
            if stage not in self._tasks:
                label = "looking for the gold" if stage == "gold" else stage
                self._tasks[stage] = self._bar.add_task(label, total=event["total"] or None)
            self._bar.update(self._tasks[stage], completed=event["done"])


def show_evaluation(run: Data) -> None:
    terminal = console()
    heading(terminal, f"Evaluation of {run['workspace']}", plural(run["questions"], "question"))
    counts = [plural(run["passages"], "passage"), plural(run["chunks"], "chunk"), plural(run["facts"], "fact")]
    line(terminal, ", ".join(counts))
    if run["index_seconds"]:
        total = sum(run["index_seconds"].values())
        line(
            terminal,
            f"{plural(run['indexed_passages'], 'passage')} indexed in {total:.1f} s{stages(run['index_seconds'])}",
        )
    terminal.print()
    shares = {**RECALLS, **PRECISIONS, **RANKS}
    rows = table("  Method", *shares.values(), right=range(1, 10))
    for method, figures in run["methods"].items():
        rows.add_row(styled(f"  {method}"), *(percent(figures[name]) for name in shares))
    terminal.print(rows)
    _targets(terminal, run)
    _gains(terminal, run)
    if len(run["by_type"]) > 1:
        _by_type(terminal, run)
    _paths(terminal, run)
    show_problems(terminal, f"Skipped: {plural(run['skipped'], 'question')}", run["problems"])


def _targets(terminal: Console, run: Data) -> None:
    """Times, and reached targets."""
    heading(terminal, "Time and targets", "milliseconds; recall, precision and MRR in %")
    rows = table("  Method", "mean", "p50", "p95", *TARGETS.values(), right=range(1, 4))
    for method, figures in run["methods"].items():
        times = [f"{figures[name]:,.0f}" for name in ("mean_ms", "p50_ms", "p95_ms")]
        marks = [MARKS[run["targets"][method][name]] for name in TARGETS]
        rows.add_row(styled(f"  {method}"), *times, *marks)
    terminal.print(rows)
    if run["highest_precision"] < 1:
        line(terminal, f"The highest possible P@5 on these questions: {percent(run['highest_precision'])}")


def _gains(terminal: Console, run: Data) -> None:
    if not run["gains"]:
        return
    heading(terminal, "The walk above the others", "R@5, points, with the 95 % interval")
    rows = table("  Above", "Gain", "Interval", right=(1, 2))
    for method, gain in run["gains"].items():
        mean, low, high = (f"{100 * gain[name]:+.1f}" for name in ("mean", "low", "high"))
        rows.add_row(f"  {method}", mean, f"{low} to {high}")
    terminal.print(rows)


def _by_type(terminal: Console, run: Data) -> None:
    heading(terminal, "By type of question", "R@5, %")
    methods = [method for method in run["methods"] if method in METHODS]
    rows = table("  Type", "Questions", *methods, right=range(1, 6))
    for kind, part in run["by_type"].items():
        shares = [percent(part["methods"][method][BY_TYPE]) for method in methods]
        rows.add_row(styled(f"  {kind}"), f"{part['questions']:,}", *shares)
    terminal.print(rows)


def _paths(terminal: Console, run: Data) -> None:
    if "filigraph" not in run["methods"]:
        return
    heading(terminal, "Paths", "%")
    rows = table("  All gold on", "Bridge", "Comparison", right=(1, 2))
    for number, label in ((1, "the first path"), (3, "the first three")):
        coverage = run[f"path_coverage@{number}"]
        rows.add_row(f"  {label}", percent(coverage["bridge"]), percent(coverage["comparison"]))
    terminal.print(rows)
    shares = [percent(run[f"answer_said@{number}"]) for number in (1, 3)]
    line(terminal, f"Answers said by the first path: {shares[0]}; by one of the first three: {shares[1]}")
    line(terminal, f"Questions without a path: {percent(run['without_path'])}")
    if run["unanswerable"]:
        questions = plural(run["unanswerable"], "question")
        line(terminal, f"The same, of {questions} that the texts do not answer: {percent(run['refused'])}")


def show_runs(evaluations: Sequence[Data], total: int) -> None:
    """The last runs, one table per method. Runs of the same question set are comparable."""
    terminal = console()
    if not evaluations:
        line(terminal, "Nothing was measured yet.")
        return
    for method in METHODS:
        measured = [run for run in evaluations if method in run["methods"]]
        if measured:
            heading(terminal, method, "%")
            rows = table("  UTC", "Set", "n", *RECALLS.values(), *RANKS.values(), *TIMES.values(), right=range(2, 11))
            for run in measured:
                rows.add_row(*_columns_of_run(run), *_figures(run["methods"][method]))
            terminal.print(rows)
    walked = [run for run in evaluations if "filigraph" in run["methods"]]
    if walked:
        heading(terminal, "Paths", "all gold on the first one, on the first three, and paths of facts alone, %")
        names = ("Bridge @1", "@3", "Compar. @1", "@3", "Facts")
        rows = table("  UTC", "Set", "n", *names, right=range(2, 8))
        for run in walked:
            first, three = run["path_coverage@1"], run["path_coverage@3"]
            shares = (first["bridge"], three["bridge"], first["comparison"], three["comparison"], run["fact_connected"])
            rows.add_row(*_columns_of_run(run), *map(percent, shares))
        terminal.print(rows)
    if len({run["question_set"] for run in evaluations}) > 1:
        line(terminal, "Only runs of one set of questions can be compared.")
    if total > len(evaluations):
        line(terminal, f"{total - len(evaluations):,} earlier runs are not shown.")


def _columns_of_run(run: Data) -> Iterable[str]:
    return f"  {run['at'][5:16].replace('T', ' ')}", run["question_set"][:4], f"{run['questions']:,}"


def _figures(figures: Data) -> list[str]:
    return [*(percent(figures[name]) for name in {**RECALLS, **RANKS}), *(f"{figures[name]:,.0f}" for name in TIMES)]


def percent(share: float | None) -> str:
    """A share as a percentage with one decimal; a dash for None."""
    return "–" if share is None else f"{100 * share:.1f}"
