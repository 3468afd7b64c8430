import shutil
from dataclasses import replace

import numpy as np
import pytest

from seq2seq_demo.artefacts import (
    TRAINED,
    ArtefactError,
    Manifest,
    describe_weights,
    load_weights,
    read_manifest,
    replace_folder,
    save_weights,
    verify,
    write_manifest,
    written_whole,
)
from seq2seq_demo.models import build, count_parameters


@pytest.fixture
def entry(tmp_path):
    save_weights(build("attention", 3), "attention", "lesson", 3, 2, tmp_path)
    return describe_weights("attention", "lesson", 3, 2, 0, tmp_path)


def test_saved_weights_come_back_and_answer_the_same(tmp_path):
    model = build("attention", 3)
    model.compile("adam", loss="sparse_categorical_crossentropy")
    inputs = [np.array([[5, 6, 7]], np.int32), np.zeros((1, 10), np.int32)]
    model.fit(inputs, np.ones((1, 10), np.int32), verbose=0)
    save_weights(model, "attention", "lesson", 3, 2, tmp_path)
    loaded = load_weights(describe_weights("attention", "lesson", 3, 2, 0, tmp_path), tmp_path)
    np.testing.assert_array_equal(loaded.predict(inputs, verbose=0), model.predict(inputs, verbose=0))
    assert getattr(loaded, "optimizer", None) is None


def test_a_missing_file_is_named(tmp_path, entry):
    (tmp_path / entry.file).unlink()
    with pytest.raises(ArtefactError, match=r"epoch-002\.keras is missing; restore"):
        verify(entry, tmp_path)


def test_a_file_cut_short_is_named_with_its_sizes(tmp_path, entry):
    path = tmp_path / entry.file
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ArtefactError, match=rf"cut short: 100 of {entry.bytes} bytes"):
        load_weights(entry, tmp_path)


@pytest.mark.parametrize(
    "change", [lambda content: content[:-1] + bytes([content[-1] ^ 1]), lambda content: content + b"x"]
)
def test_an_altered_file_is_named(tmp_path, entry, change):
    path = tmp_path / entry.file
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ArtefactError, match="was altered"):
        load_weights(entry, tmp_path)


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"made": {}, "budgets": {}, "weights": [{"no": 1}]}'])
def test_a_broken_manifest_is_told_plainly(tmp_path, content):
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(ArtefactError, match=r"manifest\.json"):
        read_manifest(tmp_path)


def test_a_manifest_comes_back(tmp_path, entry):
    manifest = Manifest({"date": "today"}, {"lesson": {"published_epoch": 2}}, (entry,))
    write_manifest(manifest, tmp_path)
    assert read_manifest(tmp_path) == manifest
    assert manifest.find("attention", "lesson", 3) == entry
    assert manifest.epochs("attention", "lesson", 3) == [2]


def test_the_manifest_lists_what_exists(entry):
    manifest = Manifest({}, {"lesson": {"published_epoch": 2}}, (entry, replace(entry, epoch=5)))
    for wanted, listed in (
        (("gru", "lesson", 3, 2), "attention"),
        (("attention", "weather", 3, None), "lesson"),
        (("attention", "lesson", 4, 2), "3"),
        (("attention", "lesson", 3, 4), "2, 5"),
    ):
        with pytest.raises(ValueError, match=f"choose one of: {listed}"):
            manifest.find(*wanted)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("old")

    def fail():
        with written_whole(path) as unfinished:
            unfinished.write_text("half")
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_replaced_whole_but_for_what_is_kept(tmp_path):
    old, new = tmp_path / "trained", tmp_path / "new"
    for folder, files in ((old, ("README.md", "gone.csv")), (new, ("manifest.json",))):
        folder.mkdir()
        for file in files:
            (folder / file).write_text(folder.name)
    replace_folder(new, old, keep=["README.md", "never-there"])
    assert sorted(file.name for file in old.iterdir()) == ["README.md", "manifest.json"]
    assert sorted(tmp_path.iterdir()) == [old]


def test_all_that_is_shipped_is_whole_and_listed():
    manifest = read_manifest()
    listed = {verify(entry) for entry in manifest.weights}
    assert listed == set(TRAINED.rglob("*.keras"))
    for entry in manifest.weights:
        assert entry.parameters == count_parameters(entry.name, entry.width)
    assert sum(file.stat().st_size for file in TRAINED.rglob("*") if file.is_file()) < 40e6


def test_what_is_shipped_is_what_was_asked_for():
    manifest = read_manifest()
    lines = {(entry.training, entry.name, entry.width) for entry in manifest.weights}
    models = ("encoder-decoder", "attention")
    assert lines == {("lesson", name, 64) for name in models} | {
        ("everyday", name, width) for name in models for width in (8, 16, 32, 64)
    }
    for training, name, width in lines:
        epochs = manifest.epochs(name, training, width)
        assert epochs[0] == 0
        assert len(epochs) >= 12
        assert manifest.budgets[training]["published_epoch"] in epochs


def test_loading_does_not_depend_on_the_working_directory(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    shutil.copy(TRAINED / "manifest.json", tmp_path)
    entry = read_manifest().find("attention", "lesson", 64)
    assert load_weights(entry).count_params() == 70924
