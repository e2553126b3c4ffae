"""PDF and pictures of text."""
