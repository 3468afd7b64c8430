"""The section on input length: natural sentences or filler alone, the measured curve, and fresh sentences, live."""

import json
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr
import numpy as np
import pandas as pd

from seq2seq_demo import figures
from seq2seq_demo.alphabet import TRAINING_LENGTH, decode_outputs, encode_targets
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import (
    DATE_FORMS,
    LONGEST_PADDED,
    PLACES,
    TRAINING_SETS,
    padded_rows,
    rows_of_length,
    shortest_padded,
)
from seq2seq_demo.grammar import Row
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.backend import LIVE_ROWS, WIDTH, Backend, settled, widths
from seq2seq_demo.interface.components import LOADING, Payload, html_component, markup, to_json
from seq2seq_demo.interface.words import Point, describe_curve, describe_error
from seq2seq_demo.models import MODELS

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translator

FIRST_LENGTH, LAST_LENGTH = 10, 64
SHOWN_FAILURES = 4
# What grows with the length: all of a sentence, or the filler around dates that stay.
NATURAL, FILLER = "natural", "filler"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the length control is set to.

    Attributes:
        grows: `NATURAL` or `FILLER`.
        form, place: of filler alone: one of `DATE_FORMS`, one of `PLACES`.
        length: characters in each sentence.
        draw: the number of the draw; the same number draws the same dates at every length.
    """

    grows: str = NATURAL
    form: str = DATE_FORMS[0]
    place: str = PLACES[0]
    length: int = FIRST_LENGTH
    draw: int = 0

    def rows(self, training: str) -> tuple[Row, ...]:
        """The sentences that are meant."""
        if self.grows == FILLER:
            return padded_rows(training, self.form, self.place, self.length, LIVE_ROWS, self.draw)
        return rows_of_length(training, self.length, LIVE_ROWS, self.draw)


def length_payload(models: Mapping[str, "Translator"], training: str, asked: Asked) -> Payload:
    """Decode the sentences asked for with both models and say how many come out exactly right.

    Returns:
        JSON-ready; see assets/length-result.js.
    """
    rows = asked.rows(training)
    return {
        "status": "ready",
        "training": training,
        "width": next(iter(models.values())).width,
        **asdict(asked),
        "rows": len(rows),
        "sample": _sample(rows[0]),
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
    read = Asked()
    try:
        read = read_asked(asked)
        if backend.failure:
            return _message(training, width, read, "failed", backend.failure)
        models = backend.ready_models(training, LIVE_ROWS, read.length, 1, width)
        if models is None:
            return _message(training, width, read, "loading", LOADING)
        return length_payload(models, training, read)
    except ArtefactError as error:
        return _message(training, width, read, "failed", str(error))
    except Exception:
        # A live handler that raises would leave the page with an older answer and no word about it.
        logging.getLogger(__name__).exception("no measurement for %r", asked)
        message = "This could not be measured; the server's log says why."
        return _message(training, width, read, "failed", message)


def read_asked(asked: str | None) -> Asked:
    """Read the control's value, with whatever is out of its range brought into it."""
    content = json.loads(asked or "{}")
    grows = FILLER if content.get("grows") == FILLER else NATURAL
    form = content["form"] if content.get("form") in DATE_FORMS else DATE_FORMS[0]
    place = content["place"] if content.get("place") in PLACES else PLACES[0]
    limits = limits_of(grows, form)
    length = min(max(int(content.get("length", FIRST_LENGTH)), limits["first"]), limits["last"])
    length -= (length - limits["first"]) % limits["step"]
    return Asked(grows, form, place, length, int(content.get("draw", 0)))


def limits_of(grows: str, form: str) -> dict[str, int]:
    """The lengths that can be asked for: first, last and step."""
    if grows == FILLER:
        return {"first": shortest_padded(form), "last": LONGEST_PADDED, "step": 2}
    return {"first": FIRST_LENGTH, "last": LAST_LENGTH, "step": 1}


def curves_payload() -> Payload:
    """The measured curves by training set, width and what grows, each with a sentence that says what is seen.

    What grows is "natural", or form and place of the filler, "numeric before" for one. Empty for a training set
    that has no measurements.
    """
    return {training: _curves(training) for training in TRAINING_SETS}


def _curves(training: str) -> Payload:
    try:
        lengths, padded = measured.published("lengths", training), measured.published("padded", training)
    except (ArtefactError, KeyError):
        return {}
    tables = {NATURAL: ("In natural sentences", lengths)}
    for form in DATE_FORMS:
        for place in PLACES:
            where = "on both sides of" if place == "both sides" else place
            tables[f"{form} {place}"] = (
                f"With filler alone, {where} a {form} date",
                figures.rows_where(padded, form=form, place=place),
            )
    return {
        str(width): {
            key: _curve(intro, figures.rows_where(table, width=width)) for key, (intro, table) in tables.items()
        }
        for width in widths(training)
    }


def _curve(intro: str, table: pd.DataFrame) -> Payload:
    points = {name: _points(figures.rows_where(table, model=name)) for name in MODELS}
    return {"points": points, "sentence": describe_curve(intro, points, TRAINING_LENGTH)}


def _points(rows: pd.DataFrame) -> list[Point]:
    return [
        (int(row.length), int(row.correct), int(row.total), round(row.low, 4), round(row.high, 4))
        for row in rows.sort_values("length").itertuples()
        if not math.isnan(row.correct)
    ]


def build(backend: Backend, training: gr.Radio, width: gr.Radio) -> None:
    """Lay the section out and wire it."""
    markup(_HEADING, elem_classes="section-head")
    limits: Payload = {
        "trained": TRAINING_LENGTH,
        "rows": LIVE_ROWS,
        NATURAL: limits_of(NATURAL, ""),
        **{form: limits_of(FILLER, form) for form in DATE_FORMS},
    }
    # Two components: the answer must not write over the control that is being dragged meanwhile.
    control = html_component(
        "length-curve",
        asdict(Asked(length=34)),
        label="Input length",
        parts=("chart", "choice", "downloads"),
        props={"curves": curves_payload(), "limits": limits, "choices": {"form": DATE_FORMS, "place": PLACES}},
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


def _message(training: str, width: int, asked: Asked, status: str, message: str) -> Payload:
    return {
        "status": status,
        "message": message,
        "training": training,
        "width": width,
        **asdict(asked),
        "models": [],
    }


def _sample(row: Row) -> list[str]:
    """A sentence cut before and after its date."""
    spans: list[Any] = [row.year, row.month, row.day]
    start, stop = min(first for first, _ in spans), max(last for _, last in spans)
    return [row.source[:start], row.source[start:stop], row.source[stop:]]


_HEADING = f"""
<h2>How do they fade as the sentence grows?</h2>
<p>Drag the length. {LIVE_ROWS} sentences of exactly that many characters, which nobody has seen before, are
drawn and decoded by both models while you drag; the curve behind is the published measurement. A longer natural
sentence has other dates in other places, too: <em>filler alone</em> keeps the dates and adds nothing else.</p>
"""
