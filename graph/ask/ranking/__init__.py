"""Ranking: the order of the chunks of a pool, and what a reranker changes in it."""
