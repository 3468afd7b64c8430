from seq2seq_demo.evaluation import Count
from seq2seq_demo.interface import bottleneck, state_size
from seq2seq_demo.models import count_parameters


def counts(without, attention):
    return {"encoder-decoder": Count(without, 100), "attention": Count(attention, 100)}


def test_the_sentence_says_what_the_width_does():
    said = state_size.describe_sizes("everyday", 14, {8: counts(1, 20), 16: counts(5, 90), 32: counts(60, 95)})
    assert said == (
        "At epoch 14, from 16 numbers to 64, exact match goes from 0.01 to 0.60 without attention, and from 0.20 to "
        "0.95 with it. Attention at width 16 (0.90) is ahead of the encoder-decoder at width 32 (0.60)."
    )


def test_ahead_means_that_the_intervals_are_apart():
    # 68 of 100 has the interval 0.583 to 0.763, 60 of 100 has 0.502 to 0.691: not apart.
    said = state_size.describe_sizes("everyday", 14, {16: counts(5, 20), 32: counts(60, 68)})
    assert "ahead" not in said


def test_a_single_width_is_said_to_be_one():
    said = state_size.describe_sizes("lesson", 16, {64: counts(62, 98)})
    assert said == (
        "The lesson set was trained at width 64 only: with 128 numbers and nothing else the encoder-decoder has 0.62 "
        "of the dates exactly right at epoch 16; with attention it is 0.98."
    )


def test_every_shipped_epoch_has_all_widths_with_their_parameters():
    for training, found in state_size.state_size_payload().items():
        for width, parameters in found["parameters"].items():
            assert parameters == {name: count_parameters(name, int(width)) for name in parameters}
        for evaluation in bottleneck.EVALUATIONS[training]:
            by_epoch = found["exact"][evaluation]
            assert list(map(int, by_epoch)) == found["epochs"]
            assert all(shown["widths"].keys() == found["parameters"].keys() for shown in by_epoch.values())
