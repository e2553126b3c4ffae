"""Factuality: whether a text asserts what one of its clauses says, denies it, doubts it, or lets somebody say it."""
