import datetime
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from seq2seq_demo import corpus
from seq2seq_demo.alphabet import INPUT_SYMBOLS, UNKNOWN, Reading, read
from seq2seq_demo.budgets import BUDGETS
from seq2seq_demo.grammar import GRAMMARS
from seq2seq_demo.reference import find_reference

ROOT = Path(__file__).parent.parent
MONTHS = "january february march april may june july august september october november december".split()


@pytest.mark.parametrize("name", corpus.EVALUATION_SETS)
def test_evaluation_sets_have_the_lessons_bands(name):
    rows = corpus.evaluation_rows(name)
    counts = Counter(next(i for i, last in enumerate((15, 23, 31, 48)) if len(row.source) <= last) for row in rows)
    assert [counts[band] for band in range(4)] == [302, 685, 652, 361]
    assert len({row.source for row in rows}) == 2000


@pytest.mark.parametrize("name", corpus.EVALUATION_SETS)
def test_the_versioned_sets_are_what_the_code_generates(name):
    stored = pq.read_table(ROOT / "data" / f"{name}.parquet").to_pylist()
    assert stored == [corpus.record(row) for row in corpus.evaluation_rows(name)]


@pytest.mark.parametrize(
    "length_and_band", [(1, 0), (15, 0), (16, 1), (23, 1), (24, 2), (31, 2), (32, 3), (48, 3), (96, 3)]
)
def test_band_edges(length_and_band):
    length, band = length_and_band
    assert corpus.band_of(length) == band


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.training)
def test_nothing_that_is_evaluated_was_trained_on(budget):
    training = {row.source for seed in budget.seeds for row in corpus.training_rows(budget.training, budget.rows, seed)}
    validation = {row.source for row in corpus.validation_rows(budget.training)}
    evaluation = {row.source for name in corpus.EVALUATION_SETS for row in corpus.evaluation_rows(name)}
    assert not training & evaluation
    assert not training & validation
    assert not validation & evaluation


def words(rows):
    return {word.strip(UNKNOWN) for row in rows for word in row.source.split() if word.strip(UNKNOWN).isalpha()}


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.training)
def test_open_words_occur_nowhere_in_training(budget):
    months = {*MONTHS, *(month[:3] for month in MONTHS)}
    opened = words(corpus.evaluation_rows("open")) - months
    assert len(opened) > 100
    for seed in budget.seeds:
        assert not opened & words(corpus.training_rows(budget.training, budget.rows, seed))


@pytest.mark.parametrize("name", GRAMMARS)
def test_the_alignment_leads_to_the_date(name):
    for row in corpus.random_rows(name, 3000, seed=3):
        year, month, day = row.target.split("-")
        pieces = [row.source[slice(*span)] for span in (row.year, row.month, row.day)]
        assert pieces[0] == year
        assert int(pieces[2]) == int(day)
        number = (
            MONTHS.index(next(m for m in MONTHS if m.startswith(pieces[1]))) + 1 if pieces[1].isalpha() else pieces[1]
        )
        assert int(number) == int(month)
        assert row.alignment[4] == row.alignment[7] == ()
        for step, (span, digits) in zip((0, 5, 8), ((row.year, 4), (row.month, 2), (row.day, 2)), strict=True):
            places = list(range(*span))
            expected = [(p,) for p in places] if len(places) == digits else [tuple(places)] * digits
            assert list(row.alignment[step : step + digits]) == expected


@pytest.mark.parametrize("name", GRAMMARS)
def test_sentences_are_in_the_alphabet_and_short_enough(name):
    for row in corpus.random_rows(name, 2000, seed=4):
        assert 8 <= len(row.source) <= 48
        assert set(row.source) <= set(INPUT_SYMBOLS[1:])
        assert read(row.source) == Reading(row.source, range(len(row.source)), ())  # nothing about it is changed


def test_lesson_dates_are_as_the_lesson_writes_them():
    for row in corpus.random_rows("lesson", 2000, seed=5):
        shown = row.source[min(row.day[0], row.year[0]) : row.year[1]]
        date = datetime.date.fromisoformat(row.target)
        assert shown in (date.strftime("%d/%m/%Y"), f"{date.day} {MONTHS[date.month - 1]} {date.year}")


def test_everyday_dates_have_six_formats_numbers_with_and_without_zeros():
    rows = corpus.random_rows("everyday", 6000, seed=6)
    counts = Counter(row.format for row in rows)
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())  # 1,000 each, five standard deviations
    numeric = [row for row in rows if "/" in row.format and row.target[5] == "0"]
    padded = sum(row.source[slice(*row.month)].startswith("0") for row in numeric)
    assert 0.4 < padded / len(numeric) < 0.6


