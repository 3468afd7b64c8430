"""The section on the size of the state: exact match against width, and against the number of parameters."""

from collections.abc import Mapping

import gradio as gr

from seq2seq_demo.evaluation import Count
from seq2seq_demo.interface.bottleneck import EYEBROW, by_training, count_of, counted, greedy, run_payload, settings
from seq2seq_demo.interface.components import Payload, html_component, markup
from seq2seq_demo.models import MODELS

# By width, by model.
ByWidth = Mapping[int, Mapping[str, Count]]


def numbers_held(width: int) -> int:
    """How many numbers the two state vectors hold.

    Example: `numbers_held(64)` is 128.
    """
    return 2 * width


def state_size_payload() -> Payload:
    """Exact match by width, for every epoch and evaluation set of the shipped runs. See assets/state-size.js."""
    return by_training(_state_size_of)


def describe_sizes(training: str, epoch: int, exact: ByWidth) -> str:
    """Say what the width does to both models, and how little of it attention needs."""
    without, attention = MODELS
    widths = sorted(exact)
    small, large = widths[0], widths[-1]
    if small == large:
        rates = exact[large]
        return (
            f"The {training} set was trained at width {large} only: with {numbers_held(large)} numbers and nothing "
            f"else the encoder-decoder has {rates[without].rate:.2f} of the dates exactly right at epoch {epoch}; "
            f"with attention it is {rates[attention].rate:.2f}."
        )
    said = (
        f"At epoch {epoch}, from {numbers_held(small)} numbers to {numbers_held(large)}, exact match goes from "
        f"{exact[small][without].rate:.2f} to {exact[large][without].rate:.2f} without attention, and from "
        f"{exact[small][attention].rate:.2f} to {exact[large][attention].rate:.2f} with it."
    )
    _, best = exact[large][without].interval()
    enough = next((width for width in widths if exact[width][attention].interval()[0] > best), None)
    if enough is None:
        return said
    return (
        f"{said} Attention at width {enough} ({exact[enough][attention].rate:.2f}) is ahead of the encoder-decoder at "
        f"width {large} ({exact[large][without].rate:.2f})."
    )


def build(width: gr.Radio) -> None:
    """Lay the section out; a width that is chosen in the chart is chosen for the whole page."""
    markup(_HEADING, elem_classes="section-head")
    view = html_component(
        "state-size",
        {},
        label="Exact match by the size of the state",
        parts=("chart", "choice", "downloads", "bottleneck"),
        props={"sizes": state_size_payload()},
    )
    view.change(None, view, width, js="(asked) => JSON.parse(asked).width", api_visibility="private")


def _state_size_of(training: str) -> Payload:
    rows = greedy(training)
    parameters: Payload = {}
    exact: dict[str, dict[int, dict[int, dict[str, Count]]]] = {}
    for width, epoch, evaluation, records in settings(rows, training):
        parameters[str(width)] = {name: int(record["parameters"]) for name, record in records.items()}
        counts = {name: count_of(record, "exact") for name, record in records.items()}
        exact.setdefault(evaluation, {}).setdefault(epoch, {})[width] = counts
    return {
        **run_payload(training, rows),
        "parameters": parameters,
        "exact": {
            evaluation: {
                str(epoch): {
                    "sentence": describe_sizes(training, epoch, by_width),
                    "widths": {
                        str(width): {name: counted(count) for name, count in counts.items()}
                        for width, counts in sorted(by_width.items())
                    },
                }
                for epoch, by_width in by_epoch.items()
            }
            for evaluation, by_epoch in exact.items()
        },
    }


_HEADING = f"""
{EYEBROW}
<h2>How much sentence fits into two state vectors?</h2>
<p>All that the encoder-decoder knows of a sentence is two vectors of one width. Here are both models at every width
that was trained, at the epoch chosen above. Choosing a width changes the models of the whole page.</p>
"""
