"""Render answers, reports and lists. A module for each part of the server's replies."""
