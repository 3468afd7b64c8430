import math

import pytest

import seq2seq_demo as s2s
from seq2seq_demo.answers import COLUMNS, Settings, answer

TEXTS = ["Due 7 Feb 1993!", "07/02/1993 or 08/02/1993", "", None, " \u200b", "31/02/1993"]


def test_answers_stand_beside_their_texts(attention):
    found = answer(attention, TEXTS)
    assert found.translation[0] == "1993-02-07"
    assert found.expected == ["1993-02-07", None, None, None, None, None]
    assert found.agrees == [True, None, None, None, None, None]
    assert found.translation[2:5] == found.probability[2:5] == [None] * 3
    for place in (0, 1, 5):
        translation = attention.translate(TEXTS[place])
        assert found.translation[place] == translation.text
        # One text alone is decoded in another compiled shape, whose last bits differ.
        assert found.probability[place] == pytest.approx(math.exp(translation.log_probability), abs=2e-5)
    assert found.columns() == tuple(getattr(found, name) for name in COLUMNS)


def test_a_wrong_answer_disagrees():
    untrained = s2s.load_model("attention", epoch=0)
    found = answer(untrained, ["7 feb 1993"] * 3, beam_width=2)
    assert found.agrees == [False] * 3
    assert "\t" not in "".join(found.translation)


def test_the_same_group_gives_the_same_bits(attention):
    texts = [f"item {number} 07/02/1993" for number in range(300)]
    assert answer(attention, texts) == answer(attention, texts)


@pytest.mark.parametrize(("settings", "said"), [(Settings(epoch=999), "choose one of"), (Settings(beam_width=0), "1")])
def test_settings_that_cannot_be_are_told_before_anything_is_read(settings, said):
    with pytest.raises(ValueError, match=said):
        settings.load()
