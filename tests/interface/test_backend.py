import threading
import time

import pytest

from seq2seq_demo.artefacts import ArtefactError, read_manifest
from seq2seq_demo.interface import backend as backend_module
from seq2seq_demo.interface.backend import LIVE_ROWS, MAX_BEAM_WIDTH, WIDTH, Backend, settled, widths
from seq2seq_demo.models import MODELS


def test_names_and_limits_are_the_librarys():
    from seq2seq_demo import models, translator

    assert set(MODELS) == set(models.MODELS)
    assert MAX_BEAM_WIDTH == translator.MAX_BEAM_WIDTH


def test_nothing_is_ready_before_the_start():
    assert Backend().ready_models("everyday") is None
    assert not Backend().wait(0)


class Model:
    """Stands for a translator; `xla` tells which program it runs."""

    def __init__(self, width, xla=True):
        self.width, self.xla = width, xla

    def without_xla(self):
        return Model(self.width, xla=False)


class Programs:
    """Stands for the compiler: notes what it is asked for, and stops before XLA until `go_on` is set."""

    def __init__(self, monkeypatch):
        self.traced, self.compiled = [], []
        self.go_on = threading.Event()
        monkeypatch.setattr(
            Backend, "models", lambda self, training, width=WIDTH, epoch=None: dict.fromkeys(MODELS, Model(width))
        )

    def __call__(self, name, task, *, xla):
        if xla:
            self.go_on.wait(60)
        (self.compiled if xla else self.traced).append((name, task))


@pytest.fixture
def programs(monkeypatch):
    programs = Programs(monkeypatch)
    yield programs
    programs.go_on.set()


def until(condition):
    for _ in range(6_000):
        if condition():
            return True
        time.sleep(0.01)
    return False


BATCHES = [(LIVE_ROWS, 1), *((1, width) for width in range(1, MAX_BEAM_WIDTH + 1))]


def test_all_that_the_page_asks_for_gets_compiled(programs):
    programs.go_on.set()
    backend = Backend(programs)
    backend.start()
    assert backend.wait(60)
    assert until(lambda: len(programs.compiled) == 2 * 8)
    for length in (0, 34, 48, 49, 96):
        for rows, width in BATCHES:
            assert backend.wait(60, "lesson", rows, length, width)
            assert until(lambda: backend.ready_models("lesson", rows, length, width)["attention"].xla)  # noqa: B023
    assert {name for name, _ in programs.compiled[:2]} == set(MODELS), "the first that is compiled serves both models"
    for done in (programs.compiled, programs.traced):
        assert len(done) == len(set(done)), "nothing is done twice"


def test_everything_is_answered_without_xla_until_it_has_compiled(programs):
    backend = Backend(programs)
    backend.start()
    for batch in ({}, {"beam_width": 5}, {"rows": LIVE_ROWS}, {"length": 96}, {"width": 16}):
        assert backend.wait(60, **batch)
        assert not backend.ready_models("everyday", **batch)["attention"].xla
    programs.go_on.set()
    assert until(lambda: backend.ready_models("everyday")["attention"].xla)


def test_another_width_is_prepared_when_it_is_asked_for_and_not_before(programs):
    backend = Backend(programs)
    backend.start()
    assert backend.wait(60, rows=LIVE_ROWS)
    assert {width for _, (width, _) in programs.traced} == {WIDTH}
    assert backend.ready_models("everyday", width=16) is None, "asking does not wait"
    assert until(lambda: backend.ready_models("everyday", width=16) is not None)
    assert {model.width for model in backend.ready_models("everyday", width=16).values()} == {16}
    programs.go_on.set()
    assert until(lambda: len(programs.compiled) == 2 * 2 * 8)
    # One shape of the first width was being compiled when 16 was asked for.
    assert [width for _, (width, _) in programs.compiled] == [WIDTH] * 2 + [16] * 16 + [WIDTH] * 14


def test_models_that_cannot_be_loaded_fail_alone(programs, monkeypatch):
    def models(self, training, width=WIDTH, epoch=None):
        if width == 16:
            raise ArtefactError("everyday/attention-16 was altered")
        return dict.fromkeys(MODELS, Model(width))

    monkeypatch.setattr(Backend, "models", models)
    backend = Backend(programs)
    backend.start()
    assert backend.wait(60, width=16)
    with pytest.raises(ArtefactError, match="was altered"):
        backend.ready_models("everyday", width=16)
    assert backend.ready_models("everyday") is not None
    assert backend.failure is None


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (("everyday", 16), ("everyday", 16)),
        (("lesson", 16), ("lesson", 64)),
        (("lesson", 64), ("lesson", 64)),
        (("nonsense", 32), ("everyday", 32)),
        ((None, None), ("everyday", 64)),
        ((["x"], "16"), ("everyday", 64)),
    ],
)
def test_what_is_chosen_is_settled_on_models_that_there_are(asked, given):
    assert settled(*asked) == given


def test_widths_are_the_manifests(monkeypatch):
    for training in ("everyday", "lesson"):
        kept = {entry.width for entry in read_manifest().weights if entry.training == training}
        assert widths(training) == tuple(sorted(kept))

    def missing():
        raise ArtefactError("missing")

    monkeypatch.setattr(backend_module, "read_manifest", missing)
    assert widths("everyday") == (WIDTH,)


@pytest.mark.parametrize(
    ("error", "said"),
    [(ArtefactError("manifest.json is missing"), "manifest.json is missing"), (OSError("disk"), "server's log")],
)
def test_a_failure_is_kept_and_ends_the_waiting(monkeypatch, error, said):
    def fail(self, training, width, epoch):
        raise error

    monkeypatch.setattr(Backend, "models", fail)
    backend = Backend()
    backend.start()
    assert until(lambda: backend.failure)
    assert said in backend.failure
    assert not backend.wait(0)
