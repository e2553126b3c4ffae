"""Parse questions with known answers, and locate their gold in a workspace.

The file is JSON Lines, one question per line:

    {"id": "q1", "question": "Who led the gang?", "answer": "Brun", "type": "bridge", "gold": ["2wiki-00004", ...]}

Gold are the passages needed to answer. Each item is the name of a document (its source, such as a passage's id), the id
of a chunk, or a quote from a document. A question of type "unanswerable" has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from filigraph.graph import ids
from filigraph.graph.errors import InputError
from filigraph.graph.records.documents import ChunkText, DocumentRow
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.text.formats.json_lines import check_whole, json_object, numbered_lines

UNANSWERABLE = "unanswerable"
MIN_QUOTE_CHARS = 8  # characters; a shorter item is taken for an unknown id
MAX_QUESTION_CHARS = 10_000  # characters
MAX_PROBLEMS = 1000  # reported; a file of another format would give one per line

CURE = 'Each line must be JSON: {"id": "q1", "question": "Who …?", "type": "bridge", "gold": ["passage id or quote"]}.'


class GoldReader(Protocol):
    """Store of a workspace for locating gold."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def document_rows(self) -> Sequence[DocumentRow]: ...
    def chunks_of_documents(self, document_ids: Sequence[str]) -> Mapping[str, Sequence[str]]: ...
    def document_texts(self, document_ids: Sequence[str]) -> Iterator[Sequence[ChunkText]]: ...


@dataclass(frozen=True, kw_only=True)
class GoldQuestion:
    """A parsed row of a file of questions."""

    id: str
    text: str
    type: str  # "compositional", "single", ...; "" if unknown
    answer: str = ""  # "" if unknown
    gold: tuple[str, ...]  # documents' names, chunk ids, quotes, without duplicates; () if UNANSWERABLE


