"""Everything that the server says by a code has French words on the page."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

from filigraph import app
from filigraph.graph.annotations.notes import LOSSES
from filigraph.graph.model.documents import LineKind

APP = Path(app.__file__).parent
FRENCH = (APP / "web" / "base" / "words-fr.js").read_text(encoding="utf-8")
CODE = 3  # its place among the arguments of `_check`
ALIKE = {"embedder", "reranker"}  # names and numbers alone: the same in every language


def test_every_check_is_told_in_french() -> None:
    source = "".join((APP / path).read_text(encoding="utf-8") for path in ("service/doctor.py", "llm_provider.py"))
    codes = set(re.findall(r'\bcode(?:: str|, detail)? ?= ?"(\w+)"', source)) | {"bundled_neo4j"}
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and len(node.args) > CODE]
    checks = [node.args[CODE] for node in calls if isinstance(node.func, ast.Name) and node.func.id == "_check"]
    codes |= {str(code.value) for code in checks if isinstance(code, ast.Constant)}
    assert len(codes) >= 15
    assert [code for code in sorted(codes - ALIKE) if f'"check.{code}":' not in FRENCH] == []


def test_every_kind_of_place_is_told_in_french() -> None:
    kinds = ("page", "chapter", "paragraph", *get_args(LineKind))
    assert [kind for kind in kinds if f"  {kind}: (label) =>" not in FRENCH] == []


def test_every_loss_of_a_note_is_told_in_french() -> None:
    assert [code for code in LOSSES if f'"lost.{code}":' not in FRENCH] == []
