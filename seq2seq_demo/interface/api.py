"""The HTTP interface: what the page can do, by name, for programs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gradio as gr
import pandas as pd

from seq2seq_demo.alphabet import MAX_LENGTH, read
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import TRAINING_SETS, rows_of_length
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.backend import LIVE_ROWS, MAX_BEAM_WIDTH, MODELS, Backend
from seq2seq_demo.interface.length import score_rows
from seq2seq_demo.interface.translation import BEAM, DECODINGS, MAX_TEXT
from seq2seq_demo.reference import find_reference

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translator

MAX_ROWS = 2_000
_LOADING_TIMEOUT = 120.0


def build(backend: Backend) -> None:
    """Add the three endpoints to the Blocks that is being built. None goes through the queue."""

    def translate(text: str, model: str, training: str, decoding: str, beam_width: int) -> dict[str, Any]:
        return translate_text(backend, text, model, training, decoding, beam_width)

    def measure_length(model: str, training: str, length: int, rows: int, seed: int) -> dict[str, Any]:
        return measure_rows(backend, model, training, length, rows, seed)

    translate.__doc__ = translate_text.__doc__
    measure_length.__doc__ = measure_rows.__doc__
    for function, name in ((translate, "translate"), (measure_length, "measure_length"), (metrics, "metrics")):
        description = " ".join((function.__doc__ or "").split())
        gr.api(function, api_name=name, api_description=description, queue=False)


def translate_text(
    backend: Backend, text: str, model: str, training: str, decoding: str, beam_width: int
) -> dict[str, Any]:
    """Translate a text.

    model is "encoder-decoder" or "attention"; training is "everyday" or "lesson"; decoding is "greedy" or
    "beam search"; beam_width is 1 to 12 and counts under beam search only. Returns the date, what the model
    read, what was changed for that, attention (10 rows, one weight per character read; null without
    attention), the probabilities of the 12 symbols at each step, all hypotheses with their
    log-probabilities in nats, and the expected date or the reason why there is none.
    """
    _check_text(text)
    _check("model", model, MODELS)
    _check("training", training, TRAINING_SETS)
    _check("decoding", decoding, DECODINGS)
    width = _whole("beam_width", beam_width, 1, MAX_BEAM_WIDTH)
    width = width if decoding == BEAM else 1
    found = _models(backend, training, 1, len(read(text).source), width)[model].translate(text, width)
    reference = find_reference(text)
    return {
        "text": found.text,
        "source": found.source,
        "positions": list(found.positions),
        "changes": list(found.changes),
        "attention": None if found.attention is None else found.attention.tolist(),
        "probabilities": found.probabilities.tolist(),
        "log_probability": found.log_probability,
        "hypotheses": [list(hypothesis) for hypothesis in found.hypotheses],
        "expected": reference.text,
        "reason": reference.reason,
        "right": None if reference.text is None else found.text == reference.text,
    }


def measure_rows(backend: Backend, model: str, training: str, length: int, rows: int, seed: int) -> dict[str, Any]:
    """Decode fresh sentences of one length and count the exact matches.

    model and training as in /translate; length is 10 to 96 characters, rows 1 to 2000, seed any whole
    number: the same seed gives the same sentences. Returns correct, total, the 95% Wilson interval low
    and high, and the first failures.
    """
    _check("model", model, MODELS)
    _check("training", training, TRAINING_SETS)
    length, rows = _whole("length", length, 10, MAX_LENGTH), _whole("rows", rows, 1, MAX_ROWS)
    seed = _whole("seed", seed, -(2**63), 2**63)
    drawn = rows_of_length(training, length, rows, seed)
    scored = score_rows(_models(backend, training, min(rows, LIVE_ROWS), length, 1)[model], drawn)
    return {"model": model, "training": training, "length": length, "seed": seed, **scored}


def metrics() -> list[dict[str, Any]]:
    """Every row of trained/metrics.csv: all models, epochs, evaluation sets and beam widths.

    Counts are whole numbers, rates fractions 0 to 1, loss in nats a character; null where a model has no
    attention.
    """
    try:
        table = measured.table("metrics")
    except ArtefactError as error:
        raise gr.Error(str(error), print_exception=False) from None
    records: list[dict[str, Any]] = table.astype(object).where(pd.notna(table), None).to_dict("records")
    return records


def _models(backend: Backend, training: str, rows: int, length: int, beam_width: int) -> Mapping[str, "Translator"]:
    backend.wait(_LOADING_TIMEOUT, training, rows, length, beam_width)
    models = backend.ready_models(training, rows, length, beam_width)
    if models is None:
        message = backend.failure or "The models are still loading; ask again in a few seconds."
        raise gr.Error(message, print_exception=False)
    return models


def _check(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise gr.Error(f"{name} is {value!r}; choose one of: {', '.join(choices)}", print_exception=False)


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise gr.Error(f"text is {text!r}; a string is expected", print_exception=False)
    if len(text) > MAX_TEXT:
        message = f"text has {len(text)} characters; at most {MAX_TEXT} are taken, and {MAX_LENGTH} are read"
        raise gr.Error(message, print_exception=False)


def _whole(name: str, value: object, low: int, high: int) -> int:
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
    if not whole or not low <= value <= high:  # type: ignore[operator]
        raise gr.Error(f"{name} is {value!r}; a whole number from {low} to {high} is expected", print_exception=False)
    return int(value)  # type: ignore[call-overload]
