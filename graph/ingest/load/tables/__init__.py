"""Tables: CSV, columns of fixed width, JSON."""
