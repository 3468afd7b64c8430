import pytest

import seq2seq_demo as s2s
from seq2seq_demo.corpus import rows_of_length
from seq2seq_demo.interface import length
from seq2seq_demo.interface.backend import LIVE_ROWS, MODELS, Backend


class ReadyBackend(Backend):
    """Ready from the start."""

    def ready_models(self, training, rows=1, length=0, beam_width=1, width=64, epoch=None):
        return self.models(training, width, epoch)


def test_rows_are_decoded_and_counted():
    model = s2s.load_model("attention")
    rows = rows_of_length("everyday", 24, 60, 7)
    scored = length.score_rows(model, rows)
    answers = [translation.text for translation in model.translate_batch([row.source for row in rows])]
    wrong = [(row, answer) for row, answer in zip(rows, answers, strict=True) if row.target != answer]
    assert (scored["correct"], scored["total"]) == (60 - len(wrong), 60)
    assert scored["low"] <= scored["correct"] / 60 <= scored["high"]
    shown = [(failure["source"], failure["got"]) for failure in scored["failures"]]
    assert shown == [(row.source, answer) for row, answer in wrong[: length.SHOWN_FAILURES]]


def test_the_live_answer_has_both_models():
    payload = length.measure(ReadyBackend(), '{"length": 30, "draw": 2}', "lesson")
    assert (payload["status"], payload["length"], payload["training"]) == ("ready", 30, "lesson")
    assert [model["name"] for model in payload["models"]] == list(MODELS)
    assert all(model["total"] == LIVE_ROWS for model in payload["models"])
    assert payload == length.measure(ReadyBackend(), '{"length": 30, "draw": 2}', "lesson")


def test_another_draw_is_other_sentences():
    first, second = (rows_of_length("everyday", 30, 5, draw) for draw in (0, 1))
    assert {row.source for row in first} != {row.source for row in second}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [(None, (10, 0)), ("{}", (10, 0)), ('{"length": 3}', (10, 0)), ('{"length": 999, "draw": 4}', (64, 4))],
)
def test_what_is_asked_is_brought_into_range(asked, expected):
    assert length.read_asked(asked) == expected


@pytest.mark.parametrize("asked", ["nonsense", '{"length": "x"}', "[1]", '{"length": null}'])
def test_a_live_handler_never_raises(asked):
    assert length.measure(ReadyBackend(), asked, "everyday")["status"] == "failed"


def test_loading_and_failure_are_said():
    assert length.measure(Backend(), '{"length": 20}', "everyday")["status"] == "loading"
    backend = Backend()
    backend.failure = "broken"
    assert length.measure(backend, '{"length": 20}', "everyday")["message"] == "broken"


def test_the_curve_is_the_published_table():
    for training, curves in length.curves_payload().items():
        assert set(curves) == set(MODELS), training
        for points in curves.values():
            assert [point[0] for point in points] == list(range(10, 65))
            assert all(low <= rate <= high for _, rate, low, high in points)
