"""Searches in processes of their own, so that many questions at once use more than one core."""
