import numpy as np
import pytest

from seq2seq_demo.interface.words import (
    describe_beam,
    describe_curve,
    describe_error,
    describe_position,
    describe_steps,
    is_date,
)


@pytest.mark.parametrize(
    ("source", "position", "said"),
    [
        ("id 1993", 3, "`1` of 1993"),
        ("id 1993", 2, "`␣` before 1993"),
        ("07/02/1993", 2, "`/` before 02"),
        ("7 feb", 0, "`7`"),
        ("7 /", 2, "`/` at the end"),
    ],
)
def test_a_position_is_named_by_its_word(source, position, said):
    assert describe_position(source, position) == said


def test_steps_say_where_each_character_looked():
    attention = np.zeros((10, 7), np.float32)
    attention[:, 0] = 1
    attention[0] = [0.03, 0.02, 0.02, 0.91, 0.02, 0, 0]
    steps = describe_steps("1993-02-07", "id 1993", attention)
    assert steps[0] == "`1` of the year looked at `1` of 1993, 0.91"
    assert steps[4] == "`-` looked at `i` of id, 1.00"
    assert steps[5].startswith("`0` of the month looked at")
    assert steps[9].startswith("`7` of the day looked at")


def test_steps_of_nothing_are_none():
    assert describe_steps("1993-02-07", "", np.zeros((10, 0), np.float32)) == []


def test_the_start_symbol_of_an_untrained_model_is_visible():
    steps = describe_steps("\t" * 10, "id", np.full((10, 2), 0.5, np.float32))
    assert steps[0].startswith("`⇥` of the year")


@pytest.mark.parametrize(
    ("got", "said"),
    [
        ("1993-02-07", "right"),
        ("1993-02-01", "wrong day"),
        ("1994-03-07", "wrong year and month"),
        ("1994-03-08", "wrong year, month and day"),
        ("1993-02-31", "not a calendar date"),
        ("1993-02--7", "not a calendar date"),
    ],
)
def test_errors_name_the_wrong_fields(got, said):
    assert describe_error("1993-02-07", got) == said


def test_only_whole_calendar_dates_are_dates():
    assert is_date("2024-02-29")
    assert not is_date("2023-02-29")
    assert not is_date("20240229")
    assert not is_date("2024-W01-1")


def test_a_beam_says_what_it_changed():
    same = describe_beam("1993-02-07", "1993-02-07", -0.1, -0.1, 5)
    assert same == "A beam of 5 finds the same date as greedy."
    changed = describe_beam("1993-02-01", "1993-02-07", -0.9, -0.5, 3)
    assert "1 character" in changed
    assert "greedy wrote 1993-02-01 (log-probability -0.90)" in changed
    assert "more likely (-0.50)" in changed
    assert "less likely" in describe_beam("1993-02-01", "1993-02-07", -0.5, -0.9, 3)


def points(*rates, total=100, first=10, step=2, spread=0.05):
    """A curve of hand-made rates in steps of 2, each with an interval of 0.05 to either side."""
    return [
        (first + step * place, round(rate * total), total, rate - spread, rate + spread)
        for place, rate in enumerate(rates)
    ]


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        # 10, 12, 14, 16 are within training, 18 is past it.
        ([0.9, 0.8, 0.6, 0.4, 0.1], "falls from 0.90 at 10 characters to 0.40 at 16, then falls to 0.10 at 18"),
        ([0.3, 0.5, 0.7, 0.8, 0.8], "rises from 0.30 at 10 characters to 0.80 at 16, and is 0.80 at 18"),
        (
            [0.99, 0.97, 0.98, 0.98, 0.35],
            "stays between 0.97 and 0.99 from 10 to 16 characters, then falls to 0.35 at 18",
        ),
        ([0.5, 0.5, 0.5, 0.5, 0.7], "stays at 0.50 from 10 to 16 characters, then rises to 0.70 at 18"),
        (
            [0.8, 0.3, 0.7, 0.8, 0.8],
            "goes from 0.80 at 10 characters to 0.80 at 16 (lowest at 12, 0.30), and is 0.80 at 18",
        ),
        (
            [0.5, 0.9, 0.1, 0.3, 0.3],
            "falls from 0.50 at 10 characters to 0.30 at 16 (lowest at 14, 0.10) (highest at 12, 0.90), "
            "and is 0.30 at 18",
        ),
        # The ends differ by less than their intervals, and one point between lies apart from both.
        ([0.5, 0.75, 0.5, 0.55], "goes from 0.50 at 10 characters to 0.55 at 16 (highest at 12, 0.75)"),
        ([0.5], "stays at 0.50 from 10 to 10 characters"),
    ],
)
def test_a_curve_is_described_as_it_goes(rates, said):
    sentence = describe_curve("Here", {"attention": points(*rates)}, 16)
    past = " Nothing in training was longer than 16." if len(rates) > 4 else ""
    assert sentence == f"Here, exact match of attention {said}.{past}"


def test_both_curves_are_described_and_one_that_is_missing_is_not():
    flat, falling = points(0.9, 0.9), points(0.9, 0.2)
    sentence = describe_curve("Here", {"encoder-decoder": falling, "attention": flat}, 48)
    assert sentence == (
        "Here, exact match of the encoder-decoder falls from 0.90 at 10 characters to 0.20 at 12; "
        "of attention stays at 0.90 from 10 to 12 characters."
    )
    assert describe_curve("Here", {"encoder-decoder": [], "attention": flat}, 48).startswith("Here, exact match of att")
    assert describe_curve("Here", {"encoder-decoder": [], "attention": []}, 48) == "Here: not measured."
