"""multilingual-e5-small as an ONNX graph in int8, and its tokenizer: made once from the packaged weights, then cached.

Matrices have numbers of 7 bits, sign included, and one factor a row: with 8 bits, processors without VNNI overflow when
they add pairs. The inputs of a matrix are quantized to 8 bits with a factor for each token, not for the whole batch as
in ONNX Runtime's own dynamic quantization: so a text has the same vector in any batch, and twice the accuracy. Word
vectors stay in their original 4 bits. A vector's cosine with float32's is 0.999, on average.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from filigraph.graph.models.adapters import e5_weights
from filigraph.graph.models.adapters.e5_weights import BLOCK_NUMBERS, Weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

FORM = "1"  # version of the made files; another one is made again
MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
MAX_MATRIX_VALUE = 63  # of a matrix: 6 bits and a sign
MICROSOFT = "com.microsoft"  # ONNX Runtime's own operators


def ensure_model(file: Path, cache: Path) -> Path:
    """The folder of MODEL and TOKENIZER for these weights, created if there is none yet. Two processes that create it
    at once write the same files, each into its own folder, which it then renames."""
    folder = cache / f"e5-small-{e5_weights.SHA256[:16]}-{FORM}"
    if (folder / MODEL).is_file() and (folder / TOKENIZER).is_file():
        return folder
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(dir=cache, prefix=".making-") as making:
        write(file, Path(making))
        folder.mkdir(mode=0o700, exist_ok=True)
        for name in (TOKENIZER, MODEL):
            (Path(making) / name).replace(folder / name)
    return folder


def write(file: Path, folder: Path) -> None:
    """Make MODEL and TOKENIZER from a file of weights."""
    weights = e5_weights.read(file)
    (folder / MODEL).write_bytes(build(weights).SerializeToString())
    tokenizer(weights.vocabulary).save(str(folder / TOKENIZER), pretty=False)


def tokenizer(vocabulary: e5_weights.Vocabulary) -> Tokenizer:
    """XLM-RoBERTa's."""
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer_ = Tokenizer(models.Unigram(list(vocabulary.pieces), unk_id=vocabulary.unk, byte_fallback=False))
    own = [normalizers.Replace(character, becomes) for character, becomes in vocabulary.characters.items()]
    tokenizer_.normalizer = normalizers.Sequence(
        [*own, normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip()]
    )
    tokenizer_.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    special = {n: vocabulary.pieces[n][0] for n in (vocabulary.bos, vocabulary.pad, vocabulary.eos, vocabulary.unk)}
    bos, eos = special[vocabulary.bos], special[vocabulary.eos]
    tokenizer_.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}", special_tokens=[(bos, vocabulary.bos), (eos, vocabulary.eos)]
    )
    tokenizer_.add_special_tokens([AddedToken(piece, special=True, normalized=False) for piece in special.values()])
    return tokenizer_


def build(weights: Weights) -> ModelProto:
    """The graph: from token ids and the number of real tokens in each row to the last layer's output for each token."""
    return _Graph(weights).model()


