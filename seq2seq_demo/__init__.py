"""Two small sequence-to-sequence models that read a date in a sentence, and what can be seen inside them.

Importing this does not import TensorFlow; the first `load_model` does.
"""

from typing import TYPE_CHECKING, Any

from seq2seq_demo.alphabet import INPUT_SYMBOLS, OUTPUT_SYMBOLS
from seq2seq_demo.reference import find_reference

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translation, Translator, load_model

__all__ = ["INPUT_SYMBOLS", "OUTPUT_SYMBOLS", "Translation", "Translator", "find_reference", "load_model"]


def __getattr__(name: str) -> Any:
    if name in ("Translation", "Translator", "load_model"):
        from seq2seq_demo import translator

        return getattr(translator, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
