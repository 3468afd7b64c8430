"""Builds the page and launches it."""

import os

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

from seq2seq_demo.interface.backend import Backend
from seq2seq_demo.interface.page import LAUNCH, build, theme

backend = Backend()
demo = build(backend)

if __name__ == "__main__":
    # Imports TensorFlow in a thread of its own while the page goes up.
    backend.start()
    demo.launch(theme=theme(), prevent_thread_lock=True, **LAUNCH)
    demo.block_thread()
