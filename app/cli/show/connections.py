"""Show how names are connected."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line


def show_connections(pairs: Sequence[Data], hops: int) -> None:
    """For each two names the chains of facts, with their sentences and places, or that nothing joins them."""
    terminal = console()
    for one in pairs:
        heading(terminal, f"{one['first']} – {one['other']}", plural(len(one["paths"]), "connection"))
        for name, entities in ((one["first"], one["first_entities"]), (one["other"], one["other_entities"])):
            taken = [entity["name"] for entity in entities]
            if taken != [name]:
                line(terminal, styled(f"{name}: {' or '.join(taken)}", "dim"))
        if verdict := _verdict(one, hops):
            line(terminal, verdict)
        if one["verdict"] in ("hubs", "none"):
            question = f"How is {one_line(one['first'])} connected to {one_line(one['other'])}?"
            line(terminal, styled(f"`filigraph ask '{question}'` reads further where an LLM answers.", "dim"))
        for number, chain in enumerate(one["paths"], start=1):
            line(terminal, styled(f"{number}  {plural(len(chain['facts']), 'fact')}", "bold"))
            alike = {step["after"]: step for step in chain["alike"]}
            beside = {step["fact"]: step["name"] for step in chain["named"]}
            for after, fact in enumerate(chain["facts"]):
                _show_alike(alike.get(after))
                note = "  (denied)" if fact["denied"] else f"  (names {beside[after]})" if after in beside else ""
                line(terminal, styled(f"{fact['subject']} – {fact['predicate']} – {fact['object']}{note}"), indent=4)
                line(terminal, styled(f"“{one_line(fact['sentence'])}”  {_where(fact)}", "dim"), indent=6)
            _show_alike(alike.get(len(chain["facts"])))


def _verdict(one: Data, hops: int) -> str:
    """What is said before the chains; "" where they say it."""
    if one["verdict"] == "same":
        return "Both are one entity."
    if one["verdict"] == "hubs":
        return f"Not connected but by {', '.join(one['hubs'])}."
    return f"Not connected within {plural(hops, 'fact')}." if one["verdict"] == "none" else ""


def _show_alike(step: Data | None) -> None:
    if step:
        line(console(), styled(f"{step['first']} ≈ {step['other']}  (alike: may be one)", "italic"), indent=4)


def _where(fact: Data) -> str:
    voice = f"according to {fact['according_to']}" if fact["according_to"] else ""
    return ", ".join(filter(None, (fact["source"], fact["place"], voice)))
