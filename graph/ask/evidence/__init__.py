"""Evidence: the passages that are shown, with their scores and quotations."""
