"""The figures in README and the documents are those of `bench/results/`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench import figures
from bench.figure_tables import NoSuchFigure

DOCUMENTS = figures.documents()

DRAWN = ("README.md", "docs/scale.md", "docs/when_not.md", "docs/architecture.md")
MEASURE = re.compile(
    r"(?<![\w.])\d[\d,.]*(?: to \d[\d,.]*)? ?(?:%|(?:ms|s|[kMGT]B|seconds?|minutes?|hours?|days?|points?|times)\b)"
)
PLAIN = {  # settings, limits, definitions and assumptions: what no benchmark measures
    "README.md": ["95 % intervals"],
    "docs/scale.md": ["18 ms a chunk", "2 s a call", "LLM of 2 s"],
    "docs/when_not.md": [],
    "docs/architecture.md": ["15 minutes from its last answer"],
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=[str(path.relative_to(figures.ROOT)) for path in DOCUMENTS])
def test_every_figure_is_that_of_its_result(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert figures.drawn(text) == text, "run `make figures`"


def test_readme_and_scale_have_markers() -> None:
    for name in ("README.md", "docs/scale.md", "docs/benchmarks.md", "docs/when_not.md"):
        text = (figures.ROOT / name).read_text(encoding="utf-8")
        assert figures.NUMBER.search(text) or figures.TABLE.search(text), name


def test_a_number_that_differs_is_put_right() -> None:
    kept = "takes <!--=changes/6119/decision/median; .1f-->9.9<!--/--> s"
    right = figures.drawn(kept)
    assert right != kept and f"-->{figures.result('changes/6119/decision/median'):.1f}<!--/--> s" in right
    assert "-->1.1<" in figures.drawn("<!--=changes/6119/python_mb; /1000 .1f--><!--/-->")
    each = figures.drawn("<!--=scale/30000/seconds per scale/30000/added_chunks; *1000 .0f--><!--/-->")
    assert "-->21<" in each
    stale = "<!-- table: changes -->\n| old |\n<!-- /table -->"
    assert "one decision" in figures.drawn(stale) and "old" not in figures.drawn(stale)


@pytest.mark.parametrize("path", ["changes/6119/nothing", "nowhere/6119", "changes/6119", "narrative/embedder"])
def test_a_marker_without_a_result_is_an_error(path: str) -> None:
    with pytest.raises(NoSuchFigure):
        figures.drawn(f"<!--={path}; .1f-->1<!--/-->")


def figures_without_a_marker(name: str, text: str) -> list[str]:
    """Numbers with a unit that no result gives. A paragraph or a row that says "by hand" may have them."""
    for made in (figures.TABLE, figures.NUMBER, re.compile("```.*?```", re.DOTALL)):
        text = made.sub("", text)
    for plain in PLAIN[name]:
        text = text.replace(plain, "")
    parts = [part for part in re.split(r"\n\n|\n(?=[|*-])", text) if "by hand" not in part]
    return [found for part in parts for found in MEASURE.findall(part)]


@pytest.mark.parametrize("name", DRAWN)
def test_figures_have_markers(name: str) -> None:
    text = (figures.ROOT / name).read_text(encoding="utf-8")
    assert not figures_without_a_marker(name, text), "draw it from a result, or say that it was measured by hand"
    assert [plain for plain in PLAIN[name] if plain not in text] == []  # no leftovers


def test_a_figure_without_a_marker_is_found() -> None:
    drawn = "<!--=changes/6119/decision/median; .1f-->9.9<!--/--> s"
    text = f"takes 4 s\n\n| 0.4 GB |\n| 3 MB, by hand |\n- by 12.5 %, of {drawn}"
    assert figures_without_a_marker("docs/when_not.md", text) == ["4 s", "0.4 GB", "12.5 %"]


def test_readme_is_short() -> None:
    assert 6000 < len((figures.ROOT / "README.md").read_bytes()) <= 8192
