"""The searches against fake steps, whose right answers are known without them."""

from itertools import product

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from seq2seq_demo.decoding import FREE, beam_search, greedy

START = 0


def table_step(log_probabilities):
    """A step that knows its position and previous symbol: `log_probabilities[position, previous]`."""
    table = tf.constant(log_probabilities, tf.float32)

    def step(position, symbols):
        rows = tf.gather(table, position[0, 0])
        # Attention that tells which symbol was read at which position, to see that both are followed back.
        attention = tf.one_hot(position * table.shape[1] + symbols, table.shape[0] * table.shape[1])
        return position + 1, tf.gather(rows, symbols), attention

    return step


def state(batch, beam):
    return tf.zeros([batch, beam], tf.int32)


def free(batch, length):
    return tf.fill([batch, length], FREE)


def spelling_step(word, size):
    """A step that spells a word, whatever it reads."""
    table = np.full((len(word), size, size), -9.0)
    for position, symbol in enumerate(word):
        table[position, :, symbol] = -0.1 * (position + 1)
    return table_step(table)


def test_greedy_spells_the_word_and_adds_up_its_log_probability():
    word = [3, 1, 4, 1, 2]
    found = greedy(spelling_step(word, 5), state(2, 1), START, free(2, 5))
    assert found.symbols.numpy().tolist() == [[word], [word]]
    np.testing.assert_allclose(found.scores, [[-1.5], [-1.5]], rtol=1e-6)


def test_beam_search_spells_the_word_too():
    word = [3, 1, 4, 1, 2]
    found = beam_search(spelling_step(word, 5), state(2, 3), START, free(2, 5), beam=3, width=3)
    assert found.symbols[:, 0].numpy().tolist() == [word, word]
    np.testing.assert_allclose(found.scores[:, 0], [-1.5, -1.5], rtol=1e-6)


def garden_path():
    """Symbol 1 looks better at first (0.6 against 0.4), but leads to two equal ends; 2 leads to a sure one."""
    table = np.full((2, 3, 3), 1e-9)
    table[0, START] = [1e-9, 0.6, 0.4]
    table[1, 1] = [1e-9, 0.5, 0.5]
    table[1, 2] = [1e-9, 0.01, 0.99]
    return table_step(np.log(table))


def test_greedy_falls_for_the_garden_path_and_a_beam_of_two_does_not():
    fooled = greedy(garden_path(), state(1, 1), START, free(1, 2))
    assert fooled.symbols[0, 0].numpy().tolist() == [1, 1]
    found = beam_search(garden_path(), state(1, 2), START, free(1, 2), beam=2, width=2)
    assert found.symbols[0].numpy().tolist()[0] == [2, 2]
    np.testing.assert_allclose(np.exp(found.scores[0]), [0.4 * 0.99, 0.6 * 0.5], rtol=1e-5)


def test_a_wide_beam_with_few_places_in_use_is_a_narrow_beam():
    narrow = beam_search(garden_path(), state(1, 1), START, free(1, 2), beam=1, width=1)
    found = beam_search(garden_path(), state(1, 4), START, free(1, 2), beam=4, width=tf.constant(1))
    assert found.symbols[0, 0].numpy().tolist() == narrow.symbols[0, 0].numpy().tolist() == [1, 1]
    assert (found.scores[0, 1:].numpy() < -1e29).all()


def random_table(seed, length, size):
    logits = np.random.default_rng(seed).normal(size=(length, size, size)) * 2
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def every_sequence(table):
    """All sequences with their log-probabilities, best first."""
    length, size, _ = table.shape
    scored = []
    for sequence in product(range(size), repeat=length):
        previous = (START, *sequence[:-1])
        scored.append((sum(table[i, p, s] for i, (p, s) in enumerate(zip(previous, sequence, strict=True))), sequence))
    return sorted(scored, reverse=True)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(2, 4))
