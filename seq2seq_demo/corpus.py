"""The generated corpus: its sets and splits, and sentences of any length that is wanted."""

from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import islice
from random import Random
from typing import Any

from seq2seq_demo.alphabet import TRAINING_LENGTH
from seq2seq_demo.grammar import (
    RESERVED,
    Grammar,
    Row,
    bare_date,
    bury,
    filler_token,
    fillers_of_length,
    grammar_of,
    poisson,
    surround,
    with_unknown,
)

TRAINING_SETS = ("lesson", "everyday")
EVALUATION_SETS = ("lesson", "everyday", "open")
# The lesson's bands of input length, both ends included, and how many rows of an evaluation set each has.
BANDS = ((0, 15), (16, 23), (24, 31), (32, 48))
BAND_ROWS = (302, 685, 652, 361)
# What `padded_rows` keeps the same while filler grows: kinds of dates, and the sides that it grows on.
DATE_FORMS = ("numeric", "written")
PLACES = ("before", "after", "both sides")
LONGEST_PADDED = 96
# Even lengths only: one character over would be too few for a space and a token.
_DATE_LENGTHS = {"numeric": (10,), "written": (10, 12, 14, 16)}


def record(row: Row) -> dict[str, Any]:
    """A row as the columns of data/*.parquet: spans as `[start, stop]`, the alignment as lists of positions."""
    spans = {field: list(getattr(row, field)) for field in ("year", "month", "day")}
    alignment = [list(positions) for positions in row.alignment]
    return {"source": row.source, "target": row.target, "format": row.format, **spans, "alignment": alignment}


def band_of(length: int) -> int:
    """The index in `BANDS` of a source length; a length past the last band counts as the last."""
    return next((index for index, (_, last) in enumerate(BANDS) if length <= last), len(BANDS) - 1)


@cache
def evaluation_rows(name: str) -> tuple[Row, ...]:
    """The 2,000 rows of an evaluation set, no sentence twice, with exactly `BAND_ROWS` in each band."""
    wanted, rows, seen = list(BAND_ROWS), [], set()
    for row in _draw(grammar_of(name), Random(f"evaluation {name}")):
        band = band_of(len(row.source))
        if wanted[band] and row.source not in seen:
            wanted[band] -= 1
            seen.add(row.source)
            rows.append(row)
            if not any(wanted):
                break
    return tuple(rows)


@cache
def validation_rows(name: str, count: int = 2000) -> tuple[Row, ...]:
    """Rows to choose a training budget on: none of their sentences is in an evaluation set."""
    return _take(_draw(grammar_of(name), Random(f"validation {name}")), count, _evaluation_sources())


def training_rows(name: str, count: int, seed: int) -> tuple[Row, ...]:
    """Rows to train on: none of their sentences is in an evaluation set or among the validation rows.

    Raises:
        ValueError: if `name` is not a training set.
    """
    if name not in TRAINING_SETS:
        raise ValueError(f"training set {name!r}; expected one of {', '.join(TRAINING_SETS)}")
    excluded = _evaluation_sources().union(row.source for row in validation_rows(name))
    return _take(_draw(grammar_of(name), Random(f"training {name} {seed}")), count, excluded)


def random_rows(name: str, count: int, seed: int) -> tuple[Row, ...]:
    """Fresh sentences, drawn as the set's own are."""
    return _take(_draw(grammar_of(name), Random(f"random {name} {seed}")), count, frozenset())


def rows_of_length(name: str, length: int, count: int, seed: int) -> tuple[Row, ...]:
    """Fresh sentences of exactly `length` characters; filler fills what the date leaves.

    Args:
        name: a set; the training sets have the names of theirs.
        length: 10 or more. At the shortest lengths only some formats fit.
        count: the number of rows.
        seed: the same seed gives the same rows on any machine.

    Raises:
        ValueError: for an unknown set or a length under 10.
    """
    grammar, random = grammar_of(name), Random(f"length {name} {length} {seed}")
    if length < 10:
        raise ValueError(f"length {length}; expected at least 10, the length of `07/02/1993`")
    rows: list[Row] = []
    while len(rows) < count:
        row = bare_date(grammar, random)
        left = length - len(row.source)
        if left >= 0 and left != 1:  # one character is too few for a space and a token
            rows.append(bury(row, fillers_of_length(grammar, left, random), random))
    return tuple(rows)


