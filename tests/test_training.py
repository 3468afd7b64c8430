from dataclasses import replace

import numpy as np
import pytest

from seq2seq_demo import artefacts, measuring, training
from seq2seq_demo.training import BUDGETS, Budget, Run, train, train_all

TINY = Budget("lesson", rows=256, epochs=3, published_epoch=3, checkpoints=(0, 1, 3), widths=(4,))


def final_weights(folder, run):
    entry = artefacts.describe_weights(run.name, "lesson", 4, 3, folder)
    return artefacts.load_weights(entry, folder).get_weights()


def untimed(history):
    return [replace(epoch, seconds=0) for epoch in history]


@pytest.mark.parametrize("name", ["encoder-decoder", "attention"])
def test_an_interrupted_run_ends_as_an_uninterrupted_one_does(tmp_path, name):
    run = Run(name, 4, TINY)
    straight = train(run, tmp_path / "straight")

    def interrupt(epoch):
        if epoch.epoch == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(run, tmp_path / "interrupted", interrupt)
    seen = []
    resumed = train(run, tmp_path / "interrupted", seen.append)
    assert [epoch.epoch for epoch in seen] == [2, 3]
    np.testing.assert_equal(untimed(resumed)[1:], untimed(straight)[1:])
    for one, other in zip(
        final_weights(tmp_path / "straight", run), final_weights(tmp_path / "interrupted", run), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_training_lowers_the_loss_and_starts_where_guessing_is():
    history = [epoch for epoch in _history()]
    assert history[0].validation_loss == pytest.approx(np.log(12), abs=0.05)
    assert history[-1].loss < history[1].loss
    assert history[-1].validation_loss < history[0].validation_loss


def _history():
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        return train(Run("attention", 4, TINY), Path(folder))


def test_progress_of_another_budget_is_not_gone_on_with(tmp_path):
    train(Run("attention", 4, TINY), tmp_path)
    history = train(Run("attention", 4, replace(TINY, seed=1)), tmp_path)
    again = train(Run("attention", 4, replace(TINY, seed=1)), tmp_path / "fresh")
    np.testing.assert_equal(untimed(history)[1:], untimed(again)[1:])


def test_everything_is_trained_measured_and_put_in_place_at_the_end(tmp_path, monkeypatch):
    folder = tmp_path / "trained"
    folder.mkdir()
    (folder / "README.md").write_text("kept")
    (folder / "stale.csv").write_text("gone")
    # The sets are measured in test_measuring; here a few rows of one are enough.
    monkeypatch.setattr(measuring, "EVALUATION_SETS", ("lesson",))
    monkeypatch.setattr(measuring, "BEAM_WIDTHS", (1, 2))
    monkeypatch.setattr(measuring, "LENGTHS", range(10, 12))

    def still_the_old(epoch):
        assert (folder / "stale.csv").exists()

    train_all([TINY], folder, still_the_old)
    assert (folder / "README.md").read_text() == "kept"
    assert not (folder / "stale.csv").exists()
    assert not training.unfinished(folder).exists()
    manifest = artefacts.read_manifest(folder)
    assert [entry.epoch for entry in manifest.weights] == [0, 1, 3] * 2
    assert manifest.budgets["lesson"]["rows"] == 256
    for entry in manifest.weights:
        artefacts.verify(entry, folder)
    tables = measuring.read(folder)
    assert len(tables["metrics"]) == 6 * 2
    assert len(tables["lengths"]) == 2 * 2


def test_the_budgets_can_be_what_they_say():
    for budget in BUDGETS:
        assert budget.rows % budget.batch == 0
        assert budget.published_epoch in budget.checkpoints
        assert budget.checkpoints[0] == 0
        assert budget.checkpoints[-1] == budget.epochs


def test_the_manifest_says_what_the_budgets_say():
    shipped = artefacts.read_manifest().budgets
    for budget in BUDGETS:
        recorded = Budget(**{k: tuple(v) if isinstance(v, list) else v for k, v in shipped[budget.training].items()})
        assert recorded == budget
