"""What a question says: its pieces, its profile, the entities and documents it names."""
