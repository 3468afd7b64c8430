from seq2seq_demo.evaluation import Count
from seq2seq_demo.interface import bottleneck


def test_a_set_without_measurements_leaves_the_others():
    def build(training):
        if training == "lesson":
            raise KeyError("no such column")
        return {"training": training}

    assert bottleneck.by_training(build) == {"lesson": {}, "everyday": {"training": "everyday"}}


def test_a_count_travels_with_its_interval():
    # 1250 of 2000: the example of `evaluation.wilson`.
    assert bottleneck.counted(Count(1250, 2000)) == [1250, 2000, 0.6036, 0.646]


def test_the_shipped_run_is_described():
    run = bottleneck.run_payload("lesson", bottleneck.greedy("lesson"))
    assert run["published"] in run["epochs"]
    assert run["epochs"] == sorted(set(run["epochs"]))
    assert (run["epochs"][0], run["seed"], run["evaluations"]) == (0, 0, ["lesson"])


def test_greedy_rows_are_of_one_seed_and_one_beam():
    rows = bottleneck.greedy("everyday")
    assert set(rows["beam_width"]) == {1}
    assert not rows.duplicated(["model", "width", "epoch", "evaluation"]).any()
