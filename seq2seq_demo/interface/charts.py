"""The charts of the lesson, from our own measurements; drawn when they are opened."""

import gradio as gr
import plotly.graph_objects as go

from seq2seq_demo import figures
from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.interface import measured
from seq2seq_demo.interface.backend import WIDTH, settled
from seq2seq_demo.interface.components import chart_downloads, downloads_payload, markup, to_json
from seq2seq_demo.report import lesson_page

# What each shows; the names of the files that are saved.
CHARTS = ("three-scores", "accuracy-by-epoch", "exact-by-band", "loss-by-epoch")


def draw(training: str, width: int = WIDTH) -> tuple[go.Figure | None, ...]:
    """The four charts of a training set and width; None for each if the measurements are missing."""
    training, width = settled(training, width)
    try:
        metrics = measured.published("metrics", training)
        bands = measured.published("bands", training)
        history = measured.table("history")
    except (ArtefactError, KeyError):
        return (None,) * len(CHARTS)
    own = {"evaluation": training, "beam_width": 1, "width": width}
    history = history[(history["training"] == training) & (history["width"] == width)]
    epoch = measured.published_epoch(training)
    # Its models have one width; beside ours of another they would compare two things at once.
    same = lesson_page()["architecture"]["width"] == width
    return (
        figures.three_scores(figures.rows_where(metrics, **own)),
        figures.accuracy_by_epoch(history, epoch),
        figures.exact_by_band(figures.rows_where(bands, **own), lesson_page()["exact_by_input_length"] if same else ()),
        figures.loss_by_epoch(history, epoch),
    )


def draw_with_downloads(training: str, width: int = WIDTH) -> tuple[go.Figure | str | None, ...]:
    """The four charts, then for each what its download buttons save."""
    figures_drawn = draw(training, width)
    known, units = settled(training, width)
    saved = [
        to_json(downloads_payload(figure, chart, f"{chart}-{known}-{units}"))
        for chart, figure in zip(CHARTS, figures_drawn, strict=True)
    ]
    return (*figures_drawn, *saved)


def build(training: gr.Radio, width: gr.Radio) -> None:
    """Lay the section out. Plotly, a megabyte, is only fetched when the charts are opened."""
    markup(_HEADING, elem_classes="section-head")
    with gr.Accordion("Show the charts", open=False, elem_id="charts") as opened:
        plots: list[gr.Plot] = []
        downloads: list[gr.HTML] = []
        for pair in (CHARTS[:2], CHARTS[2:]):
            with gr.Row():
                for chart in pair:
                    with gr.Column(min_width=320):
                        plots.append(gr.Plot(show_label=False, container=False, elem_id=chart))
                        downloads.append(chart_downloads(chart))
    for trigger, only_if_open in ((opened.expand, None), (training.change, _OPENED), (width.change, _OPENED)):
        trigger(
            lambda name, units: draw_with_downloads(name, units) if name else (gr.skip(),) * 2 * len(CHARTS),
            [training, width],
            [*plots, *downloads],
            js=only_if_open,
            preprocess=False,  # `_OPENED` sends a name that the radio does not have
            queue=False,
            show_progress="hidden",
            trigger_mode="always_last",
            api_visibility="private",
        )


# Sends no training set while no chart is shown, and then nothing is drawn.
_OPENED = "(training, width) => [document.querySelector('#charts .js-plotly-plot') ? training : '', width]"

_HEADING = """
<h2>What do the lesson's own charts look like here?</h2>
<p>The same four pictures from our own measurements: three ways to score the same predictions, exact match by
length band with 95% intervals, and how training went.</p>
"""
