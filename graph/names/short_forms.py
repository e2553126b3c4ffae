"""Short forms: the forms of one document, and the longer names there that each may refer to, by their words alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from filigraph.graph.names.forms import agree, is_bare_surname, is_called_by_title
from filigraph.graph.names.index import Names
from filigraph.graph.text.names.pairs import Signature, conflict


@dataclass(frozen=True, slots=True)
class ShortForm:
    """A form, and its document's longer names that it may be short for."""

    key: str
    mention: str  # its first one in the document
    longer: Sequence[tuple[str, int]]  # first mention and number of places of each, sorted


@dataclass(frozen=True, slots=True)
class FormGroup:
    """The forms of the same words in one document."""

    mention_of: Mapping[str, str]  # key -> its first mention there, sorted by key
    short: Sequence[ShortForm]  # () if the document has no longer name that contains one of them

    @property
    def id(self) -> str:
        """Its first mention, which is in no other group."""
        return next(iter(self.mention_of.values()))

    def mentions(self) -> Iterator[str]:
        """All that it may join."""
        yield from self.mention_of.values()
        yield from (mention for form in self.short for mention, _ in form.longer)


def short_forms(document: str, names: Names) -> Sequence[Sequence[FormGroup]]:
    """The forms of a document that may be joined there, by the number of words, most first: one sequence for each
    number."""
    return tuple(forms for forms in _forms_in(document, names) if forms) if document in names.documents else ()


def _forms_in(document: str, names: Names) -> Iterator[Sequence[FormGroup]]:
    mention_of: dict[str, str] = {}
    counts: Counter[str] = Counter()
    by_words: dict[Signature, list[str]] = defaultdict(list)
    for mention in names.documents[document]:
        counts[mention.key] += mention.count
        if mention.key not in mention_of:
            mention_of[mention.key] = mention.id
            by_words[names.signatures[mention.key]].append(mention.key)
    by_length: dict[int, list[Signature]] = defaultdict(list)
    for words in by_words:
        by_length[len(words)].append(words)
    here = names.keys_in[document]
    for length in sorted(by_length, reverse=True):
        forms = []
        for words in sorted(by_length[length]):
            keys = sorted(by_words[words])
            longer = {o for key in keys if key in names.longer for o in here & names.longer[key]}.difference(keys)
            if longer or len(keys) > 1:
                short = [_short_form(key, keys, sorted(longer), mention_of, counts, names) for key in keys if longer]
                forms.append(FormGroup({key: mention_of[key] for key in keys}, short))
        yield forms


def _short_form(
    key: str,
    keys: Sequence[str],
    longer: Sequence[str],
    mention_of: Mapping[str, str],
    counts: Mapping[str, int],
    names: Names,
) -> ShortForm:
    """`keys`: all forms of these words; those that agree with this one, but with none of its longer names, count as
    such."""
    name = names.of[key]
    fitting = names.without_junk(names.fitting(key, longer), counts)
    rivals = [other for other in keys if other != key and not conflict(name, names.of[other])]
    if is_bare_surname(name, names.given):
        rivals = [other for other in rivals if not is_called_by_title(names.of[other])]
    apart = [other for other in rivals if any(conflict(names.of[other], names.of[fit]) for fit in fitting)]
    return ShortForm(
        key=key,
        mention=mention_of[key],
        longer=sorted((mention_of[other], counts[other]) for other in {*fitting, *apart}),
    )


def agreeing(keys: Sequence[str], names: Names, *, convention: bool) -> Iterator[tuple[str, str, bool]]:
    """Pairs of keys of one signature without conflict, and whether a person must say if they are one: so if a partner
    of either key conflicts with another one ("Delmas" with "M. Delmas" and "Mme Delmas"). With `convention`, a bare
    surname is not paired with a woman's title, which often resolves this."""
    name_of, given = {key: names.of[key] for key in keys}, names.given
    partners = {key: [o for o in keys if o != key and agree(name_of[key], name_of[o], given)] for key in keys}
    torn = set()
    for key in keys:
        if convention and is_bare_surname(name_of[key], given):
            partners[key] = [other for other in partners[key] if not is_called_by_title(name_of[other])]
        if any(conflict(name_of[a], name_of[b]) for a in partners[key] for b in partners[key] if a < b):
            torn.add(key)
    for key in keys:
        for other in partners[key]:
            if key < other and key in partners[other]:
                yield key, other, key in torn or other in torn
