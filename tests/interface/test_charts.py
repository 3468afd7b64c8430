from seq2seq_demo.artefacts import ArtefactError
from seq2seq_demo.interface import charts, measured


def test_all_charts_are_drawn_for_each_training_set():
    for training in ("lesson", "everyday"):
        figures = charts.draw(training)
        assert len(figures) == charts.CHARTS
        for figure in figures:
            assert {trace.name.split(",")[0] for trace in figure.data} == {"encoder-decoder", "attention"}


def test_missing_measurements_leave_the_charts_empty(monkeypatch):
    def missing(*arguments):
        raise ArtefactError("missing")

    monkeypatch.setattr(measured, "published", missing)
    assert charts.draw("lesson") == (None,) * charts.CHARTS
