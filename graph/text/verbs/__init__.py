"""Normal forms of verbs and predicates."""
