"""Measures every shipped model into the published tables, and compares a new measurement with them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from seq2seq_demo import evaluation, grid
from seq2seq_demo.artefacts import Manifest, Weights, load_weights, written_whole
from seq2seq_demo.compiled import BATCHES
from seq2seq_demo.corpus import (
    BANDS,
    DATE_FORMS,
    EVALUATION_SETS,
    LONGEST_PADDED,
    PLACES,
    band_of,
    evaluation_rows,
    padded_rows,
    rows_of_length,
    shortest_padded,
)
from seq2seq_demo.models import MODELS
from seq2seq_demo.translator import Translator

BEAM_WIDTHS = (1, 2, 3, 5, 10)
LENGTHS = range(10, 65)
# Between the lengths of `padded_rows`, which are even.
PADDED_STEP = 2
ROWS_OF_LENGTH = 500
# A seed of its own: no row here need be one that the page draws.
LENGTH_SEED = 1

_LINE = ["training", "model", "width", "epoch", "seed"]
_SETTING = [*_LINE, "evaluation", "beam_width"]
# The columns that tell the rows of each table apart; what is measured stands in the others.
KEYS = {
    "metrics": _SETTING,
    "bands": [*_SETTING, "band"],
    "lengths": [*_LINE, "length"],
    "padded": [*_LINE, "form", "place", "length"],
    # Both models of a line on the same rows, greedy; a band or "all".
    "pairs": [*(column for column in _LINE if column != "model"), "evaluation", "band"],
}
# Times differ from run to run and machine to machine, so they are published but not compared.
_NOT_COMPARED = {"seconds"}
_FLOAT_TOLERANCE = 1e-4

Tables = dict[str, pd.DataFrame]


@dataclass(frozen=True, slots=True)
class Place:
    """A weights file and the folder that it is in."""

    entry: Weights
    folder: Path


@dataclass(frozen=True, slots=True)
class Measured:
    """What one weights file came to: records of each table, and for each set which rows are exact."""

    records: dict[str, list[dict[str, Any]]]
    exact: dict[str, np.ndarray]


def measure(
    places: Sequence[Place],
    manifest: Manifest,
    workers: int = 1,
    on_measured: Callable[[Weights], None] = lambda entry: None,
) -> Tables:
    """Measure weights on every evaluation set, and the published ones by length and by added filler.

    Args:
        places: what to measure.
        manifest: says which epochs are published.
        workers: processes of this machine.
        on_measured: called after each weights file.

    Returns:
        The tables of `KEYS`, in the order of their keys.
    """
    published = frozenset((training, budget["published_epoch"]) for training, budget in manifest.budgets.items())
    records: dict[str, list[dict[str, Any]]] = {name: [] for name in KEYS}
    exact: dict[Weights, dict[str, np.ndarray]] = {}
    for place, measured in grid.run(partial(_measure, published=published), places, workers):
        for name, found in measured.records.items():
            records[name].extend(found)
        exact[place.entry] = measured.exact
        on_measured(place.entry)
    records["pairs"] = [record for pair in _pairs(exact) for record in pair]
    return {name: in_order(pd.DataFrame(rows, columns=None if rows else KEYS[name])) for name, rows in records.items()}


def shipped(manifest: Manifest, folder: Path, *, only_published: bool = False) -> list[Place]:
    """The weights of a manifest, or those of the published epochs alone."""
    return [
        Place(entry, folder)
        for entry in manifest.weights
        if not only_published or entry.epoch == manifest.budgets[entry.training]["published_epoch"]
    ]


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Rows by training set, model, width, seed and epoch, whatever order they were measured in."""
    by = [column for column in ("training", "model", "width", "seed", "epoch") if column in table]
    return table.sort_values(by, kind="stable", ignore_index=True)


def _measure(place: Place, published: frozenset[tuple[str, int]]) -> Measured:
    entry = place.entry
    translator = Translator(load_weights(entry, place.folder), entry.name, entry.training, entry.width, entry.epoch)
    translator.compile(BATCHES[-1:])  # so that no time that is published holds a compilation
    measured = Measured({name: [] for name in KEYS if name != "pairs"}, {})
    line = {key: getattr(entry, {"model": "name"}.get(key, key)) for key in _LINE}
    for name in EVALUATION_SETS:
        for metrics, bands, exact in _measure_set(translator, name):
            measured.records["metrics"].append({**line, **metrics})
            measured.records["bands"].extend({**line, **band} for band in bands)
            measured.exact.setdefault(name, exact)  # the first beam width is 1, greedy
    if (entry.training, entry.epoch) in published:
        measured.records["lengths"].extend({**line, **found} for found in _measure_lengths(translator))
        measured.records["padded"].extend({**line, **found} for found in _measure_padded(translator))
    return measured


