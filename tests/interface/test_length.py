import json

import pandas as pd
import pytest

import seq2seq_demo as s2s
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import DATE_FORMS, PLACES, rows_of_length
from seq2seq_demo.interface import length, measured
from seq2seq_demo.interface.backend import LIVE_ROWS, Backend, widths
from seq2seq_demo.interface.length import Asked
from seq2seq_demo.models import MODELS


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
    [
        (None, Asked(length=10)),
        ("{}", Asked(length=10)),
        ('{"length": 3}', Asked(length=10)),
        ('{"length": 999, "draw": 4}', Asked(length=64, draw=4)),
        ('{"grows": "x", "form": "x", "place": 7, "length": 33}', Asked(length=33)),
        ('{"grows": "filler", "length": 999}', Asked(grows="filler", length=96)),
        ('{"grows": "filler", "length": 33}', Asked(grows="filler", length=32)),
        ('{"grows": "filler", "form": "written", "length": 3}', Asked("filler", "written", "before", 16)),
        (
            '{"grows": "filler", "form": "written", "place": "both sides", "length": 55, "draw": 2}',
            Asked("filler", "written", "both sides", 54, 2),
        ),
    ],
)
def test_what_is_asked_is_brought_into_range(asked, expected):
    assert length.read_asked(asked) == expected


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", DATE_FORMS)
def test_with_filler_alone_the_dates_stay(form, place):
    answers = [
        length.measure(
            ReadyBackend(),
            json.dumps({"grows": "filler", "form": form, "place": place, "length": characters}),
            "lesson",
        )
        for characters in (16, 40)
    ]
    assert [answer["length"] for answer in answers] == [16, 40]
    for answer in answers:
        before, _, after = answer["sample"]
        assert len("".join(answer["sample"])) == answer["length"]
        assert place == "both sides" or {"before": after, "after": before}[place] == ""
    assert answers[0]["sample"][1] == answers[1]["sample"][1], "the same date"
    short, long = (Asked("filler", form, place, characters).rows("lesson") for characters in (16, 40))
    assert [row.target for row in short] == [row.target for row in long]


@pytest.mark.parametrize("asked", ["nonsense", '{"length": "x"}', "[1]", '{"length": null}'])
def test_a_live_handler_never_raises(asked):
    assert length.measure(ReadyBackend(), asked, "everyday")["status"] == "failed"


def test_loading_and_failure_are_said():
    assert length.measure(Backend(), '{"length": 20}', "everyday")["status"] == "loading"
    backend = Backend()
    backend.failure = "broken"
    assert length.measure(backend, '{"length": 20}', "everyday")["message"] == "broken"


def test_the_curves_are_the_published_tables():
    payload = length.curves_payload()
    for training, by_width in payload.items():
        assert list(by_width) == [str(width) for width in widths(training)]
        for width, curves in by_width.items():
            assert set(curves) == {"natural", *(f"{form} {place}" for form in DATE_FORMS for place in PLACES)}
            for key, curve in curves.items():
                assert curve["sentence"]
                assert set(curve["points"]) == set(MODELS), (training, width, key)
    for training, key, first, last, step in [
        ("lesson", "natural", 10, 64, 1),
        ("lesson", "numeric before", 10, 96, 2),
        ("everyday", "written both sides", 16, 96, 2),
    ]:
        for points in payload[training]["64"][key]["points"].values():
            assert [point[0] for point in points] == list(range(first, last + 1, step))
            assert all(low <= correct / total <= high for _, correct, total, low, high in points)


def test_a_filler_curve_is_its_own_rows_of_the_table():
    rows = pd.read_csv("trained/padded.csv")
    rows = rows[(rows["training"] == "everyday") & (rows["width"] == 16) & (rows["model"] == "attention")]
    rows = rows[(rows["form"] == "written") & (rows["place"] == "after") & (rows["seed"] == 0)]
    points = length.curves_payload()["everyday"]["16"]["written after"]["points"]["attention"]
    assert [(at, correct) for at, correct, *_ in points] == list(zip(rows["length"], rows["correct"], strict=True))


def test_a_table_that_is_missing_leaves_no_curve(monkeypatch):
    def missing(*arguments):
        raise ArtefactError("missing")

    monkeypatch.setattr(measured, "published", missing)
    assert length.curves_payload() == {"lesson": {}, "everyday": {}}


def test_the_width_that_is_chosen_answers():
    payload = length.measure(ReadyBackend(), '{"length": 30}', "everyday", 16)
    assert payload["width"] == 16
    assert payload["models"] != length.measure(ReadyBackend(), '{"length": 30}', "everyday", 64)["models"]
    assert length.measure(ReadyBackend(), '{"length": 30}', "lesson", 16)["width"] == 64
