"""The section in which a person types: both models' answers, live, and where attention looked."""

import json
import logging
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import gradio as gr
import numpy as np
import plotly.graph_objects as go

from seq2seq_demo import figures
from seq2seq_demo.alphabet import OUTPUT_SYMBOLS, read
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import random_rows
from seq2seq_demo.interface.backend import DEFAULT_TRAINING, MAX_BEAM_WIDTH, WIDTH, Backend, settled
from seq2seq_demo.interface.components import (
    ASSETS,
    CHOSEN_WIDTH,
    LOADING,
    Payload,
    chart_downloads,
    downloads_payload,
    html_component,
    markup,
    to_json,
    visible,
)
from seq2seq_demo.interface.words import FIELDS, describe_beam, describe_error, describe_steps
from seq2seq_demo.reference import Reference, find_reference

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translation, Translator

EXAMPLE = "order 21 item 45 07/02/1993 id seq"
EXAMPLES = (
    EXAMPLE,
    "Meeting on 7 February 1993, room 12",
    "paid Mar 5 2024 by card",
    "due 2019/3/9 ref 4411",
    "the deed was signed 12/1/1994",
    "12/31/2019",
)
GREEDY, BEAM = "greedy", "beam search"
DECODINGS = (GREEDY, BEAM)
# A live answer is bounded whatever is pasted; far more than the 96 characters that are read.
MAX_TEXT = 20_000


def translation_payload(models: Mapping[str, "Translator"], text: str, training: str, beam_width: int) -> Payload:
    """Everything the reader component shows for a text.

    Args:
        models: the two models, by name.
        text: what a person typed.
        training: the training set the models come from.
        beam_width: 1 is greedy.

    Returns:
        JSON-ready; attention and probabilities in thousandths. See assets/reader.js.
    """
    reading, reference = read(text), find_reference(text)
    return {
        **_asked(text, training, next(iter(models.values())).width, beam_width),
        "status": "ready" if reading.source else "empty",
        "source": reading.source,
        "changes": list(reading.changes),
        "beyond": reading.beyond_training,
        "expected": _expected(reference),
        "models": [
            model_payload(name, model, text, reference, beam_width) for name, model in models.items() if reading.source
        ],
    }


def model_payload(name: str, model: "Translator", text: str, reference: Reference, beam_width: int) -> Payload:
    """One model's answer: its characters, how sure it was, and where it looked."""
    found = model.translate(text, beam_width)
    payload: Payload = {
        "name": name,
        "text": found.text,
        "probabilities": _thousandths(_chosen(found)),
        "alternatives": _alternatives(found.probabilities),
        "log_probability": round(found.log_probability, 3),
        "right": None if reference.text is None else found.text == reference.text,
        "error": describe_error(reference.text, found.text) if reference.text else "",
    }
    if beam_width > 1:
        greedy = model.translate(text, 1)
        payload["beam"] = describe_beam(
            greedy.text, found.text, greedy.log_probability, found.log_probability, beam_width
        )
        payload["hypotheses"] = [[hypothesis, round(score, 2)] for hypothesis, score in found.hypotheses]
    if found.attention is not None:
        payload["attention"] = [_thousandths(row) for row in found.attention]
        payload["steps"] = describe_steps(found.text, found.source, found.attention)
        payload["looked"] = right_field(found.attention, reference)
    return payload


def right_field(attention: np.ndarray, reference: Reference) -> list[bool | None]:
    """For each output character, whether its attention peaks inside the field it belongs to.

    None for the hyphens, and for all if there is no date to compare with.
    """
    peaks = attention.argmax(axis=1) if attention.shape[1] else np.zeros(len(attention), int)
    verdicts: list[bool | None] = []
    for field, peak in zip(FIELDS, peaks.tolist(), strict=True):
        span = getattr(reference, field) if field else None
        verdicts.append(None if span is None else span[0] <= peak < span[1])
    return verdicts


def loading_payload(text: str, training: str, width: int, beam_width: int, status: str, message: str) -> Payload:
    """What can be said of a text while no model can answer.

    The stored example is answered from store.
    """
    asked = _asked(text, training, width, beam_width)
    stored = stored_example()
    if all(stored.get(key) == value for key, value in asked.items()):
        return {**stored, "status": status, "message": message}
    reading, reference = read(text), find_reference(text)
    return {
        **asked,
        "status": status,
        "message": message,
        "source": reading.source,
        "changes": list(reading.changes),
        "beyond": reading.beyond_training,
        "expected": _expected(reference),
        "models": [],
    }


