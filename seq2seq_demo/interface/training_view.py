"""The section on training: the person's sentence through every shipped epoch, and the learning curves."""

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gradio as gr

from seq2seq_demo import artefacts
from seq2seq_demo.alphabet import MAX_LENGTH, read
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import TRAINING_SETS
from seq2seq_demo.evaluation import Count
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.backend import DEFAULT_TRAINING, Backend
from seq2seq_demo.interface.bottleneck import EYEBROW, by_training, count_of, greedy, run_payload
from seq2seq_demo.interface.components import Payload, html_component, markup, to_json
from seq2seq_demo.interface.translation import MAX_TEXT, model_payload
from seq2seq_demo.models import MODELS
from seq2seq_demo.reference import find_reference

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translator

# How near to attention's exact match counts as caught up, and from which exact match of attention on there is
# anything to catch up with: untrained, both have none.
CLOSE, LEARNED = 0.05, 0.5

# A training set and a width.
Setting = tuple[str, int]
# Both models of a setting at each shipped epoch.
Epochs = Mapping[int, Mapping[str, "Translator"]]
# A model's exact match on the validation rows, by epoch.
Curve = Mapping[int, Count]


class Checkpoints:
    """Loads all shipped epochs of a setting, one setting at a time, in a thread that ends when nothing is asked for.

    A model takes some tenths of a second to load and a megabyte to keep; all together are 140 models.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ready: dict[Setting, Epochs] = {}
        self._failed: dict[Setting, str] = {}
        self._asked: list[Setting] = []  # the last asked for is loaded first
        self._loaded: dict[Setting, int] = {}
        self._thread: threading.Thread | None = None

    def get(self, setting: Setting) -> Epochs | None:
        """The models of a setting; None while they are being loaded, which asking for them begins.

        Raises:
            ArtefactError: if they cannot be loaded.
        """
        with self._lock:
            if setting in self._failed:
                raise ArtefactError(self._failed[setting])
            if setting in self._ready:
                return self._ready[setting]
            self._asked = [*(other for other in self._asked if other != setting), setting]
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="epochs", daemon=True)
                self._thread.start()
        return None

    def progress(self, setting: Setting) -> tuple[int, int]:
        """How many of a setting's models are loaded, and how many there are."""
        return self._loaded.get(setting, 0), len(MODELS) * len(shipped_epochs(*setting))

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._asked:
                    self._thread = None
                    return
                setting = self._asked[-1]
            failure, loaded = "", None
            try:
                loaded = self._load(setting)
            except ArtefactError as error:
                failure = str(error)
            except Exception:
                # Without a word the page would say "loading" for ever.
                logging.getLogger(__name__).exception("the epochs of %s could not be loaded", setting)
                failure = "The epochs could not be loaded; the server's log says why."
            with self._lock:
                self._asked.remove(setting)
                if loaded is None:
                    self._failed[setting] = failure
                else:
                    self._ready[setting] = loaded

    def _load(self, setting: Setting) -> Epochs:
        from seq2seq_demo.translator import load_model

        training, width = setting
        epochs: dict[int, dict[str, Translator]] = {}
        self._loaded[setting] = 0
        for epoch in shipped_epochs(training, width):
            for name in MODELS:
                epochs.setdefault(epoch, {})[name] = load_model(name, training, width, epoch)
                self._loaded[setting] += 1
        for model in epochs[epoch].values():
            # Traced here, so that no answer waits for it.
            for text in ("", "x" * MAX_LENGTH):
                model.without_xla().translate(text)
        return epochs


def shipped_epochs(training: str, width: int) -> list[int]:
    """The epochs at which both models of a setting are kept, ascending; none if there is no such setting."""
    manifest = artefacts.read_manifest()
    return sorted(set.intersection(*(set(manifest.epochs(name, training, width)) for name in MODELS)))


def frames_payload(epochs: Epochs, text: str, setting: Setting) -> Payload:
    """What both models make of a text at every epoch, so that the browser can step through them on its own.

    Returns:
        JSON-ready: `frames` has for each epoch both models as in `translation.model_payload`. See
        assets/training-view.js.
    """
    reading, reference = read(text), find_reference(text)
    return {
        **_asked(text, setting),
        "status": "ready" if reading.source else "empty",
        "source": reading.source,
        "expected": {
            "text": reference.text,
            "alignment": None if reference.alignment is None else [list(step) for step in reference.alignment],
        },
        "epochs": list(epochs),
        "frames": [
            [
                model_payload(name, model.soonest(1, len(reading.source), 1), text, reference, 1)
                for name, model in models.items()
            ]
            for models in epochs.values()
            if reading.source
        ],
    }


def frames(backend: Backend, checkpoints: Checkpoints, text: str | None, training: str, width: float) -> Payload:
    """Answer for the text and the setting that are chosen. Never raises: what is wrong becomes a message."""
    text = str(text or "")[:MAX_TEXT]
    training = training if training in TRAINING_SETS else DEFAULT_TRAINING
    setting = (training, int(width or 0))
    try:
        if backend.failure:
            return _message(text, setting, "failed", backend.failure)
        if not shipped_epochs(*setting):
            return _message(text, setting, "failed", f"There is no model of width {setting[1]} for the {training} set.")
        # Before the page's own models answer, these would only hold them up.
        epochs = checkpoints.get(setting) if backend.wait(0) else None
        if epochs is None:
            done, total = checkpoints.progress(setting)
            return _message(text, setting, "loading", f"Loading the models of every epoch: {done} of {total} …")
        return frames_payload(epochs, text, setting)
    except ArtefactError as error:
        return _message(text, setting, "failed", str(error))
    except Exception:
        # A live handler that raises would leave the page with an older answer and no word about it.
        logging.getLogger(__name__).exception("no frames for %r", text[:200])
        return _message(text, setting, "failed", "This could not be answered; the server's log says why.")


