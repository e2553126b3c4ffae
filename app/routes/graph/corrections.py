"""People's corrections, merges with their reasons, and names to review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Path, Query, Request

from filigraph.app.http.audit import record_subjects
from filigraph.app.routes.common import Count, EntityId, First, ServiceDep, ViewDep, WorkspaceDep, errors
from filigraph.app.schemas.graph.corrections import (
    CorrectionsIn,
    CorrectionsOut,
    NearMissListOut,
    OutcomeOut,
    PlacesOut,
    QuestionsOut,
    UndoneOut,
)
from filigraph.graph.model.names import Occurrence

if TYPE_CHECKING:
    from filigraph.graph.corrections.apply import Correction

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["corrections"])


@router.get("/corrections", summary="List corrections and merges", responses=errors(404, 422))
def corrections(
    workspace: WorkspaceDep,
    service: ServiceDep,
    by: Annotated[
        Literal["", "person", "rule"], Query(description="Only corrections by people, or decisions by rules.")
    ] = "",
    first: First = 0,
    count: Count = 50,
) -> CorrectionsOut:
    """Corrections of people, the newest first, then the merges by rules, the surest first."""
    rows, total = service.corrections.listed(workspace, by=by, first=first, count=count)
    return CorrectionsOut(total=total, corrections=rows)


@router.get("/corrections/review", summary="List what to review", responses=errors(404, 422))
def review(workspace: WorkspaceDep, service: ServiceDep, first: First = 0, count: Count = 50) -> NearMissListOut:
    """The near misses, nearest first: names that rules nearly took for one."""
    rows, total = service.corrections.near_misses(workspace, first=first, count=count)
    return NearMissListOut(total=total, near_misses=rows)


@router.get("/corrections/who", summary="Ask who is who", responses=errors(404, 422))
def who(
    workspace: WorkspaceDep,
    service: ServiceDep,
    count: Annotated[int, Query(ge=1, le=200, description="Maximum number of questions.")] = 30,
) -> QuestionsOut:
    """Near misses, person by person ("Who of these is Elizabeth Bennet?"), and persons whose names share no word.
    Questions that affect most places come first. Answer with `POST .../corrections`: `distinct` names are not asked
    again.
    """
    rows = service.corrections.who(workspace, count=count)
    return QuestionsOut(questions=rows)


@router.post("/corrections", summary="Correct names, entities and facts", responses=errors(404, 409, 422))
def correct(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: CorrectionsIn) -> OutcomeOut:
    """One or many: the valid ones are stored, the graph is derived once, without an LLM; the others are reported. If
    none is valid, the answer is the first error: 409 names the earlier correction that says the opposite. A rejected
    fact leaves the graph, paths and answers, and no reading brings it back. `DELETE .../corrections/{correction_id}`
    undoes a correction."""
    from filigraph.graph.corrections.apply import Correction

    rows = [
        Correction(
            **{**correction.model_dump(), "places": [Occurrence(**place.model_dump()) for place in correction.places]}
        )
        for correction in body.corrections
    ]
    record_subjects(request.scope, *map(_subject, rows))
    return OutcomeOut.model_validate(service.corrections.apply(workspace, rows))


def _subject(row: Correction) -> str:
    """The subject of a correction in the audit log."""
    places = (f"{place.chunk_id} {place.start}-{place.end}" for place in row.places)
    return " ".join(filter(None, (row.kind, row.about, row.other, row.value, *row.names, *places)))


@router.delete("/corrections/{correction_id}", summary="Undo a correction", responses=errors(404, 422))
def undo(
    workspace: WorkspaceDep,
    service: ServiceDep,
    correction_id: Annotated[str, Path(description="A person's correction, or a group of an alias file.")],
) -> UndoneOut:
    """The graph is then what it would be without the correction."""
    service.corrections.undo(workspace, correction_id)
    return UndoneOut(undone=correction_id)


@router.get("/entities/{entity_id}/places", summary="List the places of an entity's names", responses=errors(404, 422))
def places(
    workspace: WorkspaceDep,
    entity_id: EntityId,
    service: ServiceDep,
    view: ViewDep,
    first: First = 0,
    count: Count = 100,
) -> PlacesOut:
    """Every place of every name of an entity, with its sentence: the places that a split can use."""
    rows, total = service.browse.entity_places(workspace, entity_id, first=first, count=count, view=view)
    return PlacesOut(total=total, places=list(rows))
