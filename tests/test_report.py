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


SETTINGS = [
    {"training": t, "evaluation": e, "model": m, "width": 64, "epoch": 9, "seed": seed}
    for t, e in (("lesson", "lesson"), ("everyday", "everyday"), ("everyday", "open"))
    for m in ("encoder-decoder", "attention")
    for seed in (7, 8)
]
MANIFEST = Manifest({}, {name: {"published_epoch": 9, "seeds": [7, 8]} for name in ("lesson", "everyday")}, ())


def test_rates_are_worked_out_from_the_counts_and_have_the_range_of_the_runs():
    counts = {"teacher_forced_correct": 19, "teacher_forced_total": 20, "character_correct": 9, "character_total": 10}
    rows = [
        {**s, **counts, "beam_width": 1, "parameters": 70156, "exact_correct": {7: 1250, 8: 1300}[s["seed"]]}
        for s in SETTINGS
    ]
    text = report.scores({"metrics": pd.DataFrame(rows).assign(exact_total=2000)}, MANIFEST)
    # Wilson's interval of 1250 in 2000, by hand: 0.6036 to 0.6460; the other run has 1300, 0.65.
    assert (
        "| lesson, lesson | encoder-decoder | 70,156 | 0.9500 (0.950 to 0.950) | 0.9000 (0.900 to 0.900) "
        "| 0.6250 [0.604, 0.646] (0.625 to 0.650) |"
    ) in text
    assert text.splitlines()[2] == "| lesson page | encoder-decoder | 70,156 | 0.9616 | 0.9217 | 0.6250 |"


def test_bands_stand_in_their_order_with_the_range_of_the_runs():
    correct = {"0-15": 90, "16-23": 80, "24-31": 70, "32-48": 60}
    rows = [
        {**s, "beam_width": 1, "band": band, "correct": count - (s["seed"] - 7) * 5, "total": 100}
        for s in SETTINGS
        for band, count in correct.items()
    ]
    (line,) = [
        line
        for line in report.by_length({"bands": pd.DataFrame(rows)}, MANIFEST).splitlines()
        if line.startswith("| everyday, open | attention")
    ]
    cells = [f"{n / 100:.4f} ({n / 100 - 0.05:.3f} to {n / 100:.3f})" for n in correct.values()]
    assert line == f"| everyday, open | attention | {' | '.join(cells)} |"


def test_differences_are_of_the_same_rows_and_of_the_first_and_last_band():
    pairs = [
        {**s, "band": "all", "both": 36, "only_attention": 12, "only_encoder_decoder": 2 + s["seed"] - 7, "total": 50}
        for s in SETTINGS
        if s["model"] == "attention"
    ]
    bands = [
        {**s, "beam_width": 1, "band": band, "correct": count, "total": total}
        for s in SETTINGS
        for band, count, total in (("0-15", 56, 70), ("16-23", 1, 2), ("32-48", 48, 80))
    ]
    tables = {"pairs": pd.DataFrame(pairs).drop(columns="model"), "bands": pd.DataFrame(bands)}
    # Both intervals are Newcombe's own examples (tests/test_evaluation.py); the other run has 12 - 3 of 50.
    assert (
        "| lesson, lesson | 0.2000 [0.057, 0.340] (0.180 to 0.200) "
        "| 0.2000 [0.052, 0.334] (0.200 to 0.200) | 0.2000 [0.052, 0.334] (0.200 to 0.200) |"
    ) in report.differences(tables, MANIFEST)
