"""What was joined and why, and what a person says to it."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request

from filigraph.app.http.audit import record_subjects
from filigraph.app.routes.common import Count, EntityId, First, ServiceDep, ViewDep, WorkspaceDep, errors
from filigraph.app.schemas.merges import (
    CorrectionsIn,
    MergeOut,
    MergesOut,
    OutcomeOut,
    PlaceOut,
    PlacesOut,
    QuestionOut,
    QuestionsOut,
    RenameIn,
    SplitIn,
    UndoneOut,
    VerdictsIn,
)
from filigraph.graph.model.names import Occurrence

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["merges"])

_DECIDING = errors(404, 409, 422)


@router.get("/merges", summary="List decisions", responses=errors(404, 422))
def merges(
    workspace: WorkspaceDep,
    service: ServiceDep,
    by: Annotated[Literal["", "person", "rule"], Query(description="Only those by persons, or by rules.")] = "",
    first: First = 0,
    count: Count = 50,
) -> MergesOut:
    """What persons decided, the newest first, then what rules joined, the surest first."""
    found, total = service.names.merges(workspace, by=by, first=first, count=count)
    return MergesOut(total=total, merges=[MergeOut.model_validate(row) for row in found])


@router.get("/merges/review", summary="List what to review", responses=errors(404, 422))
def review(workspace: WorkspaceDep, service: ServiceDep, first: First = 0, count: Count = 50) -> MergesOut:
    """The near misses, nearest first: names that rules nearly took for one."""
    found, total = service.names.near_misses(workspace, first=first, count=count)
    return MergesOut(total=total, merges=[MergeOut.model_validate(row) for row in found])


@router.get("/merges/who", summary="Ask who is who", responses=errors(404, 422))
def who(
    workspace: WorkspaceDep,
    service: ServiceDep,
    count: Annotated[int, Query(ge=1, le=200, description="How many questions, at most.")] = 30,
) -> QuestionsOut:
    """Near misses, person by person ("Who of these is Elizabeth Bennet?"), and persons whose names share no word. What
    most places hang on comes first. Answer with `POST .../merges`: names that are kept apart are not asked again."""
    found = service.names.who(workspace, count=count)
    return QuestionsOut(questions=[QuestionOut.model_validate(row) for row in found])


@router.post("/merges", summary="Join or separate names", responses=_DECIDING)
def decide(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: VerdictsIn) -> OutcomeOut:
    """Takes what can be taken and derives again, without an LLM; the rest is reported. Where nothing can be taken, the
    answer is the first error: 409 names the earlier decision that says the opposite."""
    from filigraph.graph.curate.merges import Verdict

    record_subjects(request.scope, *(f"{one.first} {'=' if one.same else '≠'} {one.second}" for one in body.verdicts))
    verdicts = [Verdict(**verdict.model_dump()) for verdict in body.verdicts]
    return OutcomeOut.model_validate(service.names.decide(workspace, verdicts))


@router.post("/corrections", summary="Correct names, entities and facts", responses=_DECIDING)
def correct(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: CorrectionsIn) -> OutcomeOut:
    """Many at once: what can be taken is noted, the graph is derived once, without an LLM; the rest is reported. A fact
    that is wrong leaves the graph, paths and answers, and no reading brings it back. `DELETE .../merges/{decision_id}`
    undoes a correction."""
    from filigraph.graph.curate.corrections import Correction

    subjects = ((one.kind, one.about, one.other, one.value, *one.names) for one in body.corrections)
    record_subjects(request.scope, *(" ".join(filter(None, parts)) for parts in subjects))
    rows = [
        Correction(**{**one.model_dump(), "places": [Occurrence(**place.model_dump()) for place in one.places]})
        for one in body.corrections
    ]
    return OutcomeOut.model_validate(service.names.correct(workspace, rows))


@router.post("/merges/split", summary="Split an entity", responses=_DECIDING)
def split(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: SplitIn) -> OutcomeOut:
    """The chosen names become an entity of their own; chosen places of a name become a mention of their own, which
    belongs to nothing else until a person says so."""
    apart = [*body.names, *(f"{place.chunk_id} {place.start}-{place.end}" for place in body.places)]
    record_subjects(request.scope, f"{body.entity}:", *apart)
    places = [Occurrence(**place.model_dump()) for place in body.places]
    return OutcomeOut.model_validate(
        service.names.split(workspace, body.entity, names=body.names, places=places, note=body.note)
    )


@router.post("/merges/rename", summary="Rename an entity", responses=_DECIDING)
def rename(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: RenameIn) -> OutcomeOut:
    """Sets the name that an entity is shown by; its other names stay."""
    record_subjects(request.scope, f"{body.entity} -> {body.name}")
    return OutcomeOut.model_validate(service.names.rename(workspace, body.entity, name=body.name, note=body.note))


@router.delete("/merges/{decision_id}", summary="Undo a decision", responses=errors(404, 422))
def undo(
    workspace: WorkspaceDep,
    service: ServiceDep,
    decision_id: Annotated[str, Path(description="A person's decision, or a group of an alias file.")],
) -> UndoneOut:
    """The graph is then what it would be without the decision."""
    service.names.undo(workspace, decision_id)
    return UndoneOut(undone=decision_id)


@router.get("/entities/{entity_id}/places", summary="Where do its names occur?", responses=errors(404, 422))
def places(
    workspace: WorkspaceDep,
    entity_id: EntityId,
    service: ServiceDep,
    view: ViewDep,
    first: First = 0,
    count: Count = 100,
) -> PlacesOut:
    """Every place of every name of an entity, with its sentence: what a split can be made of."""
    found, total = service.browse.entity_places(workspace, entity_id, first=first, count=count, view=view)
    return PlacesOut(total=total, places=[PlaceOut.model_validate(row) for row in found])