@cache
def stored_example() -> Payload:
    """The answer to `EXAMPLE`, stored so that the page shows one before any model is loaded.

    Empty if there is none; `python -m seq2seq_demo.interface.example` writes it.
    """
    try:
        content: Payload = json.loads((ASSETS / "example.json").read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return content


def answer(
    backend: Backend, text: str | None, training: str, decoding: str, beam_width: float, width: int = WIDTH
) -> Payload:
    """Answer what stands in the page's controls. Never raises: what is wrong becomes a message."""
    text = str(text or "")[:MAX_TEXT]
    training, width = settled(training, width)
    beam = min(max(int(beam_width or 1), 1), MAX_BEAM_WIDTH) if decoding == BEAM else 1
    try:
        if backend.failure:
            return loading_payload(text, training, width, beam, "failed", backend.failure)
        models = backend.ready_models(training, 1, len(read(text).source), beam, width)
        if models is None:
            return loading_payload(text, training, width, beam, "loading", LOADING)
        return translation_payload(models, text, training, beam)
    except ArtefactError as error:
        return loading_payload(text, training, width, beam, "failed", str(error))
    except Exception:
        # A live handler that raises would leave the page with an older answer and no word about it.
        logging.getLogger(__name__).exception("no answer to %r", text[:200])
        message = "This could not be answered; the server's log says why."
        asked = _asked(text, training, width, beam)
        return {**asked, "status": "failed", "message": message, "source": "", "models": []}


def random_sentence(training: str) -> str:
    """A fresh sentence, drawn as the training set's own are."""
    seed = int(np.random.default_rng().integers(2**31))
    known, _ = settled(training, WIDTH)
    return random_rows(known, 1, seed)[0].source


def figure(
    backend: Backend, text: str | None, training: str, decoding: str, beam_width: float, width: int = WIDTH
) -> go.Figure | None:
    """The attention map as a Plotly figure, to zoom and to save; None while there is none to draw."""
    answered = answer(backend, text, training, decoding, beam_width, width)
    attention = next((model for model in answered["models"] if "attention" in model), None)
    if attention is None:
        return None
    weights = np.array(attention["attention"]) / 1000
    return figures.attention_map(
        answered["source"], visible(attention["text"]), weights, answered["expected"]["alignment"]
    )


def figure_with_downloads(backend: Backend, *asked: Any) -> tuple[go.Figure | None, str]:
    """The map as a figure, and what its download buttons save; arguments as `figure` has them."""
    drawn = figure(backend, *asked)
    return drawn, to_json(downloads_payload(drawn, "map-plot", "attention-map"))


def build(backend: Backend, training: gr.Radio, width: gr.Radio) -> gr.Textbox:
    """Lay the section out and wire it; returns the text box."""
    markup(_HEADING, elem_classes="section-head")
    text, random, clear = _build_text()
    with gr.Row(elem_id="decoding-controls"):
        decoding = gr.Radio(list(DECODINGS), value=GREEDY, label="Decoding", elem_id="decoding")
        beam_width = gr.Slider(1, MAX_BEAM_WIDTH, value=5, step=1, label="Beam width", elem_id="beam-width")
    first = loading_payload(EXAMPLE, DEFAULT_TRAINING, WIDTH, 1, "loading", LOADING)
    reader = html_component(
        "reader", first, label="What both models answer", parts=("sentence", "strip", "map", "downloads")
    )
    with gr.Accordion("The map as a figure, to zoom and to save", open=False, elem_id="map-figure") as opened:
        plot = gr.Plot(show_label=False, container=False, elem_id="map-plot")
        downloads = chart_downloads("map-plot")

    inputs = [text, training, decoding, beam_width, width]
    live: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    random.click(random_sentence, training, text, **live)
    clear.click(None, js="() => ''", outputs=text, api_visibility="private")
    # One event for all controls: Gradio keeps one call of an event in flight, and then sends the
    # newest inputs, so that no older answer can overwrite a newer one. `retry` comes from reader.js.
    gr.on(
        [text.change, decoding.change, beam_width.change, training.change, width.change, reader.retry],
        lambda *values: to_json(answer(backend, *values)),
        inputs,
        reader,
        trigger_mode="always_last",
        **live,
    )
    opened.expand(lambda *values: figure_with_downloads(backend, *values), inputs, [plot, downloads], **live)
    return text


def _build_text() -> tuple[gr.Textbox, gr.Button, gr.Button]:
    """The text box, with examples below it that are filled in without asking the server."""
    text = gr.Textbox(
        EXAMPLE,
        label="A sentence with a date in it",
        placeholder="Type or paste a sentence with a date in it",
        lines=1,
        max_lines=4,
        elem_id="text",
        html_attributes=gr.InputHTMLAttributes(spellcheck=False, autocomplete="off", autocapitalize="off"),
    )
    with gr.Row(elem_id="examples"):
        for example in EXAMPLES:
            chip = gr.Button(example, size="sm", elem_classes=["chip"])
            chip.click(None, js=f"() => {json.dumps(example)}", outputs=text, api_visibility="private")
        random = gr.Button("Random sentence", size="sm", elem_classes=["chip", "action"], elem_id="random")
        clear = gr.Button("Clear", size="sm", elem_classes=["chip", "action"], elem_id="clear")
    return text, random, clear


def _asked(text: str, training: str, width: int, beam_width: int) -> Payload:
    return {"text": text, "training": training, "width": width, "beam_width": beam_width}


def _expected(reference: Reference) -> Payload:
    return {
        "text": reference.text,
        "reason": reference.reason,
        "unusual": "a year outside the 1950 to 2049 of training" if reference.beyond_training else "",
        "alignment": None if reference.alignment is None else [list(step) for step in reference.alignment],
    }


def _chosen(found: "Translation") -> np.ndarray:
    """The probability of each character of the best hypothesis, float32 `(10,)`."""
    columns = [OUTPUT_SYMBOLS.index(character) for character in found.text]
    chosen: np.ndarray = found.probabilities[np.arange(len(columns)), columns]
    return chosen


def _alternatives(probabilities: np.ndarray, count: int = 3) -> list[list[Any]]:
    """The likeliest symbols of each step with their probabilities in thousandths, likeliest first."""
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, :count]
    return [
        [[OUTPUT_SYMBOLS[column], round(float(row[column]) * 1000)] for column in columns]
        for row, columns in zip(probabilities, order.tolist(), strict=True)
    ]


def _thousandths(values: np.ndarray) -> list[int]:
    thousandths: list[int] = np.rint(values * 1000).astype(int).tolist()
    return thousandths


_HEADING = f"""
<h2>What does each model make of your sentence?</h2>
<p>Both read the same characters. The <b class="encoder-decoder">encoder-decoder</b> keeps two vectors of
{CHOSEN_WIDTH} numbers and must write the date from those. The one with <b class="attention">attention</b> may look back
at every character, and the map shows where it looked.</p>
"""
