"""Programs that produce the figures in README and the documents, run from the root: python -m bench.FOLDER.NAME."""
