"""Names as text: their parts, their normal form, and the similarity of two names."""
