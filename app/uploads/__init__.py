"""The files that clients send beside documents: aliases, questions, triples."""