@dataclass(frozen=True, kw_only=True)
class QuestionsFile:
    """A parsed file of questions: the valid rows, and one line per invalid row."""

    questions: tuple[GoldQuestion, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Gold:
    """The gold of one question as chunk ids."""

    pieces: tuple[frozenset[str], ...]  # disjoint; one chunk of a piece is enough
    by_document: bool  # all pieces are documents, and chunks of one document count once

    def in_chunks(self, chunk_ids: Iterable[str]) -> bool:
        """Whether these chunks contain all pieces."""
        retrieved = set(chunk_ids)
        return all(piece & retrieved for piece in self.pieces)


# --------------------------------------------------------------------------------------------------------------------
# The file


def parse_questions(content: bytes) -> QuestionsFile:
    """Parse a file of questions. Invalid rows are reported in `problems`.

    Raises InputError if the file is empty, is not UTF-8 text, or has no valid question.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("The file of questions is not UTF-8 text.", cure=CURE) from None
    if not text.strip():
        raise InputError("The file of questions is empty.", cure=CURE)
    questions: dict[str, GoldQuestion] = {}
    problems: list[str] = []
    for number, line in numbered_lines(text):
        try:
            question = _question(line, number)
            if question.id in questions:
                raise ValueError(f"the id {question.id!r} was used before")
        except (ValueError, RecursionError) as error:
            problems.append(f"line {number}: {error}")
            continue
        questions[question.id] = question
    if not questions:
        raise InputError(f"The file holds no question ({problems[0]}).", cure=CURE)
    return QuestionsFile(questions=tuple(questions.values()), problems=tuple(problems))


def _question(line: str, number: int) -> GoldQuestion:
    """Parse a row of the file. Raises ValueError with the reason."""
    row = json_object(line, "id, question, gold")
    text = row.get("question")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no question")
    check_whole("question", text)
    if len(text) > MAX_QUESTION_CHARS:
        raise ValueError(f"the question is longer than {MAX_QUESTION_CHARS:,} characters")
    kind = row.get("type") or ""
    if not isinstance(kind, str):
        raise ValueError("the type is not text")
    gold = row.get("gold")
    if not isinstance(gold, list) or not (gold or kind == UNANSWERABLE):
        raise ValueError(f"no gold, a list; only a question of type {UNANSWERABLE!r} has an empty one")
    answer = row.get("answer") or ""
    if not isinstance(answer, str):
        raise ValueError("the answer is not text")
    return GoldQuestion(
        id=_name(row.get("id", f"line {number}"), "the id"),
        text=text.strip(),
        type=kind,
        answer=answer,
        gold=tuple(dict.fromkeys(_name(item, "gold") for item in gold)),
    )


def _name(value: object, what: str) -> str:
    """An id or a quote as text with single spaces; numbers are allowed. Raises ValueError."""
    if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
        raise ValueError(f"{what} is not text")
    check_whole(what.removeprefix("the "), str(value))
    return " ".join(str(value).split())


# --------------------------------------------------------------------------------------------------------------------
# Location of gold


def find_gold(
    questions: Sequence[GoldQuestion],
    graph: GoldReader,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[dict[str, Gold], list[str]]:
    """Question id -> its gold, and one line for each question with missing gold.

    A question with missing gold is omitted, for no search can find it. `progress` gets (done, total) documents scanned
    for quotes; nothing is scanned if all gold is given by document.
    """
    named = dict.fromkeys(item for question in questions for item in question.gold)
    documents = _documents(named, graph)
    rest = [item for item in named if item not in documents]
    chunks = _chunks(rest, graph, progress) if rest else {}
    gold: dict[str, Gold] = {}
    problems: list[str] = []
    for question in questions:
        missing = [item for item in question.gold if item not in documents and item not in chunks]
        if missing:
            more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
            problems.append(f"question {question.id}: its gold is not in the workspace: {missing[0][:120]!r}{more}")
            continue
        gold[question.id] = Gold(
            pieces=disjoint([documents.get(item) or chunks[item] for item in question.gold]),
            by_document=all(item in documents for item in question.gold),
        )
    return gold, problems


def disjoint(pieces: Iterable[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """Merge overlapping pieces: quotes with a common chunk become one piece, the chunks that contain all of them."""
    apart: list[frozenset[str]] = []
    for piece in pieces:
        at = next((n for n, other in enumerate(apart) if other & piece), None)
        if at is None:
            apart.append(piece)
        else:
            apart[at] &= piece
    return tuple(apart)


def _documents(names: Iterable[str], graph: GoldReader) -> dict[str, frozenset[str]]:
    """Name -> the chunks of the document with this source; other names are omitted."""
    by_id = {ids.document_id(graph.workspace.name, name): name for name in names}
    return {by_id[id_]: frozenset(chunks) for id_, chunks in graph.chunks_of_documents(list(by_id)).items() if chunks}


def _chunks(
    items: Sequence[str], graph: GoldReader, progress: Callable[[int, int], None]
) -> Mapping[str, frozenset[str]]:
    """Item -> the chunk with this id, or the chunks with this quote; items that are not found are omitted."""
    quotes = [item for item in items if len(item) >= MIN_QUOTE_CHARS and any(map(str.isalpha, item))]
    wanted = set(items)
    holders: dict[str, frozenset[str]] = {}
    rows = graph.document_rows()
    for done, texts in enumerate(graph.document_texts([row.id for row in rows]), start=1):
        text = whole_text(texts)
        flat = " ".join(text.split())
        for quote in quotes:
            if quote in flat:
                holders[quote] = holders.get(quote, frozenset()) | chunks_holding(quote, text, texts)
        holders |= {chunk.id: frozenset({chunk.id}) for chunk in texts if chunk.id in wanted}
        progress(done, len(rows))
    return holders


def whole_text(chunks: Sequence[ChunkText]) -> str:
    """The text of a document rebuilt from its chunks, with the original offsets and spaces in gaps. `chunks` must be
    sorted by start."""
    parts: list[str] = []
    end = 0
    for chunk in chunks:
        parts += [" " * (chunk.start - end), chunk.text[max(end - chunk.start, 0) :]]
        end = max(end, chunk.start + len(chunk.text))
    return "".join(parts)


def chunks_holding(quote: str, text: str, chunks: Sequence[ChunkText]) -> frozenset[str]:
    """The ids of the chunks that contain a quote or, if a boundary cuts it, a part of it. White space is normalized."""
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    holders: set[str] = set()
    for match in re.finditer(pattern, text):
        places = [(chunk.id, chunk.start, chunk.start + len(chunk.text)) for chunk in chunks]
        whole = {id_ for id_, start, end in places if start <= match.start() and match.end() <= end}
        holders |= whole or {id_ for id_, start, end in places if start < match.end() and match.start() < end}
    return frozenset(holders)
