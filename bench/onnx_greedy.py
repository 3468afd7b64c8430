"""The strongest rival we know: the whole greedy decoding as one ONNX graph, run by ONNX Runtime."""

from collections.abc import Callable

import keras
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from seq2seq_demo.alphabet import OUTPUT_LENGTH


def export(model: keras.Model) -> Callable[[np.ndarray], np.ndarray]:
    """Turn a trained model into an ONNX Runtime session.

    Returns:
        A function of source ids, int32 `(batch, length)`, that gives output ids `(batch, 10)`.
    """
    graph = _Graph()
    width = model.get_layer("encoder").units
    for layer in ("source_embedding", "target_embedding"):
        graph.constant(layer, model.get_layer(layer).get_weights()[0])
    graph.constant("output_kernel", model.get_layer("output").get_weights()[0])
    graph.constant("output_bias", model.get_layer("output").get_weights()[1])
    for layer in ("encoder", "decoder"):
        for part, value in zip(("W", "R", "B"), _lstm_weights(model.get_layer(layer)), strict=True):
            graph.constant(f"{layer}_{part}", value)
    graph.constant("zero", np.array([0], np.int64))
    graph.constant("one", np.array([1], np.int64))
    graph.constant("pad", np.array(0, np.int32))

    with_attention = any(layer.name == "attention" for layer in model.layers)
    state = _encoder(graph, width, with_attention)
    symbols = graph.node("ConstantOfShape", [graph.node("Shape", ["lengths"])], value=_tensor(np.zeros(1, np.int64)))
    written = []
    for _ in range(OUTPUT_LENGTH):
        symbols, state = _decoder_step(graph, symbols, state, width, with_attention)
        written.append(graph.node("Unsqueeze", [symbols, "one"]))
    graph.node("Concat", written, name="result", axis=1)

    options = onnxruntime.SessionOptions()
    session = onnxruntime.InferenceSession(graph.serialized(), options, providers=["CPUExecutionProvider"])
    return lambda ids: session.run(None, {"ids": ids})[0]


def _encoder(graph: "_Graph", width: int, with_attention: bool) -> tuple[str, str]:
    mask = graph.node("Not", [graph.node("Equal", ["ids", "pad"])])
    counted = graph.node("Cast", [mask], to=TensorProto.INT32)
    graph.node("ReduceSum", [counted, "one"], name="lengths", keepdims=0)
    embedded = graph.node("Gather", ["source_embedding", graph.node("Transpose", ["ids"], perm=[1, 0])])
    inputs = [embedded, "encoder_W", "encoder_R", "encoder_B", "lengths"]
    graph.nodes.append(helper.make_node("LSTM", inputs, ["encoder_all", "encoder_h", "encoder_c"], hidden_size=width))
    if with_attention:
        outputs = graph.node("Squeeze", ["encoder_all", "one"])
        graph.node("Transpose", [outputs], name="encoder_keys", perm=[1, 2, 0])
        graph.node("Transpose", [outputs], name="encoder_values", perm=[1, 0, 2])
        graph.constant("shut", np.array(-1e9, np.float32))
        graph.constant("open", np.array(0, np.float32))
        graph.node("Unsqueeze", [graph.node("Where", [mask, "open", "shut"]), "one"], name="mask_scores")
    return "encoder_h", "encoder_c"


def _decoder_step(
    graph: "_Graph", symbols: str, state: tuple[str, str], width: int, with_attention: bool
) -> tuple[str, tuple[str, str]]:
    embedded = graph.node("Unsqueeze", [graph.node("Gather", ["target_embedding", symbols]), "zero"])
    inputs = [embedded, "decoder_W", "decoder_R", "decoder_B", "", *state]
    h, c = graph.fresh(), graph.fresh()
    graph.nodes.append(helper.make_node("LSTM", inputs, ["", h, c], hidden_size=width))
    features = graph.node("Squeeze", [h, "zero"])
    if with_attention:
        query = graph.node("Unsqueeze", [features, "one"])
        scores = graph.node("Add", [graph.node("MatMul", [query, "encoder_keys"]), "mask_scores"])
        weights = graph.node("Softmax", [scores], axis=-1)
        context = graph.node("Squeeze", [graph.node("MatMul", [weights, "encoder_values"]), "one"])
        features = graph.node("Concat", [features, context], axis=-1)
    logits = graph.node("Add", [graph.node("MatMul", [features, "output_kernel"]), "output_bias"])
    return graph.node("ArgMax", [logits], axis=-1, keepdims=0), (h, c)


def _lstm_weights(layer: keras.layers.LSTM) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keras orders the gates input, forget, cell, output; ONNX input, output, forget, cell."""
    kernel, recurrent, bias = layer.get_weights()

    def reordered(weights: np.ndarray) -> np.ndarray:
        i, f, c, o = np.split(weights.T, 4)
        return np.concatenate([i, o, f, c])[None]

    return reordered(kernel), reordered(recurrent), np.concatenate([reordered(bias), 0 * reordered(bias)], axis=1)


def _tensor(value: np.ndarray) -> TensorProto:
    return numpy_helper.from_array(value)


class _Graph:
    """Nodes and constants of an ONNX graph, named as they come."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self._constants: list[TensorProto] = []
        self._names = 0

    def fresh(self) -> str:
        self._names += 1
        return f"value_{self._names}"

    def node(self, operator: str, inputs: list[str], name: str | None = None, **attributes: object) -> str:
        name = name or self.fresh()
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def constant(self, name: str, value: np.ndarray) -> None:
        self._constants.append(numpy_helper.from_array(value, name))

    def serialized(self) -> bytes:
        ids = helper.make_tensor_value_info("ids", TensorProto.INT32, ["batch", "length"])
        result = helper.make_tensor_value_info("result", TensorProto.INT64, ["batch", OUTPUT_LENGTH])
        graph = helper.make_graph(self.nodes, "greedy", [ids], [result], self._constants)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        onnx.checker.check_model(made)
        return made.SerializeToString()
