"""Neo4j: sessions, statements, transactions, errors of the driver, labels, types, vectors as bytes."""
