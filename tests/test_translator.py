import copy
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import seq2seq_demo as s2s
from bench import lesson_loop
from seq2seq_demo import compiled
from seq2seq_demo.alphabet import encode_sources, encode_targets, shift_right
from seq2seq_demo.corpus import evaluation_rows

EXAMPLE = "order 21 item 45 07/02/1993 id seq"
ROWS = evaluation_rows("everyday")
SOURCES = [row.source for row in ROWS]


def test_greedy_is_the_lessons_own_loop_on_every_row(model):
    ids = encode_sources(SOURCES, 48)
    np.testing.assert_array_equal(model.decode(SOURCES).symbols[:, 0], lesson_loop.greedy(model.keras_model, ids))


def test_the_best_of_a_compiled_beam_with_one_place_in_use_is_greedy_on_every_row(model, monkeypatch):
    greedy = model.decode(SOURCES)
    monkeypatch.setattr(compiled, "BEAMS", (5, 12))  # a beam width of 1 is now a beam of 5 places
    found = model.decode(SOURCES)
    np.testing.assert_array_equal(found.symbols, greedy.symbols)
    np.testing.assert_allclose(found.scores, greedy.scores, atol=1e-4)


def test_a_beam_of_twelve_is_brute_force_over_the_last_two_characters(model):
    # Twelve places hold every first choice, so over two free characters nothing can be lost.
    prefix = "1993-02-"
    endings = np.array(list(product(range(12), repeat=2)), np.int32)
    targets = np.hstack([np.tile(encode_targets([prefix + "00"])[:, :8], (144, 1)), endings])
    ids = np.repeat(model.encode([EXAMPLE]), 144, axis=0)
    predicted = np.log(model.keras_model.predict([ids, shift_right(targets)], verbose=0))
    scores = np.take_along_axis(predicted, targets[..., None], axis=-1)[..., 0].sum(axis=1)
    best = np.argsort(-scores)[:12]

    found = model.translate(EXAMPLE, beam_width=12, forced_prefix=prefix)
    np.testing.assert_allclose([score for _, score in found.hypotheses], scores[best], rtol=1e-3, atol=1e-4)
    texts = ["".join(s2s.OUTPUT_SYMBOLS[symbol] for symbol in targets[row]) for row in best]
    assert [text for text, _ in found.hypotheses][:3] == texts[:3]


@pytest.mark.parametrize("beam_width", [1, 3])
def test_the_answer_is_the_same_alone_in_any_batch_and_with_any_padding(model, beam_width):
    texts = [*SOURCES[:40], EXAMPLE, ""]
    long = "x" * 90  # a neighbour past 48 characters makes the padding 96
    together = model.translate_batch(texts, beam_width)
    batches = ([text] for text in texts), ([*texts[:20], long], [*texts[20:], long]), (texts * 8,)
    for batch in batches:
        answers = [answer for group in batch for answer in model.translate_batch(group, beam_width)]
        answers = [answer for answer in answers if answer.source != long][: len(texts)]
        for answer, expected in zip(answers, together, strict=True):
            assert answer.text == expected.text
            np.testing.assert_allclose(answer.probabilities, expected.probabilities, atol=1e-4)
            if expected.attention is not None:
                np.testing.assert_allclose(answer.attention, expected.attention, atol=1e-4)


@pytest.mark.parametrize("beam_width", [1, 2, 5, 12])
def test_attention_rows_sum_to_one_and_are_zero_on_padding(attention, beam_width):
    found = attention.decode(SOURCES[:300], beam_width)
    np.testing.assert_allclose(found.attention.sum(axis=-1), 1, atol=1e-5)
    for weights, source in zip(found.attention, SOURCES, strict=False):
        assert (weights[:, len(source) :] == 0).all()


def test_attention_is_what_the_keras_layers_give_along_the_answer(attention):
    # The other route: the layers' own full forward pass, asked for its attention scores.
    found = attention.translate(EXAMPLE)
    keras_model, ids = attention.keras_model, attention.encode([EXAMPLE])
    layer = keras_model.get_layer
    outputs, *state = layer("encoder")(layer("source_embedding")(ids))
    shifted = shift_right(encode_targets([found.text]))
    features = layer("decoder")(layer("target_embedding")(shifted), initial_state=state)
    _, weights = layer("attention")([features, outputs], mask=[None, ids != 0], return_attention_scores=True)
    np.testing.assert_allclose(found.attention, np.asarray(weights)[0, :, : len(EXAMPLE)], atol=1e-5)
    predicted = keras_model.predict([ids, shifted], verbose=0)
    np.testing.assert_allclose(found.probabilities, predicted[0], atol=1e-5)


def test_teacher_forced_accuracy_is_keras_own_evaluation(model):
    targets = encode_targets([row.target for row in ROWS])
    model.keras_model.compile(loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    inputs = [encode_sources(SOURCES, 48), shift_right(targets)]
    loss, accuracy = model.keras_model.evaluate(inputs, targets, batch_size=500, verbose=0)
    found = model.teacher_forced(SOURCES, [row.target for row in ROWS])
    right = found.log_probabilities.argmax(axis=-1) == targets
    assert right.mean() == pytest.approx(accuracy, abs=1e-6)
    chosen = np.take_along_axis(found.log_probabilities, targets[..., None], axis=-1)
    assert -chosen.mean() == pytest.approx(loss, rel=1e-3)


def test_many_threads_get_what_one_gets(attention):
    alone = [attention.translate(text, beam_width=1 + row % 3).hypotheses for row, text in enumerate(SOURCES[:60])]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda row: attention.translate(SOURCES[row], 1 + row % 3).hypotheses, range(60)))
    assert found == alone


