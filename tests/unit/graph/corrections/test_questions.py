"""Questions of who is who, person by person, the most important first; names that a person kept apart are not asked
again.
"""

from __future__ import annotations

from filigraph.graph.corrections.questions import NAMES_AT_ONCE, IdentityQuestion, bearers, questions
from filigraph.graph.model.names import Decision
from tests.unit.graph.names.making import row


def _asked(
    counts: dict[str, int], near: list[tuple[str, str]] | None = None, apart: tuple[str, str] | None = None
) -> list[IdentityQuestion]:
    mentions = {form: row("novel", form, "Person", count) for form, count in counts.items()}
    entity_of = {mention.id: form for form, mention in mentions.items()}
    misses = [
        Decision(first=mentions[a].id, second=mentions[b].id, same=False, rule="contained", score=0.5)
        for a, b in near or []
    ]
    among = bearers(mentions.values(), entity_of, {name for pair in near or [] for name in pair})
    return questions(among, misses, entity_of, apart=frozenset({frozenset(apart)} if apart else ()))


def _is_asked(found: list[IdentityQuestion], first: str, second: str) -> bool:
    return any({first, second} <= {one.entity, *one.others} and one.entity in (first, second) for one in found)


def test_what_most_hangs_on_is_asked_first() -> None:
    counts = {"Anne": 900, "Anne Shirley": 40, "Ruby": 30, "Ruby Gillis": 3}
    found = _asked(counts, [("Anne", "Anne Shirley"), ("Ruby", "Ruby Gillis")])
    assert (found[0].entity, found[0].others[0]) == ("Anne", "Anne Shirley")


def test_names_without_a_common_word_are_asked_about() -> None:
    found = _asked({"Caroline": 40, "Miss Bingley": 90, "Mr. Hurst": 30})
    assert _is_asked(found, "Caroline", "Miss Bingley")
    assert not _is_asked(found, "Caroline", "Mr. Hurst")


def test_a_woman_is_asked_about_by_her_name_before_the_wedding() -> None:
    found = _asked({"Mlle Taillefer": 40, "Mme Vernet": 90, "M. Vernet": 30})
    assert _is_asked(found, "Mlle Taillefer", "Mme Vernet")
    assert not _is_asked(found, "Mlle Taillefer", "M. Vernet")


def test_what_a_person_told_apart_is_not_asked_again() -> None:
    counts = {"Caroline": 40, "Miss Bingley": 90}
    assert _asked(counts)
    assert not _asked(counts, apart=("Miss Bingley", "Caroline"))


def test_a_question_has_few_names_and_no_pair_is_asked_twice() -> None:
    counts = {"Caroline": 100} | {f"Miss {name}ton": 50 for name in "ABCDEFGHIJKLMNOPQRST"}
    found = _asked(counts)
    pairs = [frozenset((one.entity, other)) for one in found for other in one.others]
    assert len(pairs) == len(set(pairs)) == 20
    assert all(len(one.others) <= NAMES_AT_ONCE for one in found)
