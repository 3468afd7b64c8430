from pathlib import Path

import pandas as pd
import pytest

from seq2seq_demo import measuring, report
from seq2seq_demo.artefacts import TRAINED, Manifest, read_manifest

README = Path(__file__).parent.parent / "README.md"


def test_the_readme_shows_the_published_figures():
    document = README.read_text("utf-8")
    assert report.replace_figures(document, measuring.read(TRAINED), read_manifest()) == document


def test_a_document_without_marks_is_refused():
    with pytest.raises(ValueError, match="add both lines"):
        report.replace_figures("# Nothing", {}, Manifest({}, {}, ()))


def test_rates_are_worked_out_from_the_counts():
    manifest = Manifest({}, {name: {"published_epoch": 9} for name in ("lesson", "everyday")}, ())
    settings = [
        {"training": t, "evaluation": e, "model": m, "width": 64, "epoch": 9, "beam_width": 1, "parameters": 70156}
        for t, e in (("lesson", "lesson"), ("everyday", "everyday"), ("everyday", "open"))
        for m in ("encoder-decoder", "attention")
    ]
    counts = {"teacher_forced_correct": 19, "teacher_forced_total": 20, "character_correct": 9, "character_total": 10}
    exact = {"exact_correct": 1250, "exact_total": 2000}
    text = report.scores({"metrics": pd.DataFrame([{**s, **counts, **exact} for s in settings])}, manifest)
    # Wilson's interval of 1250 in 2000, by hand: 0.6036 to 0.6460.
    assert "| lesson, lesson | encoder-decoder | 70,156 | 0.9500 | 0.9000 | 0.6250 [0.604, 0.646] |" in text
    assert text.splitlines()[2] == "| lesson page | encoder-decoder | 70,156 | 0.9616 | 0.9217 | 0.6250 |"
