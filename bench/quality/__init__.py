"""How good names, facts, answers, views and forms are: python -m bench.quality.NAME."""
