"""What the server tells about its work: metrics for Prometheus, spans for OpenTelemetry."""
