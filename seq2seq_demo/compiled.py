"""What is compiled and for which shapes: the trained Keras layers, stepped by the searches, under XLA."""

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from seq2seq_demo.alphabet import MAX_LENGTH, OUTPUT_LENGTH, OUTPUT_SYMBOLS, START, TRAINING_LENGTH
from seq2seq_demo.decoding import Decoded, Step, beam_search, greedy
from seq2seq_demo.models import build

# XLA compiles each shape for seconds, so there are few: rows are padded up to one of these.
BATCHES = (1, 32, 256)
LENGTHS = (TRAINING_LENGTH, MAX_LENGTH)
# Places in the beam; 1 is greedy. A narrower beam leaves places unused.
BEAMS = (1, 5, 12)
_SMALLEST = float(np.finfo(np.float32).tiny)


class Program:
    """The decoding of one architecture, compiled once per shape.

    The weights are arguments, not constants: every epoch, seed and training set of a model and
    width shares the compiled code. Safe to call from several threads at once.

    Args:
        name: the model.
        width: units of its embeddings and LSTMs.
        xla: False leaves XLA out: a shape then takes half a second to prepare instead of two, and
            answers some times more slowly, until the compiled program is ready.
    """

    def __init__(self, name: str, width: int, *, xla: bool = True):
        self._model = build(name, width)
        self._xla = xla
        self._compiled: dict[tuple[int, int, int], tf.types.experimental.ConcreteFunction] = {}
        self._lock = Lock()
        self._ran: set[tuple[int, int, int]] = set()

    def run(self, weights: Sequence[tf.Tensor], ids: np.ndarray, forced: np.ndarray, beam_width: int) -> Decoded:
        """Decode one batch, padded up to the next compiled shape.

        Args:
            weights: the trained model's, in the order of `keras.Model.weights`.
            ids: int32 `(rows, length)`, source ids; at most 256 rows of at most 96 symbols.
            forced: int32 `(rows, 10)`, symbols to write or `decoding.FREE`.
            beam_width: 1 (greedy) to 12.

        Returns:
            `Decoded` with numpy arrays, its beam axis `beam_width` long, its attention as wide as
            the compiled length.
        """
        rows, columns = ids.shape
        batch, length, beam = shape_of(rows, columns, beam_width)
        request = np.zeros((batch, length + OUTPUT_LENGTH + 2), np.int32)
        request[:rows, :columns] = ids
        request[:rows, length:-2] = forced
        request[:rows, -2] = (ids != 0).sum(axis=1)
        request[:, -1] = beam_width
        # Called by position: to bind each weight to its parameter's name takes longer than to decode a sentence.
        results = self._function(batch, length, beam).inference_fn.call_flat(*weights, tf.constant(request))
        symbols, scores, log_probabilities, attention = (result.numpy()[:rows] for result in results)
        self._ran.add((batch, length, beam))
        return Decoded(symbols[:, :beam_width], scores[:, :beam_width], log_probabilities, attention)

    def is_compiled(self, batch: int, length: int, beam: int) -> bool:
        """Whether a shape can be run without compiling it first."""
        return (batch, length, beam) in self._ran

    def compile(self, batch: int, length: int, beam: int) -> None:
        """Compile one shape ahead of need, by decoding a batch of nothing."""
        weights = [tf.zeros(weight.shape) for weight in self._model.weights]
        self.run(weights, np.zeros((batch, length), np.int32), np.zeros((batch, OUTPUT_LENGTH), np.int32), beam)

    def _function(self, batch: int, length: int, beam: int) -> tf.types.experimental.ConcreteFunction:
        shape = (batch, length, beam)
        if shape in self._compiled:  # without the lock: an answer must not wait while another shape is traced
            return self._compiled[shape]
        with self._lock:
            if shape not in self._compiled:
                self._compiled[shape] = self._trace(*shape)
            return self._compiled[shape]

    def _trace(self, batch: int, length: int, beam: int) -> tf.types.experimental.ConcreteFunction:
        start = OUTPUT_SYMBOLS.index(START)

        @tf.function(jit_compile=self._xla, autograph=False)
        def decode(*arguments: tf.Tensor) -> tuple[tf.Tensor, ...]:
            *weights, request = arguments
            ids, forced = request[:, :length], request[:, length:-2]
            lengths, width = request[:, -2], request[0, -1]
            variables = self._model.weights
            with keras.StatelessScope(state_mapping=list(zip(variables, weights, strict=True))):
                outputs, state = _encode(self._model, ids, lengths)
                step = _decoder_step(self._model, outputs, ids)
                state = [tf.repeat(part[:, None], beam, axis=1) for part in state]
                if beam == 1:
                    found = greedy(step, state, start, forced)
                else:
                    found = beam_search(step, state, start, forced, beam, width)
            return found.symbols, found.scores, found.log_probabilities, found.attention

        # One tensor holds all that is asked, a row for each source: see `run`.
        request = tf.TensorSpec([batch, length + OUTPUT_LENGTH + 2], tf.int32)
        return decode.get_concrete_function(
            *(tf.TensorSpec(weight.shape, tf.float32) for weight in self._model.weights), request
        )