def test_the_contract_of_a_translation(model):
    found = model.translate("Order 21  item 45, 07-02-1993", beam_width=4)
    assert found.source == "order 21 item 45 07/02/1993"
    assert len(found.changes) == 4
    assert found.probabilities.shape == (10, 12)
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1, atol=1e-5)
    assert len(found.hypotheses) == 4
    assert found.hypotheses[0] == (found.text, found.log_probability)
    assert [score for _, score in found.hypotheses] == sorted((score for _, score in found.hypotheses), reverse=True)
    along = sum(np.log(found.probabilities[i, s2s.OUTPUT_SYMBOLS.index(c)]) for i, c in enumerate(found.text))
    assert found.log_probability == pytest.approx(along, abs=1e-4)
    if model.name == "attention":
        assert found.attention.shape == (10, len(found.source))
        assert found.attention.dtype == np.float32
    else:
        assert found.attention is None


def test_the_lessons_example():
    found = s2s.load_model("attention").translate(EXAMPLE)
    assert (found.text, found.source, found.changes) == ("1993-02-07", EXAMPLE, ())
    # Every digit looked into the date most, at places 17 to 26, and not at the numbers 21 and 45 before it.
    digits = [step for step in range(10) if step not in (4, 7)]
    assert all(17 <= peak < 27 for peak in found.attention[digits].argmax(axis=1))


def test_the_sizes_of_the_contract(attention, encoder_decoder):
    assert (attention.parameters, encoder_decoder.parameters) == (70924, 70156)
    ids = attention.encode([EXAMPLE, "", "x" * 80])
    assert (ids.shape, ids.dtype) == ((3, 48), np.int32)
    assert attention.translate("x" * 200).attention.shape == (10, 96)
    assert attention.translate("").attention.shape == (10, 0)


def test_a_forced_prefix_redirects_the_rest(attention):
    found = attention.translate(EXAMPLE, forced_prefix="2001-")
    assert found.text.startswith("2001-")
    assert found.log_probability < attention.translate(EXAMPLE).log_probability
    assert found.text == attention.translate(EXAMPLE, beam_width=12, forced_prefix=found.text).text


@settings(max_examples=60)
@given(st.text(max_size=200), st.integers(1, 12))
def test_any_text_is_answered(text, beam_width):
    found = s2s.load_model("attention").translate(text, beam_width)
    assert len(found.text) == 10
    assert 1 <= len(found.hypotheses) <= beam_width
    assert np.isfinite(found.attention).all()
    assert np.isfinite(found.log_probability)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"text": None}, TypeError, "str is expected"),
        ({"text": 7}, TypeError, "int"),
        ({"text": "x", "beam_width": 0}, ValueError, "expected 1 .* to 12"),
        ({"text": "x", "beam_width": 13}, ValueError, "13"),
        ({"text": "x", "forced_prefix": "abc"}, ValueError, "digits and hyphens"),
        ({"text": "x", "forced_prefix": "1993-02-071"}, ValueError, "at most 10"),
    ],
)
def test_bad_arguments_are_told_what_to_do(attention, arguments, error, message):
    with pytest.raises(error, match=message):
        attention.translate(**arguments)


@pytest.mark.parametrize(
    ("arguments", "listed"),
    [
        (("transformer",), "encoder-decoder, attention"),
        (("attention", "weather"), "lesson, everyday"),
        (("attention", "everyday", 7), "16, 32, 64"),
        (("attention", "everyday", 64, 999), "0, 1, 2"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_list(arguments, listed):
    with pytest.raises(ValueError, match=listed):
        s2s.load_model(*arguments)


def test_models_of_one_shape_share_their_compiled_code(attention):
    untrained = s2s.load_model("attention", epoch=0)
    assert untrained._program is attention._program
    assert untrained.translate(EXAMPLE).text != attention.translate(EXAMPLE).text


def test_without_xla_the_answers_are_the_same(model):
    quick = model.without_xla()
    for text in (EXAMPLE, "7 feb 1993", ""):
        found, expected = quick.translate(text), model.translate(text)
        assert found.text == expected.text
        np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-5)
    assert quick.keras_model is model.keras_model


def test_a_symbol_the_model_holds_impossible_can_still_be_forced(attention):
    certain = copy.copy(attention)
    certain._weights = [weight * 60 for weight in attention._weights]  # probabilities of 0 and 1 in float32
    for beam_width in (1, 5):
        found = certain.translate(EXAMPLE, beam_width, forced_prefix="2-2-2-2-2-")
        assert found.text == "2-2-2-2-2-"
        assert np.isfinite(found.log_probability)


def test_a_default_that_is_written_out_is_the_same_model_and_program():
    assert s2s.load_model("attention") is s2s.load_model("attention", training="everyday", width=64, epoch=None)
    assert compiled.program("attention", 64) is compiled.program("attention", 64, xla=True)
    assert compiled.program("attention", 64) is not compiled.program("attention", 64, xla=False)


def test_the_soonest_answer_is_compiled_only_once_that_has_run(monkeypatch):
    model = s2s.load_model("attention")
    monkeypatch.setattr(model._program, "_ran", set())
    assert model.soonest(1, 34, 1)._program is model.without_xla()._program
    model._program._ran.add((1, 48, 1))
    assert model.soonest(1, 34, 1) is model
    assert model.soonest(1, 49, 1) is not model, "another shape"
