"""The figures in README and the documents are those of `bench/results/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import figures

DOCUMENTS = figures.documents()


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
    stale = "<!-- table: changes -->\n| old |\n<!-- /table -->"
    assert "one decision" in figures.drawn(stale) and "old" not in figures.drawn(stale)


@pytest.mark.parametrize("path", ["changes/6119/nothing", "nowhere/6119", "changes/6119", "narrative/embedder"])
def test_a_marker_without_a_result_is_an_error(path: str) -> None:
    with pytest.raises(figures.NoSuchFigure):
        figures.drawn(f"<!--={path}; .1f-->1<!--/-->")


def test_readme_is_short() -> None:
    assert 6000 < len((figures.ROOT / "README.md").read_bytes()) <= 8192
