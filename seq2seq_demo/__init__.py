"""Two small sequence-to-sequence models that read a date in a sentence, and what can be seen inside them.

Importing this does not import TensorFlow; the first `load_model` does.
"""

import os
from typing import TYPE_CHECKING, Any

from seq2seq_demo.alphabet import INPUT_SYMBOLS, OUTPUT_SYMBOLS
from seq2seq_demo.reference import find_reference

# TensorFlow announces itself on standard error at each import; nothing here prints. oneDNN's kernels
# are not in what XLA compiles: answers are the same bit for bit without them.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translation, Translator, load_model

__version__ = "1.0.0"
__all__ = ["INPUT_SYMBOLS", "OUTPUT_SYMBOLS", "Translation", "Translator", "find_reference", "load_model"]


def __getattr__(name: str) -> Any:
    if name in ("Translation", "Translator", "load_model"):
        from seq2seq_demo import translator

        return getattr(translator, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
