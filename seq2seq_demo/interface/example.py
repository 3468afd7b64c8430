"""Stores the first example's answer, so that the page shows one before any model is loaded.

Run `python -m seq2seq_demo.interface.example` after training; a test fails when the store is stale.
"""

import json
from pathlib import Path

from seq2seq_demo.interface.backend import DEFAULT_TRAINING, Backend
from seq2seq_demo.interface.components import ASSETS, Payload
from seq2seq_demo.interface.translation import EXAMPLE, translation_payload


def example_payload() -> Payload:
    """Answer the first example with the published models, greedily."""
    return translation_payload(Backend().models(DEFAULT_TRAINING), EXAMPLE, DEFAULT_TRAINING, 1)


def store(path: Path = ASSETS / "example.json") -> None:
    """Write the answer to where `translation.stored_example` reads it."""
    path.write_text(json.dumps(example_payload(), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    store()
