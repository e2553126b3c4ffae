"""The embedder as a service: texts read whole, then cut."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import ServiceDep, answered
from filigraph.app.schemas.embedding import LateChunkIn, LateChunkOut, PieceEmbeddingOut
from filigraph.graph.models.embed import PASSAGE_TASKS
from filigraph.graph.process.cancel import ShouldStop

router = APIRouter(prefix="/v1", tags=["server"])


@router.post("/embed_late_chunk", summary="Embed pieces in their context", responses=answered(LateChunkOut, 409, 422))
def embed_late_chunk(body: LateChunkIn, service: ServiceDep) -> Response:
    """Late chunking: the model reads each text as a whole, and the vector of a piece is the mean of its tokens in
    that context, so "she" includes whom it refers to. A text longer than the model's window is read in overlapping
    windows."""

    def job(_: Emit, cancelled: ShouldStop) -> LateChunkOut:
        embedder, pieces = service.questions.embed_late(
            body.texts,
            strategy=body.strategy,
            chunk_size=body.chunk_size,
            overlap=body.overlap,
            as_passages=body.task in PASSAGE_TASKS,
            cancelled=cancelled,
        )
        return LateChunkOut(
            model=embedder.name,
            dimensions=embedder.dimensions,
            fingerprint=embedder.fingerprint,
            texts=[
                [
                    PieceEmbeddingOut(start=piece.start, end=piece.end, embedding=piece.vector.tolist())
                    for piece in chunk_pieces
                ]
                for chunk_pieces in pieces
            ],
        )

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)
