import json
import re
import subprocess
import sys

import pandas as pd
import pytest
from huggingface_hub import DatasetCard, ModelCard

from seq2seq_demo import cards, measuring
from seq2seq_demo.artefacts import TRAINED, read_manifest
from seq2seq_demo.corpus import EVALUATION_SETS

DATA = TRAINED.parent / "data"
CARD = TRAINED / "README.md"


def test_the_cards_are_not_stale():
    history = pd.read_csv(TRAINED / "history.csv")
    assert CARD.read_text("utf-8") == cards.model_card(measuring.read(TRAINED), history, read_manifest())
    assert (DATA / "README.md").read_text("utf-8") == cards.dataset_card()


def test_the_model_cards_front_matter_holds_the_published_metrics():
    front = ModelCard.load(CARD).data.to_dict()
    assert front["license"] == "apache-2.0"
    assert front["library_name"] == "keras"
    stated = [
        (result["dataset"]["name"], metric["name"].split(", "), metric["value"])
        for model in front["model-index"]
        for result in model["results"]
        for metric in result["metrics"]
    ]
    assert len(stated) == 3 * 2 * 3
    table = pd.read_csv(TRAINED / "metrics.csv").set_index(
        ["training", "evaluation", "model", "width", "epoch", "seed", "beam_width"]
    )
    for dataset, (name, metric), value in stated:
        training, evaluation = re.search(r"trained on (\w+), evaluated on (\w+)", dataset).groups()
        row = table.loc[(training, evaluation, name, 64, {"lesson": 16, "everyday": 14}[training], 0, 1)]
        column = {"exact match": "exact", "free-running character accuracy": "character"}.get(metric, "teacher_forced")
        assert value == pytest.approx(row[f"{column}_correct"] / row[f"{column}_total"], abs=1e-6)


def test_the_dataset_cards_sets_are_there_and_load_as_it_says():
    front = DatasetCard.load(DATA / "README.md").data.to_dict()
    files = {config["config_name"]: config["data_files"][0]["path"] for config in front["configs"]}
    assert set(files) == set(EVALUATION_SETS)
    for file in files.values():
        table = pd.read_parquet(DATA / file)
        assert len(table) == 2000
        documented = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", cards.dataset_card(), re.MULTILINE)))
        assert list(table.columns) == [name for name in documented if name not in files]
        row = table.iloc[0]
        assert row["source"][slice(*row["year"])] == row["target"][:4]
    (example,) = re.findall(r"```json\n(.*?)\n```", cards.dataset_card(), re.DOTALL)
    assert json.loads(example)["source"] == pd.read_parquet(DATA / files["lesson"]).iloc[0]["source"]


def in_plain_keras(script):
    """Run a script in a fresh interpreter in which this project cannot be imported."""
    refuse = "import sys; sys.modules['seq2seq_demo'] = None\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", refuse + script], cwd=TRAINED, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_model_cards_code_reads_the_lessons_sentence_in_plain_keras():
    (code,) = re.findall(r"```python\n(.*?)```", CARD.read_text("utf-8"), re.DOTALL)
    assert in_plain_keras(code) == ["1993-02-07"]


def test_every_shipped_file_loads_in_plain_keras():
    script = """
import keras, pathlib
for path in sorted(pathlib.Path().glob("*/*/*.keras")):
    model = keras.saving.load_model(path)
    print(path.as_posix(), model.count_params())
"""
    loaded = iter(in_plain_keras(script))
    expected = {entry.file: str(entry.parameters) for entry in read_manifest().weights}
    assert dict(zip(loaded, loaded, strict=True)) == expected
