"""HTML, Markdown and XML."""
