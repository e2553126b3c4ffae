from __future__ import annotations

import pytest

from filigraph.graph.text.names.patronymics import has_patronymic, normalize_patronymic, patronymic_gender


@pytest.mark.parametrize(
    ("word", "gender"),
    [
        ("petrovitch", "m"), ("nikolaevich", "m"), ("vassilyitch", "m"), ("iwanowitsch", "m"), ("петрович", "m"),
        ("николаич", "m"), ("sergeyevna", "f"), ("nikitishna", "f"), ("сергеевна", "f"),
        ("fitch", ""), ("greenwich", ""), ("kirsanov", ""), ("switch", ""), ("кирсанов", ""), ("ovitch", ""),
    ],
)  # fmt: skip
def test_gender_of_a_patronymic(word: str, gender: str) -> None:
    assert patronymic_gender(word) == gender


def test_a_patronymic_is_the_second_word() -> None:
    assert has_patronymic(("arkady", "nikolaitch", "kirsanov"))
    assert not has_patronymic(("nikolaitch",))
    assert not has_patronymic(("petrovitch", "kirsanov"))


def test_contracted_patronymics_have_the_same_stem() -> None:
    assert normalize_patronymic(("ivan", "ivanitch")) == normalize_patronymic(("ivan", "ivanovitch"))
    assert normalize_patronymic(("ivan", "ivanitch")) != normalize_patronymic(("ivan", "petrovitch"))
    assert normalize_patronymic(("anna", "sergeyevna")) == ("anna", "sergeyevna")
