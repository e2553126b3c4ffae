"""Every error Filigraph raises on purpose. One tree, one root:

    FiligraphError
    ├── InputError              the caller sent something that cannot be used
    │   ├── UnreadableDocument      a file that is empty, binary, damaged or of an unknown kind
    │   ├── NotFound                no such workspace, document, chunk, entity or trace
    │   ├── EmbedderMismatch        the workspace was built with another embedder
    │   ├── NotSetUp                the server was started without what this needs
    │   └── AlreadyDecided          a person decided the opposite before
    ├── UnavailableError        something that Filigraph depends on does not answer
    │   ├── StoreUnavailable        Neo4j cannot be reached, refuses the password, or is too old
    │   ├── LocalNeo4jError         Filigraph's own Neo4j cannot be installed, started or stopped
    │   ├── ModelUnavailable        an embedder, reranker or spaCy model cannot be loaded
    │   ├── LLMUnavailable          the LLM's server does not answer, or not in time
    │   │   ├── LLMDown                 it is missing or too busy at the moment: it may come back
    │   │   ├── LLMSlow                 it answers, but not completely in time
    │   │   └── LLMRefused              it does not answer this request, but may answer others
    │   ├── ClusterUnavailable      the Ray cluster cannot do this work
    │   │   └── ClusterDown             it is unreachable, or has no machine left: it may come back
    │   ├── ServerUnavailable       the command line cannot reach the Filigraph server
    │   ├── Busy                    a longer operation holds the lock
    │   └── LeaseLost               another server has taken over the job that this one worked on
    ├── LLMResponseError        the LLM answered, but not in the requested form
    ├── ForbiddenError          a request the server must refuse (host, origin, key)
    │   └── KeyNeeded               it has no key, or an unknown one
    ├── LimitReached            too many requests at once, or too many tokens in one day
    └── Cancelled               the user stopped it

Each class has a stable `code` (the REST envelope and `--json` carry it), a message that names the cause, and a
`cure`: what to do about it, in one sentence. The REST layer maps the six branches to HTTP status in one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class FiligraphError(Exception):
    """Something went wrong."""

    code = "internal"

    def __init__(self, cause: str = "", *, cure: str = "") -> None:
        self.cause = cause or (type(self).__doc__ or "").strip()
        self.cure = cure
        super().__init__(self.cause)

    def __str__(self) -> str:
        return f"{self.cause} {self.cure}".strip()


class InputError(FiligraphError):
    """The request cannot be used as it is."""

    code = "bad_input"


class UnreadableDocument(InputError):
    """The document cannot be read."""

    code = "unreadable_document"


class NotFound(InputError):
    """There is no such thing here."""

    code = "not_found"


class EmbedderMismatch(InputError):
    """The workspace was built with another embedder."""

    code = "embedder_mismatch"


class NotSetUp(InputError):
    """The server was started without what this needs."""

    code = "not_set_up"


class AlreadyDecided(InputError):
    """A person decided otherwise before."""

    code = "already_decided"


class UnavailableError(FiligraphError):
    """Something Filigraph depends on does not answer."""

    code = "unavailable"


class StoreUnavailable(UnavailableError):
    """Neo4j does not answer."""

    code = "store_unavailable"


class LocalNeo4jError(UnavailableError):
    """The local Neo4j cannot be run."""

    code = "local_neo4j"


class ModelUnavailable(UnavailableError):
    """A model cannot be loaded."""

    code = "model_unavailable"


class LLMUnavailable(UnavailableError):
    """The LLM does not answer."""

    code = "llm_unavailable"


class LLMDown(LLMUnavailable):
    """The LLM's server does not answer for now."""

    code = "llm_down"

    def __init__(
        self, cause: str = "", *, cure: str = "", busy: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(cause, cure=cure)
        self.busy = busy  # it answers, and says that it is busy
        self.retry_after = retry_after  # seconds, if the server gives them


class LLMSlow(LLMUnavailable):
    """The LLM gave no full answer in time."""

    code = "llm_slow"


class LLMRefused(LLMUnavailable):
    """The LLM's server refuses this request."""

    code = "llm_refused"


class ClusterUnavailable(UnavailableError):
    """The Ray cluster does not answer."""

    code = "cluster_unavailable"


class ClusterDown(ClusterUnavailable):
    """The Ray cluster does not answer for now."""

    code = "cluster_down"


class ServerUnavailable(UnavailableError):
    """The Filigraph server does not answer."""

    code = "server_unavailable"


class Busy(UnavailableError):
    """Another operation works on this now."""

    code = "busy"


class LeaseLost(UnavailableError):
    """Another server has taken over this work."""

    code = "lease_lost"


class LLMResponseError(FiligraphError):
    """The LLM's answer cannot be used."""

    code = "llm_response"


class ForbiddenError(FiligraphError):
    """The server refuses this request."""

    code = "forbidden"


class KeyNeeded(ForbiddenError):
    """This server asks for a key."""

    code = "key_needed"


class LimitReached(FiligraphError):
    """The request exceeds a limit of this server."""

    code = "limit_reached"

    def __init__(self, cause: str = "", *, cure: str = "", retry_after: float | None = None) -> None:
        super().__init__(cause, cure=cure)
        self.retry_after = retry_after  # seconds


class Cancelled(FiligraphError):
    """Stopped on request."""

    code = "cancelled"


def without_prefix(cause: str) -> str:
    """What a validator says, without pydantic's name for the kind of error."""
    return cause.removeprefix("Value error, ").removeprefix("Assertion failed, ")


def problem_in_words(problem: Mapping[str, Any]) -> str:
    """What is wrong with a value, of a problem as pydantic reports it, without full stop."""
    words = _PROBLEMS.get(str(problem.get("type", "")), "")
    if words and (problem.get("ctx") or "{" not in words):
        return words.format(**problem.get("ctx", {}))
    return without_prefix(str(problem.get("msg", "it cannot be used"))).rstrip(".")


_PROBLEMS = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "string_type": "it must be text",
    "string_too_long": "it may have at most {max_length:,} characters",
    "string_too_short": "it needs at least {min_length} character(s)",
    "too_long": "it may have at most {max_length:,} entries",
    "too_short": "it needs at least {min_length} entries",
    "int_type": "it must be a whole number",
    "int_parsing": "it must be a whole number",
    "int_from_float": "it must be a whole number",
    "float_type": "it must be a number",
    "float_parsing": "it must be a number",
    "bool_type": "it must be true or false",
    "bool_parsing": "it must be true or false",
    "list_type": "it must be a list",
    "dict_type": "it must be an object",
    "greater_than": "it must be more than {gt}",
    "greater_than_equal": "it must be at least {ge}",
    "less_than": "it must be less than {lt}",
    "less_than_equal": "it must be at most {le}",
    "literal_error": "it must be {expected}",
    "enum": "it must be {expected}",
}
