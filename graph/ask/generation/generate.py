"""Generate: the model words the answer from the evidence; what it wrote is checked before it counts.

Names, numbers and dates that occur in no evidence, and citations that point to nothing, are marked where they occur.
Nothing is taken out of the answer but its last line, in which the prompt asks what the evidence does not say,
and whether it answers at all. Where it does not, no path is an answer, and none is cited.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from filigraph.graph.errors import FiligraphError, LLMResponseError, LLMUnavailable
from filigraph.graph.model import Composed, Generated, ShouldStop, Span, Unsupported, UnsupportedKind
from filigraph.graph.models.llm import LLM, LLMRequest, fence
from filigraph.graph.models.prompts import render
from filigraph.graph.text.answer_numbers import unsupported_figures
from filigraph.graph.text.language import detect
from filigraph.graph.text.names.unsupported import unsupported_names
from filigraph.graph.text.wording import wording

# The prompt asks for "MISSING:" whatever the language; small models translate it all the same.
_LABELS = (
    *("missing", "manquant", "manque", "ce qui manque", "falta", "fehlt", "es fehlt", "mancante", "manca"),
    *("缺失", "缺少"),
)
_NO_ANSWER = (
    *("unanswered", "sans réponse", "non répondu", "sin respuesta", "unbeantwortet", "ohne antwort", "senza risposta"),
    *("без ответа", "未回答", "无答案"),
)
_NOTHING = (
    *("nothing", "none", "nil", "no", "n/a", "rien", "aucun", "aucune", "néant", "nada", "ninguno", "ninguna"),
    *("nichts", "keine", "niente", "nessuno", "nulla", "无", "没有"),
)
_MISSING = re.compile(
    rf"^[\s*_#>-]*(?:(?P<no_answer>{'|'.join(_NO_ANSWER)})|{'|'.join(_LABELS)})[\s*_]*[:：]", re.IGNORECASE
)
_TO_PATH = re.compile(r"[ \u00a0]?\[P\d+\]")
_MARK = re.compile(r"\[(P?)(\d{1,4})\]")
# What the composer puts around the evidence: its numbers are ours.
_MARKUP = re.compile(r"</?(?:path|extract)-\w+>|^ *(?:\[P?\d+\] )", re.MULTILINE)
_CITATION = re.compile(r"[ \u00a0]?[\[【]\s*([Pp]?\d{1,4}(?:\s*[,;]\s*[Pp]?\d{1,4})*)\s*[\]】]")


def generate(
    composed: Composed,
    llm: LLM,
    *,
    max_tokens: int = 400,
    timeout: float = 300.0,
    on_token: Callable[[str], None] = lambda _: None,
    on_failure: Callable[[FiligraphError], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> Generated:
    """The answer of `llm`, in the language of the question. No evidence: says so, and asks nobody.

    `on_token` has the answer as it is written, without the last line; `Generated.text` has it as checked.
    An LLM that fails after its first words: `on_failure` gets the reason, and the answer is what it had written. Raises
    LLMUnavailable, LLMResponseError and Cancelled, as the LLM does.
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
    request = LLMRequest(prompt.user, system=prompt.system, max_tokens=max_tokens, timeout=timeout)
    try:
        for piece in llm.stream(request, cancel=cancelled):
            shown.add(piece)
    except (LLMUnavailable, LLMResponseError) as error:
        if not shown.begun:
            raise
        on_failure(error)
    shown.finish()
    answer, missing, answered = _split_missing(shown.all)
    if not answer:  # the model said only what it does not know, or nothing
        on_token(words.nothing)
        return Generated(text=words.nothing, generated=True, missing=missing, answered=False)
    text = _CITATION.sub(_in_one_form, answer)
    if not answered:
        text = _TO_PATH.sub("", text)
    cited = [int(mark[2]) for mark in _MARK.finditer(text) if mark[1] and int(mark[2]) in composed.paths]
    return Generated(
        text=text,
        generated=True,
        unsupported=_unsupported(text, composed),
        missing=missing,
        answered=answered,
        rests_on=tuple(dict.fromkeys(cited)),
    )


class _Shown:
    """What streams to the reader: all but a line that begins with "MISSING:", or may yet turn out to."""

    def __init__(self, on_token: Callable[[str], None]) -> None:
        self.all = ""
        self._on_token = on_token
        self._sent = 0
        self._over = False

    @property
    def begun(self) -> bool:
        """The reader has seen a word."""
        return bool(self.all[: self._sent].strip())

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
    return any(label.startswith(begun) or begun in (label, f"{label} ") for label in (*_LABELS, *_NO_ANSWER))


def _split_missing(reply: str) -> tuple[str, str, bool]:
    """(the answer, what is missing, whether it answers)."""
    lines = reply.strip().splitlines()
    for index, line in enumerate(lines):
        if label := _MISSING.match(line):
            said = [_CITATION.sub("", text).strip(" *_") for text in (line[label.end() :], *lines[index + 1 :])]
            rest = next(filter(None, said), "")  # one line: what follows is a model that does not know when to stop
            first = rest.strip(" .。").casefold()
            missing = "" if not first or first in _NOTHING else rest
            return "\n".join(lines[:index]).strip(), missing, not (label["no_answer"] and missing)
    return reply.strip(), "", True


def _in_one_form(match: re.Match[str]) -> str:
    """A citation as [1][P2]."""
    numbers = [re.sub(r"(?<!\d)0+(?=\d)", "", number.upper()) for number in re.split(r"\s*[,;]\s*", match[1])]
    space = match[0][0] if match[0][0] in " \u00a0" else ""
    return space + "".join(f"[{number}]" for number in dict.fromkeys(numbers))


def _unsupported(text: str, composed: Composed) -> tuple[Unsupported, ...]:
    """What of a checked text the evidence does not hold, in the order of the text."""
    said = _CITATION.sub(lambda match: " " * len(match[0]), text)
    evidence = _MARKUP.sub(" ", composed.context)
    language = composed.language or detect(text)
    found: dict[Span, UnsupportedKind] = dict.fromkeys(unsupported_names(said, evidence, composed.question), "name")
    figures = unsupported_figures(said, language, evidence, composed.question)
    found |= {(figure.start, figure.end): figure.kind for figure in figures}
    for match in _MARK.finditer(text):
        known = int(match[2]) in composed.paths if match[1] else 1 <= int(match[2]) <= len(composed.cited)
        if not known:
            found[match.span()] = "citation"
    marked: list[Unsupported] = []
    for (start, end), kind in sorted(found.items()):
        if not marked or start >= marked[-1].end:  # "March" may be taken for a name within a date
            marked.append(Unsupported(kind=kind, text=text[start:end], start=start, end=end))
    return tuple(marked)