class _Graph:
    """The graph as it grows: its nodes, and its constants by name."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.size = weights.shape
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self.quantized: dict[str, tuple[str, str]] = {}

    def model(self) -> ModelProto:
        hidden = self.size.hidden
        self.constant("zero point", np.array(128, np.uint8))
        self.constant("one", np.array(1, np.float32))
        self.constant("smallest", np.array(1e-9, np.float32))
        self.constant("step", np.array(1 / 127, np.float32))
        tokens = self.embeddings()
        for layer in range(self.size.layers):
            tokens = self.layer(f"l{layer}", tokens)
        self.node("Identity", [tokens], "tokens")
        graph = helper.make_graph(
            self.nodes,
            "multilingual-e5-small",
            [
                helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "length"]),
                helper.make_tensor_value_info("lengths", TensorProto.INT32, ["texts"]),
            ],
            [helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["texts", "length", hidden])],
            self.constants,
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)

    def constant(self, name: str, value: np.ndarray[Any, Any]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **settings: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **settings))
        return output

    def embeddings(self) -> str:
        """The sum of the embeddings of words, positions and the only token type."""
        words, hidden = self.size.vocabulary, self.size.hidden
        numbers, factors = self.weights.blocks("emb.word", words, hidden)
        nibbles = numbers[:, 0::2] | (numbers[:, 1::2] << 4)
        gathered = self.node(
            "GatherBlockQuantized",
            [self.constant("words", nibbles), "ids", self.constant("words: factors", factors)],
            "words: found",
            MICROSOFT,
            gather_axis=0,
            quantize_axis=1,
            block_size=BLOCK_NUMBERS,
            bits=4,
        )
        places = self.weights.floats("emb.pos", self.size.positions, hidden) + self.weights.floats("emb.type", hidden)
        self.node("Shape", ["ids"], "length", start=1, end=2)
        first = self.constant("first", np.array([0], np.int64))
        here = self.node("Slice", [self.constant("places", places), first, "length", first], "places: found")
        summed = self.node("Add", [gathered, here], "embedded")
        scale, bias = self.norm("emb.ln")
        return self.node("LayerNormalization", [summed, scale, bias], "layer 0", axis=-1, epsilon=self.size.epsilon)

    def layer(self, name: str, tokens: str) -> str:
        """Attention, then the feed-forward part, each with a residual connection."""
        hidden, wide = self.size.hidden, self.size.feed_forward
        queries, keys, values = (self.linear(f"{name}.{part}", tokens, hidden, hidden) for part in "qkv")
        attended = self.node(
            "MultiHeadAttention",
            [queries, keys, values, "", "lengths"],
            f"{name}: attention",
            MICROSOFT,
            num_heads=self.size.heads,
        )
        tokens = self.add_and_norm(f"{name}.aln", self.linear(f"{name}.ao", attended, hidden, hidden), tokens)
        inner = self.node("Gelu", [self.linear(f"{name}.fi", tokens, wide, hidden)], f"{name}: gelu", MICROSOFT)
        return self.add_and_norm(f"{name}.oln", self.linear(f"{name}.fo", inner, hidden, wide), tokens)

    def add_and_norm(self, name: str, new: str, old: str) -> str:
        return self.node(
            "SkipLayerNormalization",
            [new, old, *self.norm(name)],
            f"{name}: out",
            MICROSOFT,
            epsilon=self.size.epsilon,
        )

    def norm(self, name: str) -> tuple[str, str]:
        """Its two constants."""
        size = self.size.hidden
        scale, bias = (self.weights.floats(f"{name}.{part}", size) for part in "wb")
        return self.constant(f"{name}.w", scale), self.constant(f"{name}.b", bias)

    def linear(self, name: str, tokens: str, rows: int, columns: int) -> str:
        """A matrix product in int8 and its bias."""
        matrix = self.weights.matrix(f"{name}.w", rows, columns)
        factors = np.abs(matrix).max(axis=1) / MAX_MATRIX_VALUE
        numbers = np.round(matrix / factors[:, None]).astype(np.int8)
        whole, steps = self.quantize(tokens)
        product = self.node(
            "MatMulInteger", [whole, self.constant(f"{name}.w", numbers.T), "zero point"], f"{name}: product"
        )
        as_float = self.node("Cast", [product], f"{name}: as float", to=TensorProto.FLOAT)
        by_token = self.node("Mul", [as_float, steps], f"{name}: by token")
        by_row = self.node(
            "Mul", [by_token, self.constant(f"{name}: factors", factors.astype(np.float32))], f"{name}: by row"
        )
        return self.node("Add", [by_row, self.constant(f"{name}.b", self.weights.floats(f"{name}.b", rows))], name)

    def quantize(self, tokens: str) -> tuple[str, str]:
        """Each token's numbers in 8 bits, and its quantization step. Three matrices share one of these."""
        if tokens not in self.quantized:
            size = self.node("Abs", [tokens], f"{tokens}: size")
            most = self.node("ReduceMax", [size], f"{tokens}: most", axes=[-1], keepdims=1)
            some = self.node("Max", [most, "smallest"], f"{tokens}: some")
            step = self.node("Mul", [some, "step"], f"{tokens}: step")
            scaled = self.node("Div", [tokens, step], f"{tokens}: scaled")
            whole = self.node("QuantizeLinear", [scaled, "one", "zero point"], f"{tokens}: whole")
            self.quantized[tokens] = whole, step
        return self.quantized[tokens]
