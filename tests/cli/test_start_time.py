"""`filigraph --help` answers at once, because it imports nothing that takes time."""

from __future__ import annotations

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
    *("export", "import", "move", "reembed", "eval", "audit", "doctor", "serve", "up", "down", "open", "demo"),
    *("mcp", "bundle"),
    *(
        "documents",
        "workspaces",
        "views",
        "notes",
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


@pytest.mark.parametrize("arguments", [["--help"], *([command, "--help"] for command in COMMANDS)])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom filigraph.app.cli import app\n"
        f"try: app({arguments!r}, prog_name='filigraph')\nexcept SystemExit as end: code = end.code\n"
        f"print(sorted(set(sys.modules) & {HEAVY!r}), code, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == "[] 0"
    assert "Usage: filigraph" in ran.stdout


def test_help_names_every_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "filigraph.app.cli", "--help"], capture_output=True, text=True, check=True
    )
    listed = [line.split()[0] for line in ran.stdout.partition("Commands:")[2].splitlines() if line.strip()]
    assert listed == COMMANDS
