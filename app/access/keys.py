"""Access keys and their callers.

A key is 256 random bits, shown once. The store has its SHA-256. A slow password hash is for passwords that others can
guess; nobody can guess 256 random bits, and a slow hash for each request would be a way to stop the server.

On loopback, as long as there is no key, everybody on the machine may do everything (`local`). Once a key exists, every
request needs one. A server that others can reach (`Settings.public`) does not start without a key.

The owner of the machine is never locked out: when a server starts, it writes a token into a file that only its owner
can read, and with the token `filigraph keys` needs no key.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from filigraph.graph.errors import ForbiddenError, InputError, KeyNeeded, UnavailableError
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.store import AccessKey, AccessKeys, KeyScope

T = TypeVar("T")
Need = Literal["read", "write", "admin"]

MARK = "fgk_"  # beginning of keys, by which people and scanners recognize them
FORM = re.compile(rf"{MARK}[A-Za-z0-9_-]{{43}}")
NAME = re.compile(r"[\w.@-]{1,64}")
REREAD = 5.0  # seconds after which keys are read again: another server on the same Neo4j may have changed them
SCOPES = ("read", "write", "admin")  # each scope includes the ones before it

KEY_CURE = (
    "Set FILIGRAPH_KEY, or send the key as `Authorization: Bearer KEY`. On the server's own machine `filigraph keys "
    "create NAME` makes one without a key; elsewhere it takes an admin key."
)

NO_KEY_YET = (
    "Make one: stop the server and run `filigraph keys create NAME --scope admin`; or set FILIGRAPH_HOST to 127.0.0.1 "
    "and unset FILIGRAPH_ALLOWED_HOSTS."
)


@dataclass(frozen=True, kw_only=True)
class Caller:
    """The sender of a request: a key's name, or `local`."""

    name: str
    scope: KeyScope
    workspace: str = ""  # the only workspace it may see; "" for all
    view: View = ALL  # the view of that workspace to which it is limited

    def may(self, need: Need) -> bool:
        return SCOPES.index(self.scope) >= SCOPES.index(need)

    def sees(self, workspace: str) -> bool:
        return self.workspace in ("", workspace)

    def within(self, view: View) -> View:
        """The part of a view that the caller may see. Raises ForbiddenError for a named view, which may reveal hidden
        information.
        """
        if not self.view:
            return view
        if view.named:
            raise ForbiddenError(
                f"The key {self.name} is limited to a part of the workspace: it cannot use named views.",
                cure="Describe the view: until, within, as_of, without, sources or where.",
            )
        return replace(view, limit=self.view)


LOCAL = Caller(name="local", scope="admin")


class WithKeys(Protocol):
    """Runs some work with the stored keys. Raises what the store raises."""

    def __call__(self, work: Callable[[AccessKeys], T], /) -> T: ...


