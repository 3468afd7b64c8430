"""The models behind the page: imported and compiled in a background thread while the page is up already."""

import logging
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from seq2seq_demo.alphabet import MAX_LENGTH, TRAINING_LENGTH
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
        self._prepared: set[Shape] = set()
        self._answering = threading.Event()
        self._thread = threading.Thread(target=self._warm_up, name="warm-up", daemon=True)

    def start(self) -> None:
        """Begin to load and compile, once."""
        if not self._thread.is_alive() and not self._answering.is_set():
            self._thread.start()

    def ready(self, rows: int = 1, length: int = 0, beam_width: int = 1) -> bool:
        """Whether a decoding like this is compiled, so that it answers at once."""
        return self._answering.is_set() and _shape(rows, length, beam_width) in self._prepared

    def wait(self, timeout: float) -> bool:
        """Wait until single sentences are answered; False if that takes longer, or failed."""
        return self._answering.wait(timeout) and self.failure is None

    def models(self, training: str) -> Mapping[str, "Translator"]:
        """Both models of a training set at the published epoch, by name."""
        from seq2seq_demo.translator import load_model

        return {name: load_model(name, training, WIDTH, None) for name in MODELS}

    def _warm_up(self) -> None:
        try:
            self.models(DEFAULT_TRAINING)
            with ThreadPoolExecutor(len(MODELS)) as pool:
                for shape in _shapes():
                    list(pool.map(lambda name, shape=shape: _compile(name, shape), MODELS))
                    self._prepared.add(shape)
                    self._answering.set()
            for training in TRAINING_SETS:
                self.models(training)
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
    """The compiled shape that a decoding is padded to, as `translator` does."""
    from seq2seq_demo.compiled import BATCHES, BEAMS, LENGTHS

    def padded(size: int, sizes: tuple[int, ...]) -> int:
        return next((fixed for fixed in sizes if fixed >= size), sizes[-1])

    # Fewer rows than half of the largest batch go through in batches of the middle size.
    return padded(rows, BATCHES), padded(max(length, TRAINING_LENGTH), LENGTHS), padded(beam_width, BEAMS)


def _compile(name: str, shape: Shape) -> None:
    from seq2seq_demo.compiled import program

    program(name, WIDTH).compile(*shape)
