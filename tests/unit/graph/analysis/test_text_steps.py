"""Steps between names that are near each other in a text."""

from __future__ import annotations

from dataclasses import replace

from filigraph.graph.analysis.connections import FactEdge, FactNetwork, find_chains
from filigraph.graph.analysis.text_steps import NameInText, NamingText, TextStep, text_steps

TEXT = "Tom came home. It rained. He had a key on his shoulder. One. Two. Three. Anne was asleep. The key shone."


def naming(*names: str, text: str = TEXT, chunks: int = 1) -> NamingText:
    """A chunk with all places of these names."""
    places = [NameInText(name, at, chunks) for name in names for at in range(len(text)) if text.startswith(name, at)]
    return NamingText(chunk_id="a", text=text, language="en", names=places)


def test_a_step_leads_to_what_a_text_names_near_by() -> None:
    (step,) = text_steps({"Tom"}, [naming("Tom", "key", "Anne")])
    assert (step.other_id, step.apart) == ("key", 2)
    assert TEXT[step.start : step.end].strip() == "Tom came home. It rained. He had a key on his shoulder."
    assert text_steps({"Tom"}, [naming("Tom", "Anne")]) == []


def test_of_two_places_the_nearer_counts() -> None:
    nearer = naming("Tom", "key", text="Tom lost the key.")
    assert [step.apart for step in text_steps({"Tom"}, [naming("Tom", "key"), nearer])] == [0]


def test_what_many_chunks_name_is_no_step_but_an_end_is() -> None:
    often = naming("Tom", "key", chunks=99)
    assert text_steps({"Tom"}, [often]) == []
    assert len(text_steps({"Tom", "key"}, [often])) == 1


def test_a_step_to_what_other_chunks_name_too_costs_more() -> None:
    network = FactNetwork.of([FactEdge(f"{by}-lock", by, "lock", 1, denied=False) for by in ("boat", "key")])
    steps = text_steps({"Tom"}, [naming("Tom", "boat", text="Tom has a boat.", chunks=5), naming("Tom", "key")])
    steps = [replace(step, apart=0) for step in steps]
    ways = find_chains(network.with_text(steps), ["Tom"], ["lock"], hubs=(), hops=3, count=3)
    assert [way.fact_ids[0] for way in ways] == ["Tom key", "Tom boat"]


def test_a_chain_goes_over_a_step_only_where_it_is_added_and_nothing_denies_it() -> None:
    edges = [FactEdge("key-lock", "key", "lock", 1, denied=False), FactEdge("no", "Tom", "Bob", 1, denied=True)]
    network = FactNetwork.of(edges)
    steps = [TextStep(0, "a", 0, 9, first_id="Tom", other_id=other, elsewhere=0) for other in ("key", "Bob")]
    assert find_chains(network, ["Tom"], ["lock"], hubs=(), hops=3, count=3) == []
    (chain,) = find_chains(network.with_text(steps), ["Tom"], ["lock"], hubs=(), hops=3, count=3)
    assert chain.fact_ids == ("Tom key", "key-lock")
    (denied,) = find_chains(network.with_text(steps), ["Tom"], ["Bob"], hubs=(), hops=3, count=3)
    assert denied.fact_ids == ("no",)
