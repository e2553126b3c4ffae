"""Ranking: the order of the chunks of a pool, and its changes by a reranker."""
