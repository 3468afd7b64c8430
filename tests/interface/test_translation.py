import json

import pytest

import seq2seq_demo as s2s
from seq2seq_demo.alphabet import MAX_LENGTH
from seq2seq_demo.interface import translation
from seq2seq_demo.interface.backend import Backend
from seq2seq_demo.interface.components import to_json
from seq2seq_demo.interface.example import example_payload
from seq2seq_demo.interface.translation import BEAM, EXAMPLE, EXAMPLES, GREEDY, answer, translation_payload
from seq2seq_demo.models import MODELS


class ReadyBackend(Backend):
    """Ready from the start: what is not compiled yet compiles when it is asked for."""

    def ready_models(self, training, rows=1, length=0, beam_width=1, width=64, epoch=None):
        return self.models(training, width, epoch)


@pytest.fixture(scope="module")
def models():
    return {name: s2s.load_model(name) for name in MODELS}


def by_name(payload):
    return {model["name"]: model for model in payload["models"]}


def test_both_models_answer_with_all_that_the_page_shows(models):
    payload = translation_payload(models, EXAMPLE, "everyday", 1)
    assert payload["status"] == "ready"
    assert payload["source"] == EXAMPLE
    assert payload["expected"]["text"] == "1993-02-07"
    assert list(by_name(payload)) == ["encoder-decoder", "attention"]
    attention = by_name(payload)["attention"]
    assert attention["text"] == s2s.load_model("attention").translate(EXAMPLE).text
    assert attention["right"] == (attention["text"] == "1993-02-07")
    assert len(attention["attention"]) == 10
    assert {len(row) for row in attention["attention"]} == {len(EXAMPLE)}
    assert all(abs(sum(row) - 1000) < 30 for row in attention["attention"])
    assert attention["looked"][4] is None and attention["looked"][7] is None
    assert "attention" not in by_name(payload)["encoder-decoder"]
    assert [options[0][0] for options in attention["alternatives"]] == list(attention["text"])
    json.loads(to_json(payload))


def test_a_beam_is_compared_with_greedy(models):
    payload = translation_payload(models, EXAMPLE, "everyday", 4)
    for model in payload["models"]:
        assert "A beam of 4" in model["beam"]
        assert 1 <= len(model["hypotheses"]) <= 4
        assert model["hypotheses"][0][0] == model["text"]


@pytest.mark.parametrize(
    "text", ["", "   ", "no date", "12/31/2019", "x" * 500, "<img src=x onerror=alert(1)>", "日本"]
)
def test_any_text_is_answered(models, text):
    payload = translation_payload(models, text, "everyday", 1)
    assert payload["expected"]["text"] is None
    assert payload["expected"]["reason"]
    assert len(payload["source"]) <= MAX_LENGTH
    assert all(model["right"] is None for model in payload["models"])
    assert payload["status"] == ("ready" if payload["source"] else "empty")


def test_the_stored_example_is_what_the_models_answer_now():
    stored, now = translation.stored_example(), example_payload()
    assert stored["text"] == now["text"] == EXAMPLE
    for one, other in zip(stored["models"], now["models"], strict=True):
        assert one["text"] == other["text"]
        assert one["probabilities"] == pytest.approx(other["probabilities"], abs=3)
        for row, other_row in zip(one.get("attention", []), other.get("attention", []), strict=True):
            assert row == pytest.approx(other_row, abs=3)


def test_while_the_models_load_the_example_is_shown_from_store():
    payload = answer(Backend(), EXAMPLE, "everyday", GREEDY, 5)
    assert payload["status"] == "loading"
    assert [model["name"] for model in payload["models"]] == list(MODELS)


def test_while_the_models_load_any_other_text_is_read_already():
    payload = answer(Backend(), "Due 7 Feb 1993", "everyday", GREEDY, 5)
    assert payload["status"] == "loading"
    assert payload["text"] == "Due 7 Feb 1993"
    assert payload["source"] == "due 7 feb 1993"
    assert payload["expected"]["text"] == "1993-02-07"
    assert payload["models"] == []


def test_a_failure_to_load_is_said():
    backend = Backend()
    backend.failure = "trained/manifest.json is missing"
    payload = answer(backend, "7 feb 1993", "everyday", GREEDY, 5)
    assert (payload["status"], payload["message"]) == ("failed", backend.failure)


@pytest.mark.parametrize(
    ("text", "training", "decoding", "width"),
    [(None, "everyday", GREEDY, 5), ("x", None, None, None), ("x", "nonsense", BEAM, 99), ("x", "lesson", BEAM, -3)],
)
def test_a_live_handler_never_raises(text, training, decoding, width):
    assert answer(ReadyBackend(), text, training, decoding, width)["status"] in ("ready", "empty")


def test_what_breaks_becomes_a_message(monkeypatch):
    monkeypatch.setattr(translation, "translation_payload", lambda *arguments: 1 / 0)
    payload = answer(ReadyBackend(), "7 feb 1993", "everyday", GREEDY, 5)
    assert payload["status"] == "failed"
    assert payload["message"]


def test_the_training_set_and_the_beam_are_used():
    lesson = answer(ReadyBackend(), EXAMPLE, "lesson", BEAM, 3)
    assert (lesson["training"], lesson["beam_width"]) == ("lesson", 3)
    assert answer(ReadyBackend(), EXAMPLE, "lesson", GREEDY, 3)["beam_width"] == 1


def test_examples_and_random_sentences_are_worth_a_click():
    assert sum(s2s.find_reference(text).text is not None for text in EXAMPLES) >= 4
    for training in ("everyday", "lesson"):
        drawn = {translation.random_sentence(training) for _ in range(5)}
        assert len(drawn) > 1
        assert all(s2s.find_reference(text).text for text in drawn)


def test_the_figure_is_the_map():
    figure = translation.figure(ReadyBackend(), EXAMPLE, "everyday", GREEDY, 1)
    assert list(figure.layout.xaxis.ticktext) == list(EXAMPLE)
    assert translation.figure(Backend(), "other", "everyday", GREEDY, 1) is None
