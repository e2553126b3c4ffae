"""A file of source code as chunks, each with its extraction.

Every function, method, class and type is a chunk; the text between them belongs to the file itself. The chunk of a
class ends at its first method. Facts are DEFINES, IMPORTS and CALLS, each with its line as the sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

import numpy as np

from filigraph.graph import ids
from filigraph.graph.ingest.code.grammars import GRAMMARS, Grammar, parse
from filigraph.graph.ingest.code.references import (
    Import,
    NameScope,
    find_calls,
    find_imports,
    known_names,
    types_in,
)
from filigraph.graph.ingest.code.units import Node, Unit, code_units, complexity, docstring, docstring_in, signature
from filigraph.graph.model.documents import Chunk, LoadedDocument
from filigraph.graph.model.extraction import Alias, CodeUnit, Extraction, Triplet
from filigraph.graph.text.identifiers import qualified_name

VERSION = "3"  # bump if the same file would give other extractions
EXTRACTOR = "code"
LONGEST_FILE = 2_000_000  # characters; a program wrote a longer file
LONGEST_CHUNK = 12_000  # characters; a longer unit is cut at line ends
EMBEDDED = 500  # characters of a chunk, beside its name and docstring
MODULE = "module"


@dataclass(frozen=True, kw_only=True)
class _Piece:
    """A future chunk: `text[start:end]`."""

    start: int
    end: int
    unit: CodeUnit
    types: str  # the kind of definition, as the type of its entity
    triplets: list[Triplet] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class _File:
    """What the pieces of a file have in common."""

    source: str
    text: str
    code: bytes
    grammar: Grammar
    offsets: Sequence[int]  # of each byte, in code points
    lines: Sequence[int]  # where each line begins, in code points
    fields: dict[str, frozenset[str]] = field(default_factory=dict)  # fields of each class whose methods follow

    def line_of(self, offset: int) -> int:
        """The number of the line with an offset, from 0."""
        return int(np.searchsorted(self.lines, offset, side="right")) - 1

    def name(self, name: str) -> str:
        return qualified_name(self.source, name)


def read_code(document: LoadedDocument, document_id: str, language: str) -> tuple[list[Chunk], tuple[str, ...]]:
    """The chunks of a file, in order, each with its extraction; and warnings. Together they contain all its text."""
    whole = document.text if len(document.text) <= LONGEST_FILE else ""
    code = whole.encode("utf-8", "replace")
    root = parse(language, code)
    file = _File(
        source=document.source,
        text=document.text,
        code=code,
        grammar=GRAMMARS[language],
        offsets=_offsets(whole, code),
        lines=[0, *(n + 1 for n, letter in enumerate(document.text) if letter == "\n")],
    )
    pieces = list(_pieces(root, file))
    seen: Counter[str] = Counter()
    chunks = []
    for index, piece in enumerate(pieces):
        text = document.text[piece.start : piece.end]
        first, last = file.line_of(piece.start) + 1, file.line_of(max(piece.start, piece.end - 1)) + 1
        chunk = Chunk(
            id=ids.chunk_id(document_id, text, seen[text]),
            document_id=document_id,
            index=index,
            start=piece.start,
            end=piece.end,
            text=text,
            title=document.title,
            place=f"{piece.unit.kind} {piece.unit.name}, lines {first}-{last}",
            language=document.language,
        )
        seen[text] += 1
        chunks.append(replace(chunk, read=_extraction(chunk, piece, file)))
    if not whole:
        return chunks, (f"it has more than {LONGEST_FILE:,} characters: it is read as text",)
    return chunks, ("it does not parse as a whole: what is broken is read as text",) if root.has_error else ()


def embedded_text(text: str, unit: CodeUnit | None) -> str:
    """The text of a chunk to embed: for source code its kind and name, its docstring, and its beginning."""
    return text if unit is None else f"{unit.kind} {unit.name}\n{unit.docstring}\n{text[:EMBEDDED]}"


def _extraction(chunk: Chunk, piece: _Piece, file: _File) -> Extraction:
    name = file.name("" if piece.unit.kind == MODULE else piece.unit.name)
    parts = [part for one in (*piece.triplets, *piece.aliases) for part in map(str, vars(one).values())]
    key = ids.content_id("code", VERSION, chunk.text, *map(str, vars(piece.unit).values()), *parts)
    return Extraction(
        key=key,
        extractor=EXTRACTOR,
        triplets=tuple(piece.triplets),
        aliases=tuple(piece.aliases),
        names=(name,),
        types={name: piece.types},
        unit=piece.unit,
    )


# --------------------------------------------------------------------------------------------------------------------
# Pieces


def _pieces(root: Node, file: _File) -> Iterator[_Piece]:
    """All pieces of a file, in order, with the description of each."""
    units = code_units(root, file.grammar)
    imports = find_imports(root)
    known = known_names(units, imports)
    pieces = sorted(_cut_pieces(root, units, file, known), key=lambda piece: piece.start)
    for one in imports:
        at = min(file.lines[one.line], len(file.text) - 1)
        home = next((piece for piece in pieces if piece.start <= at < piece.end), None) or pieces[0]
        _add_import(one, home, file)
    yield from pieces


def _cut_pieces(root: Node, units: Sequence[Unit], file: _File, known: frozenset[str]) -> Iterator[_Piece]:
    """The units as pieces, and the text between them as pieces of the module."""
    flat = list(_flatten_units(units, None))
    spans = sorted((file.offsets[unit.start], file.offsets[_head_end(unit)]) for unit, _ in flat)
    first = True
    for start, end in _gaps_between(spans, file.text):
        module_docstring = docstring_in(root.named_children[0]) if first and root.named_children else ""
        first = False
        module = CodeUnit(
            kind=MODULE, name=PurePosixPath(file.source).stem, signature="", docstring=module_docstring, complexity=0
        )
        for part_start, part_end in _cut_long_piece(start, end, file):
            yield _Piece(start=part_start, end=part_end, unit=module, types="Module")
    for unit, outer in flat:
        code = CodeUnit(
            kind=unit.kind,
            name=unit.name,
            signature=signature(unit, file.code),
            docstring=docstring(unit, file.code),
            complexity=complexity(unit, file.grammar),
        )
        start, end = file.offsets[unit.start], file.offsets[_head_end(unit)]
        pieces = [
            _Piece(start=a, end=b, unit=code, types=unit.kind.capitalize())
            for a, b in _cut_long_piece(start, end, file)
        ]
        _add_definition(unit, outer, pieces, file)
        _add_calls(unit, outer, known, pieces, file)
        yield from pieces


def _flatten_units(units: Sequence[Unit], outer: Unit | None) -> Iterator[tuple[Unit, Unit | None]]:
    """Each unit with the class that it is in."""
    for unit in units:
        yield unit, outer
        yield from _flatten_units(unit.inside, unit)


def _head_end(unit: Unit) -> int:
    """The end of a unit as a chunk: a class ends where its first method begins."""
    return min((one.start for one in unit.inside), default=unit.end)


def _gaps_between(spans: Sequence[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """The spans between these spans, unless they are blank; for a file without units, the whole file."""
    at = 0
    for start, end in [*spans, (len(text), len(text))]:
        gap = text[at:start]
        if any(letter.isalnum() for letter in gap) or not spans:
            yield at + len(gap) - len(gap.lstrip()), at + len(gap.rstrip())
        at = max(at, end)


def _cut_long_piece(start: int, end: int, file: _File) -> Iterator[tuple[int, int]]:
    """A piece, cut at line ends if it is too long; a line that is too long itself is cut anywhere."""
    end = start + len(file.text[start:end].rstrip())
    while end - start > LONGEST_CHUNK:
        cut = file.text.rfind("\n", start + 1, start + LONGEST_CHUNK) + 1
        cut = cut if cut > start else start + LONGEST_CHUNK
        yield start, cut
        start = cut
    yield start, end


# --------------------------------------------------------------------------------------------------------------------
# Facts


def _line_span(line: int, piece: _Piece, file: _File) -> tuple[int, int]:
    """A line as a span of its chunk, without blanks around it; the chunk's first or last line if it lies outside."""
    start = max(file.lines[line], piece.start)
    end = file.lines[line + 1] if line + 1 < len(file.lines) else len(file.text)
    text = file.text[start : min(end, piece.end)]
    start += len(text) - len(text.lstrip())
    return start - piece.start, max(start - piece.start + len(text.strip()), start - piece.start + 1)


