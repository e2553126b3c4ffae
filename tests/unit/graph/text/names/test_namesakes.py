"""Where a text itself says that a name means somebody else."""

from __future__ import annotations

import pytest

from filigraph.graph.text.names.namesakes import count_namesakes


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Another L. Marchetti, a dentist in Lyon, has nothing to do with the affair.", ["l marchetti"]),
        ("Un autre L. Marchetti, dentiste à Lyon, n'a rien à voir avec l'affaire.", ["l marchetti"]),
        ("Une autre Sophie Delmas vit à Nice.", ["sophie delmas"]),
        ("Paul Delmas (no relation) came.", ["paul delmas"]),
        ("Paul Delmas, no relation to the minister, came.", ["paul delmas"]),
        ("Paul Delmas, un homonyme du banquier, est venu.", ["paul delmas"]),
        ("Paul Delmas (sans lien de parenté avec Jules Delmas) est venu.", ["paul delmas"]),
        ("Paul Delmas n'a rien à voir avec Jules Delmas.", ["paul delmas"]),
        ("Paul Delmas is not related to Jules Delmas.", ["paul delmas"]),
        ("Otro Juan Pérez vive en Lima.", ["juan perez"]),
        ("Ein anderer Karl Weber wohnt dort.", ["karl weber"]),
        ("Другой Иван Петров живёт там.", ["иван петров"]),
        ("Jules Delmas has nothing to do with the affair.", []),
        ("Jules Delmas n'a rien à voir avec La Griffe.", []),
        ("He took another ring, and so did Jules Delmas.", []),
        ("", []),
    ],
)
def test_who_is_somebody_else(text: str, keys: list[str]) -> None:
    assert list(count_namesakes(text)) == keys


def test_how_often_it_is_said() -> None:
    assert count_namesakes("Another Delmas came. Then another Delmas.") == {"delmas": 2}


def test_hostile_texts_take_no_long() -> None:
    """A second each at the very most."""
    assert count_namesakes("Abc de la " * 5_000) == {}
    assert count_namesakes("Another " * 5_000 + "a" * 5_000)
    assert count_namesakes("Abc is not related to " * 2_000 + "Abc") == {"abc": 2_000}
