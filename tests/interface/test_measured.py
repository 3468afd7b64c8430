import pandas as pd
import pytest

from seq2seq_demo import artefacts
from seq2seq_demo.interface import measured


@pytest.fixture
def two_runs(tmp_path, monkeypatch):
    """Tables of two training sets that ship different seeds, two epochs and two seeds each."""
    rows = [
        (training, epoch, seed, 100 * seed + epoch)
        for training in ("lesson", "everyday")
        for epoch in (1, 2)
        for seed in (0, 7)
    ]
    table = pd.DataFrame(rows, columns=["training", "epoch", "seed", "correct"])
    table.to_csv(tmp_path / "bands.csv", index=False)
    budgets = {
        "lesson": {"published_epoch": 1, "seeds": [0, 7]},
        "everyday": {"published_epoch": 2, "seeds": [7, 0]},
    }
    artefacts.write_manifest(artefacts.Manifest({}, budgets, ()), tmp_path)
    read = artefacts.read_manifest
    monkeypatch.setattr(artefacts, "read_manifest", lambda: read(tmp_path))
    monkeypatch.setattr(artefacts, "TRAINED", tmp_path)
    caches = (measured.table, measured.every_seed)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_a_table_is_of_the_seed_that_is_shipped(two_runs):
    assert measured.table("bands")["correct"].tolist() == [1, 2, 701, 702]
    assert measured.published("bands", "lesson")["correct"].tolist() == [1]
    assert measured.published("bands", "everyday")["correct"].tolist() == [702]


def test_all_runs_are_there_for_those_who_ask(two_runs):
    assert len(measured.every_seed("bands")) == 8
    assert measured.published_of_every_seed("bands", "lesson")["correct"].tolist() == [1, 701]
    assert measured.published_of_every_seed("bands", "everyday")["correct"].tolist() == [2, 702]


def test_a_missing_table_is_said(two_runs):
    with pytest.raises(artefacts.ArtefactError, match=r"lengths\.csv is missing"):
        measured.table("lengths")
