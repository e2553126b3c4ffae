"""Trees: a sum of regression trees over the columns of a matrix, computed by ONNX Runtime."""

from __future__ import annotations

import numpy as np

from filigraph.graph.model.arrays import Floats

ERRORS_ONLY = 3  # errors alone


class Trees:
    """An ONNX model: a matrix `x` (n, k) to a column `y` (n, 1). Thread-safe.

    One pool is computed on one thread: questions that come together run side by side.
    """

    def __init__(self, model: bytes) -> None:
        import onnxruntime  # type: ignore[import-untyped]  # here: loading it takes as long as a command

        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = ERRORS_ONLY
        self._session = onnxruntime.InferenceSession(model, settings, providers=["CPUExecutionProvider"])

    def score(self, matrix: Floats) -> Floats:
        """(n,) the sum of the trees for each row."""
        (sums,) = self._session.run(None, {"x": matrix.astype(np.float32)})
        result: Floats = sums[:, 0].astype(float)
        return result
