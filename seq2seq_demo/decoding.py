"""Greedy and beam search over a step function. Nothing here knows a model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

# step(state, symbols) -> (state, log_probabilities, attention), where
#   state: a structure of tensors, each (batch, beam, ...)
#   symbols: int32 (batch, beam), what the decoder reads: its previous output
#   log_probabilities: float32 (batch, beam, symbols), natural logarithms
#   attention: float32 (batch, beam, source_length), or (batch, beam, 0) without attention
Step = Callable[[Any, tf.Tensor], tuple[Any, tf.Tensor, tf.Tensor]]

FREE = -1
# Stands for log 0 where two of them may meet: minus infinity would turn into NaN.
_IMPOSSIBLE = -1e30


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a search found. Hypotheses are ordered best first.

    Attributes:
        symbols: int32 `(batch, beam, length)`.
        scores: float32 `(batch, beam)`, each hypothesis's log-probability in nats; under -1e29
            where there are fewer hypotheses than places.
        log_probabilities: float32 `(batch, length, symbols)`, along the best hypothesis.
        attention: float32 `(batch, length, source_length)`, along the best hypothesis.
    """

    symbols: tf.Tensor
    scores: tf.Tensor
    log_probabilities: tf.Tensor
    attention: tf.Tensor


def greedy(step: Step, state: Any, start: int, forced: tf.Tensor) -> Decoded:
    """Take the most likely symbol at each step, or the forced one.

    Forcing every symbol is teacher forcing; forcing the first few is a forced prefix.

    Args:
        step: see `Step`; called with a beam axis of 1.
        state: the decoder's first state, `(batch, 1, ...)`.
        start: the symbol read at the first step.
        forced: int32 `(batch, length)`, a symbol to write or `FREE`; its length is the output's.

    Returns:
        `Decoded` with a beam axis of 1.
    """
    symbols = tf.fill([forced.shape[0], 1], start)
    score = tf.zeros([forced.shape[0], 1])
    written, log_probabilities, attention = [], [], []
    for position in range(forced.shape[1]):
        state, log_probability, weights = step(state, symbols)
        required = forced[:, position, None]
        best = tf.argmax(log_probability, axis=-1, output_type=tf.int32)
        symbols = tf.where(required == FREE, best, required)
        score += tf.gather(log_probability, symbols, batch_dims=2)
        written.append(symbols)
        log_probabilities.append(log_probability[:, 0])
        attention.append(weights[:, 0])
    return Decoded(tf.stack(written, axis=2), score, tf.stack(log_probabilities, axis=1), tf.stack(attention, axis=1))


def beam_search(step: Step, state: Any, start: int, forced: tf.Tensor, beam: int, width: tf.Tensor | int) -> Decoded:
    """Keep the `width` most likely partial hypotheses at each step.

    All outputs have the same length, so no length normalisation is needed and no end symbol. A
    wider beam usually finds a likelier hypothesis, but nothing guarantees it.

    Args:
        step: see `Step`.
        state: the decoder's first state, `(batch, beam, ...)`, the same in each place of the beam.
        start: the symbol read at the first step.
        forced: int32 `(batch, length)`, a symbol to write or `FREE`; its length is the output's.
        beam: places in the beam, fixed when compiled.
        width: places in use, 1 to `beam`; may be a tensor, so that one compiled beam serves all.

    Returns:
        `Decoded` with a beam axis of `beam`; places past `width` are impossible.

    Source: Graves 2012 (arXiv:1211.3711), section 3; Sutskever et al. 2014, section 3.2.
    """
    batch, length = forced.shape
    symbols = tf.fill([batch, beam], start)
    # All places start alike: only the first may be continued, or the beam would hold copies.
    scores = tf.one_hot(tf.zeros([batch], tf.int32), beam, on_value=0.0, off_value=_IMPOSSIBLE)
    in_use = tf.range(beam) < width
    trail = []
    for position in range(length):
        state, log_probabilities, weights = step(state, symbols)
        size = log_probabilities.shape[-1]
        allowed = (forced[:, position, None] == FREE) | (tf.range(size) == forced[:, position, None])
        totals = scores[..., None] + tf.where(allowed[:, None, :], log_probabilities, _IMPOSSIBLE)
        scores, chosen = tf.math.top_k(tf.reshape(totals, [batch, beam * size]), beam)
        scores = tf.where(in_use, tf.maximum(scores, _IMPOSSIBLE), _IMPOSSIBLE)
        parents, symbols = chosen // size, chosen % size
        state = tf.nest.map_structure(lambda part, parents=parents: _select(part, parents), state)
        trail.append((parents, symbols, log_probabilities, weights))
    return _follow_back(trail, scores)


def _select(values: tf.Tensor, places: tf.Tensor) -> tf.Tensor:
    return tf.gather(values, places, axis=1, batch_dims=1)


def _follow_back(trail: list[tuple[tf.Tensor, ...]], scores: tf.Tensor) -> Decoded:
    """Read each final hypothesis from its last symbol to its first, through its parents."""
    places = tf.tile(tf.range(scores.shape[1])[None], [scores.shape[0], 1])
    written, log_probabilities, attention = [], [], []
    for parents, symbols, log_probability, weights in reversed(trail):
        written.append(_select(symbols, places))
        places = _select(parents, places)
        log_probabilities.append(_select(log_probability, places[:, :1])[:, 0])
        attention.append(_select(weights, places[:, :1])[:, 0])
    return Decoded(
        tf.stack(written[::-1], axis=2),
        scores,
        tf.stack(log_probabilities[::-1], axis=1),
        tf.stack(attention[::-1], axis=1),
    )
