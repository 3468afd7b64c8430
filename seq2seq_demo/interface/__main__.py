"""Builds the page and launches it: `python app.py`, or `seq2seq-demo-app` where the package is installed."""

import argparse
import importlib.util
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import gradio as gr

    from seq2seq_demo.interface.backend import Backend

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
# On a Space as anywhere else: there Gradio would add a header for which every visitor's browser asks huggingface.co and
# Google's fonts, and a reloader that fails without a package of the platform's own.
os.environ.pop("SYSTEM", None)


def main() -> None:
    """Serve the page until interrupted."""
    serve(*create())


def create() -> tuple["Backend", "gr.Blocks"]:
    """Build the page on a backend that is not started yet.

    Raises:
        SystemExit: with one plain line, if a package is missing.
    """
    try:
        from seq2seq_demo.interface.backend import Backend
        from seq2seq_demo.interface.page import build
    except ModuleNotFoundError as error:
        raise SystemExit(f"error: {error.name} is not installed; run `pip install 'seq2seq-demo[app]'`") from error
    backend = Backend()
    return backend, build(backend)


def serve(backend: "Backend", page: "gr.Blocks") -> None:
    """Launch a page and serve it until interrupted, as the command line says.

    Raises:
        SystemExit: with one plain line, if a package is missing.
    """
    from seq2seq_demo.interface.page import LAUNCH, theme

    parser = argparse.ArgumentParser(description="Open the app.")
    parser.add_argument(
        "--mcp",
        action="store_true",
        default=os.environ.get("GRADIO_MCP_SERVER", "").lower() == "true",
        help="serve the endpoints as tools for language models too",
    )
    mcp = parser.parse_args().mcp
    if mcp and not importlib.util.find_spec("mcp"):
        raise SystemExit("error: --mcp needs more packages; install them with: pip install -r requirements-mcp.txt")
    # Imports TensorFlow in a thread of its own while the page goes up.
    backend.start()
    page.launch(theme=theme(), mcp_server=mcp, prevent_thread_lock=True, **LAUNCH)
    page.block_thread()


if __name__ == "__main__":
    main()
