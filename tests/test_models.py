import json
from pathlib import Path

import keras
import numpy as np
import pytest

from seq2seq_demo.models import MODELS, build, count_parameters

LESSON_PAGE = json.loads((Path(__file__).parent.parent / "data" / "lesson_page.json").read_text("utf-8"))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("width", [1, 3, 8, 16, 32, 64])
def test_the_closed_form_counts_what_keras_counts(name, width):
    assert count_parameters(name, width) == build(name, width).count_params()


@pytest.mark.parametrize("name", MODELS)
def test_the_formula_is_the_lesson_pages(name):
    for w in (5, 64):
        formula = 40 * w + 12 * w + 2 * 4 * w * (2 * w + 1) + 12 * (w + 1) + (12 * w if name == "attention" else 0)
        assert count_parameters(name, w) == formula
    assert count_parameters(name, 64) == LESSON_PAGE["models"][name]["parameters"]


@pytest.mark.parametrize("name", MODELS)
def test_an_untrained_model_is_about_as_unsure_as_a_guess_among_twelve(name):
    keras.utils.set_random_seed(3)
    probabilities = build(name, 64).predict([np.ones((4, 9), np.int32), np.zeros((4, 10), np.int32)], verbose=0)
    assert probabilities.shape == (4, 10, 12)
    assert -np.log(probabilities).mean() == pytest.approx(np.log(12), abs=0.02)


def test_attention_weights_worked_out_by_hand():
    # Two source positions, the query along the first: scores 2 and 0, weights e^2 and 1 over their sum.
    query = np.array([[[2.0, 0.0]]], np.float32)
    value = np.array([[[1.0, 0.0], [0.0, 1.0]]], np.float32)
    layer = build("attention", 2).get_layer("attention")
    context, weights = layer([query, value], return_attention_scores=True)
    first = np.e**2 / (np.e**2 + 1)
    np.testing.assert_allclose(weights, [[[first, 1 - first]]], rtol=1e-6)
    np.testing.assert_allclose(context, [[[first, 1 - first]]], rtol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_padding_changes_nothing(name):
    model = build(name, 8)
    short, shifted = np.array([[5, 6, 7]], np.int32), np.zeros((1, 10), np.int32)
    padded = np.pad(short, ((0, 0), (0, 45)))
    np.testing.assert_allclose(
        model.predict([short, shifted], verbose=0), model.predict([padded, shifted], verbose=0), rtol=1e-5
    )


@pytest.mark.parametrize(("name", "width"), [("transformer", 64), ("attention", 0)])
def test_what_does_not_exist_is_refused(name, width):
    with pytest.raises(ValueError, match="expected"):
        build(name, width)
