"""Numbers, amounts and quantities in a text."""
