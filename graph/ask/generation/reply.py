"""Reply: a language model's reply after reading: an answer with its path, or what it wants to look for next.

Lines that begin with a label:

    ANSWER: one sentence, then the reasons, with [n]
    PATH: subject - relation - object [n] > subject - relation - object [n]
    MISSING: what the extracts do not say             UNANSWERED: the same, where they do not say what is asked

    NOTES: what is settled so far, with [n]
    KEEP: 2, 7
    SEARCH: words          FACTS: name          BETWEEN: name | name

Small models keep little of it: a reply without a label is an answer, labels may be translated or numbered, of several
answers the first counts, and JSON with these words as keys is read as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Label = Literal["answer", "path", "missing", "unanswered", "notes", "keep", "search", "facts", "between"]

MAX_REQUESTS = 3  # in one reply
MAX_REQUEST_CHARS = 200  # characters

# The prompt asks for English labels, but small models translate them.
_WORDS: Mapping[Label, tuple[str, ...]] = {
    "answer": ("answer", "réponse", "reponse", "respuesta", "antwort", "risposta", "ответ", "答案", "回答"),
    "path": ("path", "chemin", "camino", "weg", "pfad", "percorso", "путь", "路径"),
    "missing": (
        *("missing", "manquant", "manque", "ce qui manque", "falta", "fehlt", "es fehlt", "mancante", "manca"),
        *("缺失", "缺少"),
    ),
    "unanswered": (
        *("unanswered", "sans réponse", "non répondu", "sin respuesta", "unbeantwortet", "ohne antwort"),
        *("senza risposta", "без ответа", "未回答", "无答案"),
    ),
    "notes": ("notes", "note", "notas", "notizen", "appunti", "заметки", "笔记"),
    "keep": ("keep", "garder", "à garder", "guardar", "behalten", "tenere", "сохранить", "保留"),
    "search": ("search", "recherche", "chercher", "buscar", "búsqueda", "suche", "suchen", "cerca", "поиск", "搜索"),
    "facts": ("facts", "faits", "hechos", "fakten", "fatti", "факты", "事实"),
    "between": ("between", "entre", "zwischen", "tra", "между", "之间"),
}
_LABELS: Mapping[str, Label] = {word: label for label, words in _WORDS.items() for word in words}
_LABEL = re.compile(
    r"^[\s*_#>-]*(?:\d[.)]\s+[*_]*)?"
    rf"(?P<label>{'|'.join(sorted(map(re.escape, _LABELS), key=len, reverse=True))})[\s*_]*[:：][\s*_]*",
    re.IGNORECASE,
)
_EMPTY_REPLY_WORDS = (
    *("nothing", "none", "nil", "no", "n/a", "rien", "aucun", "aucune", "néant", "nada", "ninguno", "ninguna"),
    *("nichts", "keine", "niente", "nessuno", "nulla", "无", "没有"),
)
_CITATION = re.compile(r"[ \u00a0]?[\[【]\s*[Pp]?\d{1,4}(?:\s*[,;]\s*[Pp]?\d{1,4})*\s*[\]】]")
_LIST_NUMBER = re.compile(r"^\d(?:[.)](?:\s+|$)|$)")
_BULLET = re.compile(r"^[\s*•·–-]+|^\s*\d+[.)]\s+")
_JSON_ENDS = ("{", "```json", "```")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a model wants to look for: by words, what the graph knows of a name, or how two names are joined."""

    kind: Literal["search", "facts", "between"]
    text: str  # of `between`: "one | other"
    otherwise: tuple[str, ...] = ()  # of `between`: the two names, if those of `text` are unknown


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A reply, taken apart."""

    answer: str = ""
    path: str = ""
    missing: str = ""  # what the extracts do not say; "" if nothing
    answered: bool = True  # False: the model says that the extracts do not answer
    notes: str = ""
    keep: tuple[int, ...] = ()
    requests: tuple[Request, ...] = ()
    labelled: bool = False  # the model said that it answers, or what it looks for

    @property
    def goes_on(self) -> bool:
        """Whether it asks to look again and does not answer."""
        return bool(self.requests) and not self.answer and self.answered

    @property
    def only_keeps(self) -> bool:
        """Whether it has notes and extracts to keep, but no answer and nothing to look for."""
        return bool(self.keep) and not self.labelled and not self.missing and self.answer == self.notes


def read_reply(text: str) -> Reply:
    """A reply taken apart. Without any label it is an answer."""
    sections = list(_sections_of_json(text) or _first_reply(text))
    parts: dict[Label | None, list[str]] = {}
    for label, content in map(_unwrapped, sections):
        parts.setdefault(label, []).append(content)
    looks = bool({"search", "facts", "between"} & parts.keys())
    answer = _join_parts(parts.get("answer")) or ("" if looks else _join_parts(parts.get(None)))
    unanswered, missing = (_one_line(_join_parts(parts.get(label))) for label in ("unanswered", "missing"))
    refused = bool(unanswered)
    notes = _join_parts(parts.get("notes"))
    cited = parts.get("notes", [""])[0]
    if answer and not _CITATION.search(answer) and not _CITATION.sub("", cited).strip(" ,;."):
        answer = f"{answer} {cited}".strip()  # small models note what they cite
    requests = tuple(_requests(sections))
    if not answer and not requests and not refused:
        answer = notes
    return Reply(
        answer=answer or unanswered,
        path=_join_parts(parts.get("path")).replace("\n", " > ") if "path" in parts else "",
        missing=unanswered or missing,
        answered=not refused and bool(answer or requests),
        notes=notes,
        keep=tuple(dict.fromkeys(map(int, re.findall(r"\d{1,4}", _join_parts(parts.get("keep")))))),
        requests=requests,
        labelled="answer" in parts or bool(requests),
    )


def _join_parts(parts: list[str] | None) -> str:
    return "\n".join(part for part in parts or () if part).strip()


def _one_line(content: str) -> str:
    """The text of a MISSING section, "" if nothing is missing. One line only: further lines come from a model that does
    not know when to stop."""
    lines = (_CITATION.sub("", line).strip(" *_") for line in content.splitlines())
    first = next(filter(None, lines), "")
    return "" if first.strip(" .。").casefold() in _EMPTY_REPLY_WORDS else first


def _unwrapped(section: tuple[Label | None, str]) -> tuple[Label | None, str]:
    """A section; "ANSWER: UNANSWERED: ..." is a refusal."""
    label, content = section
    inner = _LABEL.match(content) if label == "answer" else None
    if inner and _LABELS[inner["label"].casefold()] == "unanswered":
        return "unanswered", content[inner.end() :]
    return section


def _sections(text: str) -> Iterator[tuple[Label | None, str]]:
    """The parts of a reply, each with its label; None before the first one."""
    label: Label | None = None
    lines: list[str] = []
    for line in text.strip().splitlines():
        if match := _LABEL.match(line):
            yield label, "\n".join(lines).strip()
            label, lines = _LABELS[match["label"].casefold()], [line[match.end() :]]
        else:
            lines.append(line)
    yield label, "\n".join(lines).strip()


def _first_reply(text: str) -> list[tuple[Label | None, str]]:
    """The parts up to a second answer: small models start again and do not stop. A label without text is no answer."""
    sections = list(_sections(text))
    answers = [n for n, (label, content) in enumerate(sections) if label == "answer" and content]
    return sections[: answers[1]] if len(answers) > 1 else sections


def _requests(sections: list[tuple[Label | None, str]]) -> Iterator[Request]:
    """At most MAX_REQUESTS different ones."""
    seen: set[tuple[str, str]] = set()
    for label, content in sections:
        if label not in ("search", "facts", "between"):
            continue
        for line in content.splitlines():
            text = _CITATION.sub("", _BULLET.sub("", line)).strip(' \t"“”«»*_')[:MAX_REQUEST_CHARS]
            if not text or text.strip(" .").casefold() in _EMPTY_REPLY_WORDS or (label, text.casefold()) in seen:
                continue
            if len(seen) == MAX_REQUESTS:
                return
            seen.add((label, text.casefold()))
            yield Request(kind=label, text=text)


def _sections_of_json(text: str) -> list[tuple[Label | None, str]]:
    """The parts of a reply that is JSON; [] for any other."""
    begin, end = text.find("{"), text.rfind("}")
    if not text.lstrip().startswith(_JSON_ENDS) or not 0 <= begin < end:
        return []
    try:
        data = json.loads(text[begin : end + 1])
    except ValueError:
        return []
    sections: list[tuple[Label | None, str]] = []
    for key, value in data.items() if isinstance(data, dict) else ():
        label = _LABELS.get(str(key).casefold())
        if label:
            sections += [(label, content) for content in _texts_of_value(value, label)]
    return sections


def _texts_of_value(value: Any, label: Label) -> list[str]:
    if isinstance(value, list):
        if label == "between" and len(value) == 2 and all(isinstance(item, str) for item in value):
            return [" | ".join(value)]
        return [content for item in value for content in _texts_of_value(item, label)]
    if isinstance(value, dict):
        return [" - ".join(str(item) for item in value.values())]
    return [str(value)] if value not in (None, "") else []


class AnswerStream:
    """The part of a reply that streams to the reader while it is written: the answer, without labels and later
    sections. Text that may turn out to be a label, or JSON, is held back."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self.all = ""
        self._on_text = on_text
        self._at = 0  # length of the text that was examined so far
        self._label: Label | None = None
        self._has_answer = False  # whether text of an answer was sent
        self._is_over = False  # whether a second answer began
        self.sent = ""

    def add(self, piece: str) -> None:
        self.all += piece
        if self._is_json():
            return
        while self._at < len(self.all):
            newline = self.all.find("\n", self._at)
            end = len(self.all) if newline < 0 else newline + 1
            part = self.all[self._at : end]
            begins = self._at == 0 or self.all[self._at - 1] == "\n"
            if begins and (match := _LABEL.match(part)):
                self._label = _LABELS[match["label"].casefold()]
                self._is_over |= self._label == "answer" and self._has_answer
                part = part[match.end() :]
            elif begins and newline < 0 and may_be_label(part):
                return
            if self._shows and part:
                self._send(part)
            self._at = end

    def finish(self) -> None:
        """The end of the reply: the text that was held back is not a label."""
        if self._at < len(self.all) and not self._is_json() and self._shows:
            self._send(self.all[self._at :])
            self._at = len(self.all)

    @property
    def _shows(self) -> bool:
        """Whether the text at hand belongs to the first answer."""
        return self._label in (None, "answer") and not self._is_over

    def _send(self, text: str) -> None:
        text = text if self.sent else text.lstrip()
        self._has_answer |= self._label == "answer" and bool(text.strip())
        if text:
            self.sent += text
            self._on_text(text)

    def _is_json(self) -> bool:
        begun = self.all.lstrip()[:3]
        return begun.startswith(("{", "```")) or (bool(begun) and "```".startswith(begun))


def may_be_label(line: str) -> bool:
    begun = _LIST_NUMBER.sub("", line.strip(" \t*_#>-")).strip("*_").casefold()
    return any(word.startswith(begun) or begun in (word, f"{word} ") for word in _LABELS)
