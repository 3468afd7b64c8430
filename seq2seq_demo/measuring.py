"""Measures every shipped model into the published tables, and compares a new measurement with them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from seq2seq_demo import evaluation
from seq2seq_demo.alphabet import encode_targets
from seq2seq_demo.artefacts import Manifest, Weights, load_weights, written_whole
from seq2seq_demo.compiled import BATCHES
from seq2seq_demo.corpus import BANDS, EVALUATION_SETS, evaluation_rows, rows_of_length
from seq2seq_demo.translator import Translator

BEAM_WIDTHS = (1, 2, 3, 5, 10)
LENGTHS = range(10, 65)
ROWS_OF_LENGTH = 500
# A seed of its own: no row here need be one that the page draws.
LENGTH_SEED = 1

_LINE = ["training", "model", "width", "epoch"]
_SETTING = [*_LINE, "evaluation", "beam_width"]
# The columns that tell the rows of each table apart; what is measured stands in the others.
KEYS = {
    "metrics": _SETTING,
    "bands": [*_SETTING, "band"],
    "lengths": [*_LINE, "length"],
}
# Times differ from run to run and machine to machine, so they are published but not compared.
_NOT_COMPARED = {"seconds"}
_FLOAT_TOLERANCE = 1e-4

Tables = dict[str, pd.DataFrame]


def measure(
    manifest: Manifest,
    folder: Path,
    *,
    only_published: bool = False,
    on_measured: Callable[[Weights], None] = lambda entry: None,
) -> Tables:
    """Measure the weights of a manifest on every evaluation set, and the published ones by length.

    Args:
        manifest: what to measure.
        folder: where its files are.
        only_published: leave out all epochs but the published ones.
        on_measured: called after each weights file.

    Returns:
        The tables "metrics", "bands" and "lengths"; see `KEYS`.
    """
    records: dict[str, list[dict[str, Any]]] = {name: [] for name in KEYS}
    for entry in chosen(manifest, only_published=only_published):
        translator = Translator(load_weights(entry, folder), entry.name, entry.training, entry.width, entry.epoch)
        translator.compile(BATCHES[-1:])  # so that no time that is published holds a compilation
        for name in EVALUATION_SETS:
            for metrics, bands in _measure_set(translator, name):
                records["metrics"].append(metrics)
                records["bands"].extend(bands)
        if entry.epoch == manifest.budgets[entry.training]["published_epoch"]:
            records["lengths"].extend(_measure_lengths(translator))
        on_measured(entry)
    return {name: pd.DataFrame(rows) for name, rows in records.items()}


def chosen(manifest: Manifest, *, only_published: bool) -> list[Weights]:
    """The weights that `measure` measures."""
    return [
        entry
        for entry in manifest.weights
        if not only_published or entry.epoch == manifest.budgets[entry.training]["published_epoch"]
    ]


def write(tables: Tables, folder: Path) -> None:
    """Write the tables as CSV, each whole or not at all."""
    for name, table in tables.items():
        with written_whole(folder / f"{name}.csv") as path:
            table.to_csv(path, index=False, lineterminator="\n")


def read(folder: Path) -> Tables:
    """Read the published tables.

    Raises:
        FileNotFoundError: if one is missing.
    """
    return {name: pd.read_csv(folder / f"{name}.csv") for name in KEYS}


def differences(published: Tables, measured: Tables) -> list[str]:
    """Say where a new measurement does not come out as published, a line each.

    Rows that were not measured again are not compared; rows that were measured and are not
    published are a difference.
    """
    return [line for name in KEYS for line in _differences(name, published[name], measured[name])]


def _differences(name: str, published: pd.DataFrame, measured: pd.DataFrame) -> Iterator[str]:
    keys = KEYS[name]
    both = measured.merge(published, on=keys, how="left", suffixes=("", " published"), indicator="found")
    for row in both.to_dict("records"):
        label = f"{name}.csv, " + ", ".join(f"{key} {row[key]}" for key in keys)
        if row["found"] != "both":
            yield f"{label}: not published"
            continue
        for column in measured.columns.difference([*keys, *_NOT_COMPARED], sort=False):
            now, before = row[column], row[f"{column} published"]
            if not _same(now, before):
                yield f"{label}: {column} is {now}, published {before}"


def _same(now: float, before: float) -> bool:
    if pd.isna(now) or pd.isna(before):
        return bool(pd.isna(now) and pd.isna(before))
    if isinstance(now, int) and isinstance(before, int):
        return now == before
    return abs(now - before) <= _FLOAT_TOLERANCE


def _line(translator: Translator) -> dict[str, Any]:
    return {
        "training": translator.training,
        "model": translator.name,
        "width": translator.width,
        "epoch": translator.epoch,
    }


def _measure_set(translator: Translator, name: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    rows = evaluation_rows(name)
    forced = evaluation.score_teacher_forced(translator, rows)
    for beam_width in BEAM_WIDTHS:
        found = evaluation.score(translator, rows, beam_width)
        setting = {**_line(translator), "evaluation": name, "beam_width": beam_width}
        low, high = found.exact.interval()
        alignment = found.alignment
        metrics = {
            **setting,
            "parameters": translator.parameters,
            "loss": round(forced.loss, 6),
            "teacher_forced_correct": forced.character.correct,
            "teacher_forced_total": forced.character.total,
            "character_correct": found.character.correct,
            "character_total": found.character.total,
            "exact_correct": found.exact.correct,
            "exact_total": found.exact.total,
            "exact_low": round(low, 6),
            "exact_high": round(high, 6),
            "alignment_correct": alignment.peaks.correct if alignment else None,
            "alignment_total": alignment.peaks.total if alignment else None,
            "alignment_mass": round(alignment.mass, 6) if alignment else None,
            "seconds": round(found.seconds, 4),
        }
        bands = [
            {**setting, "band": f"{first}-{last}", **_counted(count)}
            for (first, last), count in zip(BANDS, found.exact_by_band, strict=True)
        ]
        yield metrics, bands


def _measure_lengths(translator: Translator) -> Iterator[dict[str, Any]]:
    """Exact match of greedy decoding on fresh sentences of each length."""
    groups = [rows_of_length(translator.training, length, ROWS_OF_LENGTH, LENGTH_SEED) for length in LENGTHS]
    rows = [row for group in groups for row in group]
    symbols = translator.decode([row.source for row in rows]).symbols[:, 0]
    exact = (symbols == encode_targets([row.target for row in rows])).all(axis=1)
    for length, right in zip(LENGTHS, exact.reshape(len(LENGTHS), ROWS_OF_LENGTH), strict=True):
        yield {**_line(translator), "length": length, **_counted(evaluation.count(right))}


def _counted(count: evaluation.Count) -> dict[str, Any]:
    low, high = count.interval()
    return {"correct": count.correct, "total": count.total, "low": round(low, 6), "high": round(high, 6)}
