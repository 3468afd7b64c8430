import threading
from types import SimpleNamespace

import pytest

from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.interface import backend as backend_module
from seq2seq_demo.interface.backend import LIVE_ROWS, MAX_BEAM_WIDTH, MODELS, Backend


def test_names_and_limits_are_the_librarys():
    from seq2seq_demo import models, translator

    assert set(MODELS) == set(models.MODELS)
    assert MAX_BEAM_WIDTH == translator.MAX_BEAM_WIDTH


def test_nothing_is_ready_before_the_start():
    assert Backend().ready_models("everyday") is None
    assert not Backend().wait(0)


def test_all_that_the_page_asks_for_gets_ready(monkeypatch):
    compiled = []
    monkeypatch.setattr(backend_module, "_compile", lambda name, shape: compiled.append((name, shape)))
    monkeypatch.setattr(Backend, "models", lambda self, training: {"a": SimpleNamespace(without_xla=Quick)})
    backend = Backend()
    backend.start()
    backend._thread.join(60)
    assert backend.wait(0)
    batches = [(LIVE_ROWS, 1), *((1, width) for width in range(1, MAX_BEAM_WIDTH + 1))]
    for length in (0, 34, 48, 49, 96):
        for rows, width in batches:
            assert not isinstance(backend.ready_models("lesson", rows, length, width)["a"], Quick)
    assert {name for name, _ in compiled[:2]} == set(MODELS), "the first that is compiled serves both models"
    assert len(compiled) == len(set(compiled))


class Quick:
    """Stands for a model without XLA."""

    def translate(self, text):
        pass


def test_everything_is_answered_without_xla_until_it_has_compiled(monkeypatch):
    compiling, go_on = threading.Event(), threading.Event()

    def compile_slowly(name, shape):
        compiling.set()
        go_on.wait(60)

    compiled = SimpleNamespace(without_xla=Quick)
    monkeypatch.setattr(backend_module, "_compile", compile_slowly)
    monkeypatch.setattr(Backend, "models", lambda self, training: {"a": compiled})
    backend = Backend()
    backend.start()
    assert compiling.wait(60)
    for batch in ({}, {"beam_width": 5}, {"rows": LIVE_ROWS}, {"length": 96}):
        assert isinstance(backend.ready_models("everyday", **batch)["a"], Quick)
    go_on.set()
    backend._thread.join(60)
    assert backend.ready_models("everyday")["a"] is compiled


@pytest.mark.parametrize(
    ("error", "said"),
    [(ArtefactError("manifest.json is missing"), "manifest.json is missing"), (OSError("disk"), "server's log")],
)
def test_a_failure_is_kept_and_ends_the_waiting(monkeypatch, error, said):
    def fail(self, training):
        raise error

    monkeypatch.setattr(Backend, "models", fail)
    backend = Backend()
    backend.start()
    backend._thread.join(60)
    assert said in backend.failure
    assert not backend.wait(0)
