"""Translate errors of the driver to ours: one table, and one place that applies it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from neo4j import exceptions as driver

from filigraph.graph.errors import FiligraphError, InputError, StoreUnavailable

RUNNING = "Start it: `filigraph neo4j start`, or your own at the address in NEO4J_URI. Then try again."
LOGIN = "Set NEO4J_USERNAME and NEO4J_PASSWORD to a login that this Neo4j accepts."
ADDRESS = "Set NEO4J_URI to an address such as bolt://127.0.0.1:7687."
AGAIN = "Try again; if it stays so, look into Neo4j's log."
MEMORY = "Give Neo4j more memory (server.memory.heap.max_size) or ingest less at a time."
DISK = "Make room on Neo4j's disk, or look into its log, then try again."
_RESOLVED = re.compile(r" \(resolved to \(.*?\)\)")  # repeats the address, as a tuple
_FULL = re.compile(
    r"no space left|out of (?:disk )?space|disk (?:is )?full|disk quota|not enough space|TransactionCommitFailed"
    r"|TransactionLogError|could not (?:be )?(?:append|commit|written|write)|health|panic",
    re.IGNORECASE,
)
OURS = "This is a fault in Filigraph: please report it."

# The most specific class of an exception decides, see `translate_error`.
TABLE: dict[type[Exception], tuple[type[FiligraphError], str]] = {
    # Errors of the server.
    driver.Neo4jError: (StoreUnavailable, AGAIN),
    driver.ClientError: (FiligraphError, OURS),
    driver.CypherSyntaxError: (FiligraphError, OURS),
    driver.CypherTypeError: (FiligraphError, OURS),
    driver.ConstraintError: (FiligraphError, OURS),
    driver.AuthError: (StoreUnavailable, LOGIN),
    driver.TokenExpired: (StoreUnavailable, LOGIN),
    driver.Forbidden: (StoreUnavailable, "Give the user of NEO4J_USERNAME the right to read, write and make indexes."),
    driver.DatabaseError: (StoreUnavailable, DISK),
    driver.TransientError: (StoreUnavailable, AGAIN),
    driver.DatabaseUnavailable: (StoreUnavailable, RUNNING),
    driver.NotALeader: (StoreUnavailable, "Set NEO4J_URI to a neo4j:// address, which finds the server that writes."),
    driver.ForbiddenOnReadOnlyDatabase: (StoreUnavailable, "Make the database writable."),
    # Errors of the driver.
    driver.DriverError: (StoreUnavailable, AGAIN),
    driver.ServiceUnavailable: (StoreUnavailable, RUNNING),
    driver.RoutingServiceUnavailable: (StoreUnavailable, RUNNING),
    driver.WriteServiceUnavailable: (StoreUnavailable, RUNNING),
    driver.ReadServiceUnavailable: (StoreUnavailable, RUNNING),
    driver.IncompleteCommit: (StoreUnavailable, RUNNING),
    driver.SessionExpired: (StoreUnavailable, AGAIN),
    driver.ConnectionPoolError: (StoreUnavailable, AGAIN),
    driver.ConnectionAcquisitionTimeoutError: (StoreUnavailable, AGAIN),
    driver.ConfigurationError: (StoreUnavailable, ADDRESS),
    driver.AuthConfigurationError: (StoreUnavailable, LOGIN),
    driver.CertificateConfigurationError: (StoreUnavailable, ADDRESS),
    driver.UnsupportedServerProduct: (StoreUnavailable, ADDRESS),
    driver.SessionError: (FiligraphError, OURS),
    driver.TransactionError: (FiligraphError, OURS),
    driver.TransactionNestingError: (FiligraphError, OURS),
    driver.ResultError: (FiligraphError, OURS),
    driver.ResultFailedError: (FiligraphError, OURS),
    driver.ResultConsumedError: (FiligraphError, OURS),
    driver.ResultNotSingleError: (FiligraphError, OURS),
    driver.BrokenRecordError: (FiligraphError, OURS),
}


def translate_error(error: Exception) -> FiligraphError:
    """Our error for one of the driver's."""
    first = error.__cause__  # another statement of the transaction failed before
    if isinstance(error, driver.ResultFailedError) and isinstance(first, driver.Neo4jError | driver.DriverError):
        return translate_error(first)
    kind, cure = next(TABLE[base] for base in type(error).__mro__ if base in TABLE)
    code = getattr(error, "code", None) or ""
    if code.endswith(".WriteOnReadOnlyAccessDatabase"):  # Neo4j marks a database so when its disk is full
        kind, cure = StoreUnavailable, DISK
    if "OutOfMemory" in code or "MemoryPool" in code:
        cure = MEMORY
    message = (getattr(error, "message", None) or str(error) or type(error).__name__).strip().splitlines()[0]
    return kind(f"Neo4j: {_RESOLVED.sub('', message).rstrip('.: ')}.", cure=cure)


def is_full_disk(error: driver.Neo4jError) -> bool:
    """Whether the server cannot write at all, for example because its disk is full: no row is at fault."""
    message = f"{error.code} {error.message} {error.__cause__ or ''}"
    return isinstance(error, driver.DatabaseError) and _FULL.search(message) is not None


@contextmanager
def driver_errors() -> Iterator[None]:
    """Raise our errors in place of the driver's."""
    try:
        yield
    except (driver.Neo4jError, driver.DriverError) as error:
        raise translate_error(error) from error
    except UnicodeEncodeError as error:
        raise InputError(
            f"A text holds {error.object[error.start : error.end]!r}, half of a character, which cannot be stored.",
            cure="Save the file as UTF-8 again.",
        ) from error
