import pandas as pd
import pytest

from seq2seq_demo.evaluation import Difference
from seq2seq_demo.interface import chance, measured
from seq2seq_demo.interface.chance import Figure


@pytest.fixture
def three_runs(monkeypatch):
    """Three runs of one published line, counts chosen so that all can be worked out by hand."""
    exact = {("encoder-decoder", 0): 60, ("encoder-decoder", 1): 50, ("encoder-decoder", 2): 80}
    exact |= {("attention", 0): 90, ("attention", 1): 92, ("attention", 2): 79}
    line = {"training": "lesson", "width": 64, "epoch": measured.published_epoch("lesson"), "evaluation": "lesson"}
    metrics = [
        {
            **line,
            "model": model,
            "seed": seed,
            "beam_width": beam,
            "exact_correct": right - beam + 1,
            "exact_total": 100,
        }
        for (model, seed), right in exact.items()
        for beam in (1, 5)
    ]
    bands = [
        {**line, "model": model, "seed": seed, "beam_width": 1, "band": band, "correct": correct, "total": 50}
        for model, seed in exact
        for band, correct in (("0-15", 40), ("16-23", 0), ("24-31", 0), ("32-48", 40 - 10 * seed))
    ]
    pairs = [
        {
            **line,
            "seed": seed,
            "band": band,
            "both": 55,
            "only_attention": exact["attention", seed] - 55,
            "only_encoder_decoder": exact["encoder-decoder", seed] - 55,
            "total": 100,
        }
        for seed in (0, 2)
        for band in ("all", "0-15")
    ] + [{**line, "seed": 1, "band": "all", "both": 50, "only_attention": 42, "only_encoder_decoder": 0, "total": 100}]
    tables = {name: pd.DataFrame(rows) for name, rows in (("metrics", metrics), ("bands", bands), ("pairs", pairs))}
    monkeypatch.setattr(measured, "every_seed", tables.__getitem__)


def test_each_figure_has_its_interval_and_its_runs(three_runs):
    without, attention, lead, fall, _ = chance.figures_of("lesson", "lesson")
    assert (without.shipped.value, dict(without.runs)) == (0.6, {0: 0.6, 1: 0.5, 2: 0.8})
    assert without.shipped.low == pytest.approx(0.502, abs=5e-4)  # Wilson, 60 of 100
    assert dict(attention.runs) == {0: 0.9, 1: 0.92, 2: 0.79}
    assert dict(lead.runs) == pytest.approx({0: 0.3, 1: 0.42, 2: -0.01})
    assert lead.shipped.low < 0.3 < lead.shipped.high
    assert dict(fall.runs) == pytest.approx({0: 0, 1: 0.2, 2: 0.4})


def test_the_sentence_counts_the_runs(three_runs):
    said = chance.describe_chance("lesson", chance.figures_of("lesson", "lesson"))
    assert "the encoder-decoder's 3 runs lie between 0.500 and 0.800, 0.300 apart" in said
    assert "which run one gets matters more" in said
    assert "Attention leads in 2 of 3 runs, by −0.010 to 0.420" in said
    assert "falls from 0-15 to 32-48 characters in 2 of 3, by 0.000 to 0.400" in said


@pytest.mark.parametrize(("runs", "larger"), [({0: 0.5, 1: 0.7}, "runs"), ({0: 0.5, 1: 0.55}, "rows"), ({0: 0.5}, "")])
def test_the_larger_chance(runs, larger):
    assert Figure("", "attention", Difference(0.5, 0.45, 0.55), runs).larger == larger


def test_one_run_says_nothing_of_others():
    figures = [Figure("", "attention", Difference(0.5, 0.4, 0.6), {0: 0.5})] * 5
    assert chance.describe_chance("open", figures) == (
        "Only one run was measured on the open sentences, so nothing is known of the others."
    )


def test_the_shipped_run_is_the_published_table():
    payload = chance.chance_payload()
    for training, evaluations in (("lesson", ["lesson"]), ("everyday", ["everyday", "open"])):
        assert [found["evaluation"] for found in payload[training]["evaluations"]] == evaluations
    exact = measured.published("metrics", "lesson").query(
        "model == 'attention' and evaluation == 'lesson' and beam_width == 1 and width == 64"
    )
    figure = payload["lesson"]["evaluations"][0]["figures"][1]
    assert figure["value"] == round(exact["exact_correct"].item() / exact["exact_total"].item(), 4)