class Keys:
    """The keys of a server. Thread-safe."""

    def __init__(self, stored: WithKeys, *, public: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.public = public
        self._stored = stored
        self._clock = clock
        self._reading = threading.Lock()
        self._known: tuple[Sequence[AccessKey], float] | None = None  # the keys, and the time of reading them
        self._owner = ""  # digest of the owner's token

    # ---- who asks

    def accept_owner(self, token: str) -> None:
        """Accept this token as the owner's from now on."""
        self._owner = digest_of(token)

    def is_owner(self, token: str) -> bool:
        """Whether this is the token of the machine's owner."""
        return bool(self._owner) and hmac.compare_digest(self._owner, digest_of(token))

    def fresh(self) -> bool:
        """Whether `caller` will answer without asking the store."""
        known = self._known
        return known is not None and self._clock() - known[1] < REREAD

    def caller(self, presented: str) -> Caller:
        """The caller with this key ("" for none). Raises KeyNeeded, and what the store raises if it never answered."""
        keys = self._all()
        if not keys and not self.public:
            return LOCAL
        digest = digest_of(presented)
        # compares every key in constant time, so that the time reveals nothing about a guess
        matches = [key for key in keys if hmac.compare_digest(key.digest, digest)]
        if not matches:
            raise KeyNeeded(
                "This key is unknown." if presented else "This server needs a key.",
                cure=KEY_CURE if keys else NO_KEY_YET,
            )
        return Caller(
            name=matches[0].name, scope=matches[0].scope, workspace=matches[0].workspace, view=view_of_key(matches[0])
        )

    def trusts(self, presented: str) -> bool:
        """Whether a caller may see the server's internals, from the keys in memory, without asking the store."""
        keys = self._known[0] if self._known else ()
        if not keys:
            return not self.public
        digest = digest_of(presented)
        return any(hmac.compare_digest(key.digest, digest) and not key.view for key in keys)

    def _all(self) -> Sequence[AccessKey]:
        """The keys as last read. One request at a time reads them again; the others use the earlier ones."""
        if self.fresh() and self._known:
            return self._known[0]
        if not self._reading.acquire(blocking=self._known is None):
            assert self._known
            return self._known[0]
        try:
            if not self.fresh():
                self._read()
        except UnavailableError:
            if self._known is None:
                raise
            self._known = (self._known[0], self._clock())  # without Neo4j, few requests can succeed anyway
        finally:
            self._reading.release()
        assert self._known
        return self._known[0]

    def _read(self) -> None:
        self._known = (self._stored(lambda stored: stored.all()), self._clock())

    # ---- what admins do

    def all(self) -> Sequence[AccessKey]:
        """Every key, read now."""
        self._read()
        assert self._known
        return self._known[0]

    def create(self, name: str, scope: KeyScope, workspace: str, view: View = ALL) -> tuple[AccessKey, str]:
        """A new key and its secret. Raises InputError."""
        check_limit(scope, workspace, view)
        if not NAME.fullmatch(name) or name == LOCAL.name:
            raise InputError(
                f"{name[:80]!r} cannot name a key.", cure="Use 1 to 64 letters, digits, and . - _ @; `local` is taken."
            )
        if scope == "admin" and workspace:
            raise InputError(
                "An admin key is for all workspaces.", cure=("Leave out the workspace, or choose another scope.")
            )
        secret = new_secret()
        key = self._stored(
            lambda stored: stored.add(
                name=name,
                digest=digest_of(secret),
                scope=scope,
                workspace=workspace,
                view=json.dumps(view.fields(), ensure_ascii=False) if view else "",
            )
        )
        self._read()
        return key, secret

    def rotate(self, name: str) -> tuple[AccessKey, str]:
        """Give a key a new secret; the old one becomes invalid at once. Raises NotFound."""
        secret = new_secret()
        key = self._stored(lambda stored: stored.rotate(name, digest_of(secret)))
        self._read()
        return key, secret

    def revoke(self, name: str) -> AccessKey:
        """Revoke a key. Raises NotFound, and InputError if nobody could create keys any more."""
        key = self._stored(lambda stored: stored.revoke(name, keep_one=self.public))
        self._read()
        return key

    def check_public(self) -> None:
        """Raise InputError if others can reach this server and no key exists."""
        if self.public and not self.all():
            raise InputError(
                "Other machines could reach this server, and it has no key to keep them out.", cure=NO_KEY_YET
            )


def check_limit(scope: KeyScope, workspace: str, view: View) -> None:
    """Raise InputError if a key cannot be limited to a view."""
    if view and not workspace:
        raise InputError("A view is a part of one workspace.", cure="Name the workspace: `--workspace NAME`.")
    if view and scope != "read":
        raise InputError(
            f"A key for a part of a workspace may only read, not {scope}: it could change what it does not see.",
            cure="Leave out the scope, or the view.",
        )
    if view.without_facts:
        raise InputError(
            "A key cannot be limited by facts: a fact may come back in another wording.",
            cure="Name documents, places, a day or metadata.",
        )


def view_of_key(key: AccessKey) -> View:
    """The view to which a key is limited; everything for an unlimited key."""
    return View.of(json.loads(key.view)) if key.view else ALL


def new_secret() -> str:
    """A new key, in the form that people get."""
    return MARK + secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """The stored form of a key."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