def shape_of(rows: int, length: int, beam_width: int) -> tuple[int, int, int]:
    """The compiled shape that serves a batch: its `BATCHES`, `LENGTHS` and `BEAMS` entry.

    Example: `shape_of(200, 34, 2)` is `(256, 48, 5)`.
    """
    batch, source_length, beam = (
        next(fixed for fixed in sizes if fixed >= size)
        for sizes, size in ((BATCHES, rows), (LENGTHS, length), (BEAMS, beam_width))
    )
    return batch, source_length, beam


def program(name: str, width: int, *, xla: bool = True) -> Program:
    """The one program of a model and width, with XLA or without."""
    return _program(name, width, xla)


# Apart from `program`, because a cache takes a default that is written out for another argument.
@cache
def _program(name: str, width: int, xla: bool) -> Program:
    return Program(name, width, xla=xla)


def _encode(model: keras.Model, ids: tf.Tensor, lengths: tf.Tensor) -> tuple[tf.Tensor, list[tf.Tensor]]:
    """Run the encoder's cell over as many steps as the longest source of the batch has.

    Returns:
        The outputs `(batch, source_length, width)`, zero past each source's end, and the states h
        and c `(batch, width)`.
    """
    cell = model.get_layer("encoder").cell
    batch, size = ids.shape
    embedded = tf.transpose(model.get_layer("source_embedding")(ids), [1, 0, 2])
    outputs = tf.TensorArray(tf.float32, size, element_shape=[batch, cell.units])

    def advance(position: tf.Tensor, state: list[tf.Tensor], outputs: tf.TensorArray) -> tuple[Any, ...]:
        _, following = cell(embedded[position], state)
        reading = (position < lengths)[:, None]
        state = [tf.where(reading, new, old) for new, old in zip(following, state, strict=True)]
        return position + 1, state, outputs.write(position, state[0])

    longest = tf.reduce_max(lengths)
    zeros = tf.zeros([batch, cell.units])
    _, state, outputs = tf.while_loop(
        lambda position, *_: position < longest, advance, (tf.constant(0), [zeros, zeros], outputs)
    )
    return tf.transpose(outputs.stack(), [1, 0, 2]), state


def _decoder_step(model: keras.Model, encoder_outputs: tf.Tensor, ids: tf.Tensor) -> Step:
    layers = {layer.name: layer for layer in model.layers}
    cell = layers["decoder"].cell

    def step(state: list[tf.Tensor], symbols: tf.Tensor) -> tuple[list[tf.Tensor], tf.Tensor, tf.Tensor]:
        batch, beam = symbols.shape
        embedded = layers["target_embedding"](tf.reshape(symbols, [-1]))
        flat = [tf.reshape(part, [batch * beam, cell.units]) for part in state]
        features, state = cell(embedded, flat)
        features = tf.reshape(features, [batch, beam, cell.units])
        weights = tf.zeros([batch, beam, 0])
        if "attention" in layers:
            context, weights = layers["attention"](
                [features, encoder_outputs], mask=[None, ids != 0], return_attention_scores=True
            )
            features = layers["with_context"]([features, context])
        probabilities = layers["output"](features)
        state = [tf.reshape(part, [batch, beam, cell.units]) for part in state]
        # A forced symbol may have a probability that is 0 in float32; its logarithm must stay a number.
        return state, tf.math.log(tf.maximum(probabilities, _SMALLEST)), weights

    return step
