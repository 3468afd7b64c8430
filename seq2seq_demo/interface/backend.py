"""The models behind the page: loaded, traced and compiled in background threads while the page is up already."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from seq2seq_demo.alphabet import MAX_LENGTH
from seq2seq_demo.artefacts import ArtefactError, read_manifest
from seq2seq_demo.corpus import TRAINING_SETS
from seq2seq_demo.models import MODELS

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translator

DEFAULT_TRAINING = "everyday"
WIDTH = 64
# How many fresh sentences the length view decodes at once.
LIVE_ROWS = 200
MAX_BEAM_WIDTH = 12

Shape = tuple[int, int, int]
# What one program decodes: a width, and a shape of `compiled.shape_of`.
Task = tuple[int, Shape]
# A task, and the training set and epoch of the models that it is needed for.
Asked = tuple[Task, str, int | None]


class Backend:
    """Knows what is ready to answer at once. Shared by all threads.

    What is asked for is prepared by two threads of its own: one traces it without XLA, so that an answer comes
    within about a second; the other compiles it under XLA, beginning with the width that was asked for last.

    Args:
        compile: prepares one model for a task, called as `_compile` is; the tests pass their own.

    Attributes:
        failure: why no model can be loaded, in words; None while all is well.
    """

    def __init__(self, compile: Callable[..., object] | None = None) -> None:
        self.failure: str | None = None
        self._compile = compile or _compile
        self._prepared: set[Task] = set()  # without XLA
        self._compiled: set[Task] = set()
        self._failures: dict[Asked, str] = {}
        self._asked: list[Asked] = []
        self._widths: list[int] = []  # the last asked for last
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for name, work in (("prepare", self._prepare_all), ("compile", self._compile_all))
        ]

    def start(self) -> None:
        """Begin to load and compile, once."""
        if self._threads[0].ident is None:
            for thread in self._threads:
                thread.start()

    def ready_models(
        self,
        training: str,
        rows: int = 1,
        length: int = 0,
        beam_width: int = 1,
        width: int = WIDTH,
        epoch: int | None = None,
    ) -> Mapping[str, "Translator"] | None:
        """Both models to decode a batch like this with: compiled, or without XLA until they are.

        None while they are neither: they are being prepared then, because they were asked for. Never waits for that.

        Raises:
            ArtefactError: if just these models cannot be loaded.
        """
        if self.failure or not self._prepared:
            return None
        task = (width, _shape(rows, length, beam_width))
        if (task, training, epoch) in self._failures:
            raise ArtefactError(self._failures[task, training, epoch])
        if task not in self._prepared:
            self._ask((task, training, epoch))
            return None
        models = self.models(training, width, epoch)
        return models if task in self._compiled else {name: model.without_xla() for name, model in models.items()}

    def wait(
        self,
        timeout: float,
        training: str = DEFAULT_TRAINING,
        rows: int = 1,
        length: int = 0,
        beam_width: int = 1,
        width: int = WIDTH,
    ) -> bool:
        """Wait until `ready_models` answers, whatever it answers; False if that takes longer, or failed."""
        end = time.monotonic() + timeout
        with self._changed:
            started = self._changed.wait_for(lambda: self._prepared or self.failure, timeout)
            if not started or self.failure:
                return False
            task = (width, _shape(rows, length, beam_width))
            asked = (task, training, None)
            self._ask(asked)
            left = max(end - time.monotonic(), 0)
            return self._changed.wait_for(lambda: task in self._prepared or asked in self._failures, left)

    def models(self, training: str, width: int = WIDTH, epoch: int | None = None) -> Mapping[str, "Translator"]:
        """Both models of a training set, by name; epoch None is the published one."""
        from seq2seq_demo.translator import load_model

        return {name: load_model(name, training, width, epoch) for name in MODELS}

    def _ask(self, asked: Asked) -> None:
        task, _, _ = asked
        with self._changed:
            if task in self._prepared or asked in self._asked or asked in self._failures:
                return
            self._asked.append(asked)
            self._widths = [*(width for width in self._widths if width != task[0]), task[0]]
            self._changed.notify_all()

    def _prepare_all(self) -> None:
        try:
            self._prepare(((WIDTH, _shape(1, 0, 1)), DEFAULT_TRAINING, None))
        except Exception as error:
            with self._changed:
                self.failure = _in_words(error)
                self._changed.notify_all()
            return
        # Both are on the page from the start.
        self._ask(((WIDTH, _shape(LIVE_ROWS, 0, 1)), DEFAULT_TRAINING, None))
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._asked)
                asked = max(self._asked, key=lambda asked: self._widths.index(asked[0][0]))
            try:
                self._prepare(asked)
            except Exception as error:
                self._failures[asked] = _in_words(error)
            with self._changed:
                self._asked.remove(asked)
                self._changed.notify_all()

    def _prepare(self, asked: Asked) -> None:
        task, training, epoch = asked
        self.models(training, task[0], epoch)
        for name in MODELS:
            self._compile(name, task, xla=False)
        with self._changed:
            self._prepared.add(task)
            self._changed.notify_all()

    def _compile_all(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._prepared or self.failure)
        while not self.failure:
            with self._changed:
                task = self._next_to_compile()
                if task is None:
                    self._changed.wait()
                    continue
            try:
                # One after the other, and only while nobody waits for an answer: the other core answers meanwhile.
                for name in MODELS:
                    with self._changed:
                        self._changed.wait_for(lambda: not self._asked)
                    self._compile(name, task, xla=True)
            except Exception:
                logging.getLogger(__name__).exception("nothing more is compiled; answers come without XLA")
                return
            self._compiled.add(task)

    def _next_to_compile(self) -> Task | None:
        tasks = ((width, shape) for width in reversed(self._widths) for shape in _shapes())
        return next((task for task in tasks if task not in self._compiled), None)


def widths(training: str) -> tuple[int, ...]:
    """The widths that a training set's models are kept at, ascending; `WIDTH` alone if nothing can be read."""
    try:
        return tuple(read_manifest().widths(training)) or (WIDTH,)
    except ArtefactError:
        return (WIDTH,)


def settled(training: object, width: object) -> tuple[str, int]:
    """A training set and width that there are models for: what was asked for, or else the default.

    Example: `settled("lesson", 16)` is `("lesson", 64)` where lesson has no width 16.
    """
    known = training if isinstance(training, str) and training in TRAINING_SETS else DEFAULT_TRAINING
    return known, width if isinstance(width, int) and width in widths(known) else WIDTH


def _in_words(error: Exception) -> str:
    if isinstance(error, ArtefactError):
        return str(error)
    # The thread's last word: without it the page would say "loading" for ever.
    logging.getLogger(__name__).error("the models could not be loaded", exc_info=error)
    return "The models could not be loaded; the server's log says why."


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


def _compile(name: str, task: Task, *, xla: bool) -> None:
    from seq2seq_demo.compiled import program

    width, shape = task
    program(name, width, xla=xla).compile(*shape)
