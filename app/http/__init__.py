"""HTTP: the middlewares, the error envelope, streams, metrics, logs."""
