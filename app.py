"""Builds the page and launches it."""

import os

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
# On a Space as anywhere else: there Gradio would add a header for which every visitor's browser asks huggingface.co and
# Google's fonts, and a reloader that fails without a package of the platform's own.
os.environ.pop("SYSTEM", None)

from seq2seq_demo.interface.backend import Backend
from seq2seq_demo.interface.page import LAUNCH, build, theme

backend = Backend()
demo = build(backend)

if __name__ == "__main__":
    # Imports TensorFlow in a thread of its own while the page goes up.
    backend.start()
    demo.launch(theme=theme(), prevent_thread_lock=True, **LAUNCH)
    demo.block_thread()
