"""How a sentence is drawn: a date in a known format, buried in filler, with the alignment of each of its characters."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random
from string import ascii_lowercase

from seq2seq_demo.alphabet import UNKNOWN

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
RESERVED = frozenset((*OPEN_WORDS, *MONTHS, *(month[:3] for month in MONTHS)))

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


def grammar_of(name: str) -> Grammar:
    """The grammar of a set.

    Raises:
        ValueError: for an unknown set.
    """
    if name not in GRAMMARS:
        raise ValueError(f"set {name!r}; expected one of {', '.join(GRAMMARS)}")
    return GRAMMARS[name]


def bare_date(grammar: Grammar, random: Random) -> Row:
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


def bury(row: Row, fillers: Sequence[str], random: Random) -> Row:
    """Put filler tokens before and after the date, split at a uniform place."""
    cut = _below(len(fillers) + 1, random)
    before = "".join(f"{filler} " for filler in fillers[:cut])
    after = "".join(f" {filler}" for filler in fillers[cut:])
    return surround(row, before, after)


def surround(row: Row, before: str, after: str) -> Row:
    """Put text before and after a row's source; its spans and alignment move along."""
    shift = len(before)

    def moved(span: tuple[int, int]) -> tuple[int, int]:
        return span[0] + shift, span[1] + shift

    alignment = tuple(tuple(position + shift for position in step) for step in row.alignment)
    source = before + row.source + after
    year, month, day = moved(row.year), moved(row.month), moved(row.day)
    return replace(row, source=source, alignment=alignment, year=year, month=month, day=day)


def with_unknown(grammar: Grammar, row: Row, random: Random) -> Row:
    """Now and then, a character before or behind the date that the alphabet does not have: `(` or `.`."""
    before = UNKNOWN if random.random() < grammar.unknown_share else ""
    after = UNKNOWN if random.random() < grammar.unknown_share else ""
    return surround(row, before, after)


def filler_token(grammar: Grammar, random: Random) -> str:
    """A word, a random string of letters or a number; now and then with a character the alphabet does not have."""
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
        if letters not in RESERVED:
            return letters


def fillers_of_length(grammar: Grammar, length: int, random: Random) -> list[str]:
    """Filler tokens that, with a space each, take exactly `length` characters (0, or 2 and more)."""
    fillers: list[str] = []
    while length:
        filler = filler_token(grammar, random)
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


def poisson(mean: float, random: Random) -> int:
    """Knuth's method: multiply uniform numbers until the product falls under exp(-mean)."""
    count, product, limit = 0, random.random(), math.exp(-mean)
    while product > limit:
        count, product = count + 1, product * random.random()
    return count
