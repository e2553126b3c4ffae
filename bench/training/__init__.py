"""Trains the rankers that ship: python -m bench.training.NAME."""
