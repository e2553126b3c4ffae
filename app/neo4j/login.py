"""The password of the local Neo4j, and the first login that sets it."""

import secrets
from pathlib import Path
from typing import LiteralString

from filigraph.app.neo4j.folders import cannot_write, write_atomically
from filigraph.graph.errors import LocalNeo4jError

USERNAME = "neo4j"
FIRST = "neo4j"  # the password of every new Neo4j, valid for one statement only
SET_PASSWORD: LiteralString = "ALTER CURRENT USER SET PASSWORD FROM $old TO $new"  # noqa: S105  a statement
REFUSED = "Neo.ClientError.Security.Unauthorized"
GAVE_UP = ("Transaction.TransactionStartFailed", "DatabaseUnavailable")  # ends of error codes
TOO_OFTEN = "Neo.ClientError.Security.AuthenticationRateLimit"  # after three refusals, for five seconds


def read_or_create_password(file: Path) -> str:
    """The password in the file; if there is no file, a new one, readable only by its owner."""
    try:
        if not file.exists():
            write_atomically(file, secrets.token_urlsafe(24) + "\n")
        password = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise cannot_write(file, error) from error
    if not password:
        raise LocalNeo4jError(f"The password file {file} is empty.", cure="Write the password into it.")
    return password


def log_in(uri: str, password: str, file: Path) -> bool:
    """Whether the server accepts our password, which the first login sets; False: not yet, try again.

    The file is written before the first start and the statement changes the password or does nothing, so a kill
    between any two steps leaves a state from which this function goes on.
    """
    from neo4j.exceptions import ClientError, DriverError, Neo4jError

    try:
        try:
            _ask(uri, password, "neo4j", "RETURN 1")
        except ClientError as error:
            if error.code != REFUSED:
                raise
            _ask(uri, FIRST, "system", SET_PASSWORD, old=FIRST, new=password)
    except ClientError as error:
        if error.code == TOO_OFTEN:
            return False
        if error.code == REFUSED:
            raise LocalNeo4jError(
                f"The local Neo4j refuses the password in {file}.",
                cure=f"Restore the right password, or move {file.parent} away to begin with an empty database.",
            ) from error
        raise LocalNeo4jError(
            f"The local Neo4j refuses the first login ({error.message}).",
            cure=f"Read its log, in {file.parent / 'logs'}.",
        ) from error
    except (DriverError, Neo4jError, OSError):  # it is still starting
        return False
    return True


def has_failed(uri: str, password: str) -> bool:
    """Whether the server still answers but its database does not: the database stops at the first failed write, for
    example on a full disk, and only a restart opens it again.
    """
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        _ask(uri, password, "neo4j", "RETURN 1")
    except Neo4jError as error:
        return (error.code or "").endswith(GAVE_UP)
    except (DriverError, OSError):
        return False
    return False


def _ask(uri: str, password: str, database: str, statement: LiteralString, **parameters: str) -> None:
    """Log in and run one statement."""
    from neo4j import GraphDatabase

    login = (USERNAME, password)
    with (
        GraphDatabase.driver(uri, auth=login, connection_timeout=5, telemetry_disabled=True) as driver,
        driver.session(database=database, notifications_min_severity="OFF") as session,
    ):
        session.run(statement, parameters).consume()
