"""Time, memory and disk: python -m bench.speed.NAME."""
