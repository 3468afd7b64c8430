"""Tables and arrays in, Plotly figures out.

Paper and plot are transparent and text is mid-grey, so that a figure can stand on a light and on a dark page.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

# One colour for each model all over the page, safe for colour-blind readers (Okabe and Ito); the
# pattern tells them apart in grey too. assets/page.css has the same.
COLOURS = {"encoder-decoder": "#D55E00", "attention": "#0072B2"}
PATTERNS = {"encoder-decoder": "/", "attention": ""}
DASHES = {"encoder-decoder": "dash", "attention": "solid"}
TEXT = "#767676"
_GRID = "rgba(128,128,128,0.25)"
_OUTLINE = "#E69F00"

SCORES = (
    ("teacher_forced", "teacher-forced<br>character"),
    ("character", "free-running<br>character"),
    ("exact", "free-running<br>exact match"),
)


def three_scores(metrics: pd.DataFrame) -> go.Figure:
    """The lesson's left panel: the same predictions scored three ways.

    Args:
        metrics: one row per model, with `<score>_correct` and `<score>_total` for each of `SCORES`.
    """
    figure = _figure("The same predictions, scored three ways", "fraction right")
    for model, row in _by_model(metrics):
        rates = [float(row[f"{key}_correct"]) / float(row[f"{key}_total"]) for key, _ in SCORES]
        labels = [label for _, label in SCORES]
        figure.add_bar(x=labels, y=rates, text=[f"{rate:.4f}" for rate in rates], **_bar_style(model))
    return figure.update_yaxes(range=[0, 1.08])


def accuracy_by_epoch(history: pd.DataFrame, published_epoch: int) -> go.Figure:
    """The lesson's right panel: teacher-forced accuracy on the validation rows, epoch by epoch.

    Args:
        history: rows of trained/history.csv, one per model and epoch.
        published_epoch: marked by a line.
    """
    figure = _figure("Teacher-forced accuracy while training", "fraction of characters right", "epoch")
    for model in COLOURS:
        rows = history[history["model"] == model].sort_values("epoch")
        rates = rows["teacher_forced_correct"] / rows["teacher_forced_total"]
        figure.add_scatter(x=rows["epoch"].tolist(), y=rates.round(5).tolist(), **_line_style(model))
    return _mark_epoch(figure, published_epoch)


def loss_by_epoch(history: pd.DataFrame, published_epoch: int) -> go.Figure:
    """Loss on the validation rows, in nats a character, epoch by epoch; log scale."""
    figure = _figure("Validation loss while training", "nats a character, log scale", "epoch")
    for model in COLOURS:
        rows = history[history["model"] == model].sort_values("epoch")
        losses = rows["validation_loss"].round(5).tolist()
        figure.add_scatter(x=rows["epoch"].tolist(), y=losses, **_line_style(model))
    return _mark_epoch(figure.update_yaxes(type="log"), published_epoch)


def exact_by_band(bands: pd.DataFrame, lesson_page: Sequence[Mapping[str, Any]] = ()) -> go.Figure:
    """The lesson's length bars: exact match by band of input length, with 95% intervals.

    Args:
        bands: rows with model, band, correct, total, low, high.
        lesson_page: the lesson page's own figures, a mapping of band and models each; drawn as
            diamonds beside ours.
    """
    figure = _figure("Exact match by input length", "fraction of dates exactly right", "characters in the sentence")
    for model in COLOURS:
        rows = bands[bands["model"] == model]
        rates = (rows["correct"] / rows["total"]).to_numpy(float)
        above, below = rows["high"].to_numpy(float) - rates, rates - rows["low"].to_numpy(float)
        figure.add_bar(
            x=rows["band"].tolist(),
            y=rates.tolist(),
            error_y={
                "type": "data",
                "array": above.tolist(),
                "arrayminus": below.tolist(),
                "color": TEXT,
                "thickness": 1.5,
            },
            customdata=rows[["correct", "total"]].to_numpy().tolist(),
            hovertemplate="%{x} characters: %{y:.4f} (%{customdata[0]} of %{customdata[1]})",
            **_bar_style(model),
        )
    for model in COLOURS if lesson_page else ():
        figure.add_scatter(
            x=[row["band"] for row in lesson_page],
            y=[row[model] for row in lesson_page],
            name=f"{model}, lesson page",
            mode="markers",
            marker={
                "symbol": "diamond",
                "size": 10,
                "color": "#ffffff",
                "line": {"width": 2, "color": COLOURS[model]},
            },
            offsetgroup=model,
        )
    # Bands are names, not numbers: Plotly would read "16-23" as a date.
    return figure.update_xaxes(type="category").update_yaxes(range=[0, 1.05]).update_layout(scattermode="group")


def attention_map(
    source: str, text: str, attention: np.ndarray, alignment: Sequence[Sequence[int]] | None = None
) -> go.Figure:
    """The attention map as a figure to keep; the true alignment is outlined.

    Args:
        source: the characters read, the columns.
        text: the 10 characters written, the rows, first on top.
        attention: float32 `(10, len(source))`.
        alignment: for each output character, the source positions it comes from.
    """
    figure = _figure("Where the attention model looked", "written", "read")
    figure.add_heatmap(
        z=attention,
        zmin=0,
        zmax=1,
        xgap=1,
        ygap=1,
        colorscale=[[0, "rgba(0,114,178,0.04)"], [1, COLOURS["attention"]]],
        colorbar={"title": "attention<br>weight", "tickvals": [0, 0.5, 1]},
        hovertemplate="row %{y}, column %{x}: %{z:.3f}<extra></extra>",
    )
    for row, positions in enumerate(alignment or ()):
        if positions:
            corners = {"x0": min(positions) - 0.5, "x1": max(positions) + 0.5, "y0": row - 0.5, "y1": row + 0.5}
            figure.add_shape(type="rect", line={"color": _OUTLINE, "width": 2}, **corners)
    # Places, not characters, are the axes' values: a character can occur twice.
    figure.update_xaxes(tickvals=list(range(len(source))), ticktext=list(source), tickangle=0, showgrid=False)
    figure.update_yaxes(
        tickvals=list(range(len(text))),
        ticktext=list(text),
        autorange="reversed",
        showgrid=False,
    )
    return figure


def figure_rows(figure: go.Figure) -> list[list[Any]]:
    """What a figure shows as rows of cells, headings first: the same numbers that are drawn.

    A point of a line or bar chart is a row, with its interval where one is drawn; so is a cell of a heat map.
    """
    heat_maps = [trace for trace in figure.data if trace.type == "heatmap"]
    if heat_maps:
        rows: list[list[Any]] = [["step", "written", "position", "read", "weight"]]
        read, written = figure.layout.xaxis.ticktext, figure.layout.yaxis.ticktext
        for step, weights in enumerate(heat_maps[0].z):
            rows += [
                [step + 1, written[step], place + 1, read[place], float(weight)] for place, weight in enumerate(weights)
            ]
        return rows
    x_title = figure.layout.xaxis.title.text or "score"
    rows = [["series", x_title, figure.layout.yaxis.title.text, "low", "high"]]
    for trace in figure.data:
        errors = trace.error_y if trace.error_y and trace.error_y.array is not None else None
        for index, (x, y) in enumerate(zip(trace.x, trace.y, strict=True)):
            ends = (y - errors.arrayminus[index], y + errors.array[index]) if errors else (None, None)
            rows.append([trace.name, x.replace("<br>", " ") if isinstance(x, str) else x, y, *ends])
    return rows


def rows_where(table: pd.DataFrame, **values: object) -> pd.DataFrame:
    """The rows of a table whose columns have the given values."""
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def _figure(title: str, y_title: str, x_title: str = "") -> go.Figure:
    axis = {"gridcolor": _GRID, "zerolinecolor": _GRID, "linecolor": _GRID, "automargin": True}
    return go.Figure(
        layout={
            "template": None,
            "title": {"text": title, "font": {"size": 15}, "x": 0, "xref": "paper", "xanchor": "left"},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {
                "color": TEXT,
                "size": 12,
                "family": "-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif",
            },
            "margin": {"l": 56, "r": 12, "t": 48, "b": 88},
            "height": 360,
            "barmode": "group",
            "legend": {"orientation": "h", "y": -0.24, "x": 0},
            "xaxis": {**axis, "title": x_title},
            "yaxis": {**axis, "title": y_title},
        }
    )


def _by_model(table: pd.DataFrame) -> list[tuple[str, pd.Series]]:
    return [(model, rows.iloc[0]) for model in COLOURS if len(rows := table[table["model"] == model])]


def _bar_style(model: str) -> dict[str, Any]:
    pattern = {"shape": PATTERNS[model], "fgcolor": "rgba(255,255,255,0.45)", "size": 6}
    return {
        "name": model,
        "offsetgroup": model,
        "marker": {"color": COLOURS[model], "pattern": pattern},
        "textposition": "outside",
    }


def _line_style(model: str) -> dict[str, Any]:
    line = {"color": COLOURS[model], "dash": DASHES[model], "width": 2}
    return {"name": model, "mode": "lines+markers", "line": line, "marker": {"size": 4}}


def _mark_epoch(figure: go.Figure, epoch: int) -> go.Figure:
    line = {"color": TEXT, "width": 1, "dash": "dot"}
    return figure.add_vline(
        x=epoch, line=line, annotation_text="published", annotation_position="bottom right", annotation_font_size=11
    )
