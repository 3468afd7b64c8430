import json

from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.interface import charts, measured
from seq2seq_demo.interface.backend import widths


def test_all_charts_are_drawn_for_each_training_set():
    for training in ("lesson", "everyday"):
        figures = charts.draw(training)
        assert len(figures) == len(charts.CHARTS)
        for figure in figures:
            assert {trace.name.split(",")[0] for trace in figure.data} == {"encoder-decoder", "attention"}


def test_missing_measurements_leave_the_charts_empty(monkeypatch):
    def missing(*arguments):
        raise ArtefactError("missing")

    monkeypatch.setattr(measured, "published", missing)
    assert charts.draw_with_downloads("lesson")[4:] == ("{}",) * len(charts.CHARTS)
    assert charts.draw("lesson") == (None,) * len(charts.CHARTS)


def drawn_rates(figure, model):
    return next(list(trace.y) for trace in figure.data if trace.name == model)


def test_charts_are_of_the_chosen_width():
    metrics = measured.published("metrics", "everyday")
    for width in widths("everyday"):
        one = metrics[
            (metrics["width"] == width) & (metrics["evaluation"] == "everyday") & (metrics["beam_width"] == 1)
        ]
        one = one[one["model"] == "encoder-decoder"].iloc[0]
        scores, _, bands, _ = charts.draw("everyday", width)
        assert drawn_rates(scores, "encoder-decoder")[2] == one["exact_correct"] / one["exact_total"]
        names = {trace.name for trace in bands.data}
        assert ("attention, lesson page" in names) == (width == 64), "the lesson page's models are of width 64"


def test_what_is_saved_is_what_is_drawn():
    figures, saved = (charts.draw_with_downloads("everyday", 16)[part] for part in (slice(4), slice(4, 8)))
    for chart, figure, text in zip(charts.CHARTS, figures, saved, strict=True):
        content = json.loads(text)
        assert content["name"] == f"{chart}-everyday-16"
        headings, *rows = content["rows"]
        assert len(headings) == 5 and {len(row) for row in rows} == {5}
        drawn = [(trace.name, y) for trace in figure.data for y in trace.y]
        assert [(row[0], row[2]) for row in rows] == drawn
