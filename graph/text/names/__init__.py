"""Names as text: their parts, their normal form, and how alike two of them are."""
