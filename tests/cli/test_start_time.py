"""`filigraph --help` answers at once, because it imports nothing slow."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "torch", "neo4j", "fastapi", "starlette", "uvicorn", "httpx", "pydantic_settings", "llama_index",
    "sentence_transformers", "spacy", "numpy", "rich", "psutil", "filelock", "platformdirs", "asyncio", "ssl", "mcp",
}  # fmt: skip
COMMANDS = [
    *("ingest", "ask", "retrieve", "report", "receipt", "verify", "stats", "entities", "find", "path"),
    *(
        "compare",
        "contradictions",
        "why",
        "news",
        "again",
        "list",
        "cast",
        "family",
        "timeline",
        "estimate",
        "retry",
        "gaps",
        "summarize",
        "outline",
        "shares",
    ),
    *("export", "diff", "import", "move", "reembed", "eval", "audit", "doctor", "serve", "up", "down", "open", "demo"),
    *("mcp", "bundle"),
    *(
        "documents",
        "workspaces",
        "views",
        "notes",
        "searches",
        "jobs",
        "folders",
        "form",
        "schema",
        "corrections",
        "facts",
        "predicates",
        "config",
        "keys",
        "neo4j",
    ),
]


ALL = [["--help"], *([command, "--help"] for command in COMMANDS)]
# One process runs every command: each is asked which heavy modules it is the first to import.
PROGRAM = f"""
import contextlib, io, json, sys

seen = set()
for arguments in {ALL!r}:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            from filigraph.app.cli import app

            app(arguments, prog_name="filigraph")
        except SystemExit as end:
            code = end.code
    heavy = set(sys.modules) & {HEAVY!r}
    print(json.dumps([" ".join(arguments), sorted(heavy - seen), code, said.getvalue()]))
    seen |= heavy
"""


@pytest.fixture(scope="module")
def helped() -> dict[str, tuple[list[str], int, str]]:
    """The heavy modules that each command imports for its help, how it ends and what it says."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    return {typed: (heavy, code, said) for typed, heavy, code, said in rows}


@pytest.mark.parametrize("typed", [" ".join(arguments) for arguments in ALL])
def test_help_imports_nothing_heavy(typed: str, helped: dict[str, tuple[list[str], int, str]]) -> None:
    heavy, code, said = helped[typed]
    assert (heavy, code) == ([], 0)
    assert "Usage: filigraph" in said


def test_help_names_every_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "filigraph.app.cli", "--help"], capture_output=True, text=True, check=True
    )
    listed = [line.split()[0] for line in ran.stdout.partition("Commands:")[2].splitlines() if line.strip()]
    assert listed == COMMANDS
