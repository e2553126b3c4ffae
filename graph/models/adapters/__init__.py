"""Adapters: embedders, rerankers, parsers and LLMs behind the interfaces."""