def test_a_full_beam_finds_every_sequence_in_the_order_of_brute_force(seed, length, size):
    table = random_table(seed, length, size)
    expected = every_sequence(table)
    places = size**length
    found = beam_search(table_step(table), state(1, places), START, free(1, length), beam=places, width=places)
    assert [tuple(row) for row in found.symbols[0].numpy().tolist()] == [sequence for _, sequence in expected]
    np.testing.assert_allclose(found.scores[0], [score for score, _ in expected], rtol=1e-4)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_every_hypothesis_of_a_narrow_beam_has_its_true_log_probability(seed, width):
    table = random_table(seed, 4, 5)
    truth = {sequence: score for score, sequence in every_sequence(table)}
    found = beam_search(table_step(table), state(1, 5), START, free(1, 4), beam=5, width=width)
    scores = found.scores[0, :width].numpy()
    sequences = [tuple(row) for row in found.symbols[0, :width].numpy().tolist()]
    assert len(set(sequences)) == width
    np.testing.assert_allclose(scores, [truth[sequence] for sequence in sequences], rtol=1e-4)
    assert (np.diff(scores) <= 0).all()


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_a_beam_of_one_is_greedy(seed):
    table = random_table(seed, 5, 6)
    one = beam_search(table_step(table), state(1, 1), START, free(1, 5), beam=1, width=1)
    straight = greedy(table_step(table), state(1, 1), START, free(1, 5))
    for field in ("symbols", "scores", "log_probabilities", "attention"):
        np.testing.assert_allclose(getattr(one, field), getattr(straight, field), rtol=1e-6)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 3), max_size=4))
def test_a_forced_prefix_is_kept_and_the_best_of_what_it_leaves_is_found(seed, prefix):
    table = random_table(seed, 4, 4)
    forced = np.full((1, 4), FREE, np.int32)
    forced[0, : len(prefix)] = prefix
    found = beam_search(table_step(table), state(1, 256), START, tf.constant(forced), beam=256, width=256)
    best = next(sequence for _, sequence in every_sequence(table) if list(sequence[: len(prefix)]) == prefix)
    assert tuple(found.symbols[0, 0].numpy().tolist()) == best
    assert int((found.scores[0].numpy() > -1e29).sum()) == 4 ** (4 - len(prefix))


def test_forcing_everything_is_teacher_forcing():
    table = random_table(5, 4, 4)
    target = [2, 0, 3, 1]
    found = greedy(table_step(table), state(1, 1), START, tf.constant([target]))
    assert found.symbols[0, 0].numpy().tolist() == target
    expected = [table[i, p] for i, p in enumerate([START, *target[:-1]])]
    np.testing.assert_allclose(found.log_probabilities[0], expected, rtol=1e-5)


def test_attention_and_log_probabilities_follow_the_best_hypothesis_not_its_place():
    # The best hypothesis [2, 2] is second after the first step, so its past must be followed to that place.
    found = beam_search(garden_path(), state(1, 2), START, free(1, 2), beam=2, width=2)
    read = found.attention[0].numpy().argmax(axis=-1).tolist()
    assert read == [0 * 3 + START, 1 * 3 + 2]
    np.testing.assert_allclose(np.exp(found.log_probabilities[0, 1]), [1e-9, 0.01, 0.99], rtol=1e-4)


def test_rows_of_a_batch_do_not_mix():
    table = random_table(8, 3, 4)
    forced = np.full((3, 3), FREE, np.int32)
    forced[1, 0], forced[2, :2] = 3, (1, 2)
    together = beam_search(table_step(table), state(3, 4), START, tf.constant(forced), beam=4, width=4)
    for row in range(3):
        alone = beam_search(table_step(table), state(1, 4), START, tf.constant(forced[row : row + 1]), beam=4, width=4)
        live = alone.scores[0].numpy() > -1e29
        assert together.symbols[row].numpy()[live].tolist() == alone.symbols[0].numpy()[live].tolist()


@pytest.mark.parametrize("width", [1, 2, 3])
def test_impossible_continuations_are_never_reported_as_possible(width):
    # Two symbols and one step have two hypotheses; the third place stays empty and is not NaN.
    found = beam_search(table_step(np.log([[[0.7, 0.3]]])), state(1, 3), START, free(1, 1), beam=3, width=width)
    assert not np.isnan(found.scores).any()
    assert int((found.scores[0].numpy() > -1e29).sum()) == min(width, 2)
