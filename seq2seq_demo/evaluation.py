"""What is measured: accuracies with their counts and intervals, length bands, alignment scores."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seq2seq_demo.alphabet import encode_targets
from seq2seq_demo.corpus import BANDS, Row, band_of
from seq2seq_demo.translator import Decodings, Translator


@dataclass(frozen=True, slots=True)
class Count:
    """A score with its making: `correct` out of `total`."""

    correct: int
    total: int

    @property
    def rate(self) -> float:
        """The fraction, 0 to 1; NaN for a total of 0."""
        return self.correct / self.total if self.total else math.nan

    def interval(self) -> tuple[float, float]:
        """The 95% interval of the rate; see `wilson`."""
        return wilson(self.correct, self.total)


def wilson(correct: int, total: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """The score interval of a binomial proportion, 95% unless `z` says otherwise.

    Example: `wilson(1250, 2000)` is about `(0.6036, 0.6459)`. A total of 0 gives `(0.0, 1.0)`.

    Source: Wilson 1927, Journal of the American Statistical Association 22, p. 209-212.
    """
    if total == 0:
        return 0.0, 1.0
    rate, square = correct / total, z * z / total
    middle = rate + square / 2
    spread = z * math.sqrt(rate * (1 - rate) / total + square / (4 * total))
    return max(0.0, (middle - spread) / (1 + square)), min(1.0, (middle + spread) / (1 + square))


@dataclass(frozen=True, slots=True)
class AlignmentScore:
    """How well attention agrees with the known alignment, over the eight digit steps of each row.

    Attributes:
        peaks: steps whose attention peaks inside the right field, out of all digit steps.
        mass: the mean attention inside the right field.
    """

    peaks: Count
    mass: float


@dataclass(frozen=True, slots=True)
class Score:
    """Free-running scores of one decoding of a set.

    Attributes:
        character: output characters that are right.
        exact: rows whose every character is right.
        exact_by_band: the same for each of `corpus.BANDS`.
        alignment: None without attention.
        seconds: time to decode the set.
    """

    character: Count
    exact: Count
    exact_by_band: tuple[Count, ...]
    alignment: AlignmentScore | None
    seconds: float


@dataclass(frozen=True, slots=True)
class TeacherForcedScore:
    """Scores with the correct history handed to the decoder; `loss` in nats a character."""

    character: Count
    loss: float


def score(translator: Translator, rows: Sequence[Row], beam_width: int) -> Score:
    """Decode rows free-running and score them."""
    started = time.perf_counter()
    found = translator.decode([row.source for row in rows], beam_width)
    seconds = time.perf_counter() - started
    right = found.symbols[:, 0] == encode_targets([row.target for row in rows])
    exact = right.all(axis=1)
    bands = np.array([band_of(len(row.source)) for row in rows], int)
    by_band = tuple(count(exact[bands == band]) for band in range(len(BANDS)))
    return Score(count(right), count(exact), by_band, score_alignment(found, rows), seconds)


def score_teacher_forced(translator: Translator, rows: Sequence[Row]) -> TeacherForcedScore:
    """Score the decoder's next-character predictions along the correct outputs."""
    targets = encode_targets([row.target for row in rows])
    found = translator.decode([row.source for row in rows], forced=targets)
    right = found.log_probabilities.argmax(axis=-1) == targets
    chosen = np.take_along_axis(found.log_probabilities, targets[..., None], axis=-1)
    return TeacherForcedScore(count(right), float(-chosen.mean(dtype=np.float64)))


def score_alignment(found: Decodings, rows: Sequence[Row]) -> AlignmentScore | None:
    """Compare attention with the rows' alignment; None without attention."""
    if found.attention is None:
        return None
    peaks, mass, steps = 0, 0.0, 0
    for attention, row in zip(found.attention, rows, strict=True):
        for (start, stop), first, last in ((row.year, 0, 4), (row.month, 5, 7), (row.day, 8, 10)):
            weights = attention[first:last]
            best = weights.argmax(axis=1)
            peaks += int(((start <= best) & (best < stop)).sum())
            mass += float(weights[:, start:stop].sum(dtype=np.float64))
            steps += last - first
    return AlignmentScore(Count(peaks, steps), mass / steps if steps else math.nan)


def count(right: np.ndarray) -> Count:
    """Count the true values of a boolean array."""
    return Count(int(right.sum()), right.size)
