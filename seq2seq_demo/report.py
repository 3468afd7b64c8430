"""The published figures as Markdown, for documents that must not drift from the tables."""

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import pandas as pd

from seq2seq_demo.artefacts import Manifest
from seq2seq_demo.corpus import BANDS
from seq2seq_demo.evaluation import Count, Difference, Paired, difference, paired_difference
from seq2seq_demo.files import DATA
from seq2seq_demo.models import MODELS

if TYPE_CHECKING:
    from seq2seq_demo.measuring import Tables

LESSON_PAGE = DATA / "lesson_page.json"
SETS = (("lesson", "lesson"), ("everyday", "everyday"), ("everyday", "open"))
WIDTH = 64
_BEGIN, _END = "<!-- figures, written by `make figures` -->\n", "<!-- end of figures -->"
_BAND_NAMES = tuple(f"{first}-{last}" for first, last in BANDS)


def replace_figures(document: str, tables: "Tables", manifest: Manifest) -> str:
    """Put the figures between their marks in a Markdown document.

    Raises:
        ValueError: if the document has no marks.
    """
    pattern = re.compile(re.escape(_BEGIN) + ".*?" + re.escape(_END), re.DOTALL)
    if not pattern.search(document):
        raise ValueError(f"the document has no {_BEGIN.strip()} ... {_END}; add both lines")
    figures = f"{_BEGIN}{all_figures(tables, manifest)}\n{_END}"
    return pattern.sub(lambda _: figures, document)


def all_figures(tables: "Tables", manifest: Manifest) -> str:
    """The three tables, one after another."""
    return "\n\n".join(make(tables, manifest) for make in (scores, by_length, differences))


def scores(tables: "Tables", manifest: Manifest) -> str:
    """The lesson's first table: three scores of each model, the lesson page's own first."""
    lines = [
        "| training set, evaluation set | model | parameters | teacher-forced | free-running character | exact match |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for name, page in lesson_page()["models"].items():
        rates = (page["teacher_forced"], page["free_running_character"], page["free_running_exact"])
        lines.append(_line("lesson page", name, f"{page['parameters']:,}", *(f"{rate:.4f}" for rate in rates)))
    for training, evaluation in SETS:
        for name in MODELS:
            rows = published(tables["metrics"], manifest, training, evaluation=evaluation, model=name, beam_width=1)
            shipped = shipped_run(rows, manifest, training).iloc[0]
            low, high = Count(int(shipped["exact_correct"]), int(shipped["exact_total"])).interval()
            cells = [f"{shipped['parameters']:,}"]
            for score in ("teacher_forced", "character", "exact"):
                rates = rows[f"{score}_correct"] / rows[f"{score}_total"]
                interval = f" [{low:.3f}, {high:.3f}]" if score == "exact" else ""
                cells.append(f"{rates[shipped.name]:.4f}{interval}{_range(rates)}")
            lines.append(_line(f"{training}, {evaluation}", name, *cells))
    return "\n".join(lines)


def by_length(tables: "Tables", manifest: Manifest) -> str:
    """The lesson's second table: exact match by band of input length."""
    lines = [
        _line("exact match by input length", "model", *_BAND_NAMES),
        _line("---", "---", *["---:"] * len(BANDS)),
    ]
    page = lesson_page()["exact_by_input_length"]
    for name in MODELS:
        lines.append(_line("lesson page", name, *(f"{row[name]:.4f}" for row in page)))
    for training, evaluation in SETS:
        for name in MODELS:
            rows = published(tables["bands"], manifest, training, evaluation=evaluation, model=name, beam_width=1)
            rates = (rows["correct"] / rows["total"]).groupby([rows["band"], rows["seed"]]).first().unstack()
            seed = manifest.budgets[training]["seeds"][0]
            cells = [f"{rates.loc[band, seed]:.4f}{_range(rates.loc[band])}" for band in _BAND_NAMES]
            lines.append(_line(f"{training}, {evaluation}", name, *cells))
    return "\n".join(lines)


def differences(tables: "Tables", manifest: Manifest) -> str:
    """How far attention is ahead on the same rows, and how far each model falls from the first band to the last."""
    lines = [
        _line("difference in exact match", "attention is ahead by", *(f"fall of {name}" for name in MODELS)),
        _line("---", *["---:"] * 3),
    ]
    for training, evaluation in SETS:
        pairs = published(tables["pairs"], manifest, training, evaluation=evaluation)
        bands = published(tables["bands"], manifest, training, evaluation=evaluation, beam_width=1)
        cells = [_over_seeds(pairs, manifest, training, ahead)]
        for name in MODELS:
            cells.append(_over_seeds(bands[bands["model"] == name], manifest, training, fall))
        lines.append(_line(f"{training}, {evaluation}", *cells))
    return "\n".join(lines)


def ahead(pairs: pd.DataFrame) -> Difference:
    """How far attention is ahead of the encoder-decoder: one run's rows of `pairs`."""
    row = pairs[pairs["band"] == "all"].iloc[0]
    counts = (row["both"], row["only_attention"], row["only_encoder_decoder"], row["total"])
    return paired_difference(Paired(*map(int, counts)))


def fall(bands: pd.DataFrame) -> Difference:
    """How far exact match falls from the shortest band to the longest: one run's rows of `bands`, of one model."""
    counts = {row.band: Count(int(row.correct), int(row.total)) for row in bands.itertuples()}
    return difference(counts[_BAND_NAMES[0]], counts[_BAND_NAMES[-1]])


def published(table: pd.DataFrame, manifest: Manifest, training: str, **values: object) -> pd.DataFrame:
    """The rows of all seeds of a training set's published epoch at width 64, where columns have the given values."""
    setting = {"training": training, "width": WIDTH, "epoch": manifest.budgets[training]["published_epoch"], **values}
    for column, value in setting.items():
        table = table[table[column] == value]
    return table


def shipped_run(rows: pd.DataFrame, manifest: Manifest, training: str) -> pd.DataFrame:
    """The rows of the run whose weights are shipped."""
    return rows[rows["seed"] == manifest.budgets[training]["seeds"][0]]


@cache
def lesson_page() -> dict[str, Any]:
    """What the lesson page reports of its own corpus and weights."""
    content: dict[str, Any] = json.loads(LESSON_PAGE.read_text("utf-8"))
    return content


def _over_seeds(
    rows: pd.DataFrame, manifest: Manifest, training: str, compare: Callable[[pd.DataFrame], Difference]
) -> str:
    shipped = compare(shipped_run(rows, manifest, training))
    runs = [compare(run).value for _, run in rows.groupby("seed")]
    return f"{shipped.value:.4f} [{shipped.low:.3f}, {shipped.high:.3f}]{_range(runs)}"


def _range(rates: Iterable[float]) -> str:
    """The lowest and highest of several runs, nothing for a single one."""
    values = list(rates)
    return f" ({min(values):.3f} to {max(values):.3f})" if len(values) > 1 else ""


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"
