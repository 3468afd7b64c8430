"""Opens the app where the package is installed: `python -m seq2seq_demo.interface`, or `seq2seq-demo-app`."""

import os

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")


def main() -> None:
    """Open the app, as app.py does in a checkout, and serve it until interrupted."""
    try:
        from seq2seq_demo.interface.backend import Backend
        from seq2seq_demo.interface.page import LAUNCH, build, theme
    except ModuleNotFoundError as error:
        raise SystemExit(f"error: {error.name} is not installed; run `pip install 'seq2seq-demo[app]'`") from error
    backend = Backend()
    demo = build(backend)
    backend.start()
    demo.launch(theme=theme(), prevent_thread_lock=True, **LAUNCH)
    demo.block_thread()


if __name__ == "__main__":
    main()
