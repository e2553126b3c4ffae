"""Extract what a chunk states. `contract.py` has the contract of all extractors."""