def curves_payload() -> Payload:
    """The learning curves of every setting and run on the validation rows, with a sentence for each setting."""
    return by_training(_curves_of)


def caught_up(without: Curve, attention: Curve) -> int | None:
    """The first epoch at which the encoder-decoder is within `CLOSE` of attention, once that has learned; or None."""
    return next(
        (
            epoch
            for epoch in sorted(without.keys() & attention.keys())
            if attention[epoch].rate >= LEARNED and attention[epoch].rate - without[epoch].rate <= CLOSE
        ),
        None,
    )


def describe_training(width: int, published: int, runs: Sequence[Mapping[str, Curve]]) -> str:
    """Say when the encoder-decoder catches up with attention, in the shipped run and in how many of all.

    Args:
        width: of both models.
        published: the epoch whose figures are published.
        runs: both models' curves in each run, the shipped one first.
    """
    without, attention = (runs[0][name] for name in MODELS)
    last = max(without)
    behind = attention[published].rate - without[published].rate
    here = f"at the published epoch {published} it is {behind:.2f} behind"
    found = [caught_up(*(run[name] for name in MODELS)) for run in runs]
    if found[0] is None:
        said = f"Within {last} epochs the encoder-decoder of width {width} does not come within {CLOSE} of attention"
        end = f"at the end {without[last].rate:.2f} against {attention[last].rate:.2f}"
        return f"{said} in the shipped run{_in_runs(found)}: {here}, {end}."
    return (
        f"With more training the bottleneck closes: at width {width} the encoder-decoder first comes within {CLOSE} of "
        f"attention at epoch {found[0]} in the shipped run{_in_runs(found)}; {here}."
    )


def _in_runs(found: Sequence[int | None]) -> str:
    """How many of the runs catch up, and when."""
    when = sorted(epoch for epoch in found if epoch is not None)
    if len(found) == 1:
        return ""
    if not when:
        return f" nor in any other of the {len(found)}"
    span = f"epoch {when[0]}" if when[0] == when[-1] else f"epochs {when[0]} to {when[-1]}"
    return f", and does in {len(when)} of all {len(found)} ({span})"


def build(backend: Backend, training: gr.Radio, width: gr.Radio, text: gr.Textbox) -> None:
    """Lay the section out and wire it."""
    markup(_HEADING, elem_classes="section-head")
    checkpoints = Checkpoints()
    view = html_component(
        "training-view",
        {"status": "waiting"},
        label="Both models at every shipped epoch",
        parts=("sentence", "strip", "map", "chart", "downloads", "bottleneck"),
        props={"curves": curves_payload()},
    )
    # The view asks by itself, and only while it is on the screen: training-view.js hears of a change through this.
    text.change(None, text, js=_ANNOUNCE_TEXT, api_visibility="private")
    view.ask(
        lambda *inputs: to_json(frames(backend, checkpoints, *inputs)),
        [text, training, width],
        view,
        queue=False,
        trigger_mode="always_last",
        show_progress="hidden",
        api_visibility="private",
    )


def _curves_of(training: str) -> Payload:
    rows = measured.every_seed("history")
    rows = rows[rows["training"] == training].sort_values("epoch")
    run = run_payload(training, greedy(training))
    widths: Payload = {}
    for width, found in rows.groupby("width"):
        curves = {
            int(seed): {name: _curve(of_seed[of_seed["model"] == name]) for name in MODELS}
            for seed, of_seed in found.groupby("seed")
        }
        complete = {seed: models for seed, models in curves.items() if all(models.values())}
        if run["seed"] not in complete:
            continue
        seeds = sorted(complete, key=lambda seed: seed != run["seed"])
        widths[str(width)] = {
            "seeds": seeds,
            "epochs": list(complete[seeds[0]][MODELS[0]]),
            "total": next(iter(complete[seeds[0]][MODELS[0]].values())).total,
            "correct": {
                name: [[count.correct for count in complete[seed][name].values()] for seed in seeds] for name in MODELS
            },
            "sentence": describe_training(int(width), run["published"], [complete[seed] for seed in seeds]),
        }
    return {**run, "widths": widths}


def _curve(rows: Any) -> dict[int, Count]:
    return {int(record["epoch"]): count_of(record, "exact") for record in rows.to_dict("records")}


def _asked(text: str, setting: Setting) -> Payload:
    training, width = setting
    return {"text": text, "training": training, "width": width}


def _message(text: str, setting: Setting, status: str, message: str) -> Payload:
    return {**_asked(text, setting), "status": status, "message": message}


_ANNOUNCE_TEXT = '() => { document.dispatchEvent(new CustomEvent("text")); }'

_HEADING = f"""
{EYEBROW}
<h2>How does each model learn, and does the bottleneck close?</h2>
<p>Your sentence from above, read by both models at every epoch that was kept, from the untrained one on. Drag
through the epochs, or press play. The reader at the top stays at the published epoch. A wide state may catch up with
attention if it is trained for longer: the curves show whether, and when.</p>
"""
