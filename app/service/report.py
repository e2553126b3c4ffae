"""Write stored answers as a Word file or a PDF: question, answer, a drawing of the path, each hop with its sentence,
and every source as a footnote with its place and the hash of the document that was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Literal

from filigraph.app.path_lane import Data, on_lane, visible_paths
from filigraph.app.schemas.answers import KeptAnswerOut
from filigraph.graph.annotations.notes import PlacedNote
from filigraph.graph.model.answers import AnswerStatement
from filigraph.graph.model.retrieval import Evidence
from filigraph.graph.text.language import detect
from filigraph.graph.text.wording import Wording, wording
from filigraph.graph.transfer import docx
from filigraph.graph.transfer.document import Document, run

ReportFormat = Literal["docx", "pdf"]
MEDIA_TYPES: Mapping[ReportFormat, str] = {"docx": docx.MEDIA_TYPE, "pdf": "application/pdf"}


def report(
    answers: Sequence[KeptAnswerOut],
    *,
    title: str = "",
    notes: Mapping[str, Sequence[PlacedNote]] | None = None,
    format: ReportFormat = "docx",
) -> bytes:
    """The file of one answer or several, such as those of a thread, in their order. `title`: that of the thread, by
    default the first question. `notes`: persons' notes on an answer, by the id of its trace. Chunks that are no longer
    in an answer's evidence appear by id. A PDF lists below its title the letters that its font lacks."""
    document = _document(title or answers[0].question, answers, format)
    for answer in answers:
        if title or len(answers) > 1:
            document.heading(answer.question)
        _Section(document, answer, (notes or {}).get(answer.trace.id, ())).write()
    return document.content()


def _document(title: str, answers: Sequence[KeptAnswerOut], format: ReportFormat) -> Document:
    if format == "docx":
        return docx.Docx(title=title)
    from filigraph.graph.transfer.pdf import Pdf  # its libraries load slowly

    replaced = wording(detect(answers[0].question)).replaced_letters
    return Pdf(title=title, created=max(answer.at for answer in answers), replaced=replaced)


