"""Names: mentions, which of them are one entity, and the facts between entities."""
