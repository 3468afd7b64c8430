"""Builds the page and launches it."""

import os

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

from seq2seq_demo.interface.backend import Backend
from seq2seq_demo.interface.page import LAUNCH, build, theme

backend = Backend()
demo = build(backend)

if __name__ == "__main__":
    # The page first: importing TensorFlow at the same time would hold it up.
    demo.launch(theme=theme(), prevent_thread_lock=True, **LAUNCH)
    backend.start()
    demo.block_thread()
