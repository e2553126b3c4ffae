"""Models: the interfaces of language models and embedders; `adapters/` implements them."""
