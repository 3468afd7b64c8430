import time

import pytest

import seq2seq_demo as s2s
from seq2seq_demo import artefacts
from seq2seq_demo.evaluation import Count
from seq2seq_demo.interface import training_view
from seq2seq_demo.interface.backend import Backend
from seq2seq_demo.interface.training_view import Checkpoints, caught_up, describe_training, frames, frames_payload
from seq2seq_demo.models import MODELS

TEXT = "Order 21 item 45 07/02/1993 id seq"


class ReadyBackend(Backend):
    """Ready from the start."""

    def wait(self, *_):
        return True


def curve(*correct):
    return {epoch: Count(right, 100) for epoch, right in enumerate(correct)}


def run(without, attention):
    return {"encoder-decoder": curve(*without), "attention": curve(*attention)}


def test_caught_up_is_within_a_twentieth_of_a_model_that_has_learned():
    attention = curve(0, 40, 90, 95)
    assert caught_up(curve(0, 39, 80, 90), attention) == 3
    assert caught_up(curve(0, 39, 86, 90), attention) == 2
    assert caught_up(curve(0, 39, 80, 89), attention) is None, "untrained, both have none: that is no catching up"


def test_the_sentence_says_when_and_in_how_many_runs():
    runs = [run((0, 50, 88), (0, 90, 92)), run((0, 86, 90), (0, 90, 92)), run((0, 0, 0), (0, 90, 92))]
    assert describe_training(64, 1, runs) == (
        "With more training the bottleneck closes: at width 64 the encoder-decoder first comes within 0.05 of "
        "attention at epoch 2 in the shipped run, and does in 2 of all 3 (epochs 1 to 2); at the published epoch 1 it "
        "is 0.40 behind."
    )


def test_never_is_said_too():
    runs = [run((0, 20, 33), (0, 90, 95))]
    never = "Within 2 epochs the encoder-decoder of width 16 does not come within 0.05 of attention in the shipped run"
    end = "at the published epoch 1 it is 0.70 behind, at the end 0.33 against 0.95."
    assert describe_training(16, 1, runs) == f"{never}: {end}"
    assert describe_training(16, 1, runs * 2) == f"{never} nor in any other of the 2: {end}"
    closing = run((0, 90, 95), (0, 90, 95))
    assert describe_training(16, 1, [*runs, closing]) == f"{never}, and does in 1 of all 2 (epoch 1): {end}"


def test_curves_are_of_every_line_and_begin_with_the_shipped_run():
    for training, found in training_view.curves_payload().items():
        budget = artefacts.read_manifest().budgets[training]
        for line in found["widths"].values():
            assert line["seeds"][0] == found["seed"]
            assert line["epochs"] == list(range(budget["epochs"] + 1))
            for runs in line["correct"].values():
                assert all(len(run) == len(line["epochs"]) for run in runs)
                assert len(runs) == len(line["seeds"])


def test_frames_are_what_each_epoch_answers():
    epochs = {
        epoch: {name: s2s.load_model(name, "everyday", 64, epoch).without_xla() for name in MODELS} for epoch in (0, 14)
    }
    payload = frames_payload(epochs, TEXT, ("everyday", 64))
    assert (payload["status"], payload["source"], payload["epochs"]) == ("ready", TEXT.lower(), [0, 14])
    assert payload["expected"]["text"] == "1993-02-07"
    for epoch, frame in zip((0, 14), payload["frames"], strict=True):
        assert [model["name"] for model in frame] == list(MODELS)
        for model in frame:
            answer = s2s.load_model(model["name"], "everyday", 64, epoch).without_xla().translate(TEXT)
            assert model["text"] == answer.text
            assert model["right"] == (answer.text == "1993-02-07")
    attention = payload["frames"][1][1]["attention"]
    assert (len(attention), len(attention[0])) == (10, len(TEXT))
    assert all(abs(sum(row) - 1000) <= len(TEXT) / 2 for row in attention)


def test_a_line_is_loaded_in_the_background_and_then_answers(monkeypatch):
    monkeypatch.setattr(training_view, "shipped_epochs", lambda training, width: [0, 14])
    checkpoints = Checkpoints()
    first = frames(ReadyBackend(), checkpoints, TEXT, "everyday", 64)
    assert (first["status"], first["text"]) == ("loading", TEXT)
    assert first["message"].endswith("of 4 …")
    end = time.monotonic() + 300
    while (answer := frames(ReadyBackend(), checkpoints, TEXT, "everyday", 64))["status"] == "loading":
        assert time.monotonic() < end
        time.sleep(0.1)
    assert answer["status"] == "ready"
    assert len(answer["frames"]) == 2
    assert checkpoints.progress(("everyday", 64)) == (4, 4)
    assert frames(ReadyBackend(), checkpoints, "", "everyday", 64)["status"] == "empty"


def test_a_line_that_cannot_be_loaded_says_so(monkeypatch):
    def load(self, line):
        raise artefacts.ArtefactError("epoch-003.keras is missing")

    monkeypatch.setattr(Checkpoints, "_load", load)
    checkpoints = Checkpoints()
    end = time.monotonic() + 60
    while (answer := frames(ReadyBackend(), checkpoints, TEXT, "lesson", 64))["status"] == "loading":
        assert time.monotonic() < end
        time.sleep(0.01)
    assert (answer["status"], answer["message"]) == ("failed", "epoch-003.keras is missing")


@pytest.mark.parametrize(("training", "width"), [("lesson", 16), ("everyday", None), ("nonsense", 5)])
def test_a_live_handler_never_raises(training, width):
    assert frames(ReadyBackend(), Checkpoints(), TEXT, training, width)["status"] == "failed"


def test_nothing_is_loaded_before_the_page_answers():
    checkpoints = Checkpoints()
    assert frames(Backend(), checkpoints, TEXT, "everyday", 64)["status"] == "loading"
    assert checkpoints.progress(("everyday", 64))[0] == 0
    broken = Backend()
    broken.failure = "broken"
    assert frames(broken, checkpoints, TEXT, "everyday", 64)["message"] == "broken"
