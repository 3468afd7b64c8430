import pytest

from seq2seq_demo.evaluation import Count
from seq2seq_demo.interface import bottleneck, measured, scores


def test_independent_errors_are_the_tenth_power():
    assert scores.independent(0.9217) == pytest.approx(0.44248, abs=5e-6)  # by hand, with logarithms
    assert scores.independent(0.5) == 1 / 1024
    assert (scores.independent(0), scores.independent(1)) == (0, 1)


def test_the_lesson_page_is_recomputed_from_its_own_accuracy():
    page = scores.lesson_page_scores()
    assert page["encoder-decoder"]["exact"] == 0.625
    assert page["encoder-decoder"]["independent"] == 0.4425
    assert page["attention"]["independent"] == 0.9578  # 0.9957 to the tenth


@pytest.mark.parametrize(
    ("character", "exact", "said"),
    [
        (19000, 1300, "errors come together: 0.65 of the dates are whole, where independent errors would leave 0.60."),
        (19000, 1000, "errors spread out: 0.50 of the dates are whole, where independent errors would leave 0.60."),
        (
            19000,
            1200,
            "errors might be independent: 0.60 of the dates are whole, and independent errors would leave 0.60.",
        ),
        (2000, 0, "no date is whole yet."),
    ],
)
def test_the_sentence_follows_the_interval(character, exact, said):
    # 0.95 to the tenth is 0.5987; 1200 of 2000 has the interval 0.578 to 0.621.
    found = {"character": Count(character, 20000), "exact": Count(exact, 2000)}
    assert scores.describe_scores({"encoder-decoder": found}) == f"Without attention {said}"
    assert scores.describe_scores({"attention": found}) == f"With attention {said}"


def test_every_shipped_epoch_has_its_scores():
    sets = scores.scores_payload()["sets"]
    for training, found in sets.items():
        for width, epochs in found["widths"].items():
            assert list(map(int, epochs)) == found["epochs"], (training, width)
            assert all(list(by_set) == sorted(bottleneck.EVALUATIONS[training]) for by_set in epochs.values())


def test_a_score_is_that_of_the_table():
    found = scores.scores_payload()["sets"]["everyday"]["widths"]["32"]["8"]["open"]["models"]["attention"]
    table = measured.table("metrics")
    row = table.query(
        "training == 'everyday' and model == 'attention' and width == 32 and epoch == 8"
        " and evaluation == 'open' and beam_width == 1"
    ).iloc[0]
    assert found["exact"][:2] == [row["exact_correct"], row["exact_total"]]
    assert found["exact"][2:] == pytest.approx([row["exact_low"], row["exact_high"]], abs=1e-4)
    assert found["character"] == [row["character_correct"], row["character_total"]]
    assert found["teacher_forced"] == [row["teacher_forced_correct"], row["teacher_forced_total"]]
