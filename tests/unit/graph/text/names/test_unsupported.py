"""Names that a model made up are distinguished from words that only begin a sentence."""

from __future__ import annotations

import pytest

from filigraph.graph.text.names.unsupported import unsupported_names

EVIDENCE = (
    "Le jeune Jules, M. Delmas, porte l'emblème de La Griffe à l'Étoile. Шерлок Холмс. "
    "ジュール・デルマは泥棒だ。他读《红楼梦》。"
)


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("Jules porte l'emblème de La Griffe.", ()),
        ("JULES, de la griffe, à l’ÉTOILE.", ()),
        ("Cependant, il faut se méfier. Toutefois rien n'est sûr.", ()),
        ("Il est dangereux. C'est un voleur. Elle était là. There is nothing.", ()),
        ("Moriarty est un voleur.", ("Moriarty",)),
        ("Moriarty's gang. Then Moriarty fled.", ("Moriarty", "Moriarty")),
        ("Il connaît le professeur James Moriarty.", ("James Moriarty",)),
        ("Il connaît Jean-Pierre d'Aubigny.", ("Jean-Pierre", "Aubigny")),
        ("Selon M. Delmas, Mme Delmas ment.", ("Mme Delmas",)),
        ("Wearing it, he left for London.", ("London",)),
        ("Шерлок Холмс знал Мориарти.", ("Мориарти",)),
        ("ジュール・デルマはモリアーティを知っている。", ("モリアーティ",)),
        ("他读《红楼梦》，不读《西游记》。", ("西游记",)),
        ("", ()),
    ],
)
def test_unsupported_names(answer: str, names: tuple[str, ...]) -> None:
    assert tuple(answer[start:end] for start, end in unsupported_names(answer, EVIDENCE)) == names
