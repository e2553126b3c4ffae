"""Telemetry: metrics for Prometheus, spans for OpenTelemetry."""
