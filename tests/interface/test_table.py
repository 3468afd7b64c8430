import pandas as pd

from seq2seq_demo.interface import measured
from seq2seq_demo.interface.table import COLUMNS, lesson_page_rows, metrics_row, runs_of, table_payload


def test_the_table_holds_every_published_setting():
    rows = table_payload()["rows"]
    for training in ("lesson", "everyday"):
        own = [row for row in rows if row["training"] == training]
        assert len(own) == len(measured.published("metrics", training))
        assert {row["epoch"] for row in own} == {measured.published_epoch(training)}
        assert {row["beam_width"] for row in own} >= {1, 2, 3, 5, 10}
    assert {row["width"] for row in rows if row["training"] == "everyday"} == {8, 16, 32, 64}


def test_rates_are_numbers_from_the_counts():
    record = measured.published("metrics", "lesson").to_dict("records")[0]
    row = metrics_row(record)
    assert row["exact"] == round(record["exact_correct"] / record["exact_total"], 6)
    assert row["exact_low"] <= row["exact"] <= row["exact_high"]
    for key, *_ in COLUMNS:
        assert row[key] is None or isinstance(row[key], int | float)


def test_there_is_no_alignment_without_attention():
    for row in table_payload()["rows"]:
        if row["source"] == "measured":
            assert (row["alignment"] is None) == (row["model"] == "encoder-decoder")


def test_the_lesson_page_stands_under_its_own_name():
    rows = {row["model"]: row for row in lesson_page_rows()}
    assert {row["source"] for row in rows.values()} == {"lesson page"}
    assert rows["encoder-decoder"]["exact"] == 0.625
    assert rows["attention"]["parameters"] == 70_924


def test_a_setting_has_the_range_of_its_runs():
    metrics = pd.DataFrame(
        [("attention", 64, "open", 1, right) for right in (90, 70, 80)] + [("attention", 64, "open", 5, 95)],
        columns=["model", "width", "evaluation", "beam_width", "exact_correct"],
    ).assign(exact_total=100)
    assert runs_of(metrics) == {
        ("attention", 64, "open", 1): {"runs": 3, "runs_low": 0.7, "runs_high": 0.9},
        ("attention", 64, "open", 5): {"runs": 1, "runs_low": 0.95, "runs_high": 0.95},
    }
