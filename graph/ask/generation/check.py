"""Check: mark what an answer says that the evidence does not support.

Marked are names, numbers and dates that occur in no evidence, and citations that point to nothing. Nothing is removed
from the answer.
"""

from __future__ import annotations

import re

from filigraph.graph.ask.generation.reply import Reply
from filigraph.graph.model.answers import Generated, Unsupported, UnsupportedKind
from filigraph.graph.model.arrays import Span
from filigraph.graph.text.language import detect
from filigraph.graph.text.names.unsupported import unsupported_names
from filigraph.graph.text.numbers.answer_numbers import unsupported_figures
from filigraph.graph.text.wording import wording

_TO_PATH = re.compile(r"[ \u00a0]?\[P\d+\]")
_MARK = re.compile(r"\[(\d{1,4})\]")
# What the composer puts around the evidence: its numbers are ours.
_MARKUP = re.compile(r"</?(?:path|extract)-\w+>|^ *(?:\[\d+\] |Lead \d+: )", re.MULTILINE)
_CITATION = re.compile(r"[ \u00a0]?[\[【]\s*([Pp]?\d{1,4}(?:\s*[,;]\s*[Pp]?\d{1,4})*)\s*[\]】]")


def check_reply(reply: Reply, *, evidence: str, question: str, language: str, numbers: int) -> Generated:
    """The answer of a reply, checked against all `evidence` that the model saw; the extracts have the numbers 1 to
    `numbers`."""
    if not reply.answer:  # the model said only what the extracts do not say, or nothing
        text = wording(language).nothing
        return Generated(text=text, generated=True, missing=reply.missing, answered=False)
    text = _TO_PATH.sub("", _CITATION.sub(_normalized_citation, reply.answer))
    return Generated(
        text=text,
        generated=True,
        unsupported=_unsupported_parts(text, evidence, question, language, numbers),
        missing=reply.missing,
        answered=reply.answered,
    )


def _normalized_citation(match: re.Match[str]) -> str:
    numbers = [re.sub(r"(?<!\d)0+(?=\d)", "", number.upper()) for number in re.split(r"\s*[,;]\s*", match[1])]
    space = match[0][0] if match[0][0] in " \u00a0" else ""
    return space + "".join(f"[{number}]" for number in dict.fromkeys(numbers))


def _unsupported_parts(text: str, evidence: str, question: str, language: str, numbers: int) -> tuple[Unsupported, ...]:
    """The parts of a checked text that the evidence does not support, in the order of the text."""
    plain = _CITATION.sub(lambda match: " " * len(match[0]), text)
    evidence = _MARKUP.sub(" ", evidence)
    language = language or detect(text)
    unsupported: dict[Span, UnsupportedKind] = dict.fromkeys(unsupported_names(plain, evidence, question), "name")
    figures = unsupported_figures(plain, language, evidence, question)
    unsupported |= {(figure.start, figure.end): figure.kind for figure in figures}
    for match in _MARK.finditer(text):
        if not 1 <= int(match[1]) <= numbers:
            unsupported[match.span()] = "citation"
    marked: list[Unsupported] = []
    for (start, end), kind in sorted(unsupported.items()):
        if not marked or start >= marked[-1].end:  # "March" may be taken for a name within a date
            marked.append(Unsupported(kind=kind, text=text[start:end], start=start, end=end))
    return tuple(marked)
