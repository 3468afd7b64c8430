"""The section on input length: the measured curve, and fresh sentences of the chosen length, live."""

import json
import logging
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import gradio as gr
import numpy as np
import pandas as pd

from seq2seq_demo import figures
from seq2seq_demo.alphabet import TRAINING_LENGTH, decode_outputs, encode_targets
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import TRAINING_SETS, Row, rows_of_length
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.backend import LIVE_ROWS, MODELS, WIDTH, Backend, settled, widths
from seq2seq_demo.interface.components import LOADING, Payload, html_component, markup, to_json
from seq2seq_demo.interface.words import describe_error

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translator

FIRST_LENGTH, LAST_LENGTH = 10, 64
SHOWN_FAILURES = 4


def length_payload(models: Mapping[str, "Translator"], training: str, length: int, rows: Sequence[Row]) -> Payload:
    """Decode sentences of one length with both models and say how many come out exactly right.

    Returns:
        JSON-ready; see assets/length-result.js.
    """
    return {
        "status": "ready",
        "training": training,
        "width": next(iter(models.values())).width,
        "length": length,
        "rows": len(rows),
        "models": [{"name": name, **score_rows(model, rows)} for name, model in models.items()],
    }


def score_rows(model: "Translator", rows: Sequence[Row], shown: int = SHOWN_FAILURES) -> Payload:
    """Exact match of one model on rows, with its interval and the first few failures."""
    from seq2seq_demo.evaluation import wilson

    symbols = model.decode([row.source for row in rows]).symbols[:, 0]
    right = (symbols == encode_targets([row.target for row in rows])).all(axis=1)
    low, high = wilson(int(right.sum()), len(rows))
    wrong = np.flatnonzero(~right)[:shown]
    return {
        "correct": int(right.sum()),
        "total": len(rows),
        "low": round(low, 4),
        "high": round(high, 4),
        "failures": [
            {
                "source": rows[index].source,
                "expected": rows[index].target,
                "got": got,
                "error": describe_error(rows[index].target, got),
            }
            for index, got in zip(wrong.tolist(), decode_outputs(symbols[wrong]), strict=True)
        ],
    }


def measure(backend: Backend, asked: str | None, training: str, width: int = WIDTH) -> Payload:
    """Answer the length control. Never raises: what is wrong becomes a message."""
    training, width = settled(training, width)
    length, draw = FIRST_LENGTH, 0
    try:
        length, draw = read_asked(asked)
        if backend.failure:
            return _message(training, length, "failed", backend.failure)
        models = backend.ready_models(training, LIVE_ROWS, length, 1, width)
        if models is None:
            return _message(training, length, "loading", LOADING)
        rows = rows_of_length(training, length, LIVE_ROWS, draw)
        return length_payload(models, training, length, rows)
    except ArtefactError as error:
        return _message(training, length, "failed", str(error))
    except Exception:
        # A live handler that raises would leave the page with an older answer and no word about it.
        logging.getLogger(__name__).exception("no measurement for %r", asked)
        message = "This could not be measured; the server's log says why."
        return _message(training, length, "failed", message)


def read_asked(asked: str | None) -> tuple[int, int]:
    """Read the control's value: a length, brought into its range, and the number of the draw."""
    content = json.loads(asked or "{}")
    length = min(max(int(content.get("length", FIRST_LENGTH)), FIRST_LENGTH), LAST_LENGTH)
    return length, int(content.get("draw", 0))


def curves_payload() -> Payload:
    """The measured curves of every training set and width, each point `[length, rate, low, high]`.

    Empty for a training set that has no measurements.
    """
    curves: Payload = {}
    for training in TRAINING_SETS:
        try:
            table = measured.published("lengths", training).sort_values("length")
        except (ArtefactError, KeyError):
            curves[training] = {}
            continue
        curves[training] = {
            str(width): {name: _points(figures.rows_where(table, width=width, model=name)) for name in MODELS}
            for width in widths(training)
        }
    return curves


def _points(rows: pd.DataFrame) -> list[list[float]]:
    return [
        [int(row.length), round(row.correct / row.total, 4), round(row.low, 4), round(row.high, 4)]
        for row in rows.itertuples()
        if not math.isnan(row.correct)
    ]


def build(backend: Backend, training: gr.Radio, width: gr.Radio) -> None:
    """Lay the section out and wire it."""
    markup(_HEADING, elem_classes="section-head")
    asked = {"length": 34, "draw": 0}
    limits = {"first": FIRST_LENGTH, "last": LAST_LENGTH, "trained": TRAINING_LENGTH, "rows": LIVE_ROWS}
    # Two components: the answer must not write over the control that is being dragged meanwhile.
    control = html_component(
        "length-curve", asked, label="Input length", props={"curves": curves_payload(), "limits": limits}
    )
    result = html_component("length-result", {"status": "waiting"}, label="Exact match at this length")
    # One event, as in the section on translation; `retry` comes from length-result.js.
    gr.on(
        [control.change, training.change, width.change, result.retry],
        lambda *inputs: to_json(measure(backend, *inputs)),
        [control, training, width],
        result,
        queue=False,
        trigger_mode="always_last",
        show_progress="hidden",
        api_visibility="private",
    )


def _message(training: str, length: int, status: str, message: str) -> Payload:
    return {"status": status, "message": message, "training": training, "length": length, "models": []}


_HEADING = f"""
<h2>How do they fade as the sentence grows?</h2>
<p>Drag the length. {LIVE_ROWS} sentences of exactly that many characters, which nobody has seen before, are
drawn and decoded by both models while you drag; the curve behind is the published measurement.</p>
"""
