"""Notebook: the extracts that a model has read so far, each under the number that it got first.

A round adds the results of a search and puts away the extracts that the model does not keep. Numbers never change, so
notes, an answer and its path cite the same extracts whenever they were read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from filigraph.graph.ask.generation.compose import ELLIPSIS, fenced, fit_to_budget, format_path, header, quoted_by
from filigraph.graph.ask.generation.overlap import without_shared_text
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.retrieval import Evidence, Path, Retrieved
from filigraph.graph.models.llm import estimate_tokens
from filigraph.graph.text.wording import wording

NOTEBOOK_TOKENS = 2_000  # tokens of extracts that a model may keep
UNCUT_TOKENS = 3_000  # the same, with the text that was cut from them
KEPT_ALONE_TOKENS = 4_500  # the same, if the model asks for nothing else
_WORDS = wording("en")


@dataclass(frozen=True, kw_only=True)
class GraphLine:
    """A line of the graph, and the chunk whose sentence says it ("" where none does)."""

    text: str
    chunk_id: str = ""


@dataclass(frozen=True, kw_only=True)
class GraphResult:
    """The graph's answer: lines, and the chunks behind them, each with the sentences that say them."""

    lines: Sequence[GraphLine]
    evidence: Sequence[Evidence]
    quotes: Sequence[str]  # of each of `evidence`


class Notebook:
    """What one investigation has read."""

    def __init__(self) -> None:
        self.extracts: list[Evidence] = []  # [n] is extracts[n - 1]
        self.everything: list[str] = []  # each context that was shown
        self._number: dict[str, int] = {}
        self._texts: dict[str, str] = {}  # the texts in view, by id, in the order of the prompt
        self._paths: dict[str, Path] = {}  # by their words
        self._lines: list[GraphLine] = []

    def read(self, retrieved: Retrieved, budget_tokens: int) -> list[int]:
        """Add what was found, as much as has room; returns the numbers of its extracts. Extracts in view already take
        no room."""
        new = [item for item in retrieved.evidence if self._texts.get(item.id) != item.text.strip()]
        fitted = fit_to_budget(replace(retrieved, evidence=tuple(new)), budget_tokens)
        numbers = [self._numbered(item) for item in new if item.id in fitted.texts]
        for item in fitted.ordered:
            if item.id in fitted.texts:
                self._append_text(item, fitted.texts[item.id])
        for path in fitted.paths.values():  # another search scores the same path differently
            self._paths.setdefault(path.text, path)
        return numbers

    def add_result(self, result: GraphResult) -> list[int]:
        """Add an answer of the graph; returns the numbers of its extracts."""
        numbers = [self._numbered(item) for item in result.evidence]
        for item, quote in zip(result.evidence, result.quotes, strict=True):
            self._append_text(item, quote)
        self._lines += [line for line in result.lines if line not in self._lines]
        return numbers

    def put_away(self, keep: Collection[int], *, alone: bool = False) -> list[int]:
        """Leave in view only the extracts with these numbers, up to NOTEBOOK_TOKENS tokens, each uncut as long as there
        is room; returns the numbers of those that stay. `alone`: nothing will join them, so they have more room."""
        most, uncut = (KEPT_ALONE_TOKENS, KEPT_ALONE_TOKENS) if alone else (NOTEBOOK_TOKENS, UNCUT_TOKENS)
        room, retained = most, dict[str, str]()
        for number in dict.fromkeys(keep):
            item = self.extracts[number - 1] if 0 < number <= len(self.extracts) else None
            if item and item.id in self._texts and (cost := estimate_tokens(self._texts[item.id]) + 30) <= room:
                retained[item.id] = self._texts[item.id]
                room -= cost
        room += uncut - most
        for id_, text in retained.items():
            whole = self.extracts[self._number[id_] - 1].text.strip()
            if (more := estimate_tokens(whole) - estimate_tokens(text)) <= room:
                retained[id_] = whole
                room -= max(more, 0)
        self._texts, self._paths, self._lines = retained, {}, []
        return sorted(self._number[id_] for id_ in retained)

    def is_any_cut(self, numbers: Collection[int]) -> bool:
        """Whether one of these extracts is in view, but not all of its text."""
        return any(
            self._texts.get(item.id, item.text.strip()) != item.text.strip()
            for n, item in enumerate(self.extracts, start=1)
            if n in numbers
        )

    @property
    def tokens(self) -> int:
        """Tokens of the extracts in view."""
        return sum(estimate_tokens(text) + 30 for text in self._texts.values())

    def context(self) -> str:
        """The text in view, as the prompt contains it; "" if nothing was found."""
        leads = [
            format_path(f"Lead {n}", replace(path, text=""), self._number, _WORDS, self._texts)
            for n, path in enumerate(self._paths.values(), start=1)
        ]
        lines = [self._with_number(line) for line in self._lines]
        shown = [
            replace(self.extracts[self._number[id_] - 1], text=text, nearest=(), places=())
            for id_, text in self._texts.items()
        ]
        extracts = [
            f"[{self._number[item.id]}] {header(self.extracts[self._number[item.id] - 1])}\n{item.text}"
            for item in without_shared_text(shown, quoted_by(self._paths.values()))
            if item.text
        ]
        context = fenced([*leads, *(["\n".join(lines)] if lines else [])], extracts)
        self.everything.append(context)
        return context

    def _numbered(self, item: Evidence) -> int:
        if item.id not in self._number:
            self.extracts.append(item)
            self._number[item.id] = len(self.extracts)
        return self._number[item.id]

    def _append_text(self, item: Evidence, text: str) -> None:
        before = self._texts.get(item.id)
        self._texts[item.id] = join_extracts(item.text, [before, text]) if before else text

    def _with_number(self, line: GraphLine) -> str:
        number = self._number.get(line.chunk_id)
        return f"{line.text} [{number}]" if number else line.text


def join_extracts(text: str, cuts: Sequence[str]) -> str:
    """Several cuts of a text as one: each part once, in the order of the text, with an ELLIPSIS for each gap."""
    spans = sorted(span for cut in cuts for part in cut.split(ELLIPSIS) if (span := _span(text, part.strip())))
    merged: list[Span] = []
    for start, end in spans:
        if merged and not text[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    shown = f" {ELLIPSIS} ".join(text[start:end] for start, end in merged)
    before = f"{ELLIPSIS} " if merged and text[: merged[0][0]].strip() else ""
    after = f" {ELLIPSIS}" if merged and text[merged[-1][1] :].strip() else ""
    return before + shown + after if merged else cuts[-1]


def _span(text: str, part: str) -> Span | None:
    start = text.find(part) if part else -1
    return (start, start + len(part)) if start >= 0 else None
