"""The public face: a trained model that translates any text."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import tensorflow as tf

from seq2seq_demo import artefacts
from seq2seq_demo.alphabet import (
    OUTPUT_LENGTH,
    OUTPUT_SYMBOLS,
    TRAINING_LENGTH,
    Reading,
    decode_outputs,
    encode_prefix,
    encode_sources,
    encode_targets,
    read,
)
from seq2seq_demo.compiled import BATCHES, BEAMS, program, shape_of
from seq2seq_demo.decoding import FREE
from seq2seq_demo.models import ATTENTION
from seq2seq_demo.notebook import translation_html

if TYPE_CHECKING:
    import keras

MAX_BEAM_WIDTH = BEAMS[-1]
_IMPOSSIBLE = -1e29  # scores under this are empty places in the beam


@dataclass(frozen=True, slots=True)
class Translation:
    """What a model made of one text.

    Attributes:
        text: the best hypothesis, 10 characters.
        source: the text as the model read it, one character per attention column.
        positions: for each source character, the index in the typed text it came from.
        changes: what was lower-cased, replaced or cut, a sentence each.
        attention: float32 `(10, len(source))`, rows sum to 1; None without attention.
        probabilities: float32 `(10, 12)`, one row per step of the best hypothesis.
        log_probability: of the best hypothesis, in nats.
        hypotheses: the beam, best first: (text, log-probability).
    """

    text: str
    source: str
    positions: Sequence[int]
    changes: tuple[str, ...]
    attention: np.ndarray | None
    probabilities: np.ndarray
    log_probability: float
    hypotheses: tuple[tuple[str, float], ...]

    def _repr_html_(self) -> str:
        return translation_html(self.source, self.hypotheses, self.probabilities, self.attention, self.changes)


@dataclass(frozen=True, slots=True)
class Decodings:
    """The decoding of many sources as arrays, in the sources' order.

    Attributes:
        symbols: int32 `(rows, beam, 10)`, hypotheses best first.
        scores: float32 `(rows, beam)`, log-probabilities in nats; under -1e29 for an empty place.
        log_probabilities: float32 `(rows, 10, 12)`, along the best hypothesis.
        attention: float32 `(rows, 10, length)`, 0 on padding; None without attention.
    """

    symbols: np.ndarray
    scores: np.ndarray
    log_probabilities: np.ndarray
    attention: np.ndarray | None


class Translator:
    """A trained model, ready to translate. Made by `load_model`; safe to share between threads.

    Attributes:
        name: "encoder-decoder" or "attention".
        training: the training set.
        width: units of the embeddings and LSTMs.
        epoch: how many epochs it was trained for.
        keras_model: the trained functional model; inputs (source ids, shifted target ids).
    """

    def __init__(self, keras_model: "keras.Model", name: str, training: str, width: int, epoch: int):
        self.name, self.training, self.width, self.epoch = name, training, width, epoch
        self.keras_model = keras_model
        self._weights = [tf.constant(weight.numpy()) for weight in keras_model.weights]
        self._program = program(name, width)

    def __repr__(self) -> str:
        return f"<{self.name}, training {self.training}, width {self.width}, epoch {self.epoch}>"

    @property
    def parameters(self) -> int:
        """The number of trained weights."""
        return self.keras_model.count_params()

    def translate(self, text: str, beam_width: int = 1, forced_prefix: str = "") -> Translation:
        """Translate any text.

        Args:
            text: what a person typed; it is brought into the alphabet first (`alphabet.read`).
            beam_width: 1 is greedy decoding; up to 12.
            forced_prefix: output characters to write whatever the model thinks, up to 10.

        Raises:
            TypeError: if `text` is not a `str`.
            ValueError: for a beam width or a prefix that cannot be.
        """
        return self.translate_batch([text], beam_width, forced_prefix)[0]

    def translate_batch(self, texts: Sequence[str], beam_width: int = 1, forced_prefix: str = "") -> list[Translation]:
        """Translate many texts at once, in order; see `translate`."""
        if isinstance(texts, str):
            raise TypeError("texts is a str; a list of str is expected: pass [text]")
        readings = [read(text) for text in texts]
        forced = np.full((len(readings), OUTPUT_LENGTH), FREE, np.int32)
        forced[:, : len(forced_prefix)] = encode_prefix(forced_prefix)
        found = self.decode([reading.source for reading in readings], beam_width, forced)
        return _translations(readings, found)

    def teacher_forced(self, texts: Sequence[str], targets: Sequence[str]) -> Decodings:
        """Step the decoder along given targets: the log-probabilities under teacher forcing.

        Raises:
            ValueError: for a target that is not 10 digits and hyphens.
        """
        return self.decode([read(text).source for text in texts], 1, encode_targets(targets))

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """What `keras_model` takes as source: ids, int32 `(len(texts), 48)`, cut past 48 characters."""
        return encode_sources([read(text).source for text in texts], TRAINING_LENGTH)

    def decode(self, sources: Sequence[str], beam_width: int = 1, forced: np.ndarray | None = None) -> Decodings:
        """Decode sources that are already in the alphabet (`alphabet.Reading.source`).

        Args:
            sources: each at most 96 characters.
            beam_width: 1 to 12.
            forced: int32 `(rows, 10)`, output ids to write or `decoding.FREE`; None forces nothing.
        """
        if not 1 <= beam_width <= MAX_BEAM_WIDTH:
            raise ValueError(f"beam_width {beam_width}; expected 1 (greedy) to {MAX_BEAM_WIDTH}")
        lengths = [len(source) for source in sources]
        longest = max(lengths, default=0)
        if forced is None:
            forced = np.full((len(lengths), OUTPUT_LENGTH), FREE, np.int32)
        if 0 < len(lengths) <= BATCHES[1]:
            result = self._program.run(self._weights, encode_sources(sources, longest), forced, beam_width)
            attention = result.attention if self.name == ATTENTION else None
            return Decodings(result.symbols, result.scores, result.log_probabilities, attention)
        return self._decode_many(encode_sources(sources, longest), np.array(lengths, int), forced, beam_width)

    def _decode_many(self, ids: np.ndarray, lengths: np.ndarray, forced: np.ndarray, beam_width: int) -> Decodings:
        """Decode batch by batch, several at a time; arguments as `Program.run` has them, any number of rows."""
        _, width, _ = shape_of(1, ids.shape[1], beam_width)
        found = _empty(len(ids), width, beam_width, with_attention=self.name == ATTENTION)

        def decode_chunk(rows: np.ndarray) -> None:
            result = self._program.run(self._weights, ids[rows, : lengths[rows[-1]]], forced[rows], beam_width)
            found.symbols[rows] = result.symbols
            found.scores[rows] = result.scores
            found.log_probabilities[rows] = result.log_probabilities
            if found.attention is not None:
                found.attention[rows, :, : result.attention.shape[-1]] = result.attention

        # Rows of like length go together, so that no step is spent on padding.
        list(_pool().map(decode_chunk, _chunks(np.argsort(lengths, kind="stable"))))
        return found

    def without_xla(self) -> "Translator":
        """The same model for the time until `compile` is done: it answers sooner, then more slowly."""
        other = copy(self)
        other._program = program(self.name, self.width, xla=False)
        return other

    def soonest(self, rows: int, length: int, beam_width: int) -> "Translator":
        """This model if what decodes such a batch is compiled already, else the same `without_xla`."""
        return self if self._program.is_compiled(*shape_of(rows, length, beam_width)) else self.without_xla()

    def compile(self, batches: Sequence[int] = BATCHES, beams: Sequence[int] = BEAMS) -> None:
        """Compile ahead of need what texts of up to 48 characters use; seconds for each shape."""
        for beam in beams:
            for batch in batches:
                self._program.compile(batch, TRAINING_LENGTH, beam)


def load_model(name: str, training: str = "everyday", width: int = 64, epoch: int | None = None) -> Translator:
    """Load a trained model; loaded once, then shared.

    Args:
        name: "encoder-decoder" or "attention".
        training: the training set, "lesson" or "everyday".
        width: units of the embeddings and LSTMs.
        epoch: epochs trained; None is the published epoch.

    Raises:
        ValueError: if there is no such model; the message lists what exists. Also if its file is
            missing, cut short or altered (`artefacts.ArtefactError`).
    """
    return _loaded(name, training, width, epoch)


# Holds every model that is shipped, at about a megabyte each.
@lru_cache(maxsize=256)
def _loaded(name: str, training: str, width: int, epoch: int | None) -> Translator:
    entry = artefacts.read_manifest().find(name, training, width, epoch)
    return Translator(artefacts.load_weights(entry), name, training, width, entry.epoch)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="decode")


def _chunks(order: np.ndarray) -> Iterator[np.ndarray]:
    """Cut rows into batches: large ones, then for a small rest a few of the middle size."""
    _, middle, large = BATCHES
    while len(order):
        size = large if len(order) > large // 2 else middle
        yield order[:size]
        order = order[size:]


def _empty(rows: int, length: int, beam_width: int, *, with_attention: bool) -> Decodings:
    return Decodings(
        np.empty((rows, beam_width, OUTPUT_LENGTH), np.int32),
        np.empty((rows, beam_width), np.float32),
        np.empty((rows, OUTPUT_LENGTH, len(OUTPUT_SYMBOLS)), np.float32),
        np.zeros((rows, OUTPUT_LENGTH, length), np.float32) if with_attention else None,
    )


def _translations(readings: Sequence[Reading], found: Decodings) -> list[Translation]:
    probabilities = np.exp(found.log_probabilities)
    beam_width = found.symbols.shape[1]
    texts = decode_outputs(found.symbols.reshape(-1, OUTPUT_LENGTH))
    scores = found.scores.ravel().tolist()
    translations = []
    for row, reading in enumerate(readings):
        places = range(row * beam_width, (row + 1) * beam_width)
        hypotheses = tuple((texts[place], scores[place]) for place in places if scores[place] > _IMPOSSIBLE)
        attention = None if found.attention is None else found.attention[row, :, : len(reading.source)]
        translations.append(
            Translation(
                text=hypotheses[0][0],
                source=reading.source,
                positions=reading.positions,
                changes=reading.changes,
                attention=attention,
                probabilities=probabilities[row],
                log_probability=hypotheses[0][1],
                hypotheses=hypotheses,
            )
        )
    return translations
