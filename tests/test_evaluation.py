import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from seq2seq_demo.alphabet import encode_targets
from seq2seq_demo.evaluation import (
    Count,
    Paired,
    difference,
    paired_difference,
    score,
    score_alignment,
    score_teacher_forced,
    wilson,
)
from seq2seq_demo.grammar import Row


@given(st.integers(1, 5000), st.data())
def test_wilson_is_scipys(total, data):
    correct = data.draw(st.integers(0, total))
    expected = binomtest(correct, total).proportion_ci(0.95, method="wilson")
    assert wilson(correct, total) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_wilson_of_nothing_is_everything():
    assert wilson(0, 0) == (0.0, 1.0)
    assert math.isnan(Count(0, 0).rate)


@pytest.mark.parametrize(
    ("first", "second", "value", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, p. 873-890, table II, method 10.
        (Count(56, 70), Count(48, 80), 0.2, 0.0524, 0.3339),
        (Count(9, 10), Count(3, 10), 0.6, 0.1705, 0.8090),
        (Count(10, 10), Count(0, 20), 1.0, 0.6791, 1.0),
    ],
)
def test_the_difference_of_two_rates_is_newcombes(first, second, value, low, high):
    found = difference(first, second)
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=5e-5)
    turned = difference(second, first)
    assert (turned.value, turned.low, turned.high) == pytest.approx((-value, -high, -low), abs=5e-5)


def test_the_paired_difference_is_newcombes():
    # Newcombe 1998, Statistics in Medicine 17, p. 2635-2650, table III, method 10: 36, 12, 2, 0 of 50.
    found = paired_difference(Paired(both=36, only_first=12, only_second=2, total=50))
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0569, 0.3404), abs=5e-5)


def test_paired_intervals_hold_the_true_difference_95_times_in_a_hundred():
    # Rows are hard or easy for both models, as sentences are: 0.86 and 0.74 right on the whole.
    random, rows, held = np.random.default_rng(0), 300, 0
    for _ in range(2000):
        easy = random.random(rows) < 0.8
        first = random.random(rows) < np.where(easy, 0.95, 0.5)
        second = random.random(rows) < np.where(easy, 0.9, 0.1)
        both, only_first, only_second = ((first & second).sum(), (first & ~second).sum(), (~first & second).sum())
        found = paired_difference(Paired(int(both), int(only_first), int(only_second), rows))
        held += found.low <= 0.12 <= found.high
    assert 0.94 <= held / 2000 <= 0.965


def row(source, target, year, month, day):
    return Row(source, target, "day/month/year", ((),) * 10, year, month, day)


# Lengths 10, 16 and 32: the first of the first, second and last bands.
ROWS = [
    row("07/02/1993", "1993-02-07", (6, 10), (3, 5), (0, 2)),
    row("order 07/02/1993", "1993-02-07", (12, 16), (9, 11), (6, 8)),
    row("07/02/1993 order item id seq abc", "1993-02-07", (6, 10), (3, 5), (0, 2)),
]


def translator(answers, attention=None, log_probabilities=None):
    """A stand-in that gives set answers, whatever it is asked."""
    symbols = encode_targets(answers)[:, None]
    found = SimpleNamespace(symbols=symbols, attention=attention, log_probabilities=log_probabilities)
    return SimpleNamespace(decode=lambda sources, beam_width=1, forced=None: found)


def test_scores_counted_by_hand():
    found = score(translator(["1993-02-07", "1993-02-08", "1903-02-17"]), ROWS, beam_width=1)
    assert found.character == Count(10 + 9 + 8, 30)
    assert found.exact == Count(1, 3)
    assert found.exact_by_band == (Count(1, 1), Count(0, 1), Count(0, 0), Count(0, 1))
    assert found.alignment is None


def test_alignment_scored_by_hand():
    attention = np.zeros((1, 10, 10), np.float32)
    attention[0, :, 9] = 1.0  # every step looks at the last digit of the year: 4 of 8 digit steps are right
    attention[0, 8] = 0
    attention[0, 8, [1, 5]] = 0.6, 0.4  # the first day digit looks at the day, mostly
    attention[0, 5:7] = 0
    attention[0, 5, 5] = attention[0, 6, 2] = 1.0  # the month's steps look just behind and just before it
    attention[0, 4] = 0
    attention[0, 4, 0] = 1.0  # where the hyphens look does not count
    found = score_alignment(SimpleNamespace(attention=attention), ROWS[:1])
    assert found.peaks == Count(5, 8)
    assert found.mass == pytest.approx(4.6 / 8)


def test_teacher_forced_scores_by_hand():
    log_probabilities = np.full((3, 10, 12), np.log(0.5 / 11), np.float32)
    targets = encode_targets([r.target for r in ROWS])
    np.put_along_axis(log_probabilities, targets[..., None], np.log(0.5), axis=-1)
    log_probabilities[0, 0, targets[0, 0]] = np.log(0.01)
    found = score_teacher_forced(translator(["1993-02-07"] * 3, None, log_probabilities), ROWS)
    assert found.character == Count(29, 30)
    assert found.loss == pytest.approx(-(29 * np.log(0.5) + np.log(0.01)) / 30)
