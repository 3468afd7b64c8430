"""The HTTP interface: what the page can do, by name, for programs."""

import inspect
import json
import logging
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import gradio as gr
import pandas as pd
from gradio.components.api_component import Api

from seq2seq_demo import artefacts
from seq2seq_demo.alphabet import MAX_LENGTH, read
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import TRAINING_SETS, rows_of_length
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.arguments import Argument, CallError, Choice, Endpoint, Text, Whole
from seq2seq_demo.interface.backend import (
    DEFAULT_TRAINING,
    LIVE_ROWS,
    MAX_BEAM_WIDTH,
    WIDTH,
    Backend,
)
from seq2seq_demo.interface.length import FIRST_LENGTH, score_rows
from seq2seq_demo.interface.translation import BEAM, DECODINGS, EXAMPLE, GREEDY, MAX_TEXT
from seq2seq_demo.models import MODELS
from seq2seq_demo.reference import find_reference

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translator

MAX_ROWS = 2_000
_LOADING_TIMEOUT = 120.0
# JavaScript's largest whole number: what every caller can write exactly.
_MAX_SEED = 2**53 - 1
_MAX_WIDTH = _MAX_EPOCH = 10_000

_MODEL_ABOUT = (
    'The network: "encoder-decoder" (it keeps two vectors of the sentence) or "attention" (it may look back at '
    "every character, and is the better one)."
)
_TRAINING_ABOUT = (
    'What it was trained on: "everyday" (six date formats, for what people type) or "lesson" (only 07/02/1993, '
    "day first, and 7 february 1993)."
)


def build(backend: Backend) -> None:
    """Add the endpoints to the Blocks that is being built. None goes through the queue."""
    for endpoint in endpoints().values():
        function = _as_function(endpoint, backend)
        # As gr.api does it, but there the arguments' descriptions and examples could not be given.
        gr.on(
            [],
            function,
            [_parameter(argument) for argument in endpoint.arguments],
            Api(None, dict(endpoint.returns), "result"),
            preprocess=False,
            postprocess=False,
            show_progress="hidden",
            api_name=endpoint.name,
            api_description=endpoint.about,
            queue=False,
        )


@cache
def endpoints() -> dict[str, Endpoint]:
    """The endpoints by name."""
    widths, epochs = _kept()
    model = Choice("model", _MODEL_ABOUT, "attention", choices=MODELS)
    training = Choice("training", _TRAINING_ABOUT, DEFAULT_TRAINING, choices=TRAINING_SETS)
    width = Whole("width", f"Units of its embeddings and LSTMs{widths}.", WIDTH, WIDTH, low=1, high=_MAX_WIDTH)
    epoch = Whole(
        "epoch", f"Epochs it was trained for{epochs}; null: the published one.", 4, None, low=0, high=_MAX_EPOCH
    )
    translate_arguments: tuple[Argument, ...] = (
        Text("text", f"A text with a date in it; {MAX_LENGTH} characters are read.", EXAMPLE, longest=MAX_TEXT),
        model,
        training,
        Choice("decoding", '"greedy" (the likeliest character each time) or "beam search".', GREEDY, choices=DECODINGS),
        Whole("beam_width", "Hypotheses kept under beam search; greedy ignores it.", 5, low=1, high=MAX_BEAM_WIDTH),
        width,
        epoch,
    )
    measure_arguments: tuple[Argument, ...] = (
        model,
        training,
        Whole("length", "How many characters each sentence has.", 34, low=FIRST_LENGTH, high=MAX_LENGTH),
        Whole("rows", "How many sentences to draw.", 200, low=1, high=MAX_ROWS),
        Whole("seed", "The same seed draws the same sentences.", 0, low=-_MAX_SEED, high=_MAX_SEED),
        width,
        epoch,
    )
    metrics_arguments: tuple[Argument, ...] = (
        Choice("training", "Only this training set.", DEFAULT_TRAINING, None, choices=TRAINING_SETS),
        Choice("model", "Only this network.", "attention", None, choices=MODELS),
        Whole("width", f"Only this width{widths}.", WIDTH, None, low=1, high=_MAX_WIDTH),
        Whole("epoch", f"Only this epoch{epochs}.", 14, None, low=0, high=_MAX_EPOCH),
    )

    an_object = {"type": "object", "additionalProperties": {}}
    rows = {"type": "array", "items": an_object}
    found = (
        Endpoint("translate", _about(translate), translate_arguments, translate, an_object, _must_exist),
        Endpoint("measure_length", _about(measure_length), measure_arguments, measure_length, an_object, _must_exist),
        Endpoint("metrics", _about(metrics), metrics_arguments, metrics, rows, _must_be_measured),
    )
    return {endpoint.name: endpoint for endpoint in found}


