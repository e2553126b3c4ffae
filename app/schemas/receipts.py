"""Receipts: an answer with the hashes of its evidence, to be verified later or elsewhere."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from filigraph.app.schemas.common import Out
from filigraph.graph.annotations.receipt import CheckedHop
from filigraph.graph.model.retrieval import HopKind, PathOrigin

Hash = Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]
Text = Annotated[str, Field(max_length=200_000)]
DocumentState = Literal["same", "changed", "gone"]


class _Kept(BaseModel):
    """A part of a receipt. Unknown fields are refused, because they would not be verified."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ReceiptDocument(_Kept):
    """A document that was read."""

    source: Annotated[str, Field(max_length=2000, description="The name under which it was ingested.")]
    title: Annotated[str, Field(max_length=2000, description="Its title.")]
    sha256: Annotated[Hash, Field(description="SHA-256 of its bytes.")]


class ReceiptHop(_Kept):
    """A hop of a path."""

    kind: Annotated[HopKind, Field(description="The kind of hop, as in answers.")]
    subject: Annotated[Text, Field(description="The name at its start.")]
    predicate: Annotated[Text, Field(description="The predicate.")]
    object: Annotated[Text, Field(description="The name at its end.")]
    fact: Annotated[str, Field(max_length=64, description="The fact's id, without the workspace's part.")]
    sentence: Annotated[Text, Field(description="The sentence behind it.")]
    place: Annotated[Text, Field(description="Page, chapter, paragraph of the sentence.")]
    source: Annotated[str, Field(max_length=2000, description="Its document.")]
    sha256: Annotated[Hash, Field(description="SHA-256 of its document.")]


class ReceiptPath(_Kept):
    """A path that was shown."""

    origin: Annotated[PathOrigin, Field(description="By whom: ranked, or named by the LLM.")]
    hops: Annotated[list[ReceiptHop], Field(max_length=100, description="In reading order.")]


class ReceiptPassage(_Kept):
    """A passage that the answer cites."""

    number: Annotated[int, Field(ge=1, description="The number of the citation.")]
    text: Annotated[Text, Field(description="Its text.")]
    place: Annotated[Text, Field(description="Page, chapter, paragraph.")]
    source: Annotated[str, Field(max_length=2000, description="Its document.")]
    sha256: Annotated[Hash, Field(description="SHA-256 of its document.")]


class ReceiptDecision(_Kept):
    """A person's decision about a name on the paths."""

    id: Annotated[str, Field(max_length=64, description="The decision's id, without the workspace's part.")]
    kind: Annotated[str, Field(max_length=20, description="As in `GET .../corrections`.")]
    names: Annotated[list[Text], Field(max_length=1000, description="One side.")]
    others: Annotated[list[Text], Field(max_length=1000, description="The other side.")]
    name: Annotated[Text, Field(description="The given name, type or predicate.")]
    at: Annotated[str, Field(max_length=40, description="Time, ISO 8601, UTC.")]


class Signature(_Kept):
    """The signature of the rest of a receipt: of its JSON in UTF-8, keys sorted, without spaces."""

    algorithm: Annotated[Literal["Ed25519"], Field(description="The algorithm; the only one.")]
    key: Annotated[str, Field(max_length=64, description="The public key, base64.")]
    value: Annotated[str, Field(max_length=128, description="The signature, base64.")]


class Receipt(_Kept):
    """An answer with its evidence."""

    format: Annotated[Literal["filigraph-receipt"], Field(description="The kind of file.")] = "filigraph-receipt"
    version: Annotated[Literal[1], Field(description="Version of the format.")] = 1
    made: Annotated[str, Field(max_length=40, description="Time of the receipt, ISO 8601, UTC.")]
    filigraph: Annotated[str, Field(max_length=40, description="Version of the server that gave the answer.")]
    workspace: Annotated[str, Field(max_length=200, description="The workspace of the answer.")]
    trace: Annotated[str, Field(max_length=200, description="The id of the answer's trace.")]
    asked: Annotated[Text, Field(description="The original question.")]
    question: Annotated[Text, Field(description="The rewritten question.")]
    answered_at: Annotated[str, Field(max_length=40, description="Time of the answer, ISO 8601, UTC.")]
    answer: Annotated[Text, Field(description="The answer.")]
    generated: Annotated[bool, Field(description="Whether an LLM wrote the answer.")]
    model: Annotated[str, Field(max_length=200, description="The LLM; empty without one.")]
    embedder: Annotated[str, Field(max_length=500, description="The embedder.")]
    settings: Annotated[
        dict[str, Any], Field(description="The settings of the question; `view`: the part of the texts.")
    ]
    paths: Annotated[list[ReceiptPath], Field(max_length=100, description="The shown paths.")]
    passages: Annotated[list[ReceiptPassage], Field(max_length=1000, description="The cited passages.")]
    documents: Annotated[
        list[ReceiptDocument], Field(max_length=10_000, description="The documents of all its evidence.")
    ]
    decisions: Annotated[
        list[ReceiptDecision], Field(max_length=10_000, description="People's decisions about names in the paths.")
    ]
    export_sha256: Annotated[Hash, Field(description="SHA-256 of an export of the workspace at that time.")]
    signature: Annotated[Signature | None, Field(description="Null if the server has no key for signing.")] = None


class CheckedPathOut(Out):
    """A path as it is now in the workspace."""

    hops: Annotated[list[CheckedHop], Field(description="In reading order.")]


class CheckedDocumentOut(Out):
    """A document of a receipt."""

    source: Annotated[str, Field(description="The name under which it was ingested.")]
    state: Annotated[DocumentState, Field(description="Whether its text is in the workspace, under any name.")]


class CheckedDecisionOut(Out):
    """A decision of a receipt."""

    id: Annotated[str, Field(description="The decision's id, without the workspace's part.")]
    kind: Annotated[str, Field(description="As in `GET .../corrections`.")]
    holds: Annotated[bool, Field(description="False: it was undone, or never existed in this workspace.")]


class VerifiedOut(Out):
    """Which parts of a receipt still hold in a workspace."""

    holds: Annotated[
        bool, Field(description="Whether the signature (if any), documents, passages, decisions and all hops hold.")
    ]
    signature: Annotated[
        Literal["none", "valid", "invalid"],
        Field(description="Whether the receipt is unchanged since it was signed. Anybody can sign: compare `key`."),
    ]
    key: Annotated[str, Field(description="The public key that signed it, base64; empty without a signature.")]
    same: Annotated[bool, Field(description="Whether an export of the workspace has the hash in the receipt.")]
    paths: Annotated[list[CheckedPathOut], Field(description="Each path, hop by hop.")]
    passages: Annotated[list[int], Field(description="Numbers of the passages that their documents do not contain.")]
    documents: Annotated[list[CheckedDocumentOut], Field(description="Each document.")]
    decisions: Annotated[list[CheckedDecisionOut], Field(description="Each decision.")]
