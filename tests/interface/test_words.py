import numpy as np
import pytest

from seq2seq_demo.interface.words import (
    describe_beam,
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
