"""Books: EPUB, title pages, numbers of pages and lines, bibliographies."""
