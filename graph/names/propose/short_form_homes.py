"""Whom the short forms of a document mean: first variants of one name are joined ("Darcy", "Mr. Darcy"), then the
longer name that fits all of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from filigraph.graph.names.candidates import Candidates
from filigraph.graph.names.clusters import Clusters
from filigraph.graph.names.propose.proposals import NearMissPairs, pair_names_that_agree
from filigraph.graph.names.propose.rule_result import Proposal
from filigraph.graph.names.propose.short_forms import FormGroup, ShortForm, pairs_that_agree
from filigraph.graph.tables.disjoint_sets import DisjointSets
from filigraph.graph.text.names.pairs import conflict

# One of several candidates wins a short form: min. share, min. places, min. ratio to the second one's places.
DOMINANT, DOMINANT_COUNT, DOMINANT_RATIO = 0.7, 3, 4
OUTWEIGHS = 1  # min. ratio of its places to those of each longer name that a person is asked about
DOUBTFUL = 0.5  # score of a longer name that a person should decide about


class ShortFormHomes:
    """Proposals for short forms, from the current clusters; near misses where a person must decide."""

    def __init__(self, candidates: Candidates, clusters: Clusters, near: NearMissPairs) -> None:
        self.candidates, self.names = candidates, candidates.names
        self.clusters, self.near = clusters, near

    def proposals(self, forms: FormGroup) -> Iterator[Proposal]:
        """Proposals for the forms of one signature in one document."""
        if not forms.short:
            yield from self._proposals_that_agree(forms)
            return
        claims: dict[str, dict[int, float]] = defaultdict(dict)  # a cluster's first mention -> variant -> share
        variants = self._variants(forms)
        for number, variant in enumerate(variants):
            home, share = self._home(variant)
            if home:
                claims[home][number] = share
        yield from self._proposals_that_agree(forms)
        yield from self._undisputed(claims, variants, forms.rule)

    def _variants(self, forms: FormGroup) -> Sequence[Sequence[ShortForm]]:
        """The forms of one name, whatever longer name they are short for: "Darcy", "Mr. Darcy"."""
        same = DisjointSets()
        those = [*forms.mention_of]
        agreed_pairs = pairs_that_agree(
            those, self.names, convention=True, places=forms.places, of_family=forms.of_family
        )
        for first, second, torn in agreed_pairs:
            if not torn and not self._is_parted(forms, first, second):
                same.union(first, second)
        variants: dict[str, list[ShortForm]] = defaultdict(list)
        for form in forms.short:
            variants[same.find(form.key)].append(form)
        return [variants[first] for first in sorted(variants)]

    def _is_parted(self, forms: FormGroup, first: str, second: str) -> bool:
        """Whether one of two forms may mean somebody whom the other cannot mean, unless the other is far more frequent:
        "Delmas" may be Jules, but "le père Delmas" may not; "Darcy" is hardly Georgiana beside "Mr. Darcy".
        """
        by_id = self.candidates.by_id
        for form in forms.short:
            other = {first: second, second: first}.get(form.key)
            if other is None:
                continue
            own = {*forms.mention_of.values()}
            against = sum(
                count
                for mention, count in form.longer
                if mention not in own and conflict(self.names.of[by_id[mention].key], self.names.of[other])
            )
            if against and forms.places[other] < DOMINANT_RATIO * against:
                return True
        return False

    def _home(self, variant: Sequence[ShortForm]) -> tuple[str, float]:
        """The first mention of the cluster that these forms mean, with its share of the places of all clusters that
        they may mean; "" if a person must decide.
        """
        homes: dict[int, str] = {}  # candidate clusters by id(), with their first mention
        weights: Counter[str] = Counter()
        own = {form.mention for form in variant}
        for mention, count in sorted({longer for form in variant for longer in form.longer if longer[0] not in own}):
            weights[homes.setdefault(id(self.clusters.of(mention)), mention)] += count
        doubtful: Counter[str] = Counter()
        for mention, count in sorted({longer for form in variant for longer in form.doubtful}):
            doubtful[homes.get(id(self.clusters.of(mention)), mention)] += count
        vetoed = {home for home in weights if any(self._is_vetoed(form.mention, home) for form in variant)}
        if len(vetoed) < len(weights):
            weights = Counter({home: count for home, count in weights.items() if home not in vetoed})
        for home in sorted(doubtful):
            weights.pop(home, None)
            self.near.add("contained", variant[0].mention, home, DOUBTFUL)
        best = min(weights, key=lambda home: (-weights[home], home), default="")
        # If somebody more frequent may be meant, nobody wins a form just because the others do not fit.
        outweighed = weights[best] < OUTWEIGHS * max(doubtful.values(), default=0)
        if not best or (_wins(weights, best) and not outweighed):
            return best, round(weights[best] / weights.total(), 4) if best else 0.0
        for form in variant:
            for home in sorted(weights):
                self.near.add("contained", form.mention, home, round(weights[home] / weights.total(), 4))
        return "", 0.0

    def _is_vetoed(self, mention: str, home: str) -> bool:
        """Whether anything vetoes it, other than "another X" in the text: then it is not known which X a short form
        means.
        """
        return self.clusters.veto(mention, home) not in ("", "another")

    def _undisputed(
        self,
        claims: Mapping[str, Mapping[int, float]],
        variants: Sequence[Sequence[ShortForm]],
        rule: str,
    ) -> Iterator[Proposal]:
        """Proposals from the claims of short forms on longer names. Claims on one name that conflict ("Mr. Stapleton",
        "Miss Stapleton", both short for "Resisting Stapleton") become near misses, unless one prevails."""
        for home in sorted(claims):
            for number, share in sorted(claims[home].items()):
                variant = variants[number]
                wins = all(self._prevails(variant, variants[other]) for other in claims[home])
                for form in variant:
                    if wins:
                        yield Proposal(rule, share, form.mention, home)
                    else:
                        self.near.add("contained", form.mention, home, share)

    def _prevails(self, variant: Sequence[ShortForm], rival: Sequence[ShortForm]) -> bool:
        """Whether these forms mean a name that other forms claim too: no conflict, Miss rather than Mrs, the far more
        frequent one of two titles.
        """
        why = {
            why
            for form in variant
            for other in rival
            if (why := conflict(self.names.of[form.key], self.names.of[other.key]))
        }
        titles = [
            frozenset[str]().union(*(self.names.of[form.key].titles for form in group)) for group in (variant, rival)
        ]
        if not why or ("miss" in titles[0] and "mrs" in titles[1]):
            return True
        mine, theirs = (sum(form.places for form in group) for group in (variant, rival))
        return why == {"title"} and "mrs" not in titles[0] and mine >= DOMINANT_RATIO * theirs

    def _proposals_that_agree(self, forms: FormGroup) -> Sequence[Proposal]:
        agreement = pair_names_that_agree(
            "contained",
            forms.mention_of,
            self.names,
            convention=True,
            places=forms.places,
            of_family=forms.of_family,
        )
        for near in agreement.review:
            self.near.add(near.rule, near.first, near.second, near.score)
        key_of = {mention: key for key, mention in forms.mention_of.items()}
        return [p for p in agreement.join if not self._is_parted(forms, key_of[p.first], key_of[p.second])]


def _wins(weights: Mapping[str, int], best: str) -> bool:
    """Whether a short form means this candidate: the only one, or by far the most frequent."""
    others = [weights[home] for home in weights if home != best]
    if not others:
        return True
    return (
        weights[best] >= DOMINANT * sum(weights.values())
        and weights[best] >= DOMINANT_COUNT
        and weights[best] >= DOMINANT_RATIO * max(others)
    )
