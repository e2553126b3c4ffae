"""Similar names: joined by spelling, or if the cosine of their vectors is above 0.9; otherwise shown for review."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from itertools import combinations

from filigraph.graph.model.arrays import Vector
from filigraph.graph.names.address_rules import few_slips, long_enough
from filigraph.graph.names.candidates import BY_VECTOR, name_cosine
from filigraph.graph.names.index import Names
from filigraph.graph.names.pairing import Keys, Pair
from filigraph.graph.names.propose.rule_result import NOTHING, Proposal, RuleResult
from filigraph.graph.text.names.blocks import MIN_SIMILARITY
from filigraph.graph.text.names.pairs import Signature, conflict
from filigraph.graph.text.names.parse import Name

JOIN_COSINE = 0.9  # above this cosine two names are joined
REVIEW_COSINE = REVIEW_SIMILARITY = 0.8  # cosine, letter similarity: limits of a near miss


def compare_pair(pair: Pair | None, vectors: Mapping[str, Vector], names: Names) -> RuleResult:
    """What a pair of full names says by itself: by spelling and by vectors."""
    if pair is None:
        return NOTHING
    near, words = name_cosine(pair, vectors), (names.signatures[pair.first.key], names.signatures[pair.second.key])
    first, second = names.full[pair.first.key][0].id, names.full[pair.second.key][0].id

    def result_of(rule: str, score: float = pair.similarity) -> tuple[Proposal]:
        return (Proposal(rule, score, first, second),)

    if pair.kind == "nickname":
        if pair.similarity >= MIN_SIMILARITY or _in_one_document(pair, names):
            return RuleResult(join=result_of("nickname"))
        return RuleResult(review=result_of("nickname"))  # Ted is short for Theodore, Edward and Edmund
    if pair.kind == "middle" and _are_persons(pair, names):
        return RuleResult(join=result_of("middle-name"))
    if pair.kind == "script" and len(pair.first.core) > 1:
        return RuleResult(join=result_of("spelling", 1.0))
    if pair.kind == "spacing" and pair.first.proper and pair.second.proper:
        return RuleResult(join=result_of("spelling"))
    if pair.kind == "spelling" and long_enough(*words) and pair.first.named and pair.second.named:
        return RuleResult(join=result_of("spelling"))
    if near is not None and near > JOIN_COSINE and pair.kind in BY_VECTOR and _by_vector(pair, words, names):
        return RuleResult(join=result_of("vector", near))
    if near is not None and near > REVIEW_COSINE:
        return RuleResult(review=result_of("vector", near))
    if pair.first.named == pair.second.named and (pair.similarity >= REVIEW_SIMILARITY or pair.kind == "order"):
        return RuleResult(review=result_of("spelling"))
    return NOTHING


def _by_vector(pair: Pair, words: tuple[Signature, Signature], names: Names) -> bool:
    """Whether cosine may decide: not for a different word in a person's name, Lukashevich and Lukashenko."""
    return pair.kind != "near word" or (few_slips(*words) and not _are_persons(pair, names))


def _in_one_document(pair: Pair, names: Names) -> bool:
    first, second = ({mention.document_id for mention in names.full[key]} for key in pair.keys)
    return not first.isdisjoint(second)


def _are_persons(pair: Pair, names: Names) -> bool:
    return all(map(names.is_person, pair.keys))


def keys_torn(named: Mapping[Keys, RuleResult], pairs: Mapping[Keys, Pair]) -> set[tuple[str, str]]:
    """(rule, key) of the names that are similar to two conflicting ones: "George Bush" to George W. and George H."""
    like: dict[tuple[str, str], list[Name]] = defaultdict(list)
    for keys, result in named.items():
        pair, rule = pairs[keys], result.join[0].rule
        like[rule, pair.first.key].append(pair.second)
        like[rule, pair.second.key].append(pair.first)
    return {
        rule_and_key for rule_and_key, names in like.items() if any(conflict(a, b) for a, b in combinations(names, 2))
    }


def review_if_torn(result: RuleResult, keys: Keys, torn: Set[tuple[str, str]]) -> RuleResult:
    if result.join and any((result.join[0].rule, key) in torn for key in keys):
        return RuleResult(review=result.join)
    return result
