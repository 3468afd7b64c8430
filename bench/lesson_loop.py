"""The lesson's own greedy decoding: the whole sequence predicted once for each output character."""

import keras
import numpy as np

from seq2seq_demo.alphabet import OUTPUT_LENGTH


def greedy(model: keras.Model, ids: np.ndarray) -> np.ndarray:
    """Decode source ids `(batch, length)` into output ids, int32 `(batch, 10)`."""
    history = np.zeros((len(ids), OUTPUT_LENGTH + 1), np.int32)  # column 0: the start symbol, id 0
    for position in range(OUTPUT_LENGTH):
        predictions = model.predict([ids, history[:, :-1]], verbose=0)
        history[:, position + 1] = predictions[:, position].argmax(axis=-1)
    return history[:, 1:]
