"""The published figures as Markdown, for documents that must not drift from the tables."""

import json
import re
from typing import Any

import pandas as pd

from seq2seq_demo.artefacts import Manifest
from seq2seq_demo.corpus import BANDS
from seq2seq_demo.evaluation import Count
from seq2seq_demo.files import DATA
from seq2seq_demo.measuring import Tables

LESSON_PAGE = DATA / "lesson_page.json"
_BEGIN, _END = "<!-- figures, written by `make figures` -->\n", "<!-- end of figures -->"
_SETS = (("lesson", "lesson"), ("everyday", "everyday"), ("everyday", "open"))
_MODELS = ("encoder-decoder", "attention")
_WIDTH = 64


def replace_figures(document: str, tables: Tables, manifest: Manifest) -> str:
    """Put the figures between their marks in a Markdown document.

    Raises:
        ValueError: if the document has no marks.
    """
    pattern = re.compile(re.escape(_BEGIN) + ".*?" + re.escape(_END), re.DOTALL)
    if not pattern.search(document):
        raise ValueError(f"the document has no {_BEGIN.strip()} ... {_END}; add both lines")
    figures = f"{_BEGIN}{scores(tables, manifest)}\n\n{by_length(tables, manifest)}\n{_END}"
    return pattern.sub(lambda _: figures, document)


def scores(tables: Tables, manifest: Manifest) -> str:
    """The lesson's first table: three scores of each model, the lesson page's own first."""
    lines = [
        "| training set, evaluation set | model | parameters | teacher-forced | free-running character | exact match |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for name, page in _lesson_page()["models"].items():
        rates = (page["teacher_forced"], page["free_running_character"], page["free_running_exact"])
        lines.append(_line("lesson page", name, f"{page['parameters']:,}", *(f"{rate:.4f}" for rate in rates)))
    for training, evaluation in _SETS:
        for name in _MODELS:
            row = _published(tables["metrics"], manifest, training, evaluation, name).iloc[0]
            exact = Count(int(row["exact_correct"]), int(row["exact_total"]))
            low, high = exact.interval()
            lines.append(
                _line(
                    f"{training}, {evaluation}",
                    name,
                    f"{row['parameters']:,}",
                    f"{row['teacher_forced_correct'] / row['teacher_forced_total']:.4f}",
                    f"{row['character_correct'] / row['character_total']:.4f}",
                    f"{exact.rate:.4f} [{low:.3f}, {high:.3f}]",
                )
            )
    return "\n".join(lines)


def by_length(tables: Tables, manifest: Manifest) -> str:
    """The lesson's second table: exact match by band of input length."""
    bands = [f"{first}-{last}" for first, last in BANDS]
    lines = [_line("exact match by input length", "model", *bands), _line("---", "---", *["---:"] * len(bands))]
    page = _lesson_page()["exact_by_input_length"]
    for name in _MODELS:
        lines.append(_line("lesson page", name, *(f"{row[name]:.4f}" for row in page)))
    for training, evaluation in _SETS:
        for name in _MODELS:
            rows = _published(tables["bands"], manifest, training, evaluation, name)
            rates = (rows["correct"] / rows["total"]).tolist()
            lines.append(_line(f"{training}, {evaluation}", name, *(f"{rate:.4f}" for rate in rates)))
    return "\n".join(lines)


def _published(table: pd.DataFrame, manifest: Manifest, training: str, evaluation: str, name: str) -> pd.DataFrame:
    setting = {
        "training": training,
        "evaluation": evaluation,
        "model": name,
        "width": _WIDTH,
        "epoch": manifest.budgets[training]["published_epoch"],
        "beam_width": 1,
    }
    for column, value in setting.items():
        table = table[table[column] == value]
    return table


def _lesson_page() -> dict[str, Any]:
    return json.loads(LESSON_PAGE.read_text("utf-8"))


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"
