"""Keys, and the session with which the page uses one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from filigraph.app.access.keys import FORM, Caller, check_limit, view_of_key
from filigraph.app.http.audit import record_subjects
from filigraph.app.http.auth import presented_key
from filigraph.app.http.permissions import COOKIE
from filigraph.app.routes.common import First, ServiceDep, errors
from filigraph.app.schemas.keys import KeyIn, KeyOut, KeysOut, NewKeyOut, SessionIn, SessionOut
from filigraph.graph.errors import InputError, KeyNeeded
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.store import AccessKey

KeyName = Annotated[str, Path(description="A key's name.")]
SESSION_DAYS = 30

router = APIRouter(prefix="/v1", tags=["keys"])


@router.get("/keys", summary="List keys", responses=errors(422))
def keys(
    service: ServiceDep,
    first: First = 0,
    count: Annotated[int, Query(ge=1, le=10_000, description="How many.")] = 1000,
) -> KeysOut:
    """The keys, without their secrets. Requires an admin key."""
    rows = service.keys.all()
    return KeysOut(total=len(rows), keys=[KeyOut(**_key_fields(key)) for key in rows[first : first + count]])


@router.post("/keys", summary="Create a key", responses=errors(422))
def create_key(body: KeyIn, request: Request, service: ServiceDep) -> NewKeyOut:
    """Creates a key and returns its secret, only this once. The first key must be an admin key; from then on every
    request needs a key. Requires an admin key once there is one. A key with a `view` is refused if the view shows
    nothing."""
    where = f" in {'a part of ' if body.view else ''}{body.workspace}" if body.workspace else ""
    record_subjects(request.scope, f"{body.name} ({body.scope}{where})")
    view = View.of(body.view.model_dump()) if body.view else ALL
    check_limit(body.scope, body.workspace, view)
    if body.view and not view:
        raise InputError(
            "The view leaves nothing out.", cure=('Describe what the key may see: {"sources": ["letters/"]}.')
        )
    if view:
        service.views.check_limit(body.workspace, view)
    key, secret = service.keys.create(body.name, body.scope, body.workspace, view)
    return NewKeyOut(**_key_fields(key), key=secret)


@router.post("/keys/{name}/rotate", summary="Rotate a key", responses=errors(404, 422))
def rotate_key(name: KeyName, service: ServiceDep) -> NewKeyOut:
    """The old secret stops working at once; the new one is returned only this once. Requires an admin key."""
    key, secret = service.keys.rotate(name)
    return NewKeyOut(**_key_fields(key), key=secret)


@router.delete("/keys/{name}", summary="Revoke a key", responses=errors(404, 422))
def revoke_key(name: KeyName, service: ServiceDep) -> KeyOut:
    """Revokes a key: at once on this server, within seconds on others of the same Neo4j. Requires an admin key."""
    return KeyOut(**_key_fields(service.keys.revoke(name)))


@router.get("/session", summary="Get the session", responses=errors())
def session(request: Request, service: ServiceDep) -> SessionOut:
    """What the request's key permits; without one: whether a key is needed."""
    try:
        return _session(service.keys.caller(presented_key(request.scope)))
    except KeyNeeded:
        return SessionOut(name="", scope="none", workspace="")


@router.post("/session", summary="Begin a session", responses=errors(422))
def begin_session(body: SessionIn, request: Request, response: Response, service: ServiceDep) -> SessionOut:
    """Stores the key in a cookie that scripts cannot read and other sites cannot use, for the page."""
    key = body.key.strip()
    if not key:
        raise InputError("No key was given.", cure="Paste the whole key.")
    caller = service.keys.caller(key)
    if not FORM.fullmatch(key):  # only while there are no keys, when none is needed
        return _session(caller)
    # The cookie holds the key itself: a token in its place would open the same doors, and a secret to sign it with,
    # kept in the database, would open them to everybody who reads the database, which hashed keys do not.
    response.set_cookie(
        COOKIE,
        key,
        max_age=SESSION_DAYS * 86400,
        path=f"{request.scope.get('root_path', '')}/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return _session(caller)


@router.delete("/session", summary="End the session", responses=errors())
def end_session(request: Request, response: Response) -> SessionOut:
    """Deletes the cookie."""
    response.delete_cookie(COOKIE, path=f"{request.scope.get('root_path', '')}/", httponly=True, samesite="strict")
    return SessionOut(name="", scope="none", workspace="")


def _session(caller: Caller) -> SessionOut:
    return SessionOut(name=caller.name, scope=caller.scope, workspace=caller.workspace, limited=bool(caller.view))


def _key_fields(key: AccessKey) -> dict[str, Any]:
    return {**vars(key), "view": view_of_key(key).fields()}
