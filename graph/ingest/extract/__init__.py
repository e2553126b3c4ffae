"""Extract: what a chunk states. `contract.py` is what every extractor keeps."""
