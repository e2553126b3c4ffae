"""Which statements may disagree: the same things, by different voices."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from filigraph.app.routes.common import Count, First, ServiceDep, WorkspaceDep, errors
from filigraph.app.schemas.contradictions import ContradictionKind, ContradictionOut, ContradictionsOut

router = APIRouter(prefix="/v1/workspaces/{workspace}/contradictions", tags=["entities"])


@router.get("", summary="Who says what against whom?", responses=errors(404, 422))
def contradictions(
    workspace: WorkspaceDep,
    service: ServiceDep,
    entity: Annotated[str, Query(max_length=64, description="Only what is said of this entity (id).")] = "",
    kind: Annotated[ContradictionKind | None, Query(description="Only those of this kind.")] = None,
    first: First = 0,
    count: Count = 50,
) -> ContradictionsOut:
    """Pairs of statements by different voices that may disagree, the likeliest first, each with both sentences.

    A voice is who asserts it in the text, else the author of the document, else the document. No language model is
    asked: a change, a joke or an estimate may look like a contradiction.
    """
    found = service.browse.contradictions(workspace, entity_id=entity, kind=kind or "")
    rows = [ContradictionOut.of(one) for one in found[first : first + count]]
    return ContradictionsOut(total=len(found), contradictions=rows)
