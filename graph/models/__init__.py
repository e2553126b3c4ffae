"""Models: the seams to language models and embedders; `adapters/` implements them."""