def _pairs(exact: dict[Weights, dict[str, np.ndarray]]) -> Iterator[list[dict[str, Any]]]:
    """For every two models that differ in nothing else: rows that both, or only one, has exactly right."""
    without = {_but_name(entry): found for entry, found in exact.items() if entry.name == MODELS[0]}
    for entry, found in exact.items():
        other = without.get(_but_name(entry))
        if entry.name == MODELS[0] or other is None:
            continue
        line = {key: getattr(entry, key) for key in KEYS["pairs"] if hasattr(entry, key)}
        for name, right in found.items():
            bands = np.array([band_of(len(row.source)) for row in evaluation_rows(name)])
            parts = {"all": bands >= 0, **{_band_name(band): bands == band for band in range(len(BANDS))}}
            yield [
                {
                    **line,
                    "evaluation": name,
                    "band": label,
                    "both": int((right & other[name])[rows].sum()),
                    "only_attention": int((right & ~other[name])[rows].sum()),
                    "only_encoder_decoder": int((~right & other[name])[rows].sum()),
                    "total": int(rows.sum()),
                }
                for label, rows in parts.items()
            ]


def _but_name(entry: Weights) -> tuple[str, int, int, int]:
    return entry.training, entry.width, entry.epoch, entry.seed


def _band_name(band: int) -> str:
    return "{}-{}".format(*BANDS[band])


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


def updated(published: Tables, measured: Tables) -> Tables:
    """The published tables with what was measured again in the place of what stood there."""
    return {
        name: in_order(
            pd.concat([published[name], measured[name]]).drop_duplicates(keys, keep="last", ignore_index=True)
        )
        for name, keys in KEYS.items()
    }


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


def _measure_set(
    translator: Translator, name: str
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]], np.ndarray]]:
    rows = evaluation_rows(name)
    forced = evaluation.score_teacher_forced(translator, rows)
    for beam_width in BEAM_WIDTHS:
        found = evaluation.score(translator, rows, beam_width)
        setting = {"evaluation": name, "beam_width": beam_width}
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
            {**setting, "band": _band_name(band), **_counted(count)} for band, count in enumerate(found.exact_by_band)
        ]
        yield metrics, bands, found.exact_rows


def _measure_lengths(translator: Translator) -> Iterator[dict[str, Any]]:
    """Exact match of greedy decoding on fresh sentences of each length."""
    groups = [rows_of_length(translator.training, length, ROWS_OF_LENGTH, LENGTH_SEED) for length in LENGTHS]
    rows = [row for group in groups for row in group]
    exact = evaluation.exactly_right(translator, rows)
    for length, right in zip(LENGTHS, exact.reshape(len(LENGTHS), ROWS_OF_LENGTH), strict=True):
        yield {"length": length, **_counted(evaluation.count(right))}


def _measure_padded(translator: Translator) -> Iterator[dict[str, Any]]:
    """Exact match of greedy decoding on the same dates with more and more filler."""
    for form in DATE_FORMS:
        lengths = range(shortest_padded(form), LONGEST_PADDED + 1, PADDED_STEP)
        for place in PLACES:
            # A form and place at a time: the attention of all rows together would be half a gigabyte.
            rows = [
                row
                for length in lengths
                for row in padded_rows(translator.training, form, place, length, ROWS_OF_LENGTH, LENGTH_SEED)
            ]
            exact = evaluation.exactly_right(translator, rows).reshape(len(lengths), ROWS_OF_LENGTH)
            for length, right in zip(lengths, exact, strict=True):
                yield {"form": form, "place": place, "length": length, **_counted(evaluation.count(right))}


def _counted(count: evaluation.Count) -> dict[str, Any]:
    low, high = count.interval()
    return {"correct": count.correct, "total": count.total, "low": round(low, 6), "high": round(high, 6)}