class _Section:
    """One answer, laid out for the document."""

    def __init__(self, document: Document, answer: KeptAnswerOut, notes: Sequence[PlacedNote]) -> None:
        self._document = document
        self._answer = answer
        self._notes = notes
        self._words: Wording = wording(detect(answer.question))
        self._pieces: Mapping[str, Evidence] = {
            piece.id: piece for piece in (*answer.citations, *answer.uncited) if piece.kind != "path"
        }
        self._hashes = {document.id: document.sha256 for document in answer.documents}

    def write(self) -> None:
        self._add_text()
        shown, folded = visible_paths([asdict(path) for path in self._answer.paths])
        for number, path in enumerate(shown, start=1):
            self._add_path(number, path)
        self._add_contradictions()
        if folded:
            self._add_small_text(self._words.leads.format(count=folded))
        self._add_notes()
        self._add_sources()
        self._add_versions()

    def _add_text(self) -> None:
        answer, words = self._answer, self._words
        if not answer.generated:
            self._add_small_text(words.not_an_answer)
        for paragraph in (answer.text if answer.generated else self._excerpts()).split("\n\n"):
            self._document.paragraph(run(paragraph))
        for label, value in (
            (words.unsupported, ", ".join(part.text for part in answer.unsupported)),
            (words.missing, answer.missing if answer.generated else ""),
            ("", answer.remark),
            ("", answer.cut_short),
        ):
            if value:
                self._add_small_text(f"{label}: {value}" if label else value)

    def _excerpts(self) -> str:
        return (
            "\n\n".join(f"[{excerpt.number}] {excerpt.text}" for excerpt in self._answer.excerpts) or self._answer.text
        )

    def _add_path(self, number: int, path: Data) -> None:
        self._document.heading(f"{self._words.path} {number}", level=2)
        rows: list[tuple[str, bool]] = []
        for step in on_lane(path["hops"]):
            rows += [] if step.joined else [(step.left, True)]
            note = f" ({self._words.unfound})" if step.hop["kind"] == "unfound" else ""
            rows += [(f"{'↑' if step.backward else '↓'} {step.hop['predicate']}{note}", False), (step.right, True)]
        self._document.boxes(rows)
        for hop in path["hops"]:
            self._add_hop(hop)

    def _add_hop(self, hop: Data) -> None:
        remarks = [hop["when"], self._words.implied if hop["implied"] else ""]
        remarks += [self._words.own if hop.get("own") else ""]
        remarks += [self._words.according_to.format(who=hop["according_to"]) if hop["according_to"] else ""]
        remarks += [self._words.unfound if hop["kind"] == "unfound" else ""]
        remark = ", ".join(filter(None, remarks))
        self._document.paragraph(
            run(hop["subject"], bold=True),
            run(f" {hop['predicate']} "),
            run(hop["object"], bold=True),
            run(f" ({remark})" if remark else ""),
        )
        if not (hop["sentence"] or (hop["kind"] == "unfound" and hop["chunk_id"])):
            return
        piece = self._pieces.get(hop["chunk_id"])
        source = self._source(piece, hop["place"] or piece.place) if piece else hop["chunk_id"]
        if hop["kind"] == "unfound":
            name = (piece.title or piece.source) if piece else hop["chunk_id"]
            text = run(self._words.cites.format(passage=name), small=True)
        else:
            text = run(" ".join(f"“{sentence}”" for sentence in (hop["sentence"], *hop["premises"])), italic=True)
        self._document.paragraph(text, self._document.footnote(source))

    def _add_contradictions(self) -> None:
        if self._answer.contradictions:
            self._document.heading(self._words.contradicted, level=2)
        for contradiction in self._answer.contradictions:
            if contradiction.about:
                self._document.paragraph(run(contradiction.about))
            self._add_statements(contradiction.said, contradiction.against)
            for side, label in enumerate(self._words.sides, start=1):
                alike = [one for one in contradiction.further if min(one.side, len(self._words.sides)) == side]
                if alike:
                    self._add_small_text(label)
                self._add_statements(*alike)
            if contradiction.what:
                self._add_small_text(contradiction.what)

    def _add_statements(self, *statements: AnswerStatement) -> None:
        for statement in statements:
            sha256 = self._hashes.get(statement.document_id, "")
            parts = (statement.place, statement.source, statement.date, f"sha256 {sha256}" if sha256 else "")
            source = self._document.footnote(" · ".join(filter(None, parts)))
            quotation = run(f"“{statement.sentence}”", italic=True)
            self._document.paragraph(run(f"{statement.voice}: ", bold=True), quotation, source)

    def _add_notes(self) -> None:
        if self._notes:
            self._document.heading(self._words.notes, level=2)
        for placed in self._notes:
            note, anchor = placed.note, placed.note.anchor
            at = anchor.sentence if anchor.kind == "passage" else " ".join(_anchor_names(placed))
            if at:
                self._document.paragraph(run(f"“{at}”" if anchor.kind == "passage" else at, italic=True))
            marks = (note.by, note.changed[:10], *(f"#{tag}" for tag in note.tags), "*" if note.starred else "")
            self._document.paragraph(run(note.text), run(f" ({' · '.join(filter(None, marks))})", small=True))

    def _add_sources(self) -> None:
        self._document.heading(self._words.passages, level=2)
        for number, piece in enumerate(self._answer.citations, start=1):
            text = run(f"[{number}] {piece.text}")
            self._document.paragraph(text, self._document.footnote(self._source(piece, piece.place)))

    def _source(self, piece: Evidence, place: str) -> str:
        sha256 = self._hashes.get(piece.document_id, "")
        parts = (piece.title, place, piece.source, piece.date, f"sha256 {sha256}" if sha256 else "")
        return " · ".join(dict.fromkeys(filter(None, parts)))

    def _add_versions(self) -> None:
        answer = self._answer
        names = (f"Filigraph {answer.version}", answer.model, answer.embedder, answer.trace.workspace, answer.trace.id)
        self._add_small_text(" · ".join([f"{answer.at:%Y-%m-%d %H:%M} UTC", *filter(None, names)]))

    def _add_small_text(self, text: str) -> None:
        self._document.paragraph(run(text, small=True))


def _anchor_names(placed: PlacedNote) -> tuple[str, ...]:
    """The entity, or the fact, that a note is at."""
    anchor = placed.note.anchor
    return tuple(filter(None, (placed.entity or anchor.name, anchor.predicate, placed.other or anchor.other)))
