"""Forms: fields with questions, filled from a workspace. Read `graph/fill.py` first."""
