"""A slim installation (slim.txt) answers questions: only other embedders and rerankers need what it lacks."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LACKING = re.findall(r"^([\w.-]+) ;", (ROOT / "slim.txt").read_text(), re.MULTILINE)

# An import finder that behaves as if the packages were not installed, for find_spec as well.
WITHOUT = f"""
import importlib.metadata, sys
names = {{name.replace("-", "_") for name in {LACKING!r}}} | {{"safetensors"}}
paths = sys.meta_path[:]
class Without:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in names or name == "llama_index.embeddings":
            return None
        found = (finder.find_spec(name, path, target) for finder in paths)
        return next((spec for spec in found if spec is not None), None)
sys.meta_path[:] = [Without]
"""

SERVES = """
from filigraph.app.server import create_app
import filigraph.graph.llamaindex
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.adapters.reranker import load_reranker
from filigraph.graph.models.embed import embed_questions
from filigraph.graph.errors import ModelUnavailable

vector, = embed_questions(load_embedder(), ["Qui porte la chevalière ?"])
assert len(vector) == 384
assert load_reranker() is None
try:
    load_embedder("minilm")
except ModelUnavailable as error:
    print(error)
"""


def test_it_leaves_out_what_is_a_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    dependencies = {re.split(r"[ =<>;\[]", line)[0] for line in project["dependencies"]}
    assert LACKING
    assert {*LACKING} <= dependencies


@pytest.mark.models
def test_it_serves_the_default_embedder_and_names_what_others_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + SERVES], capture_output=True, text=True, timeout=200, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr
    assert "needs PyTorch and sentence-transformers" in done.stdout
    assert "SLIM" in done.stdout