def translate(backend: Backend, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Read a date out of a text with a small neural network, and show how it came about.

    Use it to see what a model makes of one text; it is a demonstration and can be wrong. Returns text (the
    date, YYYY-MM-DD), source (what the model read), changes (what was changed for that, in words),
    positions (where each character of source stands in the text), attention (10 rows, one for each character
    written, of one weight for each character of source; null without attention), probabilities (10 rows of
    the 12 output symbols: start, hyphen, 0 to 9), log_probability (nats), hypotheses ([text, log-probability
    in nats], best first), expected (the date a rule finds; null if there is not exactly one), reason (why
    there is none, else empty) and right (whether text is the expected date; null without one).
    """
    width = asked["beam_width"] if asked["decoding"] == BEAM else 1
    found = _model(backend, asked, 1, len(read(asked["text"]).source), width).translate(asked["text"], width)
    reference = find_reference(asked["text"])
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


def measure_length(backend: Backend, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Measure how well a model does on fresh sentences of one length.

    Use it to compare models, widths or epochs, or to see one fade as sentences grow; training had at most 48
    characters. Decodes greedily. Returns model, training, length, seed, correct (exact matches) of total, low
    and high (the 95% Wilson interval of the rate), and failures (the first few: source, expected, got, error).
    """
    length, rows = asked["length"], asked["rows"]
    drawn = rows_of_length(asked["training"], length, rows, asked["seed"])
    scored = score_rows(_model(backend, asked, min(rows, LIVE_ROWS), length, 1), drawn)
    return {"model": asked["model"], "training": asked["training"], "length": length, "seed": asked["seed"], **scored}


def metrics(backend: Backend, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give the published measurements: every model, width, epoch, seed, evaluation set and beam width.

    Use it for figures on the standing evaluation sets of 2,000 sentences; without arguments it returns every
    row, hundreds of kilobytes, so name a training set, model, width or epoch if some rows will do. Each row
    has counts (..._correct of ..._total), exact match with its 95% interval, loss in nats a character; null
    where a model has no attention. Rows that differ in the seed alone are separate training runs of one budget;
    the models that answer here are those of seed 0.
    """
    table = measured.every_seed("metrics")
    for column, value in asked.items():
        table = table if value is None else table[table[column] == value]
    records: list[dict[str, Any]] = table.astype(object).where(pd.notna(table), None).to_dict("records")
    return records


def _parameter(argument: Argument) -> Api:
    """An argument as Gradio's API page, its clients and its MCP server describe it."""
    parameter = Api(None if argument.required else argument.default, argument.schema(), argument.name)
    # Gradio's own example is the default or "...". On the object, for beside the file of a component's class Gradio
    # writes another.
    parameter.example_inputs = lambda: argument.example  # type: ignore[method-assign]
    return parameter


def _as_function(endpoint: Endpoint, backend: Backend) -> Callable[..., Any]:
    """The endpoint as the function that Gradio registers: it names, describes and checks its own arguments."""

    def answer(*given: Any) -> Any:
        *values, request = given
        try:
            result = endpoint.run(backend, endpoint.check(values))
        except gr.Error:
            raise
        except ArtefactError as error:
            raise gr.Error(str(error), print_exception=False) from None
        except Exception:
            logging.getLogger(__name__).exception("no answer from /%s", endpoint.name)
            raise gr.Error(_FAILED, print_exception=False) from None
        # Gradio's MCP server writes a result with str(), and a model would read Python.
        return json.dumps(result) if _is_mcp(request) else result

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        inspect.Parameter(
            argument.name, kind, default=inspect.Parameter.empty if argument.required else argument.default
        )
        for argument in endpoint.arguments
    ]
    request = inspect.Parameter("request", kind, default=None, annotation=gr.Request)
    answer.__signature__ = inspect.Signature([*parameters, request])  # type: ignore[attr-defined]
    answer.__annotations__ = {"request": gr.Request}
    answer.__name__ = endpoint.name
    lines = (f"    {argument.name}: {argument.about}" for argument in endpoint.arguments)
    answer.__doc__ = "\n".join([endpoint.about, "", "Args:", *lines])
    return answer


_FAILED = "This could not be answered; the server's log says why."


def _is_mcp(request: gr.Request | None) -> bool:
    return request is not None and "/gradio_api/mcp" in request.url.path


def _model(backend: Backend, asked: Mapping[str, Any], rows: int, length: int, beam_width: int) -> "Translator":
    """The model that is asked for, as soon as it is ready."""
    training, width = asked["training"], asked["width"]
    backend.wait(_LOADING_TIMEOUT, training, rows, length, beam_width, width)
    ready = backend.ready_models(training, rows, length, beam_width, width, asked["epoch"])
    if ready is None:
        message = backend.failure or "The models are still loading; ask again in a few seconds."
        raise gr.Error(message, print_exception=False)
    return ready[asked["model"]]


def _must_exist(asked: Mapping[str, Any]) -> None:
    try:
        artefacts.read_manifest().find(asked["model"], asked["training"], asked["width"], asked["epoch"])
    except ArtefactError:
        # Not the caller's fault: it is said when the model is loaded.
        return
    except ValueError as error:
        raise CallError(str(error)) from None


def _must_be_measured(asked: Mapping[str, Any]) -> None:
    try:
        table = measured.every_seed("metrics")
    except ArtefactError:
        return
    for column in ("width", "epoch"):
        existing = sorted(table[column].unique().tolist())
        if asked[column] is not None and asked[column] not in existing:
            choices = ", ".join(map(str, existing))
            raise CallError(f"{column} {asked[column]} does not exist; choose one of: {choices}", argument=column)


def _kept() -> tuple[str, str]:
    """The widths and epochs that are kept, in brackets; nothing if the manifest cannot be read."""
    try:
        weights = artefacts.read_manifest().weights
    except ArtefactError:
        return "", ""
    widths, epochs = (sorted({getattr(entry, field) for entry in weights}) for field in ("width", "epoch"))
    return f" ({', '.join(map(str, widths))})", f" (kept: {', '.join(map(str, epochs))}, not all for each model)"


def _about(function: Callable[..., Any]) -> str:
    return " ".join((function.__doc__ or "").split())
