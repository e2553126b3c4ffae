"""Show how names are connected."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line, where_said


def show_connections(pairs: Sequence[Data], hops: int, *, offers_llm: bool = True) -> None:
    """For each two names the chains of facts, with their sentences and places, or that nothing joins them."""
    terminal = console()
    for pair in pairs:
        ends = ((pair["first"], pair["first_entities"]), (pair["other"], pair["other_entities"]))
        title = " – ".join(entities[0]["name"] if _is_id(name, entities) else name for name, entities in ends)
        heading(terminal, title, plural(len(pair["paths"]), "connection"))
        for name, entities in ends:
            entity_names = [entity["name"] for entity in entities]
            if entity_names != [name] and not _is_id(name, entities):
                line(terminal, styled(f"{name}: {' or '.join(entity_names)}", "dim"))
        if verdict := _verdict(pair, hops):
            line(terminal, verdict)
        if offers_llm and pair["verdict"] in ("text", "hubs", "none"):
            line(terminal, styled("With --ask an LLM reads, and names the path between the two.", "dim"))
        for number, chain in enumerate(pair["paths"], start=1):
            line(terminal, styled(f"{number}  {plural(len(chain['facts']), _unit(chain))}", "bold"))
            alike = {step["after"]: step for step in chain["alike"]}
            beside = {step["fact"]: step["name"] for step in chain["named"]}
            for after, fact in enumerate(chain["facts"]):
                _show_alike(alike.get(after))
                note = "  (denied)" if fact["denied"] else f"  (names {beside[after]})" if after in beside else ""
                note += "  (stated by a person)" if fact["own"] else ""
                line(terminal, styled(_fact_text(fact) + note), indent=4)
                line(terminal, styled(f"“{one_line(fact['sentence'])}”  {_source_and_voice(fact)}", "dim"), indent=6)
                for premise in fact["premises"]:
                    line(terminal, styled(f"with: “{one_line(premise)}”", "dim"), indent=6)
            _show_alike(alike.get(len(chain["facts"])))


def _is_id(name: str, entities: Sequence[Data]) -> bool:
    """Whether an end was given by its id."""
    return any(name == entity.get("id") for entity in entities)


def _verdict(pair: Data, hops: int) -> str:
    """What is said before the chains; "" where they say it."""
    if pair["verdict"] == "same":
        return "Both are one entity."
    if pair["verdict"] == "text":
        facts = f"No facts but by {', '.join(pair['hubs'])}" if pair["hubs"] else "No facts"
        return f"{facts} connect them, but names that stand near each other in the text do: this may mean nothing."
    if pair["verdict"] == "hubs":
        return f"Not connected but by {', '.join(pair['hubs'])}."
    return f"Not connected within {plural(hops, 'fact')}." if pair["verdict"] == "none" else ""


def _unit(chain: Data) -> str:
    return "step" if any(fact["only_near"] for fact in chain["facts"]) else "fact"


def _fact_text(fact: Data) -> str:
    if fact["only_near"]:
        return f"{fact['subject']} … {fact['object']}  (near each other in the text)"
    return f"{fact['subject']} – {fact['predicate']} – {fact['object']}"


def _show_alike(step: Data | None) -> None:
    if step:
        line(console(), styled(f"{step['first']} ≈ {step['other']}  (alike: may be one)", "italic"), indent=4)


def _source_and_voice(fact: Data) -> str:
    voice = f"according to {fact['according_to']}" if fact["according_to"] else ""
    return where_said(fact, voice)
