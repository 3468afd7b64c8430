import numpy as np
import pandas as pd
import pytest

from seq2seq_demo import figures

PAGE_CSS = figures.__file__.replace("seq2seq_demo/figures.py", "assets/page.css")


@pytest.fixture
def metrics():
    shared = {"teacher_forced_total": 20_000, "character_total": 20_000, "exact_total": 2_000}
    return pd.DataFrame(
        [
            {
                "model": "attention",
                "teacher_forced_correct": 19_958,
                "character_correct": 19_914,
                "exact_correct": 1_954,
            }
            | shared,
            {
                "model": "encoder-decoder",
                "teacher_forced_correct": 19_232,
                "character_correct": 18_434,
                "exact_correct": 1_250,
            }
            | shared,
        ]
    )


@pytest.fixture
def history():
    epochs = [2, 0, 1]
    return pd.DataFrame(
        [
            {
                "model": model,
                "epoch": epoch,
                "validation_loss": 2.5 / (epoch + 1),
                "teacher_forced_correct": 1_000 + 5_000 * epoch,
                "teacher_forced_total": 20_000,
            }
            for model in figures.COLOURS
            for epoch in epochs
        ]
    )


def test_three_scores_has_a_bar_for_each_score_and_model(metrics):
    figure = figures.three_scores(metrics)
    assert [bar.name for bar in figure.data] == ["encoder-decoder", "attention"]
    assert figure.data[0].y == pytest.approx((0.9616, 0.9217, 0.625))
    assert figure.data[1].y == pytest.approx((0.9979, 0.9957, 0.977))
    assert figure.layout.yaxis.title.text == "fraction right"


@pytest.mark.parametrize(
    ("draw", "values", "title"),
    [
        (figures.accuracy_by_epoch, (0.05, 0.3, 0.55), "fraction of characters right"),
        (figures.loss_by_epoch, (2.5, 1.25, 0.83333), "nats a character, log scale"),
    ],
)
def test_curves_run_by_epoch(history, draw, values, title):
    figure = draw(history, 1)
    for trace in figure.data:
        assert trace.x == (0, 1, 2)
        assert trace.y == pytest.approx(values)
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("epoch", title)
    assert figure.layout.shapes[0].x0 == 1


def test_bands_carry_intervals_and_the_lesson_page_its_name():
    bands = pd.DataFrame(
        [
            {"model": model, "band": band, "correct": 80, "total": 100, "low": 0.711, "high": 0.8666}
            for model in figures.COLOURS
            for band in ("0-15", "16-23")
        ]
    )
    page = [{"band": "0-15", "encoder-decoder": 0.6921, "attention": 0.9934}]
    figure = figures.exact_by_band(bands, page)
    bar = figure.data[0]
    assert bar.x == ("0-15", "16-23")
    assert bar.error_y.array == pytest.approx((0.0666, 0.0666))
    assert bar.error_y.arrayminus == pytest.approx((0.089, 0.089))
    assert figure.layout.xaxis.type == "category", "or Plotly reads 16-23 as a date"
    assert [trace.name for trace in figure.data[2:]] == ["encoder-decoder, lesson page", "attention, lesson page"]
    assert len(figures.exact_by_band(bands).data) == 2


def test_the_map_has_the_first_output_on_top_and_the_source_along_x():
    attention = np.zeros((10, 4), np.float32)
    attention[0, 3] = 1
    alignment = [(0,), (1,), (2,), (3,), (), (0, 1), (0, 1), (), (2,), (3,)]
    figure = figures.attention_map("ab c", "1993-02-07", attention, alignment)
    heat = figure.data[0]
    assert heat.z[0][3] == 1
    assert (heat.zmin, heat.zmax) == (0, 1)
    assert figure.layout.xaxis.ticktext == ("a", "b", " ", "c")
    assert figure.layout.yaxis.ticktext == tuple("1993-02-07")
    assert figure.layout.yaxis.autorange == "reversed"
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("read", "written")
    assert len(figure.layout.shapes) == 8, "the hyphens come from nowhere"
    outline = figure.layout.shapes[4]
    assert (outline.x0, outline.x1, outline.y0, outline.y1) == (-0.5, 1.5, 4.5, 5.5)


def test_figures_stand_on_light_and_dark(metrics):
    layout = figures.three_scores(metrics).layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert layout.font.color == figures.TEXT


def test_the_page_has_the_same_colours():
    css = open(PAGE_CSS, encoding="utf-8").read().lower()  # noqa: PTH123, SIM115
    for model, colour in figures.COLOURS.items():
        assert f"--{model}: {colour.lower()};" in css


def test_rows_where():
    table = pd.DataFrame({"a": [1, 1, 2], "b": [1, 2, 2]})
    assert len(figures.rows_where(table, a=1)) == 2
    assert len(figures.rows_where(table, a=1, b=2)) == 1


def test_the_rows_of_a_bar_chart_are_its_bars_with_their_intervals():
    bands = pd.DataFrame(
        {
            "model": ["attention", "attention", "encoder-decoder"],
            "band": ["0-15", "16-23", "0-15"],
            "correct": [3, 1, 2],
            "total": [4, 4, 4],
            "low": [0.5, 0.125, 0.25],
            "high": [0.875, 0.5, 0.75],
        }
    )
    lesson_page = [{"band": "0-15", "encoder-decoder": 0.7, "attention": 0.9}]
    assert figures.figure_rows(figures.exact_by_band(bands, lesson_page)) == [
        ["series", "characters in the sentence", "fraction of dates exactly right", "low", "high"],
        ["encoder-decoder", "0-15", 0.5, 0.25, 0.75],
        ["attention", "0-15", 0.75, 0.5, 0.875],
        ["attention", "16-23", 0.25, 0.125, 0.5],
        ["encoder-decoder, lesson page", "0-15", 0.7, None, None],
        ["attention, lesson page", "0-15", 0.9, None, None],
    ]


def test_the_rows_of_a_map_are_its_cells():
    weights = np.array([[0.25, 0.75], [1.0, 0.0]], np.float32)
    assert figures.figure_rows(figures.attention_map("7 ", "1-", weights)) == [
        ["step", "written", "position", "read", "weight"],
        [1, "1", 1, "7", 0.25],
        [1, "1", 2, " ", 0.75],
        [2, "-", 1, "7", 1.0],
        [2, "-", 2, " ", 0.0],
    ]
