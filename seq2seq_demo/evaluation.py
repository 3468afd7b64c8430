"""What is measured: accuracies with their counts and intervals, length bands, alignment scores."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from seq2seq_demo.alphabet import encode_targets
from seq2seq_demo.corpus import BANDS, band_of
from seq2seq_demo.grammar import Row

if TYPE_CHECKING:  # the page works out intervals before TensorFlow is there
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
class Difference:
    """A difference of two rates, and its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Paired:
    """Two models on the same rows: how many rows both, one or neither has exactly right."""

    both: int
    only_first: int
    only_second: int
    total: int


def difference(first: Count, second: Count) -> Difference:
    """How far the rate of `first` is above that of `second`, on different rows.

    Example: 56 of 70 and 48 of 80 give 0.2 [0.0524, 0.3339].

    Source: Newcombe 1998, Statistics in Medicine 17, p. 873-890, method 10: the two score intervals,
    put together by squares.
    """
    return _by_squares(first, second, correlation=0.0)


def paired_difference(paired: Paired) -> Difference:
    """How far the first model's rate is above the second's, on the same rows.

    Source: Newcombe 1998, Statistics in Medicine 17, p. 2635-2650, method 10.
    """
    both, first, second = paired.both, paired.only_first, paired.only_second
    neither = paired.total - both - first - second
    product = (both + first) * (second + neither) * (both + second) * (first + neither)
    over: float = both * neither - first * second
    if over > 0:
        over = max(over - paired.total / 2, 0)  # a continuity correction
    correlation = over / math.sqrt(product) if product else 0.0
    return _by_squares(Count(both + first, paired.total), Count(both + second, paired.total), correlation)


def _by_squares(first: Count, second: Count, correlation: float) -> Difference:
    (low, high), (other_low, other_high) = first.interval(), second.interval()
    value = first.rate - second.rate

    def reach(one: float, other: float) -> float:
        return math.sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))

    below = reach(first.rate - low, other_high - second.rate)
    above = reach(high - first.rate, second.rate - other_low)
    return Difference(value, value - below, value + above)


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
        exact_rows: bool `(rows,)`, which rows are right.
    """

    character: Count
    exact: Count
    exact_by_band: tuple[Count, ...]
    alignment: AlignmentScore | None
    seconds: float
    exact_rows: np.ndarray


@dataclass(frozen=True, slots=True)
class TeacherForcedScore:
    """Scores with the correct history handed to the decoder; `loss` in nats a character."""

    character: Count
    loss: float


def score(translator: "Translator", rows: Sequence[Row], beam_width: int) -> Score:
    """Decode rows free-running and score them."""
    started = time.perf_counter()
    found = translator.decode([row.source for row in rows], beam_width)
    seconds = time.perf_counter() - started
    right = found.symbols[:, 0] == encode_targets([row.target for row in rows])
    exact = right.all(axis=1)
    bands = np.array([band_of(len(row.source)) for row in rows], int)
    by_band = tuple(count(exact[bands == band]) for band in range(len(BANDS)))
    return Score(count(right), count(exact), by_band, score_alignment(found, rows), seconds, exact)


def exactly_right(translator: "Translator", rows: Sequence[Row]) -> np.ndarray:
    """Which rows greedy decoding gets exactly right, bool `(rows,)`."""
    symbols = translator.decode([row.source for row in rows]).symbols[:, 0]
    right: np.ndarray = (symbols == encode_targets([row.target for row in rows])).all(axis=1)
    return right


def score_teacher_forced(translator: "Translator", rows: Sequence[Row]) -> TeacherForcedScore:
    """Score the decoder's next-character predictions along the correct outputs."""
    targets = encode_targets([row.target for row in rows])
    found = translator.decode([row.source for row in rows], forced=targets)
    right = found.log_probabilities.argmax(axis=-1) == targets
    chosen = np.take_along_axis(found.log_probabilities, targets[..., None], axis=-1)
    return TeacherForcedScore(count(right), float(-chosen.mean(dtype=np.float64)))


def score_alignment(found: "Decodings", rows: Sequence[Row]) -> AlignmentScore | None:
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
