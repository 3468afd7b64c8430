from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from seq2seq_demo import artefacts, budgets, measuring, training
from seq2seq_demo.budgets import BUDGETS, Budget, Run
from seq2seq_demo.training import train, train_all

TINY = Budget(
    "lesson", rows=256, epochs=3, published_epoch=3, checkpoints=(0, 1, 3), widths=(4,), repeated_widths=(), seeds=(0,)
)


def final_weights(folder, run):
    entry = artefacts.describe_weights(run.name, "lesson", 4, 3, run.seed, run.folder(folder))
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
    longer = replace(TINY, learning_rate=0.01)
    history = train(Run("attention", 4, longer), tmp_path)
    again = train(Run("attention", 4, longer), tmp_path / "fresh")
    np.testing.assert_equal(untimed(history)[1:], untimed(again)[1:])


def test_another_seed_is_another_run_from_the_first_weights_on(tmp_path):
    one, other = (train(Run("attention", 4, TINY, seed), tmp_path) for seed in (0, 1))
    assert [epoch.seed for epoch in other] == [1] * 4
    assert one[0].validation_loss != other[0].validation_loss
    assert one[1].loss != other[1].loss


def test_the_grid_is_every_width_with_the_first_seed_and_some_with_all():
    budget = replace(TINY, widths=(4, 8), repeated_widths=(8,), seeds=(3, 5))
    assert [(run.name, run.width, run.seed) for run in budgets.runs([budget])] == [
        ("encoder-decoder", 4, 3),
        ("attention", 4, 3),
        ("encoder-decoder", 8, 3),
        ("encoder-decoder", 8, 5),
        ("attention", 8, 3),
        ("attention", 8, 5),
    ]
    # Two training sets, width 64 with both models and five seeds, three more widths of one set.
    assert len(budgets.runs()) == 2 * 2 * 5 + 3 * 2


@pytest.fixture
def few_measurements(monkeypatch):
    """The sets are measured in test_measuring; here a few rows of one are enough."""
    monkeypatch.setattr(measuring, "EVALUATION_SETS", ("lesson",))
    monkeypatch.setattr(measuring, "BEAM_WIDTHS", (1, 2))
    monkeypatch.setattr(measuring, "LENGTHS", range(10, 12))
    monkeypatch.setattr(measuring, "LONGEST_PADDED", 18)


def test_everything_is_trained_measured_and_put_in_place_at_the_end(tmp_path, few_measurements):
    folder = tmp_path / "trained"
    folder.mkdir()
    (folder / "README.md").write_text("kept")
    (folder / "stale.csv").write_text("gone")
    seen = []

    def still_the_old(run):
        assert (folder / "stale.csv").exists()
        seen.append(str(run))

    budget = replace(TINY, repeated_widths=(4,), seeds=(0, 1))
    train_all([budget], folder, on_trained=still_the_old)
    assert sorted(seen) == sorted(
        f"lesson/{name}-4/seed-{seed}" for name in ("attention", "encoder-decoder") for seed in (0, 1)
    )
    assert (folder / "README.md").read_text() == "kept"
    assert not (folder / "stale.csv").exists()
    assert not training.unfinished(folder).exists()
    manifest = artefacts.read_manifest(folder)
    assert [(entry.epoch, entry.seed) for entry in manifest.weights] == [(0, 0), (1, 0), (3, 0)] * 2
    assert manifest.budgets["lesson"]["rows"] == 256
    for entry in manifest.weights:
        artefacts.verify(entry, folder)
    # Weights of the first seed alone are kept; the measurements are of both.
    assert len(list(folder.rglob("*.keras"))) == 6
    tables = measuring.read(folder)
    assert len(tables["metrics"]) == (6 + 2) * 2
    assert tables["metrics"].groupby("seed")["epoch"].unique().map(list).to_dict() == {0: [0, 1, 3], 1: [3]}
    assert len(tables["lengths"]) == 4 * 2
    assert len(tables["padded"]) == 4 * 3 * (5 + 2)
    assert len(tables["pairs"]) == (3 + 1) * 5
    assert len(pd.read_csv(folder / "history.csv")) == 4 * 4


def test_on_ray_with_two_workers_of_which_one_is_killed_everything_comes_out_the_same(tmp_path, few_measurements):
    import threading
    import time

    import psutil
    from ray.cluster_utils import Cluster

    budget = replace(TINY, repeated_widths=(4,), seeds=(0, 1))
    train_all([budget], tmp_path / "here")

    cluster = Cluster()
    cluster.add_node(num_cpus=0)
    for _ in range(2):
        cluster.add_node(num_cpus=1, object_store_memory=128 * 2**20)
    killed = []

    def kill_one():
        while not killed:
            for process in psutil.process_iter(["cmdline"]):
                if "ray::_on_one_core" in " ".join(process.info["cmdline"] or ()):
                    time.sleep(3)  # well inside the run: TensorFlow alone takes that long to load
                    process.kill()
                    killed.append(process.pid)
                    return
            time.sleep(0.1)

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    try:
        train_all([budget], tmp_path / "there", ray=cluster.address)
    finally:
        cluster.shutdown()
    assert killed
    here, there = (measuring.read(tmp_path / name) for name in ("here", "there"))
    assert measuring.differences(here, there) == []
    assert {name: len(table) for name, table in here.items()} == {name: len(table) for name, table in there.items()}
    # The archives hold times; the weights in them are the same.
    for one, other in zip(
        *(artefacts.read_manifest(tmp_path / name).weights for name in ("here", "there")), strict=True
    ):
        pairs = zip(
            artefacts.load_weights(one, tmp_path / "here").get_weights(),
            artefacts.load_weights(other, tmp_path / "there").get_weights(),
            strict=True,
        )
        assert all(np.array_equal(*pair) for pair in pairs)


def test_the_budgets_can_be_what_they_say():
    for budget in BUDGETS:
        assert budget.rows % budget.batch == 0
        assert budget.published_epoch in budget.checkpoints
        assert budget.checkpoints[0] == 0
        assert budget.checkpoints[-1] == budget.epochs
        assert set(budget.repeated_widths) <= set(budget.widths)


def test_the_manifest_says_what_the_budgets_say():
    shipped = artefacts.read_manifest().budgets
    for budget in BUDGETS:
        recorded = Budget(**{k: tuple(v) if isinstance(v, list) else v for k, v in shipped[budget.training].items()})
        assert recorded == budget
