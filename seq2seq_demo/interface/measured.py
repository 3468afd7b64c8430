"""The measured tables of trained/, as the page uses them."""

from functools import cache

import pandas as pd

from seq2seq_demo import artefacts


@cache
def table(name: str) -> pd.DataFrame:
    """The rows of a table that belong to the weights of the page: those of each training set's shipped seed.

    Args:
        name: "history", or a table of `measuring.KEYS`.

    Raises:
        ArtefactError: if it, or the manifest, is missing.
    """
    rows = every_seed(name)
    seeds = {training: shipped_seed(training) for training in artefacts.read_manifest().budgets}
    return rows[rows["seed"] == rows["training"].map(seeds)]


@cache
def every_seed(name: str) -> pd.DataFrame:
    """All rows of a table: a run of the training is told from the others by its seed.

    Raises:
        ArtefactError: if it is missing.
    """
    path = artefacts.TRAINED / f"{name}.csv"
    if not path.exists():
        # Without the folder's own place: the page shows this to anybody.
        raise artefacts.ArtefactError(
            f"{path.parent.name}/{path.name} is missing; restore it from the repository or run `make train`"
        )
    return pd.read_csv(path)


def published_epoch(training: str) -> int:
    """The epoch whose figures are published for a training set."""
    epoch: int = artefacts.read_manifest().budgets[training]["published_epoch"]
    return epoch


def shipped_seed(training: str) -> int:
    """The seed whose weights are shipped for a training set; of the others there are measurements alone."""
    seed: int = artefacts.read_manifest().budgets[training]["seeds"][0]
    return seed


def published(name: str, training: str) -> pd.DataFrame:
    """The rows of a table that belong to a training set's published epoch, of the shipped seed."""
    return _at_published_epoch(table(name), training)


def published_of_every_seed(name: str, training: str) -> pd.DataFrame:
    """The rows of a table that belong to a training set's published epoch, of all runs."""
    return _at_published_epoch(every_seed(name), training)


def _at_published_epoch(rows: pd.DataFrame, training: str) -> pd.DataFrame:
    """The rows of one training set and its published epoch."""
    return rows[(rows["training"] == training) & (rows["epoch"] == published_epoch(training))]
