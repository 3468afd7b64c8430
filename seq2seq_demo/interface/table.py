"""The ranked table: every measured setting of the published models, beside the lesson page's rows."""

from typing import Any

import pandas as pd

from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.corpus import BAND_ROWS, TRAINING_SETS
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.components import Payload, html_component, markup
from seq2seq_demo.report import lesson_page

# Key, heading, what it is, and which end is better: 1 high, -1 low, 0 neither.
COLUMNS: tuple[tuple[str, str, str, int], ...] = (
    ("parameters", "Parameters", "trained weights of the model", 0),
    ("teacher_forced", "Teacher-forced", "characters right when the correct history is handed to the decoder", 1),
    ("character", "Character", "characters right when the decoder eats its own output", 1),
    ("exact", "Exact match", "whole dates right, free-running", 1),
    ("alignment", "Alignment", "digit steps whose attention peaks inside the right field", 1),
    ("seconds", "Seconds", "time to decode the set on the machine that measured", -1),
)
# What tells the rows of a training set's published epoch apart, but for the run.
SETTING = ("model", "width", "evaluation", "beam_width")


def table_payload() -> Payload:
    """All rows of the table; sorting and filtering happen in the browser. See assets/ranked-table.js."""
    rows: list[Payload] = []
    for training in TRAINING_SETS:
        try:
            published = measured.published("metrics", training).to_dict("records")
            runs = runs_of(measured.published_of_every_seed("metrics", training))
            rows += [{**metrics_row(row), **runs[tuple(row[key] for key in SETTING)]} for row in published]
        except (ArtefactError, KeyError):
            continue
    columns = [dict(zip(("key", "heading", "meaning", "better"), column, strict=True)) for column in COLUMNS]
    return {"columns": columns, "rows": rows + lesson_page_rows()}


def runs_of(metrics: pd.DataFrame) -> dict[tuple[Any, ...], Payload]:
    """For each setting how many runs of the training there are, and the lowest and highest exact match of them."""
    rates = (metrics["exact_correct"] / metrics["exact_total"]).groupby([metrics[key] for key in SETTING])
    return {
        setting: {"runs": len(found), "runs_low": round(found.min(), 6), "runs_high": round(found.max(), 6)}
        for setting, found in rates
    }


def metrics_row(record: dict[str, Any]) -> Payload:
    """Turn one row of trained/metrics.csv into one of the table; rates are fractions, 0 to 1."""
    return {
        "source": "measured",
        "training": record["training"],
        "model": record["model"],
        "width": int(record["width"]),
        "epoch": int(record["epoch"]),
        "evaluation": record["evaluation"],
        "beam_width": int(record["beam_width"]),
        "parameters": int(record["parameters"]),
        "teacher_forced": _rate(record, "teacher_forced"),
        "character": _rate(record, "character"),
        "exact": _rate(record, "exact"),
        "exact_low": record["exact_low"],
        "exact_high": record["exact_high"],
        "exact_correct": int(record["exact_correct"]),
        "exact_total": int(record["exact_total"]),
        "alignment": _rate(record, "alignment"),
        "seconds": round(float(record["seconds"]), 3),
    }


def lesson_page_rows() -> list[Payload]:
    """The lesson page's own two rows, under its own name."""
    return [
        {
            "source": "lesson page",
            "training": None,
            "model": name,
            "width": lesson_page()["architecture"]["width"],
            "epoch": None,
            "evaluation": None,
            "beam_width": 1,
            "parameters": figures["parameters"],
            "teacher_forced": figures["teacher_forced"],
            "character": figures["free_running_character"],
            "exact": figures["free_running_exact"],
        }
        for name, figures in lesson_page()["models"].items()
    ]


def build() -> None:
    """Lay the section out; it needs no server."""
    markup(_HEADING, elem_classes="section-head")
    html_component("ranked-table", table_payload(), label="Measured settings", parts=("downloads",))


def _rate(record: dict[str, Any], metric: str) -> float | None:
    total = record[f"{metric}_total"]
    if pd.isna(total) or not total:
        return None
    return round(float(record[f"{metric}_correct"]) / float(total), 6)


_HEADING = f"""
<h2>Which setting reads best, and what does it cost?</h2>
<p>Every row is one model, one width and one way of decoding, scored on {sum(BAND_ROWS):,} sentences it never
saw. Choose a heading to rank by it. The lesson page's own rows stand among ours, marked as such.</p>
"""
