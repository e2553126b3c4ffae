"""Data that persons keep beside the graph: notes and their anchors, receipts of paths."""
