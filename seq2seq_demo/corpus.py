"""The generated corpus: dates in known formats, buried in filler, with the exact alignment of each."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from itertools import islice
from random import Random
from string import ascii_lowercase
from typing import Any

from seq2seq_demo.alphabet import TRAINING_LENGTH, UNKNOWN

TRAINING_SETS = ("lesson", "everyday")
EVALUATION_SETS = ("lesson", "everyday", "open")
# The lesson's bands of input length, both ends included, and how many rows of an evaluation set each has.
BANDS = ((0, 15), (16, 23), (24, 31), (32, 48))
BAND_ROWS = (302, 685, 652, 361)
FIRST_DAY, LAST_DAY = date(1950, 1, 1), date(2049, 12, 31)
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)

FILLER_WORDS = tuple(
    (
        "batch box case code copy dept entry file form id item job key line log lot memo no note order page part "
        "ref row seq ship slip stock tag unit"
    ).split()
)
# Ordinary English that training never contains: the random letter strings avoid these words too.
OPEN_WORDS = tuple(
    (
        "about after again all almost also and any around at back because been before between big but by call "
        "came can city come could day deed did do down each early even every family far feel few find first for "
        "found friend from full garden gave get give go good great had half hand has have he help her here him "
        "his home house how if in into is it just keep kind know large last late left letter life light like "
        "little live long look made make man many me meeting more morning most much must my name near need never "
        "new next night not now of off old on once one only open or other our out over own paid paper people "
        "place please point read received right said same saw say school see seen sent she should show side "
        "signed since small so some soon still such sure take tell than that the their them then there they thing "
        "think this three time to told too took train tree trust turn two under until up upon us very visit wait "
        "walk want was water way we week well went were what when where which while who why will winter with word "
        "work would write year yes yet you young your"
    ).split()
)
_RESERVED = frozenset((*OPEN_WORDS, *MONTHS, *(month[:3] for month in MONTHS)))

# A place in a date's text: the part it shows, and whether it is padded to two digits or spelt out.
_FORMATS: dict[str, tuple[str, ...]] = {
    "day/month/year": ("day", "/", "month", "/", "year"),
    "year/month/day": ("year", "/", "month", "/", "day"),
    "day mon year": ("day", " ", "mon", " ", "year"),
    "day month year": ("day", " ", "month name", " ", "year"),
    "mon day year": ("mon", " ", "day", " ", "year"),
    "month day year": ("month name", " ", "day", " ", "year"),
}
FORMATS = tuple(_FORMATS)
# What `padded_rows` keeps the same while filler grows: kinds of dates, and the sides that it grows on.
DATE_FORMS = ("numeric", "written")
PLACES = ("before", "after", "both sides")
LONGEST_PADDED = 96
# Even lengths only: one character over would be too few for a space and a token.
_DATE_LENGTHS = {"numeric": (10,), "written": (10, 12, 14, 16)}


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence of the corpus.

    Attributes:
        source: what the models read, at most 48 characters unless asked for longer.
        target: the date as `YYYY-MM-DD`.
        format: one of `FORMATS`.
        alignment: for each of the 10 target characters, the source positions it comes from;
            empty for the two hyphens.
        year, month, day: the source positions of each field, `(start, stop)`.
    """

    source: str
    target: str
    format: str
    alignment: tuple[tuple[int, ...], ...]
    year: tuple[int, int]
    month: tuple[int, int]
    day: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a set's sentences are drawn.

    Attributes:
        formats: the date formats, equally likely.
        unpadded: the share of numeric dates written without leading zeros.
        words: filler words, of which a sentence's filler mixes `word_share` with numbers and,
            if `letter_strings`, with random strings of letters.
        unknown_share: how often a token carries a character that is not in the alphabet.
        mean_fillers: mean of the Poisson number of filler tokens.
    """

    formats: tuple[str, ...]
    unpadded: float
    words: tuple[str, ...] = FILLER_WORDS
    word_share: float = 0.4
    letter_strings: bool = True
    unknown_share: float = 0.0
    mean_fillers: float = 2.6


GRAMMARS = {
    "lesson": Grammar(("day/month/year", "day month year"), unpadded=0.0),
    "everyday": Grammar(FORMATS, unpadded=0.5, unknown_share=0.06),
    "open": Grammar(FORMATS, 0.5, OPEN_WORDS, word_share=0.75, letter_strings=False, unknown_share=0.06),
}


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
    for row in _draw(_grammar(name), Random(f"evaluation {name}")):
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
    return _take(_draw(_grammar(name), Random(f"validation {name}")), count, _evaluation_sources())


def training_rows(name: str, count: int, seed: int) -> tuple[Row, ...]:
    """Rows to train on: none of their sentences is in an evaluation set or among the validation rows.

    Raises:
        ValueError: if `name` is not a training set.
    """
    if name not in TRAINING_SETS:
        raise ValueError(f"training set {name!r}; expected one of {', '.join(TRAINING_SETS)}")
    excluded = _evaluation_sources().union(row.source for row in validation_rows(name))
    return _take(_draw(_grammar(name), Random(f"training {name} {seed}")), count, excluded)


def random_rows(name: str, count: int, seed: int) -> tuple[Row, ...]:
    """Fresh sentences, drawn as the set's own are."""
    return _take(_draw(_grammar(name), Random(f"random {name} {seed}")), count, frozenset())


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
    grammar, random = _grammar(name), Random(f"length {name} {length} {seed}")
    if length < 10:
        raise ValueError(f"length {length}; expected at least 10, the length of `07/02/1993`")
    rows: list[Row] = []
    while len(rows) < count:
        row = _bare_date(grammar, random)
        left = length - len(row.source)
        if left >= 0 and left != 1:  # one character is too few for a space and a token
            rows.append(_bury(row, _fillers_of_length(grammar, left, random), random))
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
    _grammar(name)
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
    grammar, random = _grammar(name), Random(f"padding {name} {form} {seed}")
    rows: list[tuple[Row, str, str]] = []
    while len(rows) < count:
        row = _bare_date(grammar, random)
        if len(row.source) in _DATE_LENGTHS[form] and ("/" in row.format) == (form == "numeric"):
            rows.append((row, _filler_text(grammar, random), _filler_text(grammar, random)))
    return tuple(rows)


