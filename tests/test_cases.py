"""Real inputs that people type: each has a decided outcome (tests/cases.csv)."""

import csv
from pathlib import Path

import pytest

import seq2seq_demo as s2s

with (Path(__file__).parent / "cases.csv").open(encoding="utf-8", newline="") as file:
    CASES = list(csv.DictReader(file))


@pytest.mark.parametrize("case", CASES, ids=[case["input"] for case in CASES])
def test_every_case_has_its_outcome(case, model):
    reference = s2s.find_reference(case["input"])
    assert reference.text == (case["date"] or None)
    if case["reason"]:
        assert case["reason"] in reference.reason
    translation = model.translate(case["input"])
    assert translation.source == case["source"]
    assert len(translation.text) == 10
    assert bool(translation.changes) == (case["source"] != case["input"])


@pytest.mark.parametrize("case", [case for case in CASES if case["date"]], ids=lambda case: case["input"])
def test_attention_reads_every_case_that_has_a_date(case, attention):
    assert attention.translate(case["input"]).text == case["date"]