def padded_rows(name: str, form: str, place: str, length: int, count: int, seed: int) -> tuple[Row, ...]:
    """Sentences of `length` characters whose dates do not change with the length: filler alone is added.

    A sentence grows at its outer ends, so that what is next to the date stays what it was.

    Args:
        name: a set; the training sets have the names of theirs.
        form: one of `DATE_FORMS`.
        place: where the filler goes, one of `PLACES`.
        length: an even number from `shortest_padded(form)` to `LONGEST_PADDED`.
        count: the number of rows.
        seed: the same seed gives the same dates and filler on any machine.

    Raises:
        ValueError: for anything else.
    """
    grammar_of(name)
    for what, value, choices in (("form", form, DATE_FORMS), ("place", place, PLACES)):
        if value not in choices:
            raise ValueError(f"{what} {value!r}; expected one of {', '.join(choices)}")
    first = shortest_padded(form)
    if not first <= length <= LONGEST_PADDED or length % 2:
        raise ValueError(f"length {length}; expected an even number from {first} to {LONGEST_PADDED}")
    return tuple(
        _pad(row, before, after, place, length - len(row.source))
        for row, before, after in _padding(name, form, count, seed)
    )


def shortest_padded(form: str) -> int:
    """The shortest length of `padded_rows`: no date of the form is longer."""
    return max(_DATE_LENGTHS[form])


@lru_cache(maxsize=32)
def _padding(name: str, form: str, count: int, seed: int) -> tuple[tuple[Row, str, str], ...]:
    """Bare dates, each with more filler for before and after it than any length takes."""
    grammar, random = grammar_of(name), Random(f"padding {name} {form} {seed}")
    rows: list[tuple[Row, str, str]] = []
    while len(rows) < count:
        row = bare_date(grammar, random)
        if len(row.source) in _DATE_LENGTHS[form] and ("/" in row.format) == (form == "numeric"):
            rows.append((row, _filler_text(grammar, random), _filler_text(grammar, random)))
    return tuple(rows)


def _filler_text(grammar: Grammar, random: Random) -> str:
    text = filler_token(grammar, random)
    while len(text) < LONGEST_PADDED:
        text += " " + filler_token(grammar, random)
    return text


def _pad(row: Row, before: str, after: str, place: str, left: int) -> Row:
    if left == 0:
        return row
    first = {"before": left, "after": 0, "both sides": left // 4 * 2}[place]
    second = left - first
    return surround(
        row,
        f"{_not_reserved(before[1 - first :], 0)} " if first else "",
        f" {_not_reserved(after[: second - 1], -1)}" if second else "",
    )


def _not_reserved(cut: str, end: int) -> str:
    """A cut text whose outer end is no space, and whose cut word is none that filler must not have."""
    if cut[end] == " " or cut.split(" ")[end] in RESERVED:
        return "x" + cut[1:] if end == 0 else cut[:-1] + "x"
    return cut


@cache
def _evaluation_sources() -> frozenset[str]:
    return frozenset(row.source for name in EVALUATION_SETS for row in evaluation_rows(name))


def _take(rows: Iterator[Row], count: int, excluded: Collection[str]) -> tuple[Row, ...]:
    return tuple(islice((row for row in rows if row.source not in excluded), count))


def _draw(grammar: Grammar, random: Random) -> Iterator[Row]:
    while True:
        date_token = with_unknown(grammar, bare_date(grammar, random), random)
        fillers = [filler_token(grammar, random) for _ in range(poisson(grammar.mean_fillers, random))]
        row = bury(date_token, fillers, random)
        if len(row.source) <= TRAINING_LENGTH:
            yield row
