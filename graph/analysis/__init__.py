"""Results for people beside an answer: connections, comparisons, lists, contradictions, a layout of the graph."""
