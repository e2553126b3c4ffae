"""receipt, verify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from filigraph.app.cli.export import file_or_stdout
from filigraph.app.cli.report import last_trace
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, KeptTrace, Output, Workspace
from filigraph.app.cli.terminal.session import connected, path, print_json, say
from filigraph.graph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_RECEIPT_BYTES = 64 << 20  # bytes

WHY = {
    "changed": "its document has another text now",
    "gone": "its document is not there",
    "unsaid": "its document has no such sentence",
    "fact": "no fact of the graph rests on its sentence",
    "parted": "it shares no entity with the hop before",
    "unfound": "it was not found in the texts when it was shown",
}


def receipt(
    trace: KeptTrace = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Write an answer and its evidence: path, sentences, hashes of documents, decisions, hash of the workspace.

    `verify` checks it later, or on another machine. FILIGRAPH_SIGNING_KEY names the key that signs it.
    """
    with connected() as client:
        which = trace or last_trace(client, workspace)
        written = client.get(path(workspace, "traces", which, "receipt"))
    with file_or_stdout(output) as file:
        file.write(json.dumps(written, ensure_ascii=False, indent=2).encode() + b"\n")
    if output and as_json:
        print_json({"file": str(output), "signed": bool(written["signature"])})
    elif output:
        say(f"{output}: {'signed' if written['signature'] else 'not signed: FILIGRAPH_SIGNING_KEY is not set'}")


def verify(
    file: Annotated[Path, typer.Argument(help="A file that `filigraph receipt` wrote.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    key: Annotated[
        str, typer.Option("--key", help="The public key (base64) that must have signed it.", show_default=False)
    ] = "",
    as_json: Json = False,
) -> None:
    """Check a receipt against a workspace as it is now, hop by hop. Exit code 1: something does not hold."""
    with connected() as client:
        result = client.post(path(workspace, "receipts", "verify"), _read(file))
    known = not key or (result["signature"] == "valid" and result["key"] == key)
    if as_json:
        print_json(result | {"known_key": known})
    else:
        for text in _lines(result, key):
            typer.echo(text)
    if not (result["holds"] and known):
        raise typer.Exit(1)


def _read(file: Path) -> Any:
    """The JSON of a receipt. Raises InputError."""
    cure = "Give a file that `filigraph receipt` wrote."
    try:
        if file.stat().st_size > MAX_RECEIPT_BYTES:
            raise InputError(f"{file} is larger than {MAX_RECEIPT_BYTES >> 20} MB.", cure=cure)
        return json.loads(file.read_bytes())
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.", cure=cure) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON.", cure=cure) from error


def _lines(result: dict[str, Any], key: str) -> Iterator[str]:
    match result["signature"]:
        case "none":
            yield "Signature: none" + (", but --key asks for one" if key else "")
        case "valid":
            other = ", which is another than --key" if key and result["key"] != key else ""
            yield f"Signature: valid, by the key {result['key']}{other}"
        case _:
            yield "Signature: INVALID. The receipt was changed after it was signed."
    same = "as it was" if result["same"] else "something was added, removed or decided since"
    yield f"Workspace: {same}"
    for number, checked in enumerate(result["paths"], 1):
        broken = sum(bool(hop["why"]) for hop in checked["hops"])
        yield f"Path {number}: " + (f"{broken} of {len(checked['hops'])} hops do not hold" if broken else "holds")
        for hop in checked["hops"]:
            yield f"  {'✗' if hop['why'] else '✓'} {hop['text']}" + (f": {WHY[hop['why']]}" if hop["why"] else "")
    if result["passages"]:
        yield "Passages that are not there: " + ", ".join(f"[{number}]" for number in result["passages"])
    for document in result["documents"]:
        if document["state"] != "same":
            yield f"Document {document['source']}: {WHY[document['state']].removeprefix('its document ')}"
    for decision in result["decisions"]:
        if not decision["holds"]:
            yield f"Decision {decision['id']} ({decision['kind']}) is not in force here"
    yield "Everything holds." if result["holds"] else "Not everything holds."