def _piece_of(line: int, pieces: Sequence[_Piece], file: _File) -> _Piece:
    at = file.lines[line]
    return next((piece for piece in pieces if at < piece.end), pieces[-1])


def _add_definition(unit: Unit, outer: Unit | None, pieces: Sequence[_Piece], file: _File) -> None:
    line = unit.node.start_point[0]
    piece = _piece_of(line, pieces, file)
    start, end = _line_span(line, piece, file)
    piece.triplets.append(
        Triplet(
            subject=file.name(outer.name if outer else ""),
            predicate="DEFINES",
            object=file.name(unit.name),
            start=start,
            end=end,
            subject_type=outer.kind.capitalize() if outer else "Module",
            object_type=unit.kind.capitalize(),
        )
    )


def _add_calls(unit: Unit, outer: Unit | None, known: frozenset[str], pieces: Sequence[_Piece], file: _File) -> None:
    owner = unit if unit.inside or outer is None else outer
    own = owner.name if owner is not unit or unit.kind != "method" else unit.name.rpartition(".")[0]
    receiver = unit.node.child_by_field_name("receiver")
    called = str(receiver.text.decode("utf-8", "replace")).strip("()").split() if receiver is not None else []
    scope = NameScope(
        known=known,
        own=own if unit.kind in ("method", "class", "type") else "",
        receiver=called[0] if len(called) > 1 else "",
        members=frozenset(one.name.rpartition(".")[2] for one in owner.inside),
    )
    if outer is not None:  # in some languages methods use its fields without a prefix
        scope = replace(scope, members=scope.members | file.fields.get(outer.name, frozenset()))
    types = types_in(unit.node, file.grammar, scope)
    piece = pieces[0]
    span = _line_span(file.line_of(piece.start), piece, file)
    for variable, type_ in types.items():
        if "." in variable:  # an attribute of the class: calls on it, anywhere, are calls on that type
            piece.aliases.append(Alias(first=file.name(variable), second=file.name(type_), start=span[0], end=span[1]))
    fields = frozenset(name.rpartition(".")[2] for name in types if "." in name)
    if fields:
        file.fields[unit.name] = fields
    inside = frozenset((one.node.start_byte, one.node.end_byte) for one in unit.inside)
    scope = replace(scope, types={name: type_ for name, type_ in types.items() if "." not in name})
    for call in find_calls(unit.node, file.grammar, scope, inside):
        if call.name == unit.name or (outer and _is_on_unknown_field(call.name, scope.own, scope.members | fields)):
            continue
        piece = _piece_of(call.line, pieces, file)
        start, end = _line_span(call.line, piece, file)
        piece.triplets.append(
            Triplet(
                subject=file.name(unit.name),
                predicate="CALLS",
                object=file.name(call.name),
                start=start,
                end=end,
                subject_type=unit.kind.capitalize(),
            )
        )


def _is_on_unknown_field(name: str, own: str, members: frozenset[str]) -> bool:
    """Whether this calls a method of an attribute whose type is unknown: `self.lock.acquire()` does not call the class
    that has the lock.
    """
    first, dot, _ = name.removeprefix(f"{own}.").partition(".")
    return bool(own and dot) and name.startswith(f"{own}.") and first not in members


def _add_import(one: Import, piece: _Piece, file: _File) -> None:
    start, end = _line_span(one.line, piece, file)
    target = file.name(f"<{one.module}>{one.name}")
    piece.aliases.append(Alias(first=file.name(one.local), second=target, start=start, end=end))
    piece.triplets.append(
        Triplet(
            subject=file.name(""),
            predicate="IMPORTS",
            object=target,
            start=start,
            end=end,
            subject_type="Module",
        )
    )


def _offsets(text: str, code: bytes) -> Sequence[int]:
    """For each byte, and for the end, the index of its code point."""
    if text.isascii():
        return range(len(code) + 1)
    begins = (np.frombuffer(code, dtype=np.uint8) & 0xC0) != 0x80
    return [*(np.cumsum(begins) - 1).tolist(), len(text)]
