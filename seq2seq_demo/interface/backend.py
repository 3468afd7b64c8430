"""The models behind the page: imported and compiled in a background thread while the page is up already."""

import logging
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from seq2seq_demo.alphabet import MAX_LENGTH
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import TRAINING_SETS

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translator

# Their names all over the page; `models.MODELS` has the same, but lives beside TensorFlow.
MODELS = ("encoder-decoder", "attention")
DEFAULT_TRAINING = "everyday"
WIDTH = 64
# How many fresh sentences the length view decodes at once.
LIVE_ROWS = 200
MAX_BEAM_WIDTH = 12

Shape = tuple[int, int, int]


class Backend:
    """Knows what is ready to answer at once. Shared by all threads.

    Attributes:
        failure: why the models cannot be loaded, in words; None while all is well.
    """

    def __init__(self) -> None:
        self.failure: str | None = None
        self._compiled: set[Shape] = set()
        self._answering = threading.Event()
        self._thread = threading.Thread(target=self._warm_up, name="warm-up", daemon=True)

    def start(self) -> None:
        """Begin to load and compile, once."""
        if not self._thread.is_alive() and not self._answering.is_set():
            self._thread.start()

    def ready_models(
        self, training: str, rows: int = 1, length: int = 0, beam_width: int = 1
    ) -> Mapping[str, "Translator"] | None:
        """Both models to decode a batch like this with: compiled, or without XLA until they are; None before."""
        if self.failure or not self._answering.is_set():
            return None
        models = self.models(training)
        if _shape(rows, length, beam_width) in self._compiled:
            return models
        return {name: model.without_xla() for name, model in models.items()}

    def wait(self, timeout: float) -> bool:
        """Wait until single sentences are answered; False if that takes longer, or failed."""
        return self._answering.wait(timeout) and self.failure is None

    def models(self, training: str) -> Mapping[str, "Translator"]:
        """Both models of a training set at the published epoch, by name."""
        from seq2seq_demo.translator import load_model

        return {name: load_model(name, training, WIDTH, None) for name in MODELS}

    def _warm_up(self) -> None:
        try:
            for model in self.models(DEFAULT_TRAINING).values():
                model.without_xla().translate("")
            self._answering.set()
            for training in TRAINING_SETS:
                self.models(training)
            # One after the other: the other core answers meanwhile.
            for shape in _shapes():
                for name in MODELS:
                    _compile(name, shape)
                self._compiled.add(shape)
        except ArtefactError as error:
            self.failure = str(error)
            self._answering.set()
        except Exception:
            # The thread's last word: without it the page would say "loading" for ever.
            logging.getLogger(__name__).exception("the models could not be loaded")
            self.failure = "The models could not be loaded; the server's log says why."
            self._answering.set()


def _shapes() -> Iterator[Shape]:
    """What the page decodes, in the order in which a visitor is likely to need it."""
    yield _shape(1, 0, 1)
    yield _shape(LIVE_ROWS, 0, 1)
    for beam_width in (2, MAX_BEAM_WIDTH):
        yield _shape(1, 0, beam_width)
    yield _shape(1, MAX_LENGTH, 1)
    yield _shape(LIVE_ROWS, MAX_LENGTH, 1)
    for beam_width in (2, MAX_BEAM_WIDTH):
        yield _shape(1, MAX_LENGTH, beam_width)


def _shape(rows: int, length: int, beam_width: int) -> Shape:
    from seq2seq_demo.compiled import shape_of

    return shape_of(rows, length, beam_width)


def _compile(name: str, shape: Shape) -> None:
    from seq2seq_demo.compiled import program

    program(name, WIDTH).compile(*shape)
