"""The two Keras models, by name and width: an LSTM encoder-decoder, and the same with attention."""

from typing import TYPE_CHECKING

from seq2seq_demo.alphabet import INPUT_SYMBOLS, OUTPUT_SYMBOLS

if TYPE_CHECKING:
    import keras

ENCODER_DECODER, ATTENTION = "encoder-decoder", "attention"
MODELS = (ENCODER_DECODER, ATTENTION)


def build(name: str, width: int) -> "keras.Model":
    """Build an untrained model.

    Both read the source into an encoder LSTM whose two states start the decoder LSTM. With
    attention, each decoder output is the query of a parameter-free dot product over the encoder's
    outputs, and the context vector is concatenated to it before the softmax.

    Args:
        name: "encoder-decoder" or "attention".
        width: units of the embeddings and of both LSTMs.

    Returns:
        A functional model: inputs source ids `(batch, source_length)`, padded with 0, and the
        target ids shifted right, `(batch, target_length)`; output probabilities
        `(batch, target_length, 12)`. Any lengths do.

    Raises:
        ValueError: for an unknown name, or a width under 1.

    Source: Sutskever et al. 2014 (arXiv:1409.3215); Luong et al. 2015 (arXiv:1508.04025), the
    "dot" score of section 3.1, without its extra tanh layer.
    """
    if name not in MODELS:
        raise ValueError(f"model {name!r}; expected one of {', '.join(MODELS)}")
    if width < 1:
        raise ValueError(f"width {width}; expected at least 1")
    import keras  # here, because the page knows the names before it has TensorFlow

    layers = keras.layers
    source = layers.Input((None,), dtype="int32", name="source")
    shifted_target = layers.Input((None,), dtype="int32", name="shifted_target")

    embedded_source = layers.Embedding(len(INPUT_SYMBOLS), width, mask_zero=True, name="source_embedding")(source)
    encoder = layers.LSTM(width, return_sequences=True, return_state=True, name="encoder")
    encoder_outputs, state_h, state_c = encoder(embedded_source)

    # No mask here: id 0 is the start symbol, and every output has all ten characters.
    embedded_target = layers.Embedding(len(OUTPUT_SYMBOLS), width, name="target_embedding")(shifted_target)
    decoder = layers.LSTM(width, return_sequences=True, name="decoder")
    features = decoder(embedded_target, initial_state=[state_h, state_c])
    if name == ATTENTION:
        context = layers.Attention(name="attention")([features, encoder_outputs])
        features = layers.Concatenate(name="with_context")([features, context])
    probabilities = layers.Dense(len(OUTPUT_SYMBOLS), activation="softmax", name="output")(features)
    return keras.Model([source, shifted_target], probabilities, name=name.replace("-", "_"))


def count_parameters(name: str, width: int) -> int:
    """The number of trainable weights, in closed form.

    Example: `count_parameters("encoder-decoder", 64)` is 70156, and 70924 with attention.
    """
    symbols_in, symbols_out = len(INPUT_SYMBOLS), len(OUTPUT_SYMBOLS)
    embeddings = (symbols_in + symbols_out) * width
    lstms = 2 * 4 * width * (2 * width + 1)
    context = symbols_out * width if name == ATTENTION else 0
    return embeddings + lstms + symbols_out * (width + 1) + context
