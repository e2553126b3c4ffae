"""Places where names may be, found once, give what a search for some of the names finds."""

from __future__ import annotations

import random

from filigraph.graph.names.finder import HitFinder, NameFinder, merged_hits, names_at
from filigraph.graph.text.names.parse import name_key

FORMS = (
    "Jules", "jules", "Jules Delmas", "Delmas", "Delmas, Jules", "d'Artagnan", "Artagnan", "La Griffe", "griffe",
    "Marchand (Émile)", "St. Clair", "Clair", "the old man", "old man", "l'Étranger", "Étranger", "L. Marchetti",
    "習近平", "習 近平",
)  # fmt: skip
WORDS = (
    "Jules", "jules", "Delmas", "delmas", ",", "d'Artagnan", "d’artagnan", "D'Artagnan", "La", "la", "Griffe", "griffe",
    "Marchand", "(Émile)", "St.", "Clair", "clair", "the", "old", "Old", "man", "l'Étranger", "Letter.", "L.",
    "Marchetti", "\n", "\n\n", "saw", "...", "習近平", "習",
)  # fmt: skip


def test_any_names_are_found_at_the_places_of_all() -> None:
    chance = random.Random(7)
    keys = sorted({name_key(form) for form in FORMS})
    every, first, others = HitFinder(keys), HitFinder(keys[::2]), HitFinder(keys[1::2])
    found = 0
    for _ in range(400):
        text = " ".join(chance.choices(WORDS, k=chance.randint(0, 30)))
        forms = chance.sample(FORMS, chance.randint(0, len(FORMS)))
        names = {name_key(form): form for form in forms}
        for as_written in (True, False):
            expected = NameFinder(names, as_written=as_written).all_in(text)
            assert names_at(every.hits(text), names, as_written=as_written) == expected
            found += len(expected)
        assert merged_hits(first.hits(text), others.hits(text)) == every.hits(text)
    assert found > 500


def test_a_text_without_words_has_no_places() -> None:
    assert HitFinder([]).hits("Jules") == ()
    assert HitFinder(["jules"]).hits("") == ()
    assert HitFinder([""]).hits("...") == ()