def test_every_day_of_every_month_can_occur():
    rows = corpus.random_rows("lesson", 20_000, seed=8)
    days = {row.target[5:] for row in rows}
    year = datetime.date(2000, 1, 1)
    assert days == {(year + datetime.timedelta(n)).isoformat()[5:] for n in range(366)}
    assert {row.target[:4] for row in rows} == {str(y) for y in range(1950, 2050)}


@pytest.mark.parametrize("name", GRAMMARS)
def test_sentences_of_a_length_have_it(name):
    for length in range(10, 97):
        rows = corpus.rows_of_length(name, length, 5, seed=1)
        assert [len(row.source) for row in rows] == [length] * 5


def test_too_short_a_length_is_refused():
    with pytest.raises(ValueError, match="at least 10"):
        corpus.rows_of_length("lesson", 9, 1, seed=0)


SETTINGS = [
    (name, form, place, length)
    for name in GRAMMARS
    for form in corpus.DATE_FORMS
    for place in corpus.PLACES
    for length in range(corpus.shortest_padded(form), 97, 2)
]


def test_padded_rows_keep_their_dates_and_grow_by_filler_alone():
    for name, form, place, length in SETTINGS:
        rows = corpus.padded_rows(name, form, place, length, 20, seed=5)
        bare = corpus.padded_rows(name, form, place, corpus.shortest_padded(form), 20, seed=5)
        assert [len(row.source) for row in rows] == [length] * 20
        assert [(row.target, row.format) for row in rows] == [(row.target, row.format) for row in bare]
        for row in rows:
            found = find_reference(row.source)
            assert (found.text, tuple(map(tuple, found.alignment))) == (row.target, row.alignment)
            start, end = min(row.year + row.month + row.day), max(row.year + row.month + row.day)
            added = length - (end - start)
            before = {"before": added, "after": 0}.get(place, start)
            assert (start, length - end) == (before, added - before)
            if place == "both sides":
                assert abs(start - (length - end)) <= 2


def test_next_to_the_date_nothing_changes_while_filler_grows():
    for place in corpus.PLACES:
        short, long = (corpus.padded_rows("everyday", "numeric", place, length, 50, 1) for length in (40, 90))
        for one, other in zip(short, long, strict=True):
            # All but the outermost characters, which may stand for a space.
            assert one.source[1:-1] in other.source


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("weather", "numeric", "before", 20), "lesson, everyday"),
        (("lesson", "roman", "before", 20), "numeric, written"),
        (("lesson", "numeric", "inside", 20), "before, after, both sides"),
        (("lesson", "numeric", "before", 8), "from 10 to 96"),
        (("lesson", "written", "before", 10), "from 16 to 96"),
        (("lesson", "numeric", "before", 21), "even"),
        (("lesson", "numeric", "before", 98), "from 10 to 96"),
    ],
)
def test_padding_that_cannot_be_is_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        corpus.padded_rows(*arguments, count=1, seed=0)


def test_cut_filler_ends_in_no_space_and_makes_no_month():
    assert corpus._not_reserved(" ab", 0) == "xab"
    assert corpus._not_reserved("ab ", -1) == "abx"
    assert corpus._not_reserved("ab may", -1) == "ab max"
    assert corpus._not_reserved("may ab", 0) == "xay ab"
    assert corpus._not_reserved("ab mayo", -1) == "ab mayo"


@pytest.mark.parametrize("call", [corpus.evaluation_rows, lambda name: corpus.training_rows(name, 1, 0)])
def test_an_unknown_set_is_refused_with_a_list(call):
    with pytest.raises(ValueError, match="lesson, everyday"):
        call("weather")


def test_rows_do_not_depend_on_the_hash_seed():
    script = """from seq2seq_demo import corpus
from seq2seq_demo.grammar import GRAMMARS
for name in corpus.TRAINING_SETS:
    print(corpus.training_rows(name, 300, 5), corpus.validation_rows(name, 300), corpus.random_rows(name, 300, 5))
    print(corpus.rows_of_length(name, 48, 300, 5), corpus.padded_rows(name, "numeric", "before", 96, 300, 5))"""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(outputs) == 1


def test_another_seed_gives_other_rows():
    assert corpus.training_rows("lesson", 50, 0) != corpus.training_rows("lesson", 50, 1)
