"""Receipts: write an answer with its evidence, and verify it against a workspace."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from filigraph.app.schemas.answers import KeptAnswerOut
from filigraph.app.schemas.receipts import (
    CheckedDecisionOut,
    CheckedDocumentOut,
    CheckedPathOut,
    Receipt,
    ReceiptDecision,
    ReceiptDocument,
    ReceiptHop,
    ReceiptPassage,
    ReceiptPath,
    Signature,
    VerifiedOut,
)
from filigraph.app.service.context import ServiceContext
from filigraph.graph.errors import NotSetUp
from filigraph.graph.ids import content_part
from filigraph.graph.model.retrieval import Evidence, Hop
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from filigraph.graph.store import Graph

EVERY = 1_000_000  # more than all decisions of persons


class Receipts:
    """Receipts of stored answers."""

    def __init__(self, context: ServiceContext) -> None:
        self.context = context

    def receipt(self, workspace: str, answer: KeptAnswerOut, cancelled: ShouldStop) -> Receipt:
        """The receipt of an answer. Raises NotSetUp for a key that cannot sign, Cancelled, InputError if the
        workspace changes meanwhile."""
        key = _signing_key(self.context.runtime.settings.signing_key)
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            written = _build_receipt(answer, workspace, list(_decisions(answer, graph)), self._hash(graph, cancelled))
        return _sign(written, key) if key else written

    def verify(self, workspace: str, receipt: Receipt, cancelled: ShouldStop) -> VerifiedOut:
        """Verify a receipt against the current workspace. Raises NotFound, Cancelled, InputError if the workspace
        changes meanwhile."""
        from filigraph.graph.annotations.receipt import DocumentTexts, KeptHop, check_path

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            documents = DocumentTexts(graph)
            paths = []
            for path in receipt.paths:
                hops = [KeptHop(**hop.model_dump(exclude={"place"})) for hop in path.hops]
                checked = check_path(hops, documents, graph)
                paths.append(CheckedPathOut(hops=list(checked)))
            passages = [item.number for item in receipt.passages if not documents.pieces_with(item.sha256, item.text)]
            states = [
                CheckedDocumentOut(source=item.source, state=documents.fault(item.source, item.sha256) or "same")
                for item in receipt.documents
            ]
            stand = {content_part(row.id) for row in graph.corrections()}
            decisions = [
                CheckedDecisionOut(id=item.id, kind=item.kind, holds=item.id in stand) for item in receipt.decisions
            ]
            same = self._hash(graph, cancelled) == receipt.export_sha256
        signature = _signature_state(receipt)
        holds = not passages and all(item.state == "same" for item in states) and all(item.holds for item in decisions)
        return VerifiedOut(
            holds=holds and signature != "invalid" and not any(hop.why for path in paths for hop in path.hops),
            signature=signature,
            key=receipt.signature.key if receipt.signature else "",
            same=same,
            paths=paths,
            passages=passages,
            documents=states,
            decisions=decisions,
        )

    def _hash(self, graph: Graph, cancelled: ShouldStop) -> str:
        from filigraph.graph.transfer.export_workspace import export_to

        return export_to(lambda _: None, graph, cancelled=cancelled).sha256


def _build_receipt(
    answer: KeptAnswerOut, workspace: str, decisions: list[ReceiptDecision], export_sha256: str
) -> Receipt:
    hashes = {document.id: document.sha256 for document in answer.documents}
    view = _view(answer)
    pieces = {piece.id: piece for piece in (*answer.citations, *answer.uncited) if piece.kind != "path"}

    def hop(hop_: Hop) -> ReceiptHop:
        piece = pieces.get(hop_.chunk_id)
        return ReceiptHop(
            kind=hop_.kind,
            subject=hop_.subject,
            predicate=hop_.predicate,
            object=hop_.object,
            fact=content_part(hop_.fact_id),
            sentence=hop_.sentence,
            place=hop_.place,
            source=piece.source if piece else "",
            sha256=hashes.get(piece.document_id, "") if piece else "",
        )

    def passage(number: int, piece: Evidence) -> ReceiptPassage:
        return ReceiptPassage(
            number=number,
            text=piece.text,
            place=piece.place,
            source=piece.source,
            sha256=hashes.get(piece.document_id, ""),
        )

    return Receipt(
        made=_time(datetime.now(UTC)),
        filigraph=answer.version,
        workspace=workspace,
        trace=answer.trace.id,
        asked=answer.asked or answer.question,
        question=answer.question,
        answered_at=_time(answer.at),
        answer=answer.text,
        generated=answer.generated,
        model=answer.model,
        embedder=answer.embedder,
        settings={**answer.trace.settings, **({"view": view} if view else {})},
        paths=[
            ReceiptPath(origin=path.origin, hops=[hop(one) for one in path.hops])
            for path in answer.paths
            if not path.lead
        ],
        passages=[passage(number, piece) for number, piece in enumerate(answer.citations, 1) if piece.kind == "chunk"],
        documents=[ReceiptDocument(source=one.source, title=one.title, sha256=one.sha256) for one in answer.documents],
        decisions=decisions,
        export_sha256=export_sha256,
    )


def _view(answer: KeptAnswerOut) -> Mapping[str, Any]:
    """The view in which the question was asked; empty if everything was visible."""
    return next((step.inputs for step in answer.trace.steps if step.name == "view"), {})


def _decisions(answer: KeptAnswerOut, graph: Graph) -> Iterator[ReceiptDecision]:
    """The decisions of persons about names of the shown paths, without those that the question left out."""
    from filigraph.graph.corrections.listing import list_decisions

    hops = [hop for path in answer.paths if not path.lead for hop in path.hops]
    ends = {end for hop in hops for end in (hop.subject_id, hop.object_id)} - {""}
    left_out = _view(answer).get("without_decisions", ())
    for row in list_decisions(by="person", graph=graph, first=0, count=EVERY)[0]:
        if (
            row.id not in left_out
            and row.kind != "aliases"
            and any(name.entity_id in ends for name in (*row.names, *row.others))
        ):
            yield ReceiptDecision(
                id=content_part(row.id),
                kind=row.kind,
                names=[name.form for name in row.names],
                others=[name.form for name in row.others],
                name=row.name,
                at=row.at,
            )


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


# --------------------------------------------------------------------------------------------------------------------
# Signatures


def _signing_key(file: Path | None) -> Ed25519PrivateKey | None:
    """The server's own private key. Raises NotSetUp."""
    if file is None:
        return None
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(file.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not a private key in PEM without a password"
        raise NotSetUp(f"The key {file} cannot be read: {why}.", cure=_KEY_CURE) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise NotSetUp(f"The key {file} is not an Ed25519 key.", cure=_KEY_CURE)
    return key


_KEY_CURE = "Make one with `openssl genpkey -algorithm ed25519 -out key.pem` and set FILIGRAPH_SIGNING_KEY to it."


def _sign(receipt: Receipt, key: Ed25519PrivateKey) -> Receipt:
    signature = Signature(
        algorithm="Ed25519",
        key=_base64(key.public_key().public_bytes_raw()),
        value=_base64(key.sign(_content(receipt))),
    )
    return receipt.model_copy(update={"signature": signature})


def _signature_state(receipt: Receipt) -> Literal["none", "valid", "invalid"]:
    if receipt.signature is None:
        return "none"
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(receipt.signature.key, validate=True))
        key.verify(base64.b64decode(receipt.signature.value, validate=True), _content(receipt))
    except (InvalidSignature, ValueError):
        return "invalid"
    return "valid"


def _content(receipt: Receipt) -> bytes:
    """The signed content: everything but the signature, in a canonical form."""
    fields = receipt.model_dump(mode="json", exclude={"signature"})
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _base64(data: Iterable[int]) -> str:
    return base64.b64encode(bytes(data)).decode()
