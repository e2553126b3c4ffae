"""The process: threads, cancellation, garbage collection, memory for caches."""
