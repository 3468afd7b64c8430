import json
import threading

import gradio as gr
import pandas as pd
import pytest

import seq2seq_demo as s2s
from seq2seq_demo import artefacts
from seq2seq_demo.interface import api, measured
from seq2seq_demo.interface import backend as backend_module
from seq2seq_demo.interface.arguments import CallError
from seq2seq_demo.interface.backend import Backend

TEXT = "order 21 item 45 07/02/1993 id seq"
RIGHT = {
    "translate": [TEXT, "attention", "everyday", "greedy", 1],
    "measure_length": ["attention", "everyday", 30, 40, 5],
    "metrics": [],
}


def call(backend, name, *values):
    return api._as_function(api.endpoints()[name], backend)(*values, None)


def test_translate_is_the_library(backend):
    found = call(backend, "translate", TEXT, "attention", "everyday", "greedy", 7)
    expected = s2s.load_model("attention").without_xla().translate(TEXT)
    assert found["text"] == expected.text
    assert found["source"] == TEXT
    assert found["attention"] == expected.attention.tolist()
    assert found["probabilities"] == expected.probabilities.tolist()
    assert len(found["hypotheses"]) == 1
    assert found["right"] == (expected.text == found["expected"])


def test_translate_without_attention_and_with_a_beam(backend):
    found = call(backend, "translate", TEXT, "encoder-decoder", "lesson", "beam search", 3)
    assert found["attention"] is None
    assert len(found["hypotheses"]) == 3


@pytest.mark.parametrize(("width", "epoch"), [(16, None), (32, 4), (64, 2)])
def test_translate_by_another_width_and_epoch(backend, width, epoch):
    found = call(backend, "translate", TEXT, "attention", "everyday", "greedy", 1, width, epoch)
    expected = s2s.load_model("attention", "everyday", width, epoch).without_xla().translate(TEXT)
    assert found["text"] == expected.text
    assert found["log_probability"] == expected.log_probability


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("translate", ["x" * 30_000, "attention", "everyday", "greedy", 1], "30000 characters"),
        ("translate", [TEXT, "gru", "everyday", "greedy", 1], "choose one of: encoder-decoder, attention"),
        ("translate", [TEXT, "attention", "lesson", "greedy", 13], "a whole number from 1 to 12"),
        ("translate", [*RIGHT["translate"], 17], "width 17 does not exist; choose one of: 8, 16, 32, 64"),
        ("translate", [*RIGHT["translate"], 64, 5], "epoch 5 does not exist; choose one of: 0, 1, 2, 3, 4, 6"),
        ("measure_length", ["attention", "everyday", 9, 10, 0], "length is 9; a whole number from 10 to 96"),
        ("measure_length", ["attention", "everyday", 97, 10, 0], "length is 97"),
        ("measure_length", ["attention", "everyday", 20, 0, 0], "rows is 0; a whole number from 1 to 2000"),
        ("measure_length", ["attention", "everyday", 20, 2001, 0], "rows is 2001"),
        ("measure_length", ["attention", "everyday", 20, 5, "x"], "seed is 'x'"),
        ("measure_length", ["attention", "lesson", 20, 5, 0, 16], "width 16 does not exist; choose one of: 64"),
        ("metrics", [None, None, 17], "width 17 does not exist; choose one of: 8, 16, 32, 64"),
        ("metrics", ["open"], "training is 'open'; choose one of: lesson, everyday"),
    ],
)
def test_wrong_arguments_are_refused(backend, name, values, said):
    with pytest.raises(CallError) as caught:
        call(backend, name, *values)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", RIGHT)
def test_the_examples_of_the_api_page_work_and_are_json(backend, name):
    endpoint = api.endpoints()[name]
    examples = [argument.example for argument in endpoint.arguments]
    assert json.loads(json.dumps(call(backend, name, *examples)))


def test_measure_length_repeats_from_its_seed(backend):
    first, second = (call(backend, "measure_length", *RIGHT["measure_length"]) for _ in range(2))
    assert first == second
    assert first["total"] == 40
    assert first["low"] <= first["correct"] / 40 <= first["high"]


def test_measure_length_of_an_untrained_model_is_nothing(backend):
    found = call(backend, "measure_length", "attention", "everyday", 30, 40, 5, 64, 0)
    assert (found["correct"], found["total"]) == (0, 40)


def test_metrics_is_the_whole_table(backend):
    records = call(backend, "metrics")
    assert len(records) == len(pd.read_csv(artefacts.TRAINED / "metrics.csv"))
    assert {record["seed"] for record in records} == {0, 1, 2, 3, 4}
    assert {record["training"] for record in records} == {"lesson", "everyday"}
    without = next(record for record in records if record["model"] == "encoder-decoder")
    assert without["alignment_total"] is None


def test_metrics_of_some_rows(backend):
    records = call(backend, "metrics", "lesson", "attention", 64, 16)
    kept = [row for row in call(backend, "metrics") if row["training"] == "lesson" and row["epoch"] == 16]
    assert records == [row for row in kept if row["model"] == "attention" and row["width"] == 64]
    assert len(records) > 1


def test_a_failure_to_load_is_said(backend):
    failing = type(backend)()
    failing.failure = "trained/manifest.json is missing"
    with pytest.raises(gr.Error, match="is missing"):
        call(failing, "translate", *RIGHT["translate"])


def test_a_missing_table_is_said(backend, monkeypatch, tmp_path):
    measured.every_seed.cache_clear()
    monkeypatch.setattr(artefacts, "TRAINED", tmp_path)
    with pytest.raises(gr.Error, match=r"metrics\.csv is missing"):
        call(backend, "metrics")


def test_a_fault_of_ours_is_no_refusal_and_shows_nothing_of_itself(backend, caplog):
    class Broken(type(backend)):
        def ready_models(self, *asked):
            raise RuntimeError("secret")

    with pytest.raises(gr.Error) as caught:
        call(Broken(), "translate", *RIGHT["translate"])
    assert not isinstance(caught.value, CallError)
    assert caught.value.message == "This could not be answered; the server's log says why."
    assert "secret" in caplog.text


def test_a_program_that_calls_while_the_models_load_waits_and_is_answered_without_xla(monkeypatch):
    compiling = threading.Event()
    monkeypatch.setattr(backend_module, "_compile", lambda name, task, *, xla: xla and compiling.wait(60))
    backend = Backend()
    backend.start()
    try:
        found = call(backend, "translate", *RIGHT["translate"])
        assert found["text"] == "1993-02-07"
        assert backend._compiled == set(), "the answer came before anything was compiled"
    finally:
        compiling.set()