def _filler_text(grammar: Grammar, random: Random) -> str:
    text = _filler(grammar, random)
    while len(text) < LONGEST_PADDED:
        text += " " + _filler(grammar, random)
    return text


def _pad(row: Row, before: str, after: str, place: str, left: int) -> Row:
    if left == 0:
        return row
    first = {"before": left, "after": 0, "both sides": left // 4 * 2}[place]
    second = left - first
    return _surround(
        row,
        f"{_not_reserved(before[1 - first :], 0)} " if first else "",
        f" {_not_reserved(after[: second - 1], -1)}" if second else "",
    )


def _not_reserved(cut: str, end: int) -> str:
    """A cut text whose outer end is no space, and whose cut word is none that filler must not have."""
    if cut[end] == " " or cut.split(" ")[end] in _RESERVED:
        return "x" + cut[1:] if end == 0 else cut[:-1] + "x"
    return cut


def _grammar(name: str) -> Grammar:
    if name not in GRAMMARS:
        raise ValueError(f"set {name!r}; expected one of {', '.join(GRAMMARS)}")
    return GRAMMARS[name]


@cache
def _evaluation_sources() -> frozenset[str]:
    return frozenset(row.source for name in EVALUATION_SETS for row in evaluation_rows(name))


def _take(rows: Iterator[Row], count: int, excluded: Collection[str]) -> tuple[Row, ...]:
    return tuple(islice((row for row in rows if row.source not in excluded), count))


def _draw(grammar: Grammar, random: Random) -> Iterator[Row]:
    while True:
        date_token = _with_unknown(grammar, _bare_date(grammar, random), random)
        fillers = [_filler(grammar, random) for _ in range(_poisson(grammar.mean_fillers, random))]
        row = _bury(date_token, fillers, random)
        if len(row.source) <= TRAINING_LENGTH:
            yield row


def _bare_date(grammar: Grammar, random: Random) -> Row:
    """A row whose source is the date alone."""
    span = LAST_DAY.toordinal() - FIRST_DAY.toordinal() + 1
    day = date.fromordinal(FIRST_DAY.toordinal() + _below(span, random))
    name = _choose(grammar.formats, random)
    padded = "/" in name and random.random() >= grammar.unpadded
    texts = {
        "year": f"{day.year:04}",
        "month": f"{day.month:02}" if padded else str(day.month),
        "day": f"{day.day:02}" if padded else str(day.day),
        "month name": MONTHS[day.month - 1],
        "mon": MONTHS[day.month - 1][:3],
    }
    source, spans = "", {}
    for part in _FORMATS[name]:
        shown = texts.get(part, part)
        spans[part[:3]] = (len(source), len(source) + len(shown))
        source += shown
    year, month, day_span = spans["yea"], spans["mon"], spans["day"]
    alignment = (*_one_each(year, 4), (), *_one_each(month, 2), (), *_one_each(day_span, 2))
    return Row(source, day.isoformat(), name, alignment, year, month, day_span)


def _one_each(span: tuple[int, int], digits: int) -> tuple[tuple[int, ...], ...]:
    """Each output digit to its source digit; to all of the span if they do not pair off."""
    positions = tuple(range(*span))
    if len(positions) == digits:
        return tuple((position,) for position in positions)
    return (positions,) * digits


def _bury(row: Row, fillers: Sequence[str], random: Random) -> Row:
    """Put filler tokens before and after the date, split at a uniform place."""
    cut = _below(len(fillers) + 1, random)
    before = "".join(f"{filler} " for filler in fillers[:cut])
    after = "".join(f" {filler}" for filler in fillers[cut:])
    return _surround(row, before, after)


def _surround(row: Row, before: str, after: str) -> Row:
    shift = len(before)

    def moved(span: tuple[int, int]) -> tuple[int, int]:
        return span[0] + shift, span[1] + shift

    alignment = tuple(tuple(position + shift for position in step) for step in row.alignment)
    source = before + row.source + after
    year, month, day = moved(row.year), moved(row.month), moved(row.day)
    return replace(row, source=source, alignment=alignment, year=year, month=month, day=day)


def _with_unknown(grammar: Grammar, row: Row, random: Random) -> Row:
    """Now and then, a character before or behind the date that the alphabet does not have: `(` or `.`."""
    before = UNKNOWN if random.random() < grammar.unknown_share else ""
    after = UNKNOWN if random.random() < grammar.unknown_share else ""
    return _surround(row, before, after)


def _filler(grammar: Grammar, random: Random) -> str:
    token = _plain_filler(grammar, random)
    if random.random() < grammar.unknown_share:
        return token + UNKNOWN if random.random() < 0.5 else UNKNOWN + token
    return token


def _plain_filler(grammar: Grammar, random: Random) -> str:
    kind = random.random()
    if kind < grammar.word_share:
        return _choose(grammar.words, random)
    if grammar.letter_strings and kind < (1 + grammar.word_share) / 2:
        return _letter_string(random)
    return str(_below(10 ** (1 + _below(4, random)), random))


def _letter_string(random: Random) -> str:
    while True:
        letters = "".join(_choose(ascii_lowercase, random) for _ in range(1 + _below(8, random)))
        if letters not in _RESERVED:
            return letters


def _fillers_of_length(grammar: Grammar, length: int, random: Random) -> list[str]:
    """Filler tokens that, with a space each, take exactly `length` characters (0, or 2 and more)."""
    fillers: list[str] = []
    while length:
        filler = _filler(grammar, random)
        left = length - len(filler) - 1
        if left >= 0 and left != 1:
            fillers.append(filler)
            length = left
    return fillers


# Only `Random.random` is used: it alone promises the same numbers from a seed in every version of Python.
def _below(bound: int, random: Random) -> int:
    return int(random.random() * bound)


def _choose(items: Sequence[str], random: Random) -> str:
    return items[_below(len(items), random)]


def _poisson(mean: float, random: Random) -> int:
    """Knuth's method: multiply uniform numbers until the product falls under exp(-mean)."""
    count, product, limit = 0, random.random(), math.exp(-mean)
    while product > limit:
        count, product = count + 1, product * random.random()
    return count
