"""Trees that LightGBM learned as an ONNX model, which Filigraph runs without LightGBM."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from onnx import TensorProto, helper


def to_onnx(dumped: Mapping[str, Any], columns: int) -> bytes:
    """The ONNX model of a `Booster.dump_model`: from a matrix `x` (n, `columns`) to a column `y`, the sum of all
    trees.
    """
    nodes: defaultdict[str, Any] = defaultdict(list)  # each a list
    for number, tree in enumerate(dumped["tree_info"]):
        _add(nodes, number, tree["tree_structure"], 0)
    node = helper.make_node(
        "TreeEnsembleRegressor",
        ["x"],
        ["y"],
        domain="ai.onnx.ml",
        n_targets=1,
        aggregate_function="SUM",
        post_transform="NONE",
        **nodes,
    )
    graph = helper.make_graph(
        [node],
        "trees",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", columns])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", 1])],
    )
    opsets = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)]
    serialized: bytes = helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()
    return serialized


def _add(nodes: defaultdict[str, Any], tree: int, node: Mapping[str, Any], number: int) -> int:
    """Add a node with those below it, the left side first; returns the next free number of the tree."""
    leaf = "leaf_value" in node
    place = len(nodes["nodes_treeids"])
    nodes["nodes_treeids"].append(tree)
    nodes["nodes_nodeids"].append(number)
    nodes["nodes_featureids"].append(0 if leaf else node["split_feature"])
    nodes["nodes_modes"].append("LEAF" if leaf else "BRANCH_LEQ")
    nodes["nodes_values"].append(0.0 if leaf else node["threshold"])
    nodes["nodes_truenodeids"].append(0)
    nodes["nodes_falsenodeids"].append(0)
    if leaf:
        nodes["target_treeids"].append(tree)
        nodes["target_nodeids"].append(number)
        nodes["target_ids"].append(0)
        nodes["target_weights"].append(node["leaf_value"])
        return number + 1
    right = _add(nodes, tree, node["left_child"], number + 1)
    nodes["nodes_truenodeids"][place] = number + 1
    nodes["nodes_falsenodeids"][place] = right
    return _add(nodes, tree, node["right_child"], right)
