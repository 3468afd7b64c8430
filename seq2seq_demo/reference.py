"""The date in any text, found by rule: the expected answer with its alignment, or why there is none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from seq2seq_demo.alphabet import read

Span = tuple[int, int]

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NUMBER_OF = {name: number for number, full in enumerate(_MONTHS, 1) for name in (full, full[:3])}
_NAME = "(?P<name>" + "|".join(sorted(_NUMBER_OF, key=len, reverse=True)) + ")"
_DAY, _MONTH, _YEAR, _SHORT_YEAR = r"(?P<day>\d{1,2})", r"(?P<month>\d{1,2})", r"(?P<year>\d{4})", r"(?P<year>\d{2})"
# A numeric date may touch letters, as in `1993/02/07t12`, but not further digits or slashes.
_NUMERIC, _WORDS = r"(?<![0-9/]){}(?![0-9/])", r"(?<![0-9a-z/]){}(?![0-9a-z/])"


def _patterns(year: str) -> list[re.Pattern[str]]:
    return [
        re.compile(_NUMERIC.format(f"{_DAY}/{_MONTH}/{year}")),
        re.compile(_NUMERIC.format(f"{year}/{_MONTH}/{_DAY}")),
        re.compile(_WORDS.format(f"{_DAY} {_NAME} {year}")),
        re.compile(_WORDS.format(f"{_NAME} {_DAY} {year}")),
    ]


_DATES, _SHORT_DATES = _patterns(_YEAR), _patterns(_SHORT_YEAR)
_RUN_TOGETHER = re.compile(r"(?<![0-9])\d{8}(?![0-9])")


@dataclass(frozen=True, slots=True)
class Reference:
    """What a text's date is, by rule.

    Attributes:
        text: the date as `YYYY-MM-DD`, or None.
        alignment: for each of the 10 output characters the positions in the source
            (`alphabet.read(text).source`) that it comes from, none for a hyphen; or None.
        reason: why there is no date, a sentence or two for a learner; None if there is one.
        year, month, day: the source positions of the fields, `(start, stop)`; or None.
    """

    text: str | None
    alignment: tuple[tuple[int, ...], ...] | None
    reason: str | None
    year: Span | None = None
    month: Span | None = None
    day: Span | None = None

    @property
    def beyond_training(self) -> bool:
        """Whether the date's year occurs in no training set (they have 1950 to 2049)."""
        return self.text is not None and not "1950" <= self.text[:4] <= "2049"


def find_reference(text: str) -> Reference:
    """Find the one date of a text that is in a format the corpus has.

    Day comes first in `07/02/1993`, as in the corpus. Two dates, valid or not, are one too many;
    a date with a two-digit year counts only where there is no other.

    Example: `find_reference("Feb 7, 1993").text` is `"1993-02-07"`.

    Raises:
        TypeError: if `text` is not a `str`.
    """
    return find_in(read(text).source)


def find_in(source: str) -> Reference:
    """Find the date of a source that is already in the alphabet (`alphabet.Reading.source`); see `find_reference`."""
    found = _mentions(source, _DATES)
    if len(found) > 1:
        shown = " and ".join(f"`{mention.group()}`" for mention in found[:3])
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        return _none(f"The text holds more than one date: {shown}{more}. Keep only one of them.")
    if not found:
        return _none(_why_none(source))
    return _reference(found[0])


def _mentions(source: str, patterns: list[re.Pattern[str]]) -> list[re.Match[str]]:
    return sorted((match for pattern in patterns for match in pattern.finditer(source)), key=re.Match.start)


def _none(reason: str) -> Reference:
    return Reference(None, None, reason)


def _reference(mention: re.Match[str]) -> Reference:
    parts = mention.groupdict()
    month_group = "name" if parts.get("name") else "month"
    year, day = int(parts["year"]), int(parts["day"])
    month = _NUMBER_OF[parts["name"]] if month_group == "name" else int(parts["month"])
    found = _calendar_date(year, month, day)
    if found is None:
        day_first = mention.start("day") < mention.start(month_group) and month_group == "month"
        return _none(_why_not_a_date(mention.group(), year, month, day, day_first=day_first))
    spans = mention.span("year"), mention.span(month_group), mention.span("day")
    alignment = (*_aligned(spans[0], 4), (), *_aligned(spans[1], 2), (), *_aligned(spans[2], 2))
    return Reference(found.isoformat(), alignment, None, *spans)


def _aligned(span: Span, digits: int) -> Iterator[tuple[int, ...]]:
    """Digit by digit where a field has as many; else each output digit comes from the whole field."""
    start, stop = span
    for digit in range(digits):
        yield (start + digit,) if stop - start == digits else tuple(range(start, stop))


def _calendar_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _why_not_a_date(mention: str, year: int, month: int, day: int, *, day_first: bool) -> str:
    if day_first and _calendar_date(year, day, month):
        return (
            f"`{mention}` is a date only if read month first, and here the day comes first: there is no "
            f"month {month}. Try `{month:02}/{day:02}/{year}`."
        )
    if day_first and month > 12:
        return f"`{mention}` is not a calendar date, day first or month first."
    if year == 0:
        return f"`{mention}` is not a calendar date: there is no year 0."
    if not 1 <= month <= 12:
        return f"`{mention}` is not a calendar date: there is no month {month}."
    return f"`{mention}` is not a calendar date: {_MONTHS[month - 1].title()} {year} has no day {day}."


def _why_none(source: str) -> str:
    if not source:
        return "There is no text yet. Type a sentence with a date in it."
    short = _mentions(source, _SHORT_DATES)
    if short:
        return f"`{short[0].group()}` has a two-digit year, which could be of any century. Write four digits."
    together = _RUN_TOGETHER.search(source)
    if together:
        return f"If `{together.group()}` is a date, it needs separators: `07/02/1993` or `1993-02-07`."
    return "There is no date in a known format. Try `07/02/1993`, `1993-02-07`, `7 feb 1993` or `february 7 1993`."
