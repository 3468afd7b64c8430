"""Fits the grid of models, epoch by epoch, on all cores or on Ray, and can go on where it was interrupted."""

import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pandas as pd
import tensorflow as tf

from seq2seq_demo import evaluation, grid, measuring, on_ray
from seq2seq_demo.alphabet import TRAINING_LENGTH, encode_sources, encode_targets, shift_right
from seq2seq_demo.artefacts import (
    Manifest,
    Weights,
    describe_weights,
    replace_folder,
    save_weights,
    write_manifest,
    written_whole,
)
from seq2seq_demo.budgets import NOT_SHIPPED, Budget, Run, runs
from seq2seq_demo.corpus import training_rows, validation_rows
from seq2seq_demo.models import build
from seq2seq_demo.translator import Translator


@dataclass(frozen=True, slots=True)
class Epoch:
    """What an epoch of a run came to; losses in nats a character, counts on the validation rows."""

    training: str
    model: str
    width: int
    epoch: int
    seed: int
    loss: float
    validation_loss: float
    teacher_forced_correct: int
    teacher_forced_total: int
    exact_correct: int
    exact_total: int
    seconds: float


def train(run: Run, folder: Path, on_epoch: Callable[[Epoch], None] = lambda epoch: None) -> list[Epoch]:
    """Train one model; the weights of the budget's checkpoints go to `folder`.

    An interrupted run goes on after its last whole epoch and ends the same as if it had not been
    interrupted.

    Args:
        run: what to train.
        folder: where weights files and the run's progress are written.
        on_epoch: called after each epoch that is trained now.

    Returns:
        The history, epoch 0 (untrained) first.
    """
    progress = _Progress(folder / "progress" / str(run), run)
    model, history = progress.resume() or (_untrained(run), [])
    rows = training_rows(run.budget.training, run.budget.rows, run.seed)
    source = encode_sources([row.source for row in rows], TRAINING_LENGTH)
    target = encode_targets([row.target for row in rows])
    shifted = shift_right(target)
    while len(history) <= run.budget.epochs:
        epoch, started = len(history), time.perf_counter()
        loss = float("nan")
        if epoch > 0:
            # The order depends on the epoch alone, so that a resumed run sees the same one.
            order = np.random.default_rng([run.seed, epoch]).permutation(len(rows))
            inputs, batch = [source[order], shifted[order]], run.budget.batch
            fitted = model.fit(inputs, target[order], batch_size=batch, shuffle=False, verbose=0)
            loss = fitted.history["loss"][0]
        history.append(_validate(run, model, epoch, loss, started))
        if epoch in run.checkpoints:
            save_weights(model, run.name, run.budget.training, run.width, epoch, run.folder(folder))
        progress.save(model, history)
        on_epoch(history[-1])
    return history


def _untrained(run: Run) -> keras.Model:
    keras.utils.set_random_seed(run.seed)
    model = build(run.name, run.width)
    optimizer = keras.optimizers.Adam(run.budget.learning_rate)
    model.compile(optimizer, loss="sparse_categorical_crossentropy", jit_compile=True)
    return model


def _validate(run: Run, model: keras.Model, epoch: int, loss: float, started: float) -> Epoch:
    rows = validation_rows(run.budget.training)
    translator = Translator(model, run.name, run.budget.training, run.width, epoch)
    forced = evaluation.score_teacher_forced(translator, rows)
    exact = evaluation.score(translator, rows, beam_width=1).exact
    return Epoch(
        run.budget.training,
        run.name,
        run.width,
        epoch,
        run.seed,
        round(loss, 6),
        round(forced.loss, 6),
        forced.character.correct,
        forced.character.total,
        exact.correct,
        exact.total,
        round(time.perf_counter() - started, 2),
    )


