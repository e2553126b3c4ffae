"""Questions with known answers, and where their gold stands in a workspace.

The file is JSON lines, one question each:

    {"id": "q1", "question": "Who led the gang?", "answer": "Brun", "type": "bridge", "gold": ["2wiki-00004", ...]}

Gold is what a reader must see to answer. Each item names a document (the name under which it was ingested, such as a
passage's id), a chunk (its id), or quotes a sentence of a document. A question of type "unanswerable" has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from filigraph.graph import ids
from filigraph.graph.errors import InputError
from filigraph.graph.rows import ChunkText, DocumentRow, WorkspaceRow
from filigraph.graph.text.json_lines import check_whole, json_object, numbered_lines

UNANSWERABLE = "unanswerable"
SHORTEST_QUOTE = 8  # characters; what is shorter is the id of something that is not there
LONGEST_QUESTION = 10_000  # characters
MAX_PROBLEMS = 1000  # reported; a file of another kind would give one per line

CURE = 'Each line must be JSON: {"id": "q1", "question": "Who …?", "type": "bridge", "gold": ["passage id or quote"]}.'


class GoldReader(Protocol):
    """A workspace in which gold is looked for."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def document_rows(self) -> Sequence[DocumentRow]: ...
    def chunks_of_documents(self, document_ids: Sequence[str]) -> Mapping[str, Sequence[str]]: ...
    def document_texts(self, document_ids: Sequence[str]) -> Iterator[Sequence[ChunkText]]: ...


@dataclass(frozen=True, kw_only=True)
class GoldQuestion:
    """A question as its file has it."""

    id: str
    text: str
    type: str  # "compositional", "single", ...; "" where the file does not say
    answer: str = ""  # "" where the file does not say
    gold: tuple[str, ...]  # documents' names, chunk ids, quotes; each once; () of UNANSWERABLE ones


