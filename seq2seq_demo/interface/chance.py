"""The section on chance: how far the published figures depend on the run of the training, and on the rows."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from seq2seq_demo.corpus import BANDS
from seq2seq_demo.evaluation import Count, Difference
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.backend import WIDTH
from seq2seq_demo.interface.bottleneck import EVALUATIONS, EYEBROW, by_training, count_of
from seq2seq_demo.interface.components import Payload, html_component, markup
from seq2seq_demo.models import MODELS
from seq2seq_demo.report import ahead, fall

FIRST_BAND, LAST_BAND = ("{}-{}".format(*BANDS[place]) for place in (0, -1))


@dataclass(frozen=True, slots=True)
class Figure:
    """A published figure with both kinds of chance in it.

    Attributes:
        name: what it is, in words.
        kind: the model, or "difference".
        shipped: the value in the shipped run, with its 95% interval over the choice of rows.
        runs: the value in every run, by seed; to four decimals, so that all who round it come to the same.
    """

    name: str
    kind: str
    shipped: Difference
    runs: Mapping[int, float]

    @property
    def apart(self) -> float:
        """How far the lowest and the highest run are apart."""
        return max(self.runs.values()) - min(self.runs.values())

    @property
    def larger(self) -> str:
        """Whether the "runs" or the "rows" spread the figure more; empty for a single run."""
        if len(self.runs) < 2:
            return ""
        return "runs" if self.apart > self.shipped.high - self.shipped.low else "rows"


def chance_payload() -> Payload:
    """For each training set and each of its evaluation sets the figures with their runs. See assets/chance.js."""
    return by_training(
        lambda training: {
            "seed": measured.shipped_seed(training),
            "epoch": measured.published_epoch(training),
            "width": WIDTH,
            "evaluations": [_evaluation(training, name) for name in EVALUATIONS[training]],
        }
    )


def figures_of(training: str, evaluation: str) -> list[Figure]:
    """Exact match of both models, their difference, and each one's fall from the first band to the last.

    Raises:
        KeyError: if the shipped run has not been measured.
    """
    seed = measured.shipped_seed(training)
    exact = {name: _exact(training, evaluation, name) for name in MODELS}
    pairs, bands = (_published(table, training, evaluation) for table in ("pairs", "bands"))
    lead = {int(run): ahead(rows) for run, rows in pairs.groupby("seed")}
    figures = [
        Figure(
            f"exact match, {name}",
            name,
            Difference(counts[seed].rate, *counts[seed].interval()),
            {run: round(count.rate, 4) for run, count in counts.items()},
        )
        for name, counts in exact.items()
    ]
    figures.append(Figure("attention's lead", "difference", lead[seed], _values(lead)))
    for name in MODELS:
        falls = {int(run): fall(rows) for run, rows in bands[bands["model"] == name].groupby("seed")}
        figures.append(Figure(f"fall with length, {name}", name, falls[seed], _values(falls)))
    return figures


def describe_chance(evaluation: str, figures: list[Figure]) -> str:
    """Say how far the runs lie apart, which chance is larger, and whether attention leads in all of them."""
    without, _, lead, *falls = figures
    count = len(without.runs)
    if count < 2:
        return f"Only one run was measured on the {evaluation} sentences, so nothing is known of the others."
    low, high = min(without.runs.values()), max(without.runs.values())
    rows = without.shipped.high - without.shipped.low
    which = (
        "which run one gets matters more"
        if without.larger == "runs"
        else "which sentences it is scored on matters more"
    )
    leading = sum(value > 0 for value in lead.runs.values())
    falling = sum(value > 0 for value in falls[0].runs.values())
    return (
        f"On the {evaluation} sentences the encoder-decoder's {count} runs lie between {low:.3f} and {high:.3f}, "
        f"{high - low:.3f} apart, and the interval of the shipped run is {rows:.3f} wide: {which}. "
        f"Attention leads in {leading} of {count} runs, by {_signed(min(lead.runs.values()))} to "
        f"{_signed(max(lead.runs.values()))}; the encoder-decoder falls from {FIRST_BAND} to {LAST_BAND} characters in "
        f"{falling} of {count}, by {_signed(min(falls[0].runs.values()))} to {_signed(max(falls[0].runs.values()))}."
    )


def build() -> None:
    """Lay the section out; it needs no server."""
    markup(_HEADING, elem_classes="section-head")
    parts = ("chart", "choice", "downloads", "bottleneck")
    html_component("chance", chance_payload(), label="Run-to-run ranges of the published figures", parts=parts)


def _evaluation(training: str, evaluation: str) -> Payload:
    figures = figures_of(training, evaluation)
    return {
        "evaluation": evaluation,
        "sentence": describe_chance(evaluation, figures),
        "figures": [
            {
                "name": figure.name,
                "kind": figure.kind,
                "value": round(figure.shipped.value, 4),
                "low": round(figure.shipped.low, 4),
                "high": round(figure.shipped.high, 4),
                "runs": {str(seed): value for seed, value in figure.runs.items()},
                "larger": figure.larger,
            }
            for figure in figures
        ],
    }


def _published(table: str, training: str, evaluation: str) -> pd.DataFrame:
    rows = measured.published_of_every_seed(table, training)
    rows = rows[(rows["width"] == WIDTH) & (rows["evaluation"] == evaluation)]
    return rows[rows["beam_width"] == 1] if "beam_width" in rows else rows


def _exact(training: str, evaluation: str, model: str) -> dict[int, Count]:
    rows = _published("metrics", training, evaluation)
    return {int(row["seed"]): count_of(row, "exact") for row in rows[rows["model"] == model].to_dict("records")}


def _values(differences: Mapping[int, Difference]) -> dict[int, float]:
    return {seed: round(found.value, 4) for seed, found in differences.items()}


def _signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


_HEADING = f"""
{EYEBROW}
<h2>How sure are these figures?</h2>
<p>Two kinds of chance are in each: which sentences it was scored on, which the 95% interval tells, and which run of
the training it was, with other starting weights and another order of the rows. The published budgets were run again
with other seeds; the page's models are those of the shipped run.</p>
"""
