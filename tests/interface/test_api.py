import threading

import gradio as gr
import pytest

import seq2seq_demo as s2s
from seq2seq_demo.interface import api
from seq2seq_demo.interface.backend import Backend

TEXT = "order 21 item 45 07/02/1993 id seq"


class ReadyBackend(Backend):
    """Ready from the start."""

    def wait(self, timeout, *batch):
        return self.failure is None

    def ready_models(self, training, rows=1, length=0, beam_width=1, width=64, epoch=None):
        return None if self.failure else self.models(training, width, epoch)


@pytest.fixture(scope="module")
def backend():
    return ReadyBackend()


def test_translate_is_the_library(backend):
    found = api.translate_text(backend, TEXT, "attention", "everyday", "greedy", 7)
    expected = s2s.load_model("attention").translate(TEXT)
    assert found["text"] == expected.text
    assert found["source"] == TEXT
    assert len(found["attention"]) == 10
    assert len(found["hypotheses"]) == 1
    assert found["right"] == (expected.text == found["expected"])


def test_translate_without_attention_and_with_a_beam(backend):
    found = api.translate_text(backend, TEXT, "encoder-decoder", "lesson", "beam search", 3)
    assert found["attention"] is None
    assert len(found["hypotheses"]) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((7, "attention", "everyday", "greedy", 1), "text is 7; a string is expected"),
        ((None, "attention", "everyday", "greedy", 1), "text is None"),
        (("x" * 30_000, "attention", "everyday", "greedy", 1), "30000 characters"),
        ((TEXT, "gru", "everyday", "greedy", 1), "model is 'gru'; choose one of: encoder-decoder, attention"),
        ((TEXT, "attention", "x", "greedy", 1), "training is 'x'"),
        ((TEXT, "attention", "lesson", "x", 1), "decoding is 'x'"),
        ((TEXT, "attention", "lesson", "greedy", 0), "beam_width is 0; a whole number from 1 to 12"),
        ((TEXT, "attention", "lesson", "greedy", 2.5), "beam_width is 2.5"),
        ((TEXT, "attention", "lesson", "greedy", True), "beam_width is True"),
        ((TEXT, ["attention"], "lesson", "greedy", 1), "model is"),
    ],
)
def test_wrong_arguments_are_said(backend, arguments, said):
    with pytest.raises(gr.Error) as caught:
        api.translate_text(backend, *arguments)
    assert said in str(caught.value)


def test_measure_length_repeats_from_its_seed(backend):
    first, second = (api.measure_rows(backend, "attention", "everyday", 30, 40, 5) for _ in range(2))
    assert first == second
    assert first["total"] == 40
    assert first["low"] <= first["correct"] / 40 <= first["high"]


@pytest.mark.parametrize(("length", "rows", "seed"), [(9, 10, 0), (97, 10, 0), (20, 0, 0), (20, 2001, 0), (20, 5, "x")])
def test_measure_length_is_bounded(backend, length, rows, seed):
    with pytest.raises(gr.Error, match="a whole number from"):
        api.measure_rows(backend, "attention", "everyday", length, rows, seed)


def test_metrics_is_the_whole_table():
    records = api.metrics()
    assert {record["training"] for record in records} == {"lesson", "everyday"}
    without = next(record for record in records if record["model"] == "encoder-decoder")
    assert without["alignment_total"] is None


def test_a_failure_to_load_is_said():
    failing = ReadyBackend()
    failing.failure = "trained/manifest.json is missing"
    with pytest.raises(gr.Error, match="is missing"):
        api.translate_text(failing, TEXT, "attention", "everyday", "greedy", 1)


def test_a_program_that_calls_while_the_models_load_waits_and_is_answered_without_xla():
    compiling = threading.Event()

    def compile_slowly(name, task, *, xla):
        if xla:
            compiling.wait(60)

    backend = Backend(compile_slowly)
    backend.start()
    try:
        found = api.translate_text(backend, TEXT, "attention", "everyday", "greedy", 1)
        assert found["text"] == "1993-02-07"
        assert backend._compiled == set(), "the answer came before anything was compiled"
    finally:
        compiling.set()
