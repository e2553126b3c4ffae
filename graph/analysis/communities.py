"""Communities of a graph: Louvain (Blondel et al. 2008, "Fast unfolding of communities in large networks")."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats32 = npt.NDArray[np.float32]  # shape (n,)
Numbers = npt.NDArray[np.int32]

SEED = 0


def find_communities(count: int, pairs: Numbers, weights: Floats32) -> Numbers:
    """The community of each entity, 0 the largest; of two alike the one with the heavier entity first."""
    import networkx

    graph: Any = networkx.Graph()
    graph.add_nodes_from(range(count))  # numbers, not ids: the order of their sets does not depend on the hash seed
    rows = zip(pairs, weights, strict=True)
    graph.add_weighted_edges_from((int(a), int(b), float(w)) for (a, b), w in rows if w > 0)  # 0: being deleted
    communities = networkx.community.louvain_communities(graph, weight="weight", seed=SEED) if count else []
    community = np.zeros(count, dtype=np.int32)
    for place, members in enumerate(sorted(communities, key=lambda members: (-len(members), min(members)))):
        community[sorted(members)] = place
    return community