class _Progress:
    """A run's state on disk after its last whole epoch: model, optimizer and history."""

    def __init__(self, folder: Path, run: Run):
        self._folder, self._run = folder, run
        self._record = folder / "progress.json"

    def resume(self) -> tuple[keras.Model, list[Epoch]] | None:
        """What was saved, or None if there is nothing or it was made by another budget."""
        if not self._record.exists():
            return None
        record = json.loads(self._record.read_text("utf-8"))
        if record["run"] != json.loads(json.dumps(asdict(self._run))):
            return None
        model = keras.saving.load_model(self._folder / record["model"])
        return model, [Epoch(**epoch) for epoch in record["history"]]

    def save(self, model: keras.Model, history: list[Epoch]) -> None:
        """Save whole: the record is replaced last, and names the model file that belongs to it."""
        file = f"epoch-{history[-1].epoch}.keras"
        with written_whole(self._folder / file) as path:
            model.save(path)
        record = {"run": asdict(self._run), "model": file, "history": [asdict(epoch) for epoch in history]}
        with written_whole(self._record) as path:
            path.write_text(json.dumps(record), "utf-8")
        for old in self._folder.glob("epoch-*.keras"):
            if old.name != file:
                old.unlink()


def train_all(
    budgets: Sequence[Budget],
    folder: Path,
    workers: int = 1,
    ray: str | None = None,
    on_trained: Callable[[Run], None] = lambda run: None,
    on_measured: Callable[[Weights], None] = lambda entry: None,
) -> None:
    """Train and measure the whole grid, and put what is shipped in the place of `folder`.

    All of it is made in `unfinished(folder)` first: `folder` changes once, at the very end. An
    interrupted call leaves the unfinished folder behind and a later one goes on there.

    Args:
        budgets: what to train.
        folder: trained/ or another.
        workers: processes of this machine, for training and measuring.
        ray: train on Ray instead: the address of a cluster, or `on_ray.LOCAL`. The results are the same.
        on_trained: called after each run.
        on_measured: called after each weights file.

    Raises:
        ValueError: if Ray is asked for and not installed, or does not answer.
    """
    work, grid_runs = unfinished(folder), runs(budgets)
    histories: dict[Run, list[Epoch]] = {}
    # Those that take longest first, so that the last ones end together.
    by_size = sorted(grid_runs, key=lambda run: -run.budget.rows * run.budget.epochs * run.width)
    for run, history in _trained(by_size, work, workers, ray):
        histories[run] = history
        on_trained(run)
    of_run = {
        run: [
            describe_weights(run.name, run.budget.training, run.width, epoch, run.seed, run.folder(work))
            for epoch in run.checkpoints
        ]
        for run in grid_runs
    }
    shipped = tuple(entry for run in grid_runs if run.shipped for entry in of_run[run])
    manifest = Manifest(_made(), {budget.training: asdict(budget) for budget in budgets}, shipped)
    write_manifest(manifest, work)
    records = [asdict(epoch) for run in grid_runs for epoch in histories[run]]
    measuring.write({"history": measuring.in_order(pd.DataFrame(records))}, work)
    places = [measuring.Place(entry, run.folder(work)) for run in grid_runs for entry in of_run[run]]
    measuring.write(measuring.measure(places, manifest, workers, on_measured), work)
    for name in ("progress", NOT_SHIPPED):
        shutil.rmtree(work / name, ignore_errors=True)
    replace_folder(work, folder, keep=["README.md"])


def _trained(
    grid_runs: Sequence[Run], work: Path, workers: int, address: str | None
) -> Iterator[tuple[Run, list[Epoch]]]:
    if address is None:
        yield from grid.run(partial(train, folder=work), grid_runs, workers)
        return
    with on_ray.connect(address):
        for run, (history, files) in grid.run_on_ray(train_elsewhere, grid_runs):
            for name, content in files.items():
                with written_whole(work / name) as path:
                    path.write_bytes(content)
            yield run, history


def train_elsewhere(run: Run) -> tuple[list[Epoch], dict[str, bytes]]:
    """Train one model on a machine that shares no disk: its history, and its weights files by relative path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        history = train(run, folder)
        shutil.rmtree(folder / "progress")
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.keras")}
    return history, files


def unfinished(folder: Path) -> Path:
    """Where a training that is not finished keeps what it has."""
    return folder.with_name(f".{folder.name}-unfinished")


def _made() -> dict[str, Any]:
    # Asked of the modules: the package is tensorflow-cpu on some machines and tensorflow on others.
    versions = {module.__name__: module.__version__ for module in (tf, keras, np, pd)}
    return {
        "command": "python -m seq2seq_demo train",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "versions": {"python": platform.python_version(), **versions},
    }
