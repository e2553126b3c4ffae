"""Generate: the model words the answer from the evidence; what it wrote is checked before it counts.

Citations that point to nothing are taken out, names that stand in no evidence are marked, and the last line, in which
the prompt asks what the evidence does not say, is taken apart from the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from filigraph.graph.llm import LLM, Cancel, fence
from filigraph.graph.model import Composed, Generated
from filigraph.graph.prompts import render
from filigraph.graph.text.answer_names import unsupported_names
from filigraph.graph.text.wording import wording

# The prompt asks for "MISSING:" whatever the language; small models translate it all the same.
_LABELS = (
    *("missing", "manquant", "manque", "ce qui manque", "falta", "fehlt", "es fehlt", "mancante", "manca"),
    *("缺失", "缺少"),
)
_NOTHING = (
    *("nothing", "none", "nil", "no", "n/a", "rien", "aucun", "aucune", "néant", "nada", "ninguno", "ninguna"),
    *("nichts", "keine", "niente", "nessuno", "nulla", "无", "没有"),
)
_MISSING = re.compile(rf"^[\s*_#>-]*(?:{'|'.join(_LABELS)})[\s*_]*[:：]", re.IGNORECASE)
_CITATION = re.compile(r"[ \u00a0]?[\[【]\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*[\]】]")


def generate(
    composed: Composed,
    llm: LLM,
    *,
    max_tokens: int = 400,
    timeout: float = 300.0,
    on_token: Callable[[str], None] = lambda _: None,
    cancelled: Cancel = lambda: False,
) -> Generated:
    """The answer of `llm`, in the language of the question. No evidence: says so, and asks nobody.

    `on_token` has the answer as it is written, without the line on what is missing; `Generated.text` has it as checked.
    Raises LLMUnavailable, LLMResponseError and Cancelled, as the LLM does.
    """
    words = wording(composed.language)
    if not composed.context:
        on_token(words.nothing)
        return Generated(text=words.nothing, generated=False)
    prompt = render(
        "answer",
        tag=fence(composed.context),
        evidence=composed.context,
        question=composed.question,
        ask=words.ask,
    )
    shown = _Shown(on_token)
    for piece in llm.stream(
        prompt.user, system=prompt.system, max_tokens=max_tokens, timeout=timeout, cancel=cancelled
    ):
        shown.add(piece)
    shown.finish()
    answer, missing = _split_missing(shown.all)
    if not answer:  # the model said only what it does not know, or nothing
        on_token(words.nothing)
        return Generated(text=words.nothing, generated=True, missing=missing)
    text, removed = _checked_citations(answer, len(composed.cited))
    names = unsupported_names(_CITATION.sub("", text), composed.context, composed.question)
    return Generated(text=text, generated=True, unsupported_names=names, missing=missing, removed_citations=removed)


class _Shown:
    """What streams to the reader: all but a line that begins with "MISSING:", or may yet turn out to."""

    def __init__(self, on_token: Callable[[str], None]) -> None:
        self.all = ""
        self._on_token = on_token
        self._sent = 0
        self._over = False

    def add(self, piece: str) -> None:
        self.all += piece
        if self._over:
            return
        while not self._over:
            line_start = self.all.rfind("\n", 0, self._sent) + 1 if self._sent else 0
            newline = self.all.find("\n", self._sent)
            line_end = len(self.all) if newline < 0 else newline + 1
            line = self.all[line_start:line_end]
            if self._sent == line_start and _MISSING.match(line):
                self._over = True
                return
            if self._sent == line_start and newline < 0 and _may_be_label(line):
                return
            if line_end > self._sent:
                self._on_token(self.all[self._sent : line_end])
                self._sent = line_end
            if newline < 0:
                return

    def finish(self) -> None:
        """Nothing more will come: what was held back was no label."""
        if not self._over and self._sent < len(self.all):
            self._on_token(self.all[self._sent :])


def _may_be_label(line: str) -> bool:
    begun = line.strip(" \t*_#>-").casefold()
    return any(label.startswith(begun) or begun in (label, f"{label} ") for label in _LABELS)


def _split_missing(reply: str) -> tuple[str, str]:
    """(the answer, what is missing)."""
    lines = reply.strip().splitlines()
    for index, line in enumerate(lines):
        if label := _MISSING.match(line):
            said = [_CITATION.sub("", text).strip(" *_") for text in (line[label.end() :], *lines[index + 1 :])]
            rest = next(filter(None, said), "")  # one line: what follows is a model that does not know when to stop
            first = rest.strip(" .。").casefold()
            missing = "" if not first or first in _NOTHING else rest
            return "\n".join(lines[:index]).strip(), missing
    return reply.strip(), ""


def _checked_citations(text: str, count: int) -> tuple[str, tuple[int, ...]]:
    """`text` with its citations in one form, [1], [2], without those that point to nothing; and these."""
    removed: list[int] = []

    def check(match: re.Match[str]) -> str:
        numbers = [int(number) for number in re.split(r"\s*[,;]\s*", match[1])]
        removed.extend(number for number in numbers if not 1 <= number <= count)
        marks = "".join(f"[{number}]" for number in dict.fromkeys(numbers) if 1 <= number <= count)
        space = match[0][0] if match[0][0] in " \u00a0" else ""
        return f"{space}{marks}" if marks else ""

    return _CITATION.sub(check, text), tuple(dict.fromkeys(removed))
