"""What produces the figures in the README. Each script is run from the repository's root: python -m bench.NAME."""
