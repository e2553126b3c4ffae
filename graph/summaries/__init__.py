"""Memory: what a long text says, in levels of summaries."""
