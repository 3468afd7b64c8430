"""Builds the page and launches it; `--mcp` serves the endpoints as tools for language models too."""

import argparse
import importlib.util
import os
import sys

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
# On a Space as anywhere else: there Gradio would add a header for which every visitor's browser asks huggingface.co and
# Google's fonts, and a reloader that fails without a package of the platform's own.
os.environ.pop("SYSTEM", None)

from seq2seq_demo.interface.backend import Backend
from seq2seq_demo.interface.page import LAUNCH, build, theme

backend = Backend()
demo = build(backend)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mcp", action="store_true", default=os.environ.get("GRADIO_MCP_SERVER", "").lower() == "true")
    mcp = parser.parse_args().mcp
    if mcp and not importlib.util.find_spec("mcp"):
        sys.exit("error: --mcp needs more packages; install them with: pip install -r requirements-mcp.txt")
    # Imports TensorFlow in a thread of its own while the page goes up.
    backend.start()
    demo.launch(theme=theme(), mcp_server=mcp, prevent_thread_lock=True, **LAUNCH)
    demo.block_thread()
