import pandas as pd
import pytest

from seq2seq_demo import budgets, measuring
from seq2seq_demo.artefacts import TRAINED, read_manifest
from seq2seq_demo.corpus import BAND_ROWS

PUBLISHED = measuring.read(TRAINED)


@pytest.mark.parametrize("name", ["lesson", "everyday"])
def test_the_published_figures_of_width_64_come_out_again(name):
    manifest = read_manifest()
    epoch = manifest.budgets[name]["published_epoch"]
    places = [
        place
        for place in measuring.shipped(manifest, TRAINED, only_published=True)
        if (place.entry.training, place.entry.width, place.entry.epoch) == (name, 64, epoch)
    ]
    measured = measuring.measure(places, manifest)
    assert len(measured["metrics"]) == 2 * 3 * 5
    assert len(measured["bands"]) == 2 * 3 * 5 * 4
    assert len(measured["lengths"]) == 2 * 55
    assert len(measured["padded"]) == 2 * 3 * (44 + 41)
    assert len(measured["pairs"]) == 3 * 5
    assert measuring.differences(PUBLISHED, measured) == []


@pytest.mark.parametrize("name", ["lesson", "everyday"])
def test_pairs_add_up_to_the_exact_matches_of_each_model(name):
    pairs = PUBLISHED["pairs"]
    bands = PUBLISHED["bands"][PUBLISHED["bands"]["beam_width"] == 1]
    keys = ["training", "width", "epoch", "seed", "evaluation"]
    for pair in pairs[pairs["training"] == name].to_dict("records"):
        of_model = bands[(bands[keys] == [pair[key] for key in keys]).all(axis=1)]
        if pair["band"] != "all":
            of_model = of_model[of_model["band"] == pair["band"]]
        correct = of_model.groupby("model")["correct"].sum()
        assert correct["attention"] == pair["both"] + pair["only_attention"]
        assert correct["encoder-decoder"] == pair["both"] + pair["only_encoder_decoder"]
        assert of_model.groupby("model")["total"].sum().tolist() == [pair["total"]] * 2


def published(training, evaluation, name, beam_width=1):
    table = PUBLISHED["metrics"]
    epoch = read_manifest().budgets[training]["published_epoch"]
    setting = {"training": training, "evaluation": evaluation, "model": name, "width": 64, "epoch": epoch}
    setting["seed"] = read_manifest().budgets[training]["seeds"][0]
    for column, value in {**setting, "beam_width": beam_width}.items():
        table = table[table[column] == value]
    assert len(table) == 1
    return table.iloc[0]


def bands(training, evaluation, name):
    row = published(training, evaluation, name)
    table = PUBLISHED["bands"]
    for column in ("training", "evaluation", "model", "width", "epoch", "seed", "beam_width"):
        table = table[table[column] == row[column]]
    assert tuple(table["total"]) == BAND_ROWS
    assert table["correct"].sum() == row["exact_correct"]
    return list(table["correct"] / table["total"])


def test_the_lesson_comes_out_as_the_lesson_says():
    encoder_decoder = published("lesson", "lesson", "encoder-decoder")
    assert 0.58 <= encoder_decoder["exact_correct"] / 2000 <= 0.67
    assert published("lesson", "lesson", "attention")["exact_correct"] / 2000 >= 0.96
    first, *_, last = bands("lesson", "lesson", "encoder-decoder")
    assert first - last >= 0.10
    first, *_, last = bands("lesson", "lesson", "attention")
    assert first - last <= 0.06


def test_everyday_and_open_sentences_are_read():
    assert published("everyday", "everyday", "attention")["exact_correct"] / 2000 >= 0.98
    assert published("everyday", "open", "attention")["exact_correct"] / 2000 >= 0.96


def test_every_shipped_model_is_measured_on_every_set_with_every_beam():
    manifest = read_manifest()
    # Two training sets, two models, four more seeds, published epochs alone.
    assert len(PUBLISHED["metrics"]) == (len(manifest.weights) + 2 * 2 * 4) * 3 * len(measuring.BEAM_WIDTHS)
    for name, keys in measuring.KEYS.items():
        assert not PUBLISHED[name].duplicated(keys).any()


def test_every_run_has_its_learning_curve():
    history = pd.read_csv(TRAINED / "history.csv")
    for run in budgets.runs():
        rows = history[
            (history["training"] == run.budget.training)
            & (history["model"] == run.name)
            & (history["width"] == run.width)
            & (history["seed"] == run.seed)
        ]
        assert rows["epoch"].tolist() == list(range(run.budget.epochs + 1))


def test_the_shipped_weights_are_small_enough_for_a_space():
    assert sum(entry.bytes for entry in read_manifest().weights) < 40_000_000


def one_row(**changes):
    row = {key: 0 for key in measuring.KEYS["lengths"]} | {"correct": 5, "total": 9, "low": 0.2, "high": 0.8}
    return {**{name: pd.DataFrame(columns=keys) for name, keys in measuring.KEYS.items()}} | {
        "lengths": pd.DataFrame([row | changes])
    }


def test_a_figure_that_does_not_come_out_the_same_is_told():
    assert measuring.differences(one_row(), one_row()) == []
    (line,) = measuring.differences(one_row(), one_row(correct=4))
    assert line.startswith("lengths.csv")
    assert line.endswith("correct is 4, published 5")
    (line,) = measuring.differences(one_row(), one_row(low=0.3))
    assert "low is 0.3, published 0.2" in line
    (line,) = measuring.differences(one_row(), one_row(length=11))
    assert line.endswith("not published")


def test_tables_are_read_as_they_were_written(tmp_path):
    measuring.write(PUBLISHED, tmp_path)
    for name, table in measuring.read(tmp_path).items():
        pd.testing.assert_frame_equal(table, PUBLISHED[name])
