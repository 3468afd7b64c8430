"""What is written beside each text of a file: the answer, its probability, and whether the text's own date agrees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from seq2seq_demo import artefacts
from seq2seq_demo.alphabet import OUTPUT_LENGTH, START, decode_outputs, read
from seq2seq_demo.reference import find_in

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translator

COLUMNS = ("translation", "probability", "expected", "agrees")


@dataclass(frozen=True, slots=True)
class Settings:
    """Which model answers, and how; as `load_model` and `Translator.translate` take them."""

    model: str = "attention"
    training: str = "everyday"
    width: int = 64
    epoch: int | None = None
    beam_width: int = 1

    def load(self) -> "Translator":
        """The model.

        Raises:
            ValueError: if there is no such model or beam width; the message lists what there is.
        """
        from seq2seq_demo.translator import load_model

        model = load_model(self.model, self.training, self.width, self.epoch)
        model.decode([], self.beam_width)
        return model

    @property
    def weights(self) -> str:
        """The sha256 of the weights that answer."""
        return artefacts.read_manifest().find(self.model, self.training, self.width, self.epoch).sha256


@dataclass(frozen=True, slots=True)
class Answers:
    """The columns of some texts, in the texts' order; None where a text has nothing to read.

    Attributes:
        translation: the best hypothesis, 10 characters; a start symbol is shown as `_`.
        probability: of the translation, 0 to 1, rounded to 6 decimals.
        expected: the one date a rule finds in the text, `YYYY-MM-DD`; None if it does not hold exactly one.
        agrees: whether the translation is the expected date; None if there is none.
    """

    translation: list[str | None]
    probability: list[float | None]
    expected: list[str | None]
    agrees: list[bool | None]

    def columns(self) -> tuple[list[Any], ...]:
        """The four lists in the order of `COLUMNS`."""
        return self.translation, self.probability, self.expected, self.agrees


def answer(model: "Translator", texts: Sequence[str | None], beam_width: int = 1) -> Answers:
    """Answer texts together.

    The last bits of a probability depend on the compiled shape a text is decoded in, and that on
    how many are decoded together: the same texts in the same groups give the same answers.
    """
    sources = [None if text is None else read(text).source for text in texts]
    full = [source for source in sources if source]
    found = model.decode(full, beam_width)
    # Only an untrained model writes the start symbol, which is a tab.
    translated = (text.replace(START, "_") for text in decode_outputs(found.symbols[:, 0].reshape(-1, OUTPUT_LENGTH)))
    likely = iter(np.exp(found.scores[:, 0].astype(np.float64)).round(6).tolist())
    answers = Answers([], [], [], [])
    for source in sources:
        translation = next(translated) if source else None
        expected = find_in(source).text if source else None
        answers.translation.append(translation)
        answers.probability.append(next(likely) if source else None)
        answers.expected.append(expected)
        answers.agrees.append(None if expected is None else translation == expected)
    return answers
