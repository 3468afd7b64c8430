"""What the pictures show, in words: for screen readers, and for everyone who opens them."""

import re
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np

from seq2seq_demo.interface.components import visible

# The field that each output character belongs to; the hyphens belong to none.
FIELDS = ("year",) * 4 + (None,) + ("month",) * 2 + (None,) + ("day",) * 2

# Of a measured curve: length, correct, total, and the 95% interval, low and high.
Point = tuple[int, int, int, float, float]

_NAMED = {"encoder-decoder": "the encoder-decoder"}
_TOKEN = re.compile(r"[^ /]+")


def describe_steps(text: str, source: str, attention: np.ndarray) -> list[str]:
    """Say for each output character where its attention peaks.

    Args:
        text: the 10 output characters.
        source: what the model read.
        attention: float32 `(10, len(source))`.

    Example: "`1` of the year looked at `1` of 1993, 0.91".
    """
    if not source:
        return []
    sentences = []
    for character, field, weights in zip(text, FIELDS, attention, strict=True):
        peak = int(weights.argmax())
        written = f"`{visible(character)}`" + (f" of the {field}" if field else "")
        sentences.append(f"{written} looked at {describe_position(source, peak)}, {weights[peak]:.2f}")
    return sentences


def describe_position(source: str, position: int) -> str:
    """Name a source character by the word or number it stands in.

    Example: `describe_position("id 1993", 3)` is "`1` of 1993".
    """
    character = f"`{visible(source[position])}`"
    for token in _TOKEN.finditer(source):
        if token.start() <= position < token.end():
            return character if len(token.group()) == 1 else f"{character} of {token.group()}"
        if token.start() > position:
            return f"{character} before {token.group()}"
    return f"{character} at the end"


def describe_error(expected: str, got: str) -> str:
    """Say what is wrong with an output: which fields, and whether it is a date at all.

    Example: `describe_error("1993-02-07", "1993-02-01")` is "wrong day".
    """
    wrong = [
        name
        for name, part in (("year", slice(0, 4)), ("month", slice(5, 7)), ("day", slice(8, 10)))
        if expected[part] != got[part]
    ]
    if not is_date(got):
        return "not a calendar date"
    return f"wrong {_listed(wrong)}" if wrong else "right"


def is_date(text: str) -> bool:
    """Whether a text is a calendar date, written `YYYY-MM-DD`."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def describe_beam(greedy: str, beam: str, greedy_score: float, beam_score: float, width: int) -> str:
    """Say what a beam changed against greedy decoding, scores in nats."""
    if greedy == beam:
        return f"A beam of {width} finds the same date as greedy."
    places = sum(one != other for one, other in zip(greedy, beam, strict=True))
    characters = "1 character" if places == 1 else f"{places} characters"
    verb = "more" if beam_score > greedy_score else "less"
    return (
        f"A beam of {width} changes {characters}: greedy wrote {visible(greedy)} "
        f"(log-probability {greedy_score:.2f}), the beam's date is {verb} likely ({beam_score:.2f})."
    )


def describe_curve(intro: str, curves: Mapping[str, Sequence[Point]], trained: int) -> str:
    """Say how each model's exact match goes with the length, within what training had and past it.

    Only where two 95% intervals lie apart is one of two rates called higher.

    Args:
        intro: what the curves are of, the sentence's beginning.
        curves: for each model its points, shortest first.
        trained: the longest length of training.
    """
    said = [f"{_NAMED.get(name, name)} {_course(points, trained)}" for name, points in curves.items() if points]
    if not said:
        return f"{intro}: not measured."
    last = max(points[-1][0] for points in curves.values() if points)
    past = f" Nothing in training was longer than {trained}." if last > trained else ""
    return f"{intro}, exact match of {'; of '.join(said)}.{past}"


def _course(points: Sequence[Point], trained: int) -> str:
    within = [point for point in points if point[0] <= trained] or points[:1]
    first, last = within[0], within[-1]
    low, high = min(within, key=_rate), max(within, key=_rate)
    if not _apart(low, high):
        between = f"between {_rate(low):.2f} and {_rate(high):.2f}"
        at = f"at {_rate(low):.2f}" if f"{_rate(low):.2f}" == f"{_rate(high):.2f}" else between
        said = f"stays {at} from {first[0]} to {last[0]} characters"
    else:
        verb = {1: "rises", -1: "falls", 0: "goes"}[_direction(first, last)]
        said = f"{verb} from {_rate(first):.2f} at {first[0]} characters to {_rate(last):.2f} at {last[0]}"
        for name, point in (("lowest", low), ("highest", high)):
            if _apart(point, first) and _apart(point, last):
                said += f" ({name} at {point[0]}, {_rate(point):.2f})"
    end = points[-1]
    if end is last:
        return said
    verb = {1: "then rises to", -1: "then falls to", 0: "and is"}[_direction(last, end)]
    return f"{said}, {verb} {_rate(end):.2f} at {end[0]}"


def _rate(point: Point) -> float:
    _, correct, total, _, _ = point
    return correct / total


def _apart(one: Point, other: Point) -> bool:
    return _direction(one, other) != 0


def _direction(one: Point, other: Point) -> int:
    """1 if the other's interval lies above, -1 if below, 0 if they overlap."""
    return (other[3] > one[4]) - (other[4] < one[3])


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
