"""Access keys and their callers.

A key is 256 random bits, shown once. The store keeps its SHA-256: a slow password hash protects what people think of
and others can guess; 256 random bits cannot be guessed, and a slow hash on every request would be a way to stop the
server.

On loopback without any key everybody on the machine may do everything (`local`). Once there is a key, every request
needs one. A server that others can reach (`Settings.public`) never serves without.

Who owns the machine is never locked out: a server that starts writes a token into a file that only its owner can read,
and with it `filigraph keys` needs no key.
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

MARK = "fgk_"  # what keys begin with, so that people and scanners know one when they see it
FORM = re.compile(rf"{MARK}[A-Za-z0-9_-]{{43}}")
NAME = re.compile(r"[\w.@-]{1,64}")
REREAD = 5.0  # seconds after which keys are read again: another server on the same Neo4j may have changed them
SCOPES = ("read", "write", "admin")  # each includes the one before it

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
    """Who asks: a key's name, or `local`."""

    name: str
    scope: KeyScope
    workspace: str = ""  # the only one it may see; "" for all
    view: View = ALL  # of that workspace, which is all that it may see

    def may(self, need: Need) -> bool:
        return SCOPES.index(self.scope) >= SCOPES.index(need)

    def sees(self, workspace: str) -> bool:
        return self.workspace in ("", workspace)

    def within(self, view: View) -> View:
        """What of a view it may see. Raises ForbiddenError for a view by name: that may speak of what it may not."""
        if not self.view:
            return view
        if view.named:
            raise ForbiddenError(
                f"The key {self.name} sees a part of the workspace: it takes no view by name.",
                cure="Say what is to be visible: until, within, as_of, without, sources or where.",
            )
        return replace(view, limit=self.view)


LOCAL = Caller(name="local", scope="admin")


class WithKeys(Protocol):
    """Lets some work be done with the stored keys. Raises what the store raises."""

    def __call__(self, work: Callable[[AccessKeys], T], /) -> T: ...


class Keys:
    """The keys of a server. Thread-safe."""

    def __init__(self, stored: WithKeys, *, public: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.public = public
        self._stored = stored
        self._clock = clock
        self._reading = threading.Lock()
        self._known: tuple[Sequence[AccessKey], float] | None = None  # the keys, and when they were read
        self._owner = ""  # digest of the owner's token

    # ---- who asks

    def accept_owner(self, token: str) -> None:
        """From now on this token is the owner's."""
        self._owner = digest_of(token)

    def is_owner(self, token: str) -> bool:
        """Whether this is the token of the machine's owner."""
        return bool(self._owner) and hmac.compare_digest(self._owner, digest_of(token))

    def fresh(self) -> bool:
        """Whether `caller` will answer without asking the store."""
        known = self._known
        return known is not None and self._clock() - known[1] < REREAD

    def caller(self, presented: str) -> Caller:
        """Who presents this key ("" for none). Raises KeyNeeded, and what the store raises while it never answered."""
        keys = self._all()
        if not keys and not self.public:
            return LOCAL
        digest = digest_of(presented)
        # every key is compared, in constant time: the time it takes leaks nothing about a guess
        matches = [key for key in keys if hmac.compare_digest(key.digest, digest)]
        if not matches:
            raise KeyNeeded(
                "This key is not known here." if presented else "This server asks for a key.",
                cure=KEY_CURE if keys else NO_KEY_YET,
            )
        return Caller(
            name=matches[0].name, scope=matches[0].scope, workspace=matches[0].workspace, view=view_of_key(matches[0])
        )

    def trusts(self, presented: str) -> bool:
        """Whether a caller may see the server's internals, judged by the keys in memory, without asking the store."""
        keys = self._known[0] if self._known else ()
        if not keys:
            return not self.public
        digest = digest_of(presented)
        return any(hmac.compare_digest(key.digest, digest) and not key.view for key in keys)

    def _all(self) -> Sequence[AccessKey]:
        """As last read. One request at a time reads again, the others go by what was read before."""
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
            self._known = (self._known[0], self._clock())  # while Neo4j is gone, little else can be asked anyway
        finally:
            self._reading.release()
        assert self._known
        return self._known[0]

    def _read(self) -> None:
        self._known = (self._stored(lambda stored: stored.all()), self._clock())

    # ---- what admins do

    def all(self) -> Sequence[AccessKey]:
        """Every key, as it is now."""
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
            raise InputError("An admin key is for all workspaces.", cure="Leave the workspace out, or the scope.")
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
        """The same key with a new secret; the old one ends at once. Raises NotFound."""
        secret = new_secret()
        key = self._stored(lambda stored: stored.rotate(name, digest_of(secret)))
        self._read()
        return key, secret

    def revoke(self, name: str) -> AccessKey:
        """End a key. Raises NotFound, and InputError if nobody could make keys any more."""
        key = self._stored(lambda stored: stored.revoke(name, keep_one=self.public))
        self._read()
        return key

    def check_public(self) -> None:
        """Raise InputError if others can reach this server and there is no key to keep them out."""
        if self.public and not self.all():
            raise InputError(
                "Other machines could reach this server, and it has no key to keep them out.", cure=NO_KEY_YET
            )


def check_limit(scope: KeyScope, workspace: str, view: View) -> None:
    """Raise InputError if a key cannot be limited to a view."""
    if view and not workspace:
        raise InputError("A view is a part of one workspace.", cure="Say which: `--workspace NAME`.")
    if view and scope != "read":
        raise InputError(
            f"A key that sees a part of a workspace may read, not {scope}: it could change what it does not see.",
            cure="Leave the scope out, or the view.",
        )
    if view.without_facts:
        raise InputError(
            "A key is limited to documents or parts of them: a fact may come back in another wording.",
            cure="Name documents, places, a day or metadata.",
        )


def view_of_key(key: AccessKey) -> View:
    """What a key sees of its workspace; all where it is not limited."""
    return View.of(json.loads(key.view)) if key.view else ALL


def new_secret() -> str:
    """A key as people hold it."""
    return MARK + secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