@dataclass(frozen=True, kw_only=True)
class QuestionsFile:
    """A file of questions as read: what can be asked, and one line for each row that cannot."""

    questions: tuple[GoldQuestion, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Gold:
    """The gold of one question, in chunks."""

    pieces: tuple[frozenset[str], ...]  # of each, any one chunk will do; no chunk is in two of them
    by_document: bool  # every piece is a document: its chunks count as one

    def in_chunks(self, chunk_ids: Iterable[str]) -> bool:
        """Whether all of it stands in these chunks."""
        there = set(chunk_ids)
        return all(piece & there for piece in self.pieces)


# --------------------------------------------------------------------------------------------------------------------
# The file


def parse_questions(content: bytes) -> QuestionsFile:
    """Read a file of questions. A row that cannot be used is a problem; the rest goes on.

    Raises InputError if the file is empty, no text, or holds no question at all.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("The file of questions is no UTF-8 text.", cure=CURE) from None
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
    """A row of the file. Raises ValueError that says what is wrong with it."""
    row = json_object(line, "id, question, gold")
    text = row.get("question")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no question")
    check_whole("question", text)
    if len(text) > LONGEST_QUESTION:
        raise ValueError(f"the question is longer than {LONGEST_QUESTION:,} characters")
    kind = row.get("type") or ""
    if not isinstance(kind, str):
        raise ValueError("the type is no text")
    gold = row.get("gold")
    if not isinstance(gold, list) or not (gold or kind == UNANSWERABLE):
        raise ValueError(f"no gold, a list; only a question of type {UNANSWERABLE!r} has an empty one")
    answer = row.get("answer") or ""
    if not isinstance(answer, str):
        raise ValueError("the answer is no text")
    return GoldQuestion(
        id=_name(row.get("id", f"line {number}"), "the id"),
        text=text.strip(),
        type=kind,
        answer=answer,
        gold=tuple(dict.fromkeys(_name(item, "gold") for item in gold)),
    )


def _name(value: object, what: str) -> str:
    """An id or a quote; numbers are ids too."""
    if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
        raise ValueError(f"{what} is no text")
    check_whole(what.removeprefix("the "), str(value))
    return " ".join(str(value).split())


# --------------------------------------------------------------------------------------------------------------------
# Where it stands


def find_gold(
    questions: Sequence[GoldQuestion],
    graph: GoldReader,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[dict[str, Gold], list[str]]:
    """Question id -> its gold in chunks, and one line for each question whose gold is not all there.

    A question without all of its gold is left out: no search could find it. `progress` is told how many documents
    of how many were read for quotes; nothing is read where all gold is named by document.
    """
    named = dict.fromkeys(item for question in questions for item in question.gold)
    documents = _documents(named, graph)
    rest = [item for item in named if item not in documents]
    chunks = _chunks(rest, graph, progress) if rest else {}
    found: dict[str, Gold] = {}
    problems: list[str] = []
    for question in questions:
        missing = [item for item in question.gold if item not in documents and item not in chunks]
        if missing:
            more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
            problems.append(f"question {question.id}: its gold is not in the workspace: {missing[0][:120]!r}{more}")
            continue
        found[question.id] = Gold(
            pieces=disjoint([documents.get(item) or chunks[item] for item in question.gold]),
            by_document=all(item in documents for item in question.gold),
        )
    return found, problems


def disjoint(pieces: Iterable[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """Two quotes that stand together in a chunk are one piece of gold: the chunks that hold both."""
    apart: list[frozenset[str]] = []
    for piece in pieces:
        at = next((n for n, other in enumerate(apart) if other & piece), None)
        if at is None:
            apart.append(piece)
        else:
            apart[at] &= piece
    return tuple(apart)


def _documents(names: Iterable[str], graph: GoldReader) -> dict[str, frozenset[str]]:
    """Name -> the chunks of the document that was ingested under it; other names are left out."""
    by_id = {ids.document_id(graph.workspace.name, name): name for name in names}
    return {by_id[id_]: frozenset(chunks) for id_, chunks in graph.chunks_of_documents(list(by_id)).items() if chunks}


def _chunks(
    items: Sequence[str], graph: GoldReader, progress: Callable[[int, int], None]
) -> Mapping[str, frozenset[str]]:
    """Item -> the chunk of that id, or the chunks that hold that quote; what is found nowhere is left out."""
    quotes = [item for item in items if len(item) >= SHORTEST_QUOTE and any(map(str.isalpha, item))]
    wanted = set(items)
    found: dict[str, frozenset[str]] = {}
    rows = graph.document_rows()
    for done, texts in enumerate(graph.document_texts([row.id for row in rows]), start=1):
        text = whole_text(texts)
        flat = " ".join(text.split())
        for quote in quotes:
            if quote in flat:
                found[quote] = found.get(quote, frozenset()) | holding(quote, text, texts)
        found |= {chunk.id: frozenset({chunk.id}) for chunk in texts if chunk.id in wanted}
        progress(done, len(rows))
    return found


def whole_text(chunks: Sequence[ChunkText]) -> str:
    """A document as far as its chunks hold it, each character where it stood. `chunks` by their place."""
    parts: list[str] = []
    end = 0
    for chunk in chunks:
        parts += [" " * (chunk.start - end), chunk.text[max(end - chunk.start, 0) :]]
        end = max(end, chunk.start + len(chunk.text))
    return "".join(parts)


def holding(quote: str, text: str, chunks: Sequence[ChunkText]) -> frozenset[str]:
    """The chunks that hold a quote whole; where a border cuts it, those that hold a part of it. Any white space is as
    good as any other."""
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    found: set[str] = set()
    for match in re.finditer(pattern, text):
        places = [(chunk.id, chunk.start, chunk.start + len(chunk.text)) for chunk in chunks]
        whole = {id_ for id_, start, end in places if start <= match.start() and match.end() <= end}
        found |= whole or {id_ for id_, start, end in places if start < match.end() and match.start() < end}
    return frozenset(found)
