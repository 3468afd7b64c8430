"""The measured tables of trained/ and the lesson page's own figures, as the page uses them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from seq2seq_demo import artefacts

LESSON_PAGE = Path(__file__).resolve().parents[2] / "data" / "lesson_page.json"


@cache
def table(name: str) -> pd.DataFrame:
    """Read one of "metrics", "bands", "lengths" and "history".

    Raises:
        ArtefactError: if it is missing.
    """
    path = artefacts.TRAINED / f"{name}.csv"
    if not path.exists():
        raise artefacts.ArtefactError(f"{path} is missing; restore it from the repository or run `make evaluate`")
    return pd.read_csv(path)


@cache
def lesson_page() -> dict[str, Any]:
    """What the lesson page reports of its own corpus and weights."""
    content: dict[str, Any] = json.loads(LESSON_PAGE.read_text("utf-8"))
    return content


def published_epoch(training: str) -> int:
    """The epoch whose figures are published for a training set."""
    epoch: int = artefacts.read_manifest().budgets[training]["published_epoch"]
    return epoch


def published(name: str, training: str) -> pd.DataFrame:
    """The rows of a table that belong to a training set's published epoch."""
    rows = table(name)
    return rows[(rows["training"] == training) & (rows["epoch"] == published_epoch(training))]
