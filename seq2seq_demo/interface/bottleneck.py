"""What the sections on the bottleneck share: for which widths and epochs there are measurements, and their counts."""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from seq2seq_demo import artefacts
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import TRAINING_SETS
from seq2seq_demo.evaluation import Count
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.components import Payload
from seq2seq_demo.models import MODELS

# The evaluation sets that a training set is judged on, its own first.
EVALUATIONS = {"lesson": ("lesson",), "everyday": ("everyday", "open")}
EYEBROW = '<p class="eyebrow">The bottleneck, taken apart</p>'


def by_training(build: Callable[[str], Payload]) -> Payload:
    """A payload for each training set; an empty one where its measurements are missing."""
    payload: Payload = {}
    for training in TRAINING_SETS:
        try:
            payload[training] = build(training)
        except (ArtefactError, KeyError):
            payload[training] = {}
    return payload


def run_payload(training: str, table: pd.DataFrame) -> Payload:
    """What the browser needs to know of a training set's shipped run: its epochs, and which is published.

    Args:
        training: the training set.
        table: rows of it, with `epoch`.
    """
    return {
        "epochs": sorted(map(int, table["epoch"].unique())),
        "published": measured.published_epoch(training),
        "last": int(artefacts.read_manifest().budgets[training]["epochs"]),
        "seed": measured.shipped_seed(training),
        "evaluations": list(EVALUATIONS[training]),
    }


def greedy(training: str) -> pd.DataFrame:
    """The rows of metrics.csv of a training set's shipped run under greedy decoding, all widths and epochs."""
    rows = measured.table("metrics")
    return rows[(rows["training"] == training) & (rows["beam_width"] == 1)]


def settings(rows: pd.DataFrame, training: str) -> Iterator[tuple[int, int, str, dict[str, dict[str, Any]]]]:
    """Each width, epoch and evaluation set that both models of a training set are measured in, with their records."""
    for (width, epoch, evaluation), found in rows.groupby(["width", "epoch", "evaluation"]):
        records = _of_both_models(found)
        if records is not None and evaluation in EVALUATIONS[training]:
            yield int(width), int(epoch), str(evaluation), records


def count_of(record: dict[str, Any], metric: str) -> Count:
    """A metric of a row of metrics.csv or history.csv."""
    return Count(int(record[f"{metric}_correct"]), int(record[f"{metric}_total"]))


def counted(count: Count) -> list[float]:
    """A count as it travels: correct, total, and the 95% interval of the rate."""
    low, high = count.interval()
    return [count.correct, count.total, round(low, 4), round(high, 4)]


def _of_both_models(rows: pd.DataFrame) -> dict[str, dict[str, Any]] | None:
    """One record for each model; None unless each has exactly one."""
    records = {str(record["model"]): record for record in rows.to_dict("records")}
    return {name: records[name] for name in MODELS} if len(rows) == len(MODELS) == len(records) else None
