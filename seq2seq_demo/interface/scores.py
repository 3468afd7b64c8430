"""The section on three scores of the same rows, and on what independent errors would make of them."""

from collections.abc import Mapping
from typing import Any

from seq2seq_demo.alphabet import OUTPUT_LENGTH
from seq2seq_demo.evaluation import Count
from seq2seq_demo.interface.bottleneck import EYEBROW, by_training, count_of, counted, greedy, run_payload, settings
from seq2seq_demo.interface.components import Payload, html_component, markup
from seq2seq_demo.models import MODELS
from seq2seq_demo.report import lesson_page


def independent(character: float) -> float:
    """Exact match if each of a date's characters went wrong on its own.

    Example: `independent(0.9217)` is about 0.44, where the lesson page measured 0.6250.
    """
    return character**OUTPUT_LENGTH


def scores_payload() -> Payload:
    """The three scores of every width, epoch and evaluation set of the shipped runs. See assets/three-scores.js."""
    return {"sets": by_training(_scores_of), "lesson_page": lesson_page_scores()}


def lesson_page_scores() -> Payload:
    """The lesson page's own scores, by model."""
    return {
        name: {
            "teacher_forced": figures["teacher_forced"],
            "character": figures["free_running_character"],
            "exact": figures["free_running_exact"],
            "independent": round(independent(figures["free_running_character"]), 4),
        }
        for name, figures in lesson_page()["models"].items()
    }


def describe_scores(records: Mapping[str, Mapping[str, Any]]) -> str:
    """Say for each model whether its errors come together, against what independent errors would leave.

    Args:
        records: by model, `character` and `exact` as a `Count`.
    """
    return " ".join(_describe(name, found["character"], found["exact"]) for name, found in records.items())


def build() -> None:
    """Lay the section out; it needs no server."""
    markup(_heading(), elem_classes="section-head")
    parts = ("chart", "choice", "downloads", "bottleneck")
    html_component("three-scores", scores_payload(), label="Three scores of the same rows", parts=parts)


def _describe(name: str, character: Count, exact: Count) -> str:
    expected, (low, high) = independent(character.rate), exact.interval()
    side = "With attention" if name == MODELS[1] else "Without attention"
    numbers = f"{exact.rate:.2f} of the dates are whole"
    if exact.correct == 0:
        return f"{side} no date is whole yet."
    if low > expected:
        return f"{side} errors come together: {numbers}, where independent errors would leave {expected:.2f}."
    if high < expected:
        return f"{side} errors spread out: {numbers}, where independent errors would leave {expected:.2f}."
    return f"{side} errors might be independent: {numbers}, and independent errors would leave {expected:.2f}."


def _scores_of(training: str) -> Payload:
    rows = greedy(training)
    widths: Payload = {}
    for width, epoch, evaluation, records in settings(rows, training):
        scores = {name: _scores(record) for name, record in records.items()}
        widths.setdefault(str(width), {}).setdefault(str(epoch), {})[evaluation] = {
            "models": {
                name: {
                    "teacher_forced": [found["teacher_forced"].correct, found["teacher_forced"].total],
                    "character": [found["character"].correct, found["character"].total],
                    "exact": counted(found["exact"]),
                    "independent": round(independent(found["character"].rate), 4),
                }
                for name, found in scores.items()
            },
            "sentence": describe_scores(scores),
        }
    return {**run_payload(training, rows), "widths": widths}


def _scores(record: dict[str, Any]) -> dict[str, Count]:
    return {metric: count_of(record, metric) for metric in ("teacher_forced", "character", "exact")}


def _heading() -> str:
    page = lesson_page()["models"][MODELS[0]]
    character, exact = page["free_running_character"], page["free_running_exact"]
    return f"""
{EYEBROW}
<h2>Do errors come one by one, or together?</h2>
<p>The same rows, scored three ways. A date has ten characters: if each went wrong on its own, exact match would be
the free-running character accuracy to the tenth power. On the lesson page {character:.4f} to the tenth is
{independent(character):.2f}, and {exact:.4f} of the dates were whole.</p>
"""
