"""Present forms of English verbs, by tables: endings do not show a doubled consonant or a dropped e.

"was" and "had" are unchanged: a former state may have ended, and they begin half of all passives.
"""

from __future__ import annotations

from collections.abc import Mapping

# Third person of the present, past, participle if it differs.
_IRREGULAR = """
    bears bore borne
    beats beat beaten
    becomes became become
    begins began begun
    bites bit bitten
    blows blew blown
    breaks broke broken
    brings brought
    builds built
    buys bought
    catches caught
    chooses chose chosen
    comes came come
    draws drew drawn
    drinks drank drunk
    drives drove driven
    eats ate eaten
    falls fell fallen
    feels felt
    fights fought
    finds found
    flees fled
    flies flew flown
    forbids forbade forbidden
    forgets forgot forgotten
    forgives forgave forgiven
    gets got gotten
    gives gave given
    goes went gone
    grows grew grown
    hides hid hidden
    holds held
    keeps kept
    knows knew known
    leads led
    leaves left
    lends lent
    loses lost
    makes made
    meets met
    overhears overheard
    pays paid
    rides rode ridden
    rises rose risen
    runs ran run
    says said
    sees saw seen
    seeks sought
    sells sold
    sends sent
    shakes shook shaken
    shoots shot
    sings sang sung
    speaks spoke spoken
    spends spent
    stands stood
    steals stole stolen
    strikes struck
    swears swore sworn
    sweeps swept
    takes took taken
    teaches taught
    tears tore torn
    tells told
    thinks thought
    throws threw thrown
    understands understood
    undertakes undertook undertaken
    wakes woke woken
    wears wore worn
    weds wedded
    weeps wept
    wins won
    withdraws withdrew withdrawn
    writes wrote written
"""
# Regular verbs.
_REGULAR = """
    accuse admire admit adopt advise appear arrest arrive ask assist attack attend avoid beg believe belong betray blame
    bless bribe bury carry celebrate chase claim command confess confront conquer consult convince create cross
    cure deceive defeat defend deliver deny describe deserve desire despise destroy die disappear discover disguise
    dislike doubt drop employ engage enjoy enter envy escape examine execute fear fire follow found frighten greet guard
    hate haunt help hire hurry identify imprison inherit injure inspect insult introduce invent invite join judge kidnap
    kill kiss learn like live load lock love manage marry mention move murder obey observe obtain occupy offer open
    order owe own paint pass persuade plan poison possess praise prefer prepare promise protect prove punish pursue
    question reach receive recognize refuse reject remember rescue resemble respect return reveal rob rule save scare
    search serve share shelter sign smoke stab study succeed suspect tempt thank threaten touch train travel treat trick
    trust try turn urge use visit wait walk want warn watch wed welcome witness work worship wound
"""
# Verbs without passive: "lived in" can only be "lives in", whereas "founded in" is mostly "was founded in".
_INTRANSITIVE = frozenset(
    {
        *("appears", "arrives", "belongs", "comes", "dies", "disappears", "escapes"),
        *("falls", "goes", "lives", "returns", "travels", "waits", "walks", "works"),
    }
)
_DOUBLED = frozenset({"admit", "beg", "drop", "kidnap", "plan", "prefer", "rob", "stab", "travel", "wed", "worship"})
_HAVING = frozenset({"has", "had", "have"})
_AFTER_A_PARTICIPLE = frozenset(
    {"after", "as", "at", "by", "for", "from", "in", "into", "of", "on", "to", "under", "upon", "with"}
)


def _present(base: str) -> str:
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "sh", "ch", "x")) else f"{base}s"


def _pasts(base: str) -> tuple[str, ...]:
    if base.endswith("e"):
        return (f"{base}d",)
    if base.endswith("y") and base[-2] not in "aeiou":
        return (f"{base[:-1]}ied",)
    doubled = (f"{base}{base[-1]}ed",) if base in _DOUBLED else ()
    return (*doubled, f"{base}ed") if base == "travel" else doubled or (f"{base}ed",)


def _tables() -> tuple[dict[str, str], dict[str, str]]:
    """Past -> present, participle -> present."""
    pasts: dict[str, str] = {}
    participles: dict[str, str] = {}
    for line in _IRREGULAR.strip().splitlines():
        present, past, *other = line.split()
        pasts[past] = present
        participles[other[0] if other else past] = present
    for base in _REGULAR.split():
        for past in _pasts(base):
            pasts[past] = participles[past] = _present(base)
    return pasts, participles


_PASTS, _PARTICIPLES = _tables()
PRESENT: Mapping[str, str] = _PASTS | _PARTICIPLES  # past or participle -> third person of the present
# Third person of the present -> past, and participle if it differs.
IRREGULAR: Mapping[str, tuple[str, ...]] = {
    present: tuple(past) for present, *past in map(str.split, _IRREGULAR.strip().splitlines())
}


def in_present(words: str) -> str:
    """A predicate with its verb in the third person of the present: "had stolen from" is "steals from"."""
    first, *rest = words.split(" ")
    low = first.lower()
    if rest and low in _HAVING and (verb := rest[0].lower()) in _PARTICIPLES:
        return " ".join([_PARTICIPLES[verb], *rest[1:]])
    present = _PASTS.get(low, "")
    passive = low in _PARTICIPLES and rest and rest[0].lower() in _AFTER_A_PARTICIPLE
    if not present or words.endswith(" by") or (passive and present not in _INTRANSITIVE):
        return words
    return " ".join([present, *rest])
